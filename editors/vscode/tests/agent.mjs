// An agent beside the editor: another process of the real server in the same folder.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";

export class Agent {
  #pending = new Map();
  #buffer = Buffer.alloc(0);
  #next = 1;

  constructor(program, folder, env, sessionId = "agent-1") {
    this.uri = pathToFileURL(folder).href;
    this.sessionId = sessionId;
    this.child = spawn(program, [], { env, stdio: ["pipe", "pipe", "ignore"] });
    this.child.stdout.on("data", (data) => this.#read(data));
    this.child.on("exit", () => {
      for (const { reject } of this.#pending.values()) {
        reject(new Error("the agent's server has ended"));
      }
    });
  }

  async start() {
    await this.call("initialize", {
      processId: process.pid,
      clientInfo: { name: "agent" },
      capabilities: {},
      workspaceFolders: [{ uri: this.uri, name: "workspace" }],
      initializationOptions: { sessionId: this.sessionId, agent: "agent" },
    });
    this.notify("initialized", {});
    return this;
  }

  #read(data) {
    this.#buffer = Buffer.concat([this.#buffer, data]);
    for (;;) {
      const end = this.#buffer.indexOf("\r\n\r\n");
      const length = Number(
        /Content-Length: (\d+)/.exec(this.#buffer.toString("latin1", 0, Math.max(end, 0)))?.[1],
      );
      if (end < 0 || this.#buffer.length < end + 4 + length) {
        return;
      }
      const message = JSON.parse(this.#buffer.toString("utf8", end + 4, end + 4 + length));
      this.#buffer = this.#buffer.subarray(end + 4 + length);
      this.#hear(message);
    }
  }

  #hear(message) {
    if (message.method !== undefined) {
      if (message.id !== undefined) {
        this.#send({ id: message.id, result: null });
      }
      return;
    }
    const waiting = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.error) {
      waiting?.reject(new Error(message.error.message));
    } else {
      waiting?.resolve(message.result);
    }
  }

  #send(message) {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  notify(method, params) {
    this.#send({ method, params });
  }

  call(method, params = {}) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  async end() {
    const ended = once(this.child, "exit");
    await this.call("shutdown");
    this.notify("exit", {});
    await ended;
  }
}
