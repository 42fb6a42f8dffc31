// The plugin as OpenCode loads it, with the real server: WM_TEST_SERVER, or wm-lsp on the PATH.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Config, Hooks, PluginInput } from "@opencode-ai/plugin";
import plugin from "../../src/index";

const home = mkdtempSync(join(tmpdir(), "wm-opencode-"));
after(() => rmSync(home, { recursive: true, force: true }));
const directory = join(home, "ws");
mkdirSync(join(directory, ".git"), { recursive: true });
for (const [name, folder] of [
  ["HOME", "home"],
  ["XDG_DATA_HOME", "data"],
  ["XDG_CONFIG_HOME", "config"],
  ["XDG_STATE_HOME", "state"],
] as const) {
  process.env[name] = join(home, folder);
  mkdirSync(join(home, folder), { recursive: true });
}
const program = process.env.WM_TEST_SERVER ?? "wm-lsp";

async function opened(options: object = { command: [program] }) {
  const shown: string[] = [];
  const client = {
    app: {
      agents: async () => ({ data: [{ name: "title", prompt: "You are a title generator." }] }),
      log: async () => {},
    },
    session: { get: async () => ({ data: { title: "a session" } }) },
    tui: { showToast: async ({ body }: { body: { message: string } }) => shown.push(body.message) },
  };
  const input = { client, directory, worktree: directory } as unknown as PluginInput;
  const hooks = (await plugin.server(input, options as Record<string, unknown>)) as Required<Hooks>;
  const say = (sessionID: string, id: string, text: string) =>
    hooks["chat.message"]({ sessionID }, {
      message: { id, sessionID, role: "user" },
      parts: [{ type: "text", text }],
    } as never);
  /** What the model of a session gets besides the conversation. */
  const told = async (sessionID: string) => {
    const messages = [
      { info: { id: "m", role: "user", sessionID }, parts: [{ type: "text", text: "go on" }] },
    ];
    await hooks["experimental.chat.messages.transform"]({}, { messages } as never);
    const system = ["You are opencode"];
    await hooks["experimental.chat.system.transform"]({ sessionID } as never, { system });
    const volatile = messages.slice(1).flatMap(({ parts }) => parts.map(({ text }) => text));
    return { stable: system.slice(1).join("\n"), volatile: volatile.join("\n") };
  };
  const ran = async (sessionID: string, tool: string, args: object, result: object) => {
    const output = { title: "", output: "", metadata: {}, ...result };
    await hooks["tool.execute.after"]({ tool, sessionID, callID: `${Math.random()}`, args }, output);
    return output;
  };
  return { hooks, shown, say, told, ran };
}

test("what a user says and what a session does is in the context of its requests", async () => {
  const { hooks, shown, say, told, ran } = await opened();
  await say("s1", "m1", '"remember this: we use pnpm for all packages"');
  assert.match(shown.join("\n"), /^Kept: we use pnpm for all packages \(to undo it, ask to forget /);
  await ran(
    "s1",
    "bash",
    { command: "go build ./..." },
    { output: "a.go:3:2: undefined: foo\n", metadata: { exit: 1 } },
  );
  await ran("s1", "edit", { filePath: join(directory, "a.go") }, { output: "ok" });
  const first = await told("s1");
  assert.match(first.stable, /we use pnpm for all packages/);
  assert.match(first.volatile, /undefined: foo/);
  assert.match(first.volatile, /a\.go \(edit, 1x\)/);

  const long = Array.from({ length: 300 }, (_, line) => `${line} ${"word ".repeat(line % 7)}`).join("\n");
  const listed = await ran("s1", "bash", { command: "cat log" }, { output: long, metadata: { exit: 0 } });
  assert.match(
    listed.output,
    /\[pruned by wm-lsp: \d+ of 300 lines; all: wm_read_output ref [0-9a-f]{16}\]$/,
  );

  await ran("s1", "bash", { command: "go build ./..." }, { metadata: { exit: 0 } });
  const second = await told("s1");
  assert.equal(
    second.stable,
    first.stable,
    "the stable part stays as it is, so that the provider's cache holds",
  );
  assert.doesNotMatch(second.volatile, /undefined: foo/);
  await hooks.dispose();
});

test("a compaction takes along what must outlive it, and its candidates are kept", async () => {
  const { hooks, shown, say, told } = await opened();
  await say("s2", "m1", "we decided to use PostgreSQL for the orders, not MySQL");
  const output = { context: [] as string[] };
  await hooks["experimental.session.compacting"]({ sessionID: "s2" }, output);
  assert.match(output.context.join("\n"), /PostgreSQL/);
  const candidates =
    "The work goes on.\n<workspace_memory_candidates>\n" +
    "- [decision] Deploys go through the staging cluster first\n</workspace_memory_candidates>";
  await hooks["experimental.text.complete"](
    { sessionID: "s2", messageID: "m2", partID: "p2" },
    { text: candidates },
  );
  await hooks.event({ event: { type: "session.compacted", properties: { sessionID: "s2" } } as never });
  assert.match((await told("s2")).stable, /staging cluster/);
  assert.match(shown.join("\n"), /Kept: Deploys go through the staging cluster first/);
  await hooks.dispose();
});

test("the memory of opencode-working-memory is taken over once", async () => {
  const folder = join(directory, ".opencode", "memory-core");
  mkdirSync(folder, { recursive: true });
  const blocks = { goal: { content: "Ship the cart" } };
  writeFileSync(join(folder, "old.json"), JSON.stringify({ sessionID: "old", blocks }));
  const first = await opened();
  assert.match((await first.told("old")).stable, /Ship the cart/);
  await first.hooks.dispose();
  assert.match(first.shown.join("\n"), /Taken over from opencode-working-memory: 0 of 0 entries, 1 sessions/);
  const second = await opened();
  assert.match((await second.told("old")).stable, /Ship the cart/);
  await second.hooks.dispose();
  assert.deepEqual(second.shown, []);
});

test("another process has what is known of the workspace", async () => {
  const { hooks, told } = await opened();
  assert.match((await told("s3")).stable, /we use pnpm for all packages/);
  await hooks.dispose();
});

test("the tools are offered over MCP, unless the user has a server of that name or wants none", async () => {
  const with_ = async (options: object, config: Config) => {
    const { hooks } = await opened(options);
    await hooks.config(config);
    await hooks.dispose();
    return config.mcp?.wm;
  };
  const command = [program, "mcp", "--tools", "all", "--named-sessions"];
  assert.deepEqual(await with_({ command: program }, {}), { type: "local", command, enabled: true });
  const own = { type: "local" as const, command: ["other"] };
  assert.equal(await with_({ command: [program] }, { mcp: { wm: own } }), own);
  assert.equal(await with_({ command: [program], mcp: false }, {}), undefined);
});

test("without the program the hooks do nothing, and a person is told why", async () => {
  const { hooks, shown, say, told, ran } = await opened({ command: [join(home, "nothing")] });
  await say("s1", "m1", "remember this: nothing is kept");
  assert.deepEqual(await told("s1"), { stable: "", volatile: "" });
  assert.equal((await ran("s1", "bash", { command: "ls" }, { output: "x" })).output, "x");
  await hooks.dispose();
  assert.equal(shown.length, 1);
  assert.match(shown[0] ?? "", /There is no program/);
});
