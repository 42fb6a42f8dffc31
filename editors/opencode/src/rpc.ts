// JSON-RPC 2.0 with the framing of LSP, over the streams of a process.
import type { Readable, Writable } from "node:stream";

/** An error that the other side answered with. */
export class AnsweredError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

interface Message {
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

const endOfHead = Buffer.from("\r\n\r\n");

/** The code of a method that is not known. */
const unknownMethod = -32601;

export class Connection {
  private input: Buffer = Buffer.alloc(0);
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;
  private isClosed = false;
  /** Counts the messages that arrived. */
  heard = 0;

  /**
   * Reads and writes until a stream ends. Requests of the other side are refused, except those
   * in `answers`.
   */
  constructor(
    from: Readable,
    private readonly to: Writable,
    private readonly notified: (method: string, params: unknown) => void,
    private readonly answers: Record<string, (params: unknown) => unknown>,
    private readonly closed: (why: string) => void,
  ) {
    from.on("data", (chunk: Buffer) => {
      try {
        this.read(chunk);
      } catch (error) {
        this.close(`what it sent cannot be read: ${error instanceof Error ? error.message : error}`);
      }
    });
    from.on("close", () => this.close("it closed its output"));
    to.on("error", (error) => this.close(error.message));
  }

  /** The id of the next request, to cancel it. */
  get next(): number {
    return this.last + 1;
  }

  request(method: string, params?: unknown): Promise<unknown> {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      if (this.isClosed) {
        reject(new Error("the connection is closed"));
        return;
      }
      this.waiting.set(id, { resolve, reject });
      this.write({ id, method, params });
    });
  }

  notify(method: string, params?: unknown): void {
    if (!this.isClosed) {
      this.write({ method, params });
    }
  }

  /** Drops the connection; requests without an answer fail. */
  close(why: string): void {
    if (this.isClosed) {
      return;
    }
    this.isClosed = true;
    for (const { reject } of this.waiting.values()) {
      reject(new Error(why));
    }
    this.waiting.clear();
    this.closed(why);
  }

  private write(message: Message): void {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.to.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
  }

  private read(chunk: Buffer): void {
    this.input = Buffer.concat([this.input, chunk]);
    for (;;) {
      const head = this.input.indexOf(endOfHead);
      if (head < 0 || this.isClosed) {
        return;
      }
      const length = /^Content-Length: *(\d+)$/im.exec(this.input.toString("latin1", 0, head))?.[1];
      if (length === undefined) {
        throw new Error("a message without a length");
      }
      const start = head + endOfHead.length;
      const end = start + Number(length);
      if (this.input.length < end) {
        return;
      }
      const body = this.input.toString("utf8", start, end);
      this.input = this.input.subarray(end);
      this.handle(JSON.parse(body) as Message);
    }
  }

  private handle({ id, method, params, result, error }: Message): void {
    this.heard++;
    if (method === undefined) {
      const waiting = this.waiting.get(Number(id));
      this.waiting.delete(Number(id));
      if (error) {
        waiting?.reject(new AnsweredError(error.code, error.message));
      } else {
        waiting?.resolve(result);
      }
    } else if (id === undefined) {
      this.notified(method, params);
    } else {
      const answer = this.answers[method];
      this.write({
        id,
        ...(answer
          ? { result: answer(params) }
          : { error: { code: unknownMethod, message: `${method} is not known` } }),
      });
    }
  }
}
