import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { AnsweredError, Connection } from "../../src/rpc";

function opened() {
  const from = new PassThrough();
  const to = new PassThrough();
  const events: string[] = [];
  const connection = new Connection(
    from,
    to,
    (method, params) => events.push(`${method} ${JSON.stringify(params)}`),
    { "workspace/configuration": () => [null] },
    (why) => events.push(`closed: ${why}`),
  );
  return { connection, from, to, events, sent: () => `${to.read() ?? ""}` };
}

const frame = (message: object | string) => {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  return Buffer.from(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
};
const settled = () => new Promise((done) => setImmediate(done));

test("a request is framed in bytes, and its answer arrives in any pieces", async () => {
  const { connection, from, sent } = opened();
  const first = connection.request("wm/context", { query: "größer 🙂" });
  assert.equal(
    sent(),
    `${frame({ jsonrpc: "2.0", id: 1, method: "wm/context", params: { query: "größer 🙂" } })}`,
  );
  const second = connection.request("wm/status");
  for (const byte of Buffer.concat([frame({ id: 2, result: "ö" }), frame({ id: 1, result: { a: "🙂" } })])) {
    from.write(Buffer.from([byte]));
  }
  assert.deepEqual(await first, { a: "🙂" });
  assert.equal(await second, "ö");
});

test("an answer may be an error", async () => {
  const { connection, from } = opened();
  const asked = connection.request("wm/context");
  from.write(frame({ id: 1, error: { code: -32803, message: "paused" } }));
  await assert.rejects(asked, (error) => error instanceof AnsweredError && error.code === -32803);
});

test("notifications arrive in order, and requests of the other side are answered or refused", async () => {
  const { from, events, sent } = opened();
  from.write(Buffer.concat([frame({ method: "wm/changed", params: { seq: 1 } }), frame({ method: "wm/x" })]));
  from.write(frame({ id: "a", method: "workspace/configuration", params: {} }));
  from.write(frame({ id: 9, method: "window/showDocument" }));
  await settled();
  assert.deepEqual(events, ['wm/changed {"seq":1}', "wm/x undefined"]);
  assert.equal(
    sent(),
    `${frame({ jsonrpc: "2.0", id: "a", result: [null] })}${frame({
      ...{ jsonrpc: "2.0", id: 9 },
      error: { code: -32601, message: "window/showDocument is not known" },
    })}`,
  );
});

for (const [says, bytes] of [
  ["no length", Buffer.from("Content-Type: x\r\n\r\n{}")],
  ["no JSON", frame("{")],
  ["no object", frame("null")],
] as const) {
  test(`a message with ${says} closes the connection, and open requests fail`, async () => {
    const { connection, from, events } = opened();
    const asked = connection.request("wm/context");
    from.write(bytes);
    await assert.rejects(asked, /cannot be read/);
    assert.equal(events.length, 1);
    await assert.rejects(connection.request("wm/context"), /is closed/);
    connection.notify("exit");
    assert.equal(events.length, 1);
  });
}

test("an answer that nobody waits for is ignored", async () => {
  const { connection, from, events } = opened();
  from.write(
    Buffer.concat([frame({ id: 7, result: 1 }), frame({ id: "x", error: { code: 1, message: "m" } })]),
  );
  const asked = connection.request("wm/status");
  from.write(frame({ id: 1, result: "yes" }));
  assert.equal(await asked, "yes");
  assert.deepEqual(events, []);
});

test("the end of the stream closes the connection", async () => {
  const { connection, from, events } = opened();
  const asked = connection.request("wm/context");
  from.destroy();
  await assert.rejects(asked, /closed its output/);
  assert.deepEqual(events, ["closed: it closed its output"]);
});
