// Runs the extension with the events of a session of pi, against the real program on the PATH.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import workingMemory from "./index.ts";

/** Starts the extension; the result sends it an event. Its tools are added to `tools`. */
function start(cwd, told, tools = {}) {
  const handlers = {};
  workingMemory({
    on: (event, handler) => (handlers[event] = handler),
    registerTool: (tool) => (tools[tool.name] = tool),
  });
  const ui = { notify: (message) => told.push(message) };
  const context = { cwd, hasUI: true, ui, sessionManager: { getSessionId: () => "019d" } };
  return (event, members) => handlers[event](members, context);
}

async function inFolder(body) {
  const cwd = mkdtempSync(join(tmpdir(), "wm-pi-"));
  await body(cwd).finally(() => rmSync(cwd, { recursive: true, force: true }));
}

const text = (said) => [{ type: "text", text: said }];

test("the model gets the context with the first prompt, and then what is new", () =>
  inFolder(async (cwd) => {
    const told = [];
    const send = start(cwd, told);
    await send("session_start", { reason: "startup" });
    const first = await send("before_agent_start", { prompt: "Remember: run make check before a commit" });
    assert.match(first.message.content, /<guide>[\s\S]*New: \[feedback\] run make check before a commit/);
    assert.equal(first.message.display, false);
    assert.match(told.join("\n"), /^wm-lsp keeps: run make check before a commit/);

    const shell = { toolName: "bash", toolCallId: "call_1", input: { command: "go test ./..." } };
    const failure =
      "--- FAIL: TestAdd (0.00s)\n    add_test.go:7: got 3, want 4\nFAIL\n\n\nCommand exited with code 1";
    await send("tool_result", { ...shell, content: text(failure), isError: true });
    await send("agent_end", { messages: [{ role: "assistant", content: text("The test fails.") }] });
    const second = await send("before_agent_start", { prompt: "and?" });
    assert.match(second.message.content, /^Working memory, new [\s\S]*TestAdd: got 3, want 4$/);
    assert.equal(await send("before_agent_start", { prompt: "go on" }), undefined);

    await send("session_compact", { compactionEntry: { summary: "The work goes on." } });
    const third = await send("before_agent_start", { prompt: "and now?" });
    assert.match(third.message.content, /run make check before a commit[\s\S]*TestAdd: got 3, want 4/);
    await send("tool_result", {
      ...shell,
      toolCallId: "call_2",
      content: text("ok  \texample.com/add\t0.1s\n"),
      isError: false,
    });
    const fourth = await send("before_agent_start", { prompt: "done?" });
    assert.match(fourth.message.content, /No longer open: \[test\] add_test.go:7/);
    await send("session_shutdown", { reason: "quit" });
  }));

test("the model has the tools of the memory, in the session of its events", () =>
  inFolder(async (cwd) => {
    const tools = {};
    const send = start(cwd, [], tools);
    await send("session_start", { reason: "startup" });
    assert.ok(Object.keys(tools).length >= 10);
    assert.deepEqual(tools.memory_remember.parameters.required, ["text"]);
    const first = await send("before_agent_start", { prompt: "go on" });
    assert.match(first.message.content, /memory_remember/, "the guide names them");

    await tools.memory_remember.execute("1", { text: "Amounts are in cents", type: "decision" });
    const goal = { block: "goal", operation: "replace", content: "Finish the widget" };
    await tools.core_memory_update.execute("2", goal);
    assert.equal(await send("before_agent_start", { prompt: "and?" }), undefined, "what it wrote is no news");
    await assert.rejects(tools.notes_read.execute("3", { path: "none.md" }), /none\.md/);
    const context = await tools.memory_context.execute("4", {});
    assert.match(context.content[0].text, /Amounts are in cents[\s\S]*Finish the widget/);

    const stopped = AbortSignal.abort();
    await assert.rejects(tools.memory_list.execute("5", {}, stopped), /did not answer/);
  }));

test("without the program a person is told so once, and the session goes on", () =>
  inFolder(async (cwd) => {
    const path = process.env.PATH;
    process.env.PATH = cwd;
    const told = [];
    const send = start(cwd, told);
    await send("session_start", { reason: "startup" });
    assert.equal(await send("before_agent_start", { prompt: "go on" }), undefined);
    process.env.PATH = path;
    assert.deepEqual(told.length, 1);
    assert.match(told[0], /was not found/);
  }));
