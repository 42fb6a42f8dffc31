import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { Server } from "../../src/server";

const home = mkdtempSync(join(tmpdir(), "wm-opencode-"));
after(() => rmSync(home, { recursive: true, force: true }));

const uses = ["wm/session/start", "wm/message/received", "wm/context"] as const;
let runs = 0;

function started(role: string, command?: string[]) {
  const file = join(home, `${runs++}.jsonl`);
  const told: string[] = [];
  const logged: string[] = [];
  const server = new Server({
    command: command ?? [process.execPath, resolve("tests/fake-server.mjs"), role, file],
    directory: home,
    version: "0.1.0",
    toolNames: {},
    uses,
    log: (_, message) => logged.push(message),
    tell: (message) => told.push(message),
    notified: () => {},
  });
  const got = () =>
    (existsSync(file) ? readFileSync(file, "utf8") : "")
      .split("\n")
      .slice(0, -1) // what stands behind the last line is being written
      .map((line) => JSON.parse(line) as { method: string; params: Record<string, unknown> });
  return { server, told, logged, got };
}

const message = (text: string) => ({ sessionId: "opencode:s", role: "user", text, messageId: text }) as const;

async function until(what: string, condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 6_000; tries++) {
    if (condition()) {
      return;
    }
    await new Promise((done) => setTimeout(done, 10));
  }
  assert.fail(`${what} did not happen`);
}

test("a call returns the result, in the order in which calls were made", async () => {
  const { server, got, told } = started("works");
  const answers = await Promise.all(
    ["1", "2", "3"].map((text) => server.event("wm/message/received", message(text))),
  );
  assert.deepEqual(answers[2], { memories: [], decisions: [], todos: [] });
  await server.close();
  const events = got().filter(({ method }) => method === "wm/message/received");
  assert.deepEqual(
    events.map(({ params }) => params.text),
    ["1", "2", "3"],
  );
  assert.equal(got().at(-1)?.method, "exit");
  assert.deepEqual(told, []);
});

test("a program that is missing is told once, and calls return nothing", async () => {
  const { server, told } = started("", [join(home, "nothing")]);
  for (let i = 0; i < 10; i++) {
    assert.equal(await server.call("wm/context", {}), undefined);
  }
  assert.equal(told.length, 1);
  assert.match(told[0] ?? "", /There is no program .*nothing, so nothing is remembered\. Install wm-lsp/);
  await server.close();
});

test("a folder that is missing is told", async () => {
  const told: string[] = [];
  const server = new Server({
    ...{ command: [process.execPath], directory: join(home, "gone"), version: "", toolNames: {}, uses },
    ...{ log: () => {}, notified: () => {} },
    tell: (message) => told.push(message),
  });
  assert.equal(await server.call("wm/context", {}), undefined);
  assert.equal(told.length, 1);
  await server.close();
});

test("a program that is older than the plugin: a person is told, and the others of its methods work", async () => {
  const { server, told, got } = started("older");
  assert.equal(await server.call("wm/context", {}), undefined);
  assert.ok(await server.event("wm/message/received", message("kept")));
  assert.deepEqual(told, [
    "wm-lsp 0.0.1 is older than its plugin opencode-wm-lsp 0.1.0: it has no wm/context. " +
      "The session goes on; install the newest wm-lsp so that nothing is missed.",
  ]);
  assert.ok(!got().some(({ method }) => method === "wm/context"));
  await server.close();
});

test("a program that speaks another version, or is another program, is told and not started again", async () => {
  for (const [role, says] of [
    ["newer", /version 2 of its protocol/],
    ["other", /is not wm-lsp/],
  ] as const) {
    const { server, told, got } = started(role);
    assert.equal(await server.call("wm/context", {}), undefined);
    assert.equal(await server.call("wm/context", {}), undefined);
    assert.match(told.join("\n"), says);
    assert.equal(got().filter(({ method }) => method === "initialize").length, 1);
    await server.close();
  }
});

test("an event that a process did not acknowledge goes to the next one", async () => {
  const { server, got } = started("crashes once");
  assert.equal(await server.event("wm/message/received", message("first")), undefined);
  await until(
    "the event is sent again",
    () => got().filter(({ params }) => params?.text === "first").length === 2,
  );
  assert.ok(await server.event("wm/message/received", message("second")));
  await server.close();
  const texts = got().flatMap(({ params }) => (params?.text ? [params.text] : []));
  assert.deepEqual(texts, ["first", "first", "second"]);
});

test("a process that ends again and again is not started for ever, and a person is told", async () => {
  const { server, told, got } = started("crashes");
  for (let calls = 0; told.length === 0 && calls < 100; calls++) {
    assert.equal(await server.call("wm/context", {}), undefined);
  }
  assert.match(told[0] ?? "", /ended 5 times within 3 minutes/);
  assert.equal(got().filter(({ method }) => method === "initialize").length, 5);
  await server.close();
});

test("a process that hangs is ended, and the call returns nothing", async () => {
  const { server, logged, got } = started("hangs once");
  assert.equal(await server.event("wm/message/received", message("first"), 500), undefined);
  await until(
    "the event is sent again",
    () => got().filter(({ params }) => params?.text === "first").length === 2,
  );
  assert.ok(await server.event("wm/message/received", message("second")));
  assert.ok(logged.includes("wm-lsp does not answer; it is ended"));
  await server.close();
});

test("closing ends the process, and calls after it return nothing", async () => {
  const { server } = started("works");
  await server.call("wm/context", {});
  const pid = server.pid;
  assert.ok(pid);
  await server.close();
  assert.throws(() => process.kill(pid, 0));
  assert.equal(await server.call("wm/context", {}), undefined);
  assert.equal(server.pid, undefined);
});
