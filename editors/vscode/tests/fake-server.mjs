// A server for the tests: responds to the extension and records what it receives. Files in
// FAKE_DIR control its behaviour; they are read when it starts or when it is needed:
//   mode          "hang" never responds, "garbage" writes no LSP, "crash" exits after
//                 the handshake, "quit" before it, "shut" closes its output and keeps running,
//                 "deny" refuses the handshake, "old" offers no memory, "mute" hangs at --version
//   deaf          while it exists nothing is responded to; these requests get their
//                 responses with the next message after it was removed
//   panel.json    the panel
//   markdown      the details of an item; without it there are none
//   context       what an agent is told; without it the request is refused
//   paused        when the pause ends, if there is one
//   refuse        how a wm/memory/update or wm/memory/restore is refused, once: "error",
//                 "gone", "rejected" or "end"
//   record        gets one JSON line per message
import fs from "node:fs";
import path from "node:path";

const dir = process.env.FAKE_DIR;
const file = (name) => path.join(dir, name);

/** Returns the content of a file; nothing if there is none, which a test may remove at any time. */
function read(name) {
  try {
    return fs.readFileSync(file(name), "utf8");
  } catch {
    return undefined;
  }
}

/** Returns a result with a text; nothing without one. */
function resultWith(name, text) {
  return text === undefined ? undefined : { [name]: text };
}

const mode = read("mode") ?? "";
const forever = () => setInterval(() => {}, 1000);

function record(message) {
  fs.appendFileSync(file("record"), `${JSON.stringify(message)}\n`);
}

function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function panel({ ifSeq } = {}) {
  const answer = JSON.parse(read("panel.json"));
  return answer.seq === ifSeq ? { unchanged: true, seq: answer.seq } : answer;
}

const everything = { filters: [{ scheme: "file", pattern: { glob: "**" } }] };
const watching = {
  id: "watch",
  method: "workspace/didChangeWatchedFiles",
  registerOptions: { watchers: [{ globPattern: "**/*", kind: 4 }] }, // deletions
};

const answers = {
  initialize: () => ({
    capabilities: {
      executeCommandProvider: { commands: ["wm.remember"] },
      hoverProvider: true,
      textDocumentSync: { openClose: true, change: 2, save: true },
      workspace: { fileOperations: { didRename: everything, didDelete: everything } },
      ...(mode !== "old" && {
        experimental: { workingMemory: { version: 1, methods: ["wm/panel", "wm/search"] } },
      }),
    },
    serverInfo: { name: "fake" },
  }),
  "wm/panel": panel,
  "wm/panel/resolve": () => resultWith("markdown", read("markdown")),
  "wm/context": () => resultWith("text", read("context")),
  "wm/memory/add": ({ text }) => ({ status: "added", id: "new", text }),
  "wm/memory/remove": () => ({ entry: {}, undo: { method: "wm/memory/restore", params: { id: "m1" } } }),
  "wm/memory/update": () => ({ status: "updated" }),
  "wm/memory/restore": () => ({ status: "updated" }),
  "wm/status": () => ({
    version: "1.2.3",
    store: {},
    workspace: {},
    sizes: {},
    sessions: 1,
    problems: [],
    pausedUntil: read("paused"),
  }),
  "wm/session/list": () => ({ sessions: [] }),
  "wm/search": ({ query }) => ({
    hits: [{ item: { id: "m1", text: `found ${query}` }, store: "workspace", from: "workspace · decision" }],
  }),
  "textDocument/hover": () => null,
  shutdown: () => null,
};

const problem = { code: -32803, message: "no such thing\nhere [now](command:workbench.action.quit)" };

/** Returns the result of a request. */
function answerTo({ method, params }) {
  if (method === "initialize" && mode === "deny") {
    return { error: problem };
  }
  const how = /^wm\/memory\/(update|restore)$/.test(method) ? read("refuse") : undefined;
  if (how !== undefined) {
    fs.rmSync(file("refuse"));
    if (how === "end") {
      process.exit(3);
    }
    const refusals = {
      error: { error: problem },
      gone: { error: { ...problem, data: { reason: "notFound" } } },
      rejected: { result: { status: "rejected", reason: "a secret" } },
    };
    return refusals[how];
  }
  const result = answers[method]?.(params);
  return result === undefined ? { error: problem } : { result };
}

let unheard = [];
let isLeaving = false;

function hear(message) {
  if (fs.existsSync(file("deaf"))) {
    unheard.push(message);
    return;
  }
  const before = unheard;
  unheard = [];
  before.forEach(hear);
  record(message);
  if (["hang", "garbage", "shut"].includes(mode)) {
    return;
  }
  if (message.method === "exit") {
    isLeaving = true;
    setTimeout(() => {
      record({ method: "exited", pid: process.pid });
      process.exit(3);
    }, 50); // as a server that has something to write
  } else if (message.method === "test/crash") {
    process.exit(3);
  } else if (message.method === "initialized" && mode === "crash") {
    process.exit(3);
  } else if (message.method === "initialized") {
    send({ id: "watch", method: "client/registerCapability", params: { registrations: [watching] } });
  } else if (message.method === "test/changed") {
    send({ method: "wm/changed", params: { workspace: "file:///w", seq: 2, sections: ["memory"] } });
  }
  if (message.id !== undefined && message.method !== undefined) {
    send({ id: message.id, ...answerTo(message) });
  }
}

function listen() {
  let buffer = Buffer.alloc(0);
  process.stdin.on("end", () => isLeaving || process.exit(0));
  process.stdin.on("data", (data) => {
    buffer = Buffer.concat([buffer, data]);
    for (;;) {
      const end = buffer.indexOf("\r\n\r\n");
      const length = Number(
        /Content-Length: (\d+)/.exec(buffer.toString("latin1", 0, Math.max(end, 0)))?.[1],
      );
      if (end < 0 || buffer.length < end + 4 + length) {
        return;
      }
      const body = buffer.toString("utf8", end + 4, end + 4 + length);
      buffer = buffer.subarray(end + 4 + length);
      hear(JSON.parse(body));
    }
  });
}

if (process.argv.includes("--version")) {
  if (mode === "mute") {
    forever();
  } else {
    console.log("wm-lsp 1.2.3");
  }
} else {
  for (const level of ["DEBUG", "WARN"]) {
    console.error(`level=${level} msg="the fake server starts"`);
  }
  record({ method: "started", pid: process.pid, args: process.argv.slice(2) });
  if (mode === "quit") {
    process.exit(3);
  }
  if (mode === "shut") {
    fs.closeSync(process.stdout.fd);
  }
  if (mode === "garbage") {
    process.stdout.write("Content-Length: nonsense\r\n\r\nhello\n");
    process.stdout.write("x".repeat(100_000));
  }
  listen();
}
