import assert from "node:assert/strict";
import { test } from "node:test";
import type { Hooks } from "@opencode-ai/plugin";
import type { Client, HostEvent, Messages, Part } from "../../src/host";
import { hooksOf, Mapping } from "../../src/plugin";
import type { Memory } from "../../src/server";

type Told = { method: string; params: Record<string, unknown> };
type Chat = Parameters<NonNullable<Hooks["chat.message"]>>;

const titlePrompt = "You are a title generator. You output ONLY a thread title.";
const summaryPrompt = "You are a helpful AI assistant tasked with summarizing conversations.";
const context = {
  prefix: "\n<workspace_memory>\n</workspace_memory>\n",
  suffix: "<session_state>\n</session_state>",
};

/** The plugin with a memory that records what it is told and answers what `answers` has. */
function opened(answers: Record<string, unknown> = {}, parents: Record<string, string> = {}) {
  const told: Told[] = [];
  const messages: string[] = [];
  const prompts: unknown[] = [];
  const memory = {
    generation: 1,
    async call(method: string, params: Record<string, unknown>) {
      told.push({ method, params });
      return answers[method];
    },
    async close() {
      told.push({ method: "close", params: {} });
    },
  };
  const client = {
    app: {
      agents: async () => ({
        data: [
          { name: "build", prompt: "" },
          { name: "title", prompt: titlePrompt },
          { name: "compaction", prompt: summaryPrompt },
        ],
      }),
    },
    session: {
      get: async ({ path: { id } }: { path: { id: string } }) => ({
        data: { title: `title of ${id}`, ...(parents[id] ? { parentID: parents[id] } : {}) },
      }),
      prompt: async (prompt: unknown) => prompts.push(prompt),
    },
  };
  const logged: string[] = [];
  const log = (_: string, message: string) => logged.push(message);
  const mapping = new Mapping({ ...memory, event: memory.call } as unknown as Memory, {
    client: client as unknown as Client,
    directory: "/ws",
    log,
    tell: (message) => messages.push(message),
  });
  const hooks = hooksOf(mapping, log) as Required<Hooks>;
  const of = (method: string) => told.filter((call) => call.method === method).map(({ params }) => params);
  return { hooks, mapping, told, of, messages, prompts, logged, memory };
}

const text = (content: string, more: object = {}) => ({ type: "text", text: content, ...more }) as Part;
const message = (sessionID: string, id: string, ...parts: Part[]): Chat => [
  { sessionID },
  { message: { id, sessionID, role: "user" } as Chat[1]["message"], parts },
];
const said = (id: string, role: "user" | "assistant", ...parts: Part[]) =>
  ({ info: { id, role, sessionID: "s1" }, parts }) as unknown as Messages[number];
const event = (type: string, properties: object) => ({ event: { type, properties } as unknown as HostEvent });
const texts = (messages: Messages) =>
  messages.map(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : part.type)).join("|"));

const model = { limit: { context: 1000, output: 100 } };
const params = { temperature: 0, topP: 0, topK: 0, maxOutputTokens: 1, options: {} };

test("a message of the user is told with its id, in the session of its agent", async () => {
  const { hooks, told } = opened();
  await hooks["chat.message"](
    ...message("s1", "m1", text("use pnpm"), text("<reminder>", { synthetic: true })),
  );
  assert.deepEqual(told, [
    {
      method: "wm/session/start",
      params: { sessionId: "opencode:s1", agent: "opencode", title: "title of s1" },
    },
    {
      method: "wm/message/received",
      params: { sessionId: "opencode:s1", role: "user", text: "use pnpm", messageId: "m1" },
    },
  ]);
});

test("what a subagent is asked, and what OpenCode writes, is not told", async () => {
  const { hooks, of } = opened({}, { sub: "s1" });
  await hooks["chat.message"](...message("sub", "m1", text("From now on use tabs")));
  await hooks["chat.message"](...message("s1", "m2", text("continue", { synthetic: true })));
  await hooks.event(event("session.created", { info: { id: "sub2", title: "t", parentID: "s1" } }));
  await hooks["chat.message"](...message("sub2", "m3", text("From now on use tabs")));
  assert.deepEqual(of("wm/message/received"), []);
  assert.deepEqual(
    of("wm/session/start").map(({ sessionId }) => sessionId),
    ["opencode:sub", "opencode:s1", "opencode:sub2"],
    "each has a session of its own",
  );
});

test("of a command only its arguments were typed", async () => {
  const { hooks, of } = opened();
  const parts = [text("Review the code. Always be strict. today's changes")];
  await hooks["command.execute.before"](
    { command: "review", sessionID: "s1", arguments: " today's changes " },
    { parts },
  );
  await hooks["chat.message"](...message("s1", "m1", ...parts));
  await hooks["chat.message"](...message("s1", "m2", text("and now this")));
  await hooks["command.execute.before"]({ command: "init", sessionID: "s1", arguments: "" }, { parts });
  await hooks["chat.message"](...message("s1", "m3", ...parts));
  assert.deepEqual(
    of("wm/message/received").map((params) => params.text),
    ["today's changes", "and now this"],
  );
});

test("a person is told what is kept and what is not", async () => {
  const entry = { id: "E1", text: "use pnpm", status: "active" };
  const { hooks, messages } = opened({
    "wm/message/received": {
      memories: [
        { status: "added", id: "E1", entry },
        { status: "merged", id: "E1", entry },
        {
          status: "rejected",
          text: `ignore ${"a".repeat(90)}`,
          reason: "paused",
          message: "recording is paused",
        },
        { status: "added", id: "E2", entry: { ...entry, status: "candidate" } },
      ],
    },
  });
  await hooks["chat.message"](...message("s1", "m1", text("use pnpm")));
  assert.deepEqual(messages[0]?.split("\n"), [
    "Kept: use pnpm (to undo it, ask to forget E1)",
    "Known already, as E1: use pnpm",
    `Not kept: "ignore ${"a".repeat(53)}…": recording is paused`,
  ]);
});

test("a command is told with its exit code, and its pruned output goes back", async () => {
  const pruned = "a\n[pruned by wm-lsp: 1 of 90 lines; all: wm/output/read ref 0123456789abcdef]";
  const { hooks, of } = opened({ "wm/tool/executed": { output: { output: pruned, pruned: true } } });
  const output = {
    title: "t",
    output: "all: wm/output/read ref\n".repeat(90),
    metadata: { output: "x", exit: 3 },
  };
  const args = { command: "make", workdir: "sub" };
  await hooks["tool.execute.after"]({ tool: "bash", sessionID: "s1", callID: "c1", args }, output);
  assert.deepEqual(of("wm/tool/executed"), [
    {
      sessionId: "opencode:s1",
      tool: "bash",
      input: args,
      output: "all: wm/output/read ref\n".repeat(90),
      exitCode: 3,
      cwd: "/ws/sub",
      callId: "c1",
      prune: true,
    },
  ]);
  assert.equal(
    output.output,
    "a\n[pruned by wm-lsp: 1 of 90 lines; all: wm_read_output ref 0123456789abcdef]",
  );
});

test("a command that was interrupted has no exit code", async () => {
  const { hooks, of } = opened();
  const output = { title: "", output: "", metadata: { exit: null } };
  await hooks["tool.execute.after"]({ tool: "bash", sessionID: "s1", callID: "c1", args: {} }, output);
  assert.ok(!("exitCode" in (of("wm/tool/executed")[0] ?? {})));
});

test("edits and reads are told and stay whole", async () => {
  const { hooks, of } = opened({ "wm/tool/executed": {} });
  for (const tool of ["read", "edit", "write"]) {
    const output = { title: "", output: "text", metadata: {} };
    const args = { filePath: "/ws/a.ts" };
    await hooks["tool.execute.after"]({ tool, sessionID: "s1", callID: tool, args }, output);
    assert.equal(output.output, "text");
  }
  assert.deepEqual(
    of("wm/tool/executed").map(({ tool, input, prune }) => ({ tool, input, prune })),
    ["read", "edit", "write"].map((tool) => ({ tool, input: { filePath: "/ws/a.ts" }, prune: false })),
  );
});

test("the result of an MCP server is pruned in its content, and is no event", async () => {
  const { hooks, of } = opened({ "wm/prune": { output: "short", pruned: true } });
  const output = { content: [{ type: "text", text: "long" }] };
  const after = hooks["tool.execute.after"] as (input: object, output: unknown) => Promise<void>;
  await after({ tool: "docs_search", sessionID: "s1", callID: "c1", args: {} }, output);
  assert.deepEqual(output.content, [{ type: "text", text: "short" }]);
  assert.deepEqual(of("wm/prune"), [{ sessionId: "opencode:s1", tool: "docs_search", output: "long" }]);
  assert.deepEqual(of("wm/tool/executed"), []);
  await after({ tool: "task", sessionID: "s1", callID: "c2", args: {} }, undefined); // a subagent that failed
});

test("our own tools work in the session of OpenCode and are not told", async () => {
  const { hooks, told } = opened();
  const before = { args: { block: "goal" } as Record<string, unknown> };
  await hooks["tool.execute.before"](
    { tool: "wm_core_memory_update", sessionID: "s1", callID: "c1" },
    before,
  );
  assert.equal(before.args.sessionId, "opencode:s1");
  const named = { args: { sessionId: "other" } };
  await hooks["tool.execute.before"]({ tool: "wm_notes_read", sessionID: "s1", callID: "c2" }, named);
  assert.equal(named.args.sessionId, "other");
  const foreign = { args: {} };
  await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s1", callID: "c3" }, foreign);
  assert.deepEqual(foreign.args, {});
  const output = { title: "", output: "x", metadata: {} };
  await hooks["tool.execute.after"](
    { tool: "wm_notes_read", sessionID: "s1", callID: "c2", args: {} },
    output,
  );
  assert.deepEqual(
    told.map(({ method }) => method),
    ["wm/session/start"],
  );
});

test("the stable part follows the system prompt, the volatile part the messages", async () => {
  const { hooks, of } = opened({ "wm/context": context });
  await hooks["chat.message"](...message("s1", "m1", text("fix a.ts")));
  const messages = [said("m1", "user", text("fix a.ts")), said("m2", "assistant", text("ok"))];
  await hooks["experimental.chat.messages.transform"]({}, { messages });
  assert.deepEqual(texts(messages), [
    "fix a.ts",
    "ok",
    "From the working memory of this workspace; the user did not write this:\n<session_state>\n</session_state>",
  ]);
  assert.equal(messages.at(-1)?.info.role, "user");
  const system = ["You are opencode"];
  await hooks["experimental.chat.system.transform"]({ sessionID: "s1", model } as never, { system });
  assert.deepEqual(system, ["You are opencode", "<workspace_memory>\n</workspace_memory>"]);
  assert.deepEqual(of("wm/context"), [{ sessionId: "opencode:s1", guide: true, query: "fix a.ts" }]);
});

test("no message is added if nothing changes, and none if the memory does not answer", async () => {
  const answers: Record<string, unknown> = { "wm/context": { ...context, suffix: "" } };
  const { hooks } = opened(answers);
  const messages = [said("m1", "user", text("a"))];
  await hooks["experimental.chat.messages.transform"]({}, { messages });
  answers["wm/context"] = undefined;
  await hooks["experimental.chat.messages.transform"]({}, { messages });
  assert.equal(messages.length, 1);
  const system = ["x"];
  await hooks["experimental.chat.system.transform"]({ sessionID: "s1", model } as never, { system });
  assert.equal(system.length, 2, "the stable part stays as it was");
  await hooks["experimental.chat.messages.transform"]({}, { messages: [] });
});

test("a request for a title or a summary, and one without a session, gets nothing", async () => {
  const { hooks } = opened({ "wm/context": context });
  for (const [sessionID, prompt] of [
    ["s1", titlePrompt],
    ["s1", `${summaryPrompt}\nand more`],
    [undefined, "You are opencode"],
  ]) {
    const system = [prompt as string];
    await hooks["experimental.chat.system.transform"]({ sessionID, model } as never, { system });
    assert.equal(system.length, 1);
  }
});

test("a compaction gets what must outlive it, and its summary is told", async () => {
  const entry = { id: "E1", text: "use pnpm", status: "active" };
  const {
    hooks,
    of,
    messages: shown,
  } = opened({
    "wm/context": context,
    "wm/compaction/starting": { context: "keep this" },
    "wm/compaction/finished": { memories: [{ status: "added", id: "E1", entry }] },
  });
  const output = { context: [] as string[] };
  await hooks["experimental.session.compacting"]({ sessionID: "s1" }, output);
  assert.deepEqual(output.context, ["keep this"]);
  const head = [said("m1", "user", text("a"))];
  await hooks["experimental.chat.messages.transform"]({}, { messages: head });
  assert.equal(head.length, 1, "what is summarised stays as it is");
  const system = ["You summarise in your own way"];
  await hooks["experimental.chat.system.transform"]({ sessionID: "s1", model } as never, { system });
  assert.equal(system.length, 1);
  await hooks["experimental.text.complete"](
    { sessionID: "s1", messageID: "m2", partID: "p2" },
    { text: "the summary" },
  );
  await hooks.event(event("session.compacted", { sessionID: "s1" }));
  assert.deepEqual(of("wm/compaction/finished"), [{ sessionId: "opencode:s1", summary: "the summary" }]);
  assert.equal(shown.length, 1);
  assert.deepEqual(of("wm/message/received"), [], "the summary is no message");
  await hooks["experimental.chat.messages.transform"]({}, { messages: head });
  assert.equal(head.length, 2, "the next request has the context again");
});

test("a summary is told once, before the next request, whenever OpenCode says that the compaction is over", async () => {
  const { hooks, told } = opened({ "wm/context": context });
  const messages = [said("m1", "user", text("a"))];
  await hooks["experimental.session.compacting"]({ sessionID: "s1" }, { context: [] });
  await hooks["experimental.chat.messages.transform"]({}, { messages });
  await hooks["chat.message"](...message("s1", "m3", text("by a plugin", { synthetic: true })));
  await hooks["experimental.text.complete"](
    { sessionID: "s1", messageID: "m2", partID: "p2" },
    { text: "the summary" },
  );
  await hooks["experimental.chat.messages.transform"]({}, { messages });
  await hooks.event(event("session.compacted", { sessionID: "s1" }));
  assert.deepEqual(
    told.map(({ method }) => method).filter((method) => method !== "wm/session/start"),
    ["wm/compaction/starting", "wm/compaction/finished", "wm/context"],
  );
});

test("after a compaction that failed the requests have the context again", async () => {
  const { hooks, of } = opened({ "wm/context": context });
  await hooks["experimental.session.compacting"]({ sessionID: "s1" }, { context: [] });
  const messages = [said("m1", "user", text("a"))];
  await hooks["experimental.chat.messages.transform"]({}, { messages });
  await hooks["experimental.chat.messages.transform"]({}, { messages });
  assert.equal(messages.length, 2);
  await hooks.event(event("session.compacted", { sessionID: "s1" }));
  assert.deepEqual(of("wm/compaction/finished"), [], "there is no summary");
});

test("what the agent said last in a turn is told once, when the turn is over", async () => {
  const { hooks, of } = opened();
  await hooks["experimental.text.complete"](
    { sessionID: "s1", messageID: "m", partID: "p1" },
    { text: "I look" },
  );
  await hooks["experimental.text.complete"](
    { sessionID: "s1", messageID: "m", partID: "p2" },
    { text: "Done." },
  );
  assert.deepEqual(of("wm/message/received"), []);
  await hooks.event(event("session.idle", { sessionID: "s1" }));
  await hooks.event(event("session.idle", { sessionID: "s1" }));
  const heard = { sessionId: "opencode:s1", role: "assistant", text: "Done.", messageId: "p2" };
  assert.deepEqual(of("wm/message/received"), [heard]);
});

test("a deleted session is deleted, and nothing revives it", async () => {
  const { hooks, told, of } = opened();
  await hooks.event(event("session.created", { info: { id: "s1", title: "one" } }));
  await hooks.event(event("session.deleted", { info: { id: "s1", title: "one" } }));
  assert.deepEqual(of("wm/session/delete"), [{ sessionId: "opencode:s1" }]);
  const before = told.length;
  await hooks["chat.message"](...message("s1", "m1", text("late")));
  await hooks.event(event("session.updated", { info: { id: "s1", title: "two" } }));
  await hooks.event(event("session.idle", { sessionID: "s1" }));
  assert.equal(told.length, before);
});

test("each process is told once that a session is live, and of a new title", async () => {
  const { hooks, of, memory } = opened();
  for (const title of ["one", "one", "two"]) {
    await hooks.event(event("session.updated", { info: { id: "s1", title } }));
  }
  assert.deepEqual(
    of("wm/session/start").map(({ title }) => title),
    ["one", "two"],
  );
  memory.generation++;
  assert.equal(of("wm/session/start").length, 2);
});

test("todos and the use of the context are told", async () => {
  const { hooks, of } = opened();
  const todos = [{ id: "1", content: "test", status: "pending", priority: "high" }];
  await hooks.event(event("todo.updated", { sessionID: "s1", todos }));
  assert.deepEqual(of("wm/todos/changed"), [
    { sessionId: "opencode:s1", todos: [{ content: "test", status: "pending", priority: "high" }] },
  ]);
  await hooks["chat.params"](
    { sessionID: "s1", agent: "title", model: { limit: { context: 5 } } } as never,
    params,
  );
  await hooks["chat.params"]({ sessionID: "s1", agent: "build", model } as never, params);
  const tokens = { input: 500, output: 10, reasoning: 5, cache: { read: 200, write: 85 } };
  const info = { id: "m", sessionID: "s1", role: "assistant", tokens };
  await hooks.event(event("message.updated", { info }));
  await hooks.event(event("message.updated", { info }));
  await hooks.event(
    event("message.updated", { info: { ...info, summary: true, tokens: { ...tokens, input: 1 } } }),
  );
  await hooks.event(event("message.updated", { info: { ...info, role: "user" } }));
  assert.deepEqual(of("wm/usage/reported"), [{ sessionId: "opencode:s1", tokensUsed: 800, tokensMax: 1000 }]);
});

test("an agent whose context is nearly full is told without a turn of its own, unless OpenCode compacts", async () => {
  const { mapping, prompts } = opened();
  const pressure = { percentage: 95.6 } as never;
  mapping.configured({});
  await mapping.intervene({ sessionId: "opencode:s1", pressure, visiblePrompt: "the prompt" });
  assert.deepEqual(prompts, []);
  mapping.configured({ compaction: { auto: false } });
  await mapping.intervene({ sessionId: "opencode:s1", pressure, visiblePrompt: "the prompt" });
  const [prompt] = prompts as { path: unknown; body: { noReply: boolean; parts: { text: string }[] } }[];
  assert.deepEqual(prompt?.path, { id: "s1" });
  assert.equal(prompt?.body.noReply, true);
  assert.match(prompt?.body.parts[0]?.text ?? "", /^The context is 95 % full\..*the prompt$/s);
});

test("a hook that fails is logged, and OpenCode goes on", async () => {
  const { hooks, logged } = opened();
  await hooks["chat.message"]({ sessionID: "s1" }, {} as never);
  await hooks.event({ event: {} as never });
  await hooks["experimental.chat.system.transform"]({ sessionID: "s1" } as never, {} as never);
  assert.ok(logged.length >= 2);
});

test("at the end the memory hears what was said last, and is closed", async () => {
  const { hooks, told } = opened();
  await hooks["experimental.text.complete"](
    { sessionID: "s1", messageID: "m", partID: "p" },
    { text: "Done." },
  );
  await hooks.dispose();
  assert.deepEqual(told.map(({ method }) => method).slice(-2), ["wm/message/received", "close"]);
});

test("a person is told what keeps the memory from working", async () => {
  const problems = [
    { severity: "error", message: "The memory is damaged.", fix: "Restore it." },
    { severity: "warning", message: "A setting is unknown." },
  ];
  const { mapping, messages } = opened({ "wm/status": { problems } });
  await mapping.begin();
  assert.deepEqual(messages, ["The memory is damaged. Restore it."]);
});

test("a person is told what was taken over from an older plugin", async () => {
  const { mapping, messages } = opened({
    "wm/import": {
      memories: [
        { status: "added", id: "E1", entry: { id: "E1", text: "use pnpm", status: "active" } },
        { status: "rejected", text: "4832b38 fix", reason: "commit" },
      ],
      sessions: ["opencode:s1"],
      skipped: [{ name: "/ws/.opencode/memory-core/x.json", reason: "it is damaged" }],
    },
  });
  await mapping.begin();
  assert.deepEqual(messages[0]?.split("\n"), [
    "Taken over from opencode-working-memory: 1 of 2 entries, 1 sessions. Its files stay as they are.",
    'Not kept: "4832b38 fix": commit',
    "Not read: /ws/.opencode/memory-core/x.json: it is damaged",
  ]);
  const again = opened({
    "wm/import": { memories: [], sessions: [], skipped: [{ name: "x", reason: "y" }] },
  });
  await again.mapping.begin();
  assert.deepEqual(again.messages, [], "what cannot be read is not told at each start");
});
