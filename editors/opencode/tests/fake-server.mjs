// A server that does what its first argument says, and appends each message that it gets to the
// file in its second one.
import { appendFileSync, readFileSync } from "node:fs";

const [, , role, log] = process.argv;
const all = ["wm/session/start", "wm/message/received", "wm/context", "wm/status"];
const methods = role === "older" ? all.filter((method) => method !== "wm/context") : all;
let input = Buffer.alloc(0);

function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** How many processes were started before this one. */
function before() {
  try {
    return readFileSync(log, "utf8").split('"initialize"').length - 1;
  } catch {
    return 0;
  }
}

function handle({ id, method, params }) {
  const started = before();
  appendFileSync(log, `${JSON.stringify({ method, params })}\n`);
  if (method === "exit") {
    process.exit(0);
  }
  if (id === undefined) {
    return;
  }
  if (method === "initialize") {
    const workingMemory = { version: role === "newer" ? 2 : 1, methods };
    send({
      id,
      result: {
        capabilities: role === "other" ? {} : { experimental: { workingMemory } },
        serverInfo: { name: "fake", version: "0.0.1" },
      },
    });
    return;
  }
  if (role === "crashes" || (role === "crashes once" && started === 1)) {
    process.exit(3);
  }
  if (role === "hangs" || (role === "hangs once" && started === 1)) {
    return;
  }
  send({ id, result: { memories: [], decisions: [], todos: [] } });
}

process.stdin.on("data", (chunk) => {
  input = Buffer.concat([input, chunk]);
  for (;;) {
    const head = input.indexOf("\r\n\r\n");
    if (head < 0) {
      return;
    }
    const length = Number(/Content-Length: (\d+)/i.exec(input.subarray(0, head).toString())?.[1]);
    if (input.length < head + 4 + length) {
      return;
    }
    const body = input.subarray(head + 4, head + 4 + length).toString();
    input = input.subarray(head + 4 + length);
    handle(JSON.parse(body));
  }
});
process.stdin.on("end", () => process.exit(0));
