// One wm-lsp process: starts it when it is needed, starts it again when it ended, and bounds
// the time of every call. Nothing here throws or rejects: OpenCode goes on whatever happens.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import type { Methods, ServerCapability } from "../../vscode/src/wire";
import { AnsweredError, Connection } from "./rpc";

/** How often a server is started at most within `windowMillis`. */
const mostStarts = 5;
const windowMillis = 3 * 60 * 1000;

/** How long the start and a call may take. */
const startMillis = 8_000;
export const callMillis = 5_000;

/** How many events that were not acknowledged are sent again to the next process. */
const mostPending = 200;

/** The error code of a request that is valid but cannot be fulfilled. */
const refused = -32803;

/** The version of the wm/* methods that this plugin speaks. */
const protocolVersion = 1;

export type Level = "debug" | "info" | "warn" | "error";

export interface ServerOptions {
  /** The program and its arguments. */
  command: readonly string[];
  /** The folder of the workspace. */
  directory: string;
  version: string;
  /** The names by which the agent calls methods, by method. */
  toolNames: Record<string, string>;
  /** The methods that the plugin uses. */
  uses: readonly (keyof Methods)[];
  log(level: Level, message: string): void;
  /** Tells a person what keeps the memory from working. */
  tell(message: string): void;
  /** A wm/* notification of the server. */
  notified(method: string, params: unknown): void;
  now?(): number;
}

/** A process that has answered initialize. */
interface Link {
  connection: Connection;
  methods: ReadonlySet<string>;
}

/** What is read of the response to initialize. */
interface Initialized {
  serverInfo?: { version?: string };
  capabilities?: { experimental?: { workingMemory?: ServerCapability } };
}

interface Event {
  method: Method;
  params: unknown;
  /** Whether a process got it. */
  sent: boolean;
}

type Method = keyof Methods;
type Params<M extends Method> = Methods[M]["params"];
type Result<M extends Method> = Methods[M]["result"];

/** Waits at most a time; undefined after it. */
export async function within<T>(promise: Promise<T>, millis: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), millis);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export class Server {
  private process: ChildProcessWithoutNullStreams | undefined;
  private link: Promise<Link | undefined> | undefined;
  private starts: number[] = [];
  private closed = false;
  private gaveUp = false;
  /** Whether the program is missing or is none that this plugin can use. */
  private unusable = false;
  private readonly told = new Set<string>();
  /** Events that the server has not acknowledged, in order. */
  private readonly pending = new Map<number, Event>();
  private events = 0;
  private begun = 0;
  private readonly now: () => number;

  constructor(private readonly options: ServerOptions) {
    this.now = options.now ?? Date.now;
  }

  /** The id of the process, if one runs. */
  get pid(): number | undefined {
    return this.process?.pid;
  }

  /** Counts the processes that were started. */
  get generation(): number {
    return this.begun;
  }

  /** Starts the process, so that the first call need not wait for it. */
  start(): void {
    void this.linked();
  }

  /** Calls a method. Returns undefined if it failed or took too long, which is logged. */
  async call<M extends Method>(
    method: M,
    params: Params<M>,
    millis = callMillis,
  ): Promise<Result<M> | undefined> {
    const before = this.now();
    const link = await within(this.linked(), millis);
    return link && this.send(link, method, params, Math.max(millis - (this.now() - before), 1));
  }

  /**
   * Calls a method that reports an event with an id. If the process ends before it acknowledges
   * the event, the next process gets it.
   */
  async event<M extends Method>(
    method: M,
    params: Params<M>,
    millis = callMillis,
  ): Promise<Result<M> | undefined> {
    const id = this.events++;
    this.pending.set(id, { method, params, sent: false });
    if (this.pending.size > mostPending) {
      const [oldest] = this.pending.keys();
      this.pending.delete(oldest as number);
      this.options.log("warn", "too many events wait for wm-lsp; the oldest one is dropped");
    }
    const sending = this.linked().then((link) => link && this.send(link, method, params, millis, id));
    return within(sending, millis);
  }

  /** Ends the process: asks it to write everything, and kills it if it takes too long. */
  async close(millis = 3_000): Promise<void> {
    this.closed = true;
    const child = this.process;
    const link = this.link && (await within(this.link, millis));
    if (!child) {
      return;
    }
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    if (child.exitCode !== null || child.signalCode !== null) {
      return;
    }
    if (link) {
      await within(
        link.connection.request("shutdown").catch(() => undefined),
        millis,
      );
      link.connection.notify("exit");
    }
    child.stdin.end();
    await within(ended, millis);
    child.kill("SIGKILL");
  }

  private async send<M extends Method>(
    link: Link,
    method: M,
    params: Params<M>,
    millis: number,
    event?: number,
  ): Promise<Result<M> | undefined> {
    const done = () => event !== undefined && this.pending.delete(event);
    const waiting = event === undefined ? undefined : this.pending.get(event);
    if (waiting) {
      waiting.sent = true;
    }
    if (!link.methods.has(method)) {
      done();
      return undefined;
    }
    const { connection } = link;
    const { heard, next } = connection;
    const process = this.process;
    const answered = connection.request(method, params).then(
      (result) => {
        done();
        return result as Result<M>;
      },
      (error: unknown) => {
        const code = error instanceof AnsweredError ? error.code : undefined;
        if (code !== undefined) {
          done();
        }
        this.options.log(code === refused ? "info" : "warn", `${method}: ${said(error)}`);
        return undefined;
      },
    );
    const result = await within(
      answered.then((value) => ({ value })),
      millis,
    );
    if (result) {
      return result.value;
    }
    this.options.log("warn", `${method} took more than ${millis} ms`);
    if (connection.heard === heard && process && process === this.process) {
      // The process hangs. What it has acknowledged is on the disk.
      this.options.log("error", "wm-lsp does not answer; it is ended");
      process.kill("SIGKILL");
    } else if (event === undefined) {
      connection.notify("$/cancelRequest", { id: next });
    }
    return undefined;
  }

  /** The process that runs, or a new one. */
  private linked(): Promise<Link | undefined> {
    if (!this.link && !this.closed && !this.unusable && this.mayStart()) {
      this.link = this.begin();
    }
    return this.link ?? Promise.resolve(undefined);
  }

  private mayStart(): boolean {
    const now = this.now();
    this.starts = this.starts.filter((time) => now - time < windowMillis);
    if (this.starts.length >= mostStarts) {
      if (!this.gaveUp) {
        this.gaveUp = true;
        this.say(
          `wm-lsp ended ${mostStarts} times within ${windowMillis / 60_000} minutes; the memory pauses. ` +
            "OpenCode's log has the details.",
        );
      }
      return false;
    }
    this.gaveUp = false;
    this.starts.push(now);
    return true;
  }

  /** Tells a person something once. */
  private say(message: string): void {
    this.options.log("error", message);
    if (!this.told.has(message)) {
      this.told.add(message);
      this.options.tell(message);
    }
  }

  private async begin(): Promise<Link | undefined> {
    const [program = "wm-lsp", ...args] = this.options.command;
    this.begun++;
    let child: ChildProcessWithoutNullStreams;
    try {
      child = spawn(program, args, { cwd: this.options.directory, stdio: "pipe", windowsHide: true });
    } catch (error) {
      return this.failed(program, error);
    }
    this.process = child;
    const ended = new Promise<string>((resolve) => {
      child.once("error", (error) => {
        this.failed(program, error);
        resolve(error.message);
      });
      child.once("exit", (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
    });
    void ended.then((why) => this.left(child, why));
    const connection = this.connect(child);
    const asked = connection.request("initialize", this.initialize()).then(
      (result) => ({ result: result as Initialized }),
      (error: unknown) => ({ problem: said(error) }),
    );
    const answer = await within(Promise.race([asked, ended.then((problem) => ({ problem }))]), startMillis);
    const problem = answer
      ? "problem" in answer
        ? answer.problem
        : this.mismatch(program, answer.result)
      : `it did not answer within ${startMillis / 1000} seconds`;
    if (!answer || "problem" in answer || problem) {
      this.options.log("error", `wm-lsp was not started: ${problem}`);
      child.kill("SIGKILL");
      this.left(child, `${problem}`);
      return undefined;
    }
    const methods = answer.result.capabilities?.experimental?.workingMemory?.methods;
    const link = { connection, methods: new Set(methods) };
    connection.notify("initialized", {});
    for (const [id, { method, params, sent }] of [...this.pending]) {
      if (sent) {
        void this.send(link, method, params as never, callMillis, id);
      }
    }
    return link;
  }

  /** Remembers that the program cannot be started. */
  private failed(program: string, error: unknown): undefined {
    this.unusable = true;
    this.say(
      (error as NodeJS.ErrnoException).code === "ENOENT"
        ? `There is no program ${program}, so nothing is remembered. Install wm-lsp, or name it in the options of ` +
            'the plugin: ["opencode-wm-lsp", {"command": ["/path/to/wm-lsp"]}].'
        : `${program} cannot be started, so nothing is remembered: ${said(error)}`,
    );
    return undefined;
  }

  /** Forgets a process that has ended. Events that it did not acknowledge go to the next one. */
  private left(child: ChildProcessWithoutNullStreams, why: string): void {
    if (this.process !== child) {
      return;
    }
    this.process = undefined;
    this.link = undefined;
    if (this.closed) {
      return;
    }
    this.options.log("warn", `wm-lsp ended: ${why}`);
    if ([...this.pending.values()].some(({ sent }) => sent)) {
      this.start();
    }
  }

  private connect(child: ChildProcessWithoutNullStreams): Connection {
    createInterface({ input: child.stderr }).on("line", (line) => this.options.log(levelOf(line), line));
    return new Connection(
      child.stdout,
      child.stdin,
      (method, params) => {
        if (method.startsWith("wm/")) {
          this.options.notified(method, params);
        }
      },
      {
        "workspace/configuration": (params) =>
          ((params as { items?: unknown[] }).items ?? []).map(() => null), // settings come from files
        "client/registerCapability": () => null,
        "window/showMessageRequest": () => null,
      },
      (why) => {
        if (!this.closed) {
          child.kill();
        }
        this.left(child, why);
      },
    );
  }

  private initialize(): object {
    const { directory, version, toolNames } = this.options;
    return {
      processId: process.pid,
      clientInfo: { name: "opencode", version },
      rootUri: pathToFileURL(directory).href,
      workspaceFolders: [{ uri: pathToFileURL(directory).href, name: directory }],
      capabilities: { experimental: { workingMemory: { notifications: true } } },
      initializationOptions: { agent: "opencode", toolNames },
    };
  }

  /** Why the program cannot be used, if so. A person is told. */
  private mismatch(program: string, result: Initialized): string | undefined {
    const version = result.serverInfo?.version ?? "of an unknown version";
    const has = result.capabilities?.experimental?.workingMemory;
    let problem: string | undefined;
    if (!has) {
      problem = `${program} is not wm-lsp, or is much older than this plugin; install the newest wm-lsp`;
    } else if (has.version !== protocolVersion) {
      problem =
        `wm-lsp ${version} speaks version ${has.version} of its protocol and the plugin opencode-wm-lsp ` +
        `${this.options.version} version ${protocolVersion}; install the newest of both`;
    }
    if (problem) {
      this.unusable = true;
      this.say(`${problem}. Nothing is remembered until then.`);
      return problem;
    }
    const missing = this.options.uses.filter((method) => !has?.methods.includes(method));
    if (missing.length > 0) {
      this.say(
        `wm-lsp ${version} is older than its plugin opencode-wm-lsp ${this.options.version}: it has no ` +
          `${missing.join(", ")}. The session goes on; install the newest wm-lsp so that nothing is missed.`,
      );
    }
    return undefined;
  }
}

/** What the hooks need of a server. */
export type Memory = Pick<Server, "call" | "event" | "close" | "generation">;

const said = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The level of a line of the server's log. */
function levelOf(line: string): Level {
  const level = /\blevel=(DEBUG|INFO|WARN|ERROR)\b/.exec(line)?.[1]?.toLowerCase();
  return (level as Level | undefined) ?? "info";
}
