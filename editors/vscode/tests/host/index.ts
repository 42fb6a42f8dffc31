// Runs inside the extension host, against the fake server.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import type { Api } from "../../src/extension";
import type { Node } from "../../src/nodes";
import type { State } from "../../src/server";
import type { PanelAction, PanelInput, PanelItem, PanelSection } from "../../src/wire";

const dir = process.env.FAKE_DIR ?? "";
const out = process.env.WM_TEST_OUT ?? "";
const data = process.env.WM_TEST_DATA ?? "";

interface Message {
  id?: number;
  method: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into whatever was sent
  params?: any;
  pid?: number;
}

function sent(method?: string): Message[] {
  const text = existsSync(join(dir, "record")) ? readFileSync(join(dir, "record"), "utf8") : "";
  const lines = text.split("\n").slice(0, -1); // what stands behind the last one is being written
  const all: Message[] = lines.map((line) => JSON.parse(line));
  return method === undefined ? all : all.filter((message) => message.method === method);
}

async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = Date.now() + 300_000; // long, so that no test depends on how busy the machine is
  for (;;) {
    const value = await condition();
    if (value) {
      return value as Exclude<T, false | null | undefined>;
    }
    assert.ok(Date.now() < deadline, `waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

let seq = 1;

function writePanel(sections: readonly (PanelSection | null)[], badge = 0): void {
  const file = join(dir, "panel.json");
  writeFileSync(`${file}.new`, JSON.stringify({ seq: ++seq, sections, badge }));
  renameSync(`${file}.new`, file); // the server may read it at any time
}

function memory(items: PanelItem[], more: Partial<PanelSection> = {}): PanelSection {
  return { id: "memory", title: "Workspace memory", show: "always", items, ...more };
}

const forget = {
  title: "Forget",
  method: "wm/memory/remove",
  params: { id: "m1" },
  inline: true,
  undo: { title: "Restore", method: "wm/memory/restore", params: { id: "m1" } },
};

const remember: PanelAction = {
  title: "Remember",
  method: "wm/memory/add",
  params: {},
  inputs: [{ param: "text", prompt: "What?", kind: "text" }],
};

function entry(id: string, label: string, more: Partial<PanelItem> = {}): PanelItem {
  return { id, kind: "memory", icon: "law", label, actions: [forget], hasMarkdown: true, ...more };
}

function folder(): vscode.Uri {
  const first = vscode.workspace.workspaceFolders?.[0];
  assert.ok(first);
  return first.uri;
}

/** The tools of the memory that VS Code's agent has. */
function toolsOfAgent(): string[] {
  const names = vscode.lm.tools.map(({ name }) => name);
  return names.filter((name) => /^mcp_.*memory_/.test(name));
}

/**
 * Has VS Code's agent start its servers, and answers the question with a command of the editor, until a
 * condition holds. A start may give up before the question is answered.
 */
async function offered(answer: string, isDone: (starts: number) => boolean): Promise<void> {
  let starts = 0;
  let isStarting = false;
  await until("the end of the question", async () => {
    if (!isStarting) {
      isStarting = true;
      const ended = () => {
        isStarting = false;
        starts++;
      };
      vscode.commands
        .executeCommand("workbench.mcp.startServer", "*", { waitForLiveTools: true })
        .then(ended, ended);
    }
    await vscode.commands.executeCommand(answer);
    return isDone(starts);
  });
}

/** Has VS Code's agent use a tool, and returns the text of the result. */
async function invoke(tool: string, input: object): Promise<string> {
  const name = toolsOfAgent().find((name) => name.endsWith(tool));
  assert.ok(name !== undefined, `${tool} is none of ${toolsOfAgent()}`);
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join("");
}

function consent(): unknown {
  return vscode.workspace.getConfiguration("workingMemory").get("agent.tools");
}

/** Returns what the extension has logged. */
function logged(): string {
  const files = readdirSync(data, { recursive: true, encoding: "utf8" });
  const log = files.find((name) => name.endsWith("Working Memory.log"));
  return log === undefined ? "" : readFileSync(join(data, log), "utf8");
}

let api: Api;

async function start(mode: string): Promise<State> {
  writeFileSync(join(dir, "mode"), mode);
  rmSync(join(dir, "record"), { force: true });
  await vscode.commands.executeCommand("workingMemory.restart");
  return api.server.state;
}

/** Runs a test of a server that does not respond, which is not waited for as long as in the others. */
async function impatiently(body: () => Promise<void>): Promise<void> {
  const settings = vscode.workspace.getConfiguration("workingMemory");
  const wait = async (seconds: number) => {
    writeFileSync(join(dir, "mode"), "");
    const before = sent("started").length;
    await settings.update("server.timeoutSeconds", seconds, vscode.ConfigurationTarget.Workspace);
    // The setting has the server start anew.
    await until(
      "another server",
      () => sent("started").length > before && api.server.state.kind === "running",
    );
  };
  await wait(5);
  await body().finally(() => wait(60));
}

async function painted(): Promise<Node[]> {
  await api.server.call("test/changed", {}).catch(() => {});
  await until("the panel", () => api.model.panel !== undefined);
  return [...api.tree.nodes];
}

async function paintedWith(sections: PanelSection[], badge = 0): Promise<Node[]> {
  writePanel(sections, badge);
  const expected = JSON.stringify(sections);
  await painted();
  await until("the new panel", () => JSON.stringify(api.model.panel?.sections) === expected);
  return [...api.tree.nodes];
}

/** The tabs of drafts. */
function drafts(): vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter(
    ({ input }) => input instanceof vscode.TabInputText && input.uri.scheme === "working-memory-entry",
  );
}

/** Returns the visible draft other than the former one. */
async function draft(before?: vscode.TextDocument): Promise<vscode.TextEditor> {
  return until("the draft", () => {
    const active = vscode.window.activeTextEditor;
    const isDraft = active?.document.uri.scheme === "working-memory-entry";
    return isDraft && active.document !== before && active;
  });
}

/** Returns the draft that is shown again after the user chose to continue. */
async function goOn(
  before: vscode.TextDocument,
  meanwhile: () => Thenable<unknown> = async () => {},
): Promise<vscode.TextEditor> {
  return until("the draft again", async () => {
    await meanwhile();
    await vscode.commands.executeCommand("notification.acceptPrimaryAction");
    const active = vscode.window.activeTextEditor;
    return drafts().length > 0 && active?.document !== before && active;
  });
}

/** Replaces the text and saves it by hand. */
async function write({ document, edit }: vscode.TextEditor, text: string): Promise<void> {
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  await edit((change) => change.replace(all, text));
  await vscode.commands.executeCommand("workbench.action.files.save");
}

/** Starts editing a text of two lines; `done` settles when the edit is finished. */
async function startEdit(value = "one\ntwo", more: PanelInput[] = []): Promise<{ done: Thenable<unknown> }> {
  const edit = {
    title: "Edit",
    method: "wm/memory/update",
    params: { id: "m1" },
    inputs: [{ param: "text", prompt: "Text", kind: "text" as const, multiline: true, value }, ...more],
  };
  const [root] = await paintedWith([memory([entry("m1", "one", { actions: [edit] })])]);
  return { done: vscode.commands.executeCommand("workingMemory.item.edit", root?.children[0]) };
}

/** Starts editing a text of two lines, and returns its draft, too. */
async function openDraft(value?: string): Promise<{ done: Thenable<unknown>; editor: vscode.TextEditor }> {
  return { ...(await startEdit(value)), editor: await draft() };
}

/** Returns the submitted texts. */
function updates(): unknown[] {
  return sent("wm/memory/update").map(({ params }) => params.text);
}

const tests: Record<string, () => Promise<void>> = {
  "the extension starts the server and says who it is": async () => {
    const extension = vscode.extensions.getExtension<Api>("wm-lsp.wm-lsp");
    assert.ok(extension);
    writePanel([memory([])]);
    api = await extension.activate();
    await until("the server running", () => api.server.state.kind === "running");
    const [initialize] = sent("initialize");
    assert.equal(initialize?.params.capabilities.experimental.workingMemory.notifications, true);
    const options = { settingsPrefix: "workingMemory." };
    assert.deepEqual(initialize?.params.initializationOptions, options, "nothing that nobody set");
    assert.equal(initialize?.params.workspaceFolders[0].uri, folder().toString());
    const all = await vscode.commands.getCommands(true);
    for (const { command } of extension.packageJSON.contributes.commands) {
      assert.ok(all.includes(command), `${command} is registered`);
    }
  },

  "what the server logs is seen, as loudly as it says it, and what it debugs is seen, too": async () => {
    await until("the lines", () => {
      const text = logged();
      return /\[info\] level=DEBUG/.test(text) && /\[warning\] level=WARN/.test(text);
    });
  },

  "the tree has the server's sections, items, bars and empty states": async () => {
    await paintedWith(
      [
        memory([entry("1", "one", { detail: "decision", severity: 2 })], {
          summary: "1 of 28",
          budget: { used: 50, max: 100, unit: "chars" },
        }),
        { id: "errors", title: "Open errors", show: "always", items: [], empty: "No open errors." },
        { id: "y", title: "Notes", show: "always", items: [], empty: "Nothing yet.", actions: [remember] },
        { id: "x", title: "Later", show: "advanced", items: [] },
      ],
      3,
    );
    assert.deepEqual(
      api.tree.rows.map(({ level, label, detail, share }) => [level, label, detail, share]),
      [
        [1, "Workspace memory", "1 of 28", 0.5],
        [2, "one", "decision", undefined],
        [1, "Open errors", undefined, undefined],
        [2, "No open errors.", undefined, undefined],
        [1, "Notes", undefined, undefined],
        [2, "Nothing yet.", undefined, undefined],
        [1, "More", undefined, undefined],
      ],
    );
    const one = api.tree.rows[1];
    assert.deepEqual([one?.icon, one?.iconColor, one?.opens], ["law", "warning", true]);
    assert.equal(api.badge.value, 3);
    await paintedWith([memory([])]);
    assert.equal(api.badge.value, 0);
  },

  "a tooltip is plain text, in which nothing is hidden": async () => {
    writeFileSync(
      join(dir, "markdown"),
      "# m1\n\n[run](command:workbench.action.quit) <img src=x onerror=alert(1)>\n- **Type:** Fact\u001b\u202e",
    );
    const [root] = await paintedWith([memory([entry("1", "one")])]);
    const text = await api.tree.tooltip(root?.children[0]?.id ?? "");
    assert.equal(text, "m1\n\nrun <img src=x onerror=alert(1)>\n- Type: Fact\\x1b\\u202e");
    rmSync(join(dir, "markdown"));
    assert.equal(await api.tree.tooltip(root?.children[0]?.id ?? ""), "");
    writeFileSync(join(dir, "markdown"), "");
  },

  "labels with controls, markup and very long lines stay one plain line": async () => {
    await paintedWith([memory([entry("1", `a\u0007\n<b>b</b>\u202e${"x".repeat(1_000_000)}`)])]);
    const label = api.tree.rows[1]?.label ?? "";
    assert.match(label, /^a\\x07\\n<b>b<\/b>\\u202ex+…$/);
    assert.ok(label.length < 330);
  },

  "an item opens its file and range": async () => {
    const uri = vscode.Uri.joinPath(folder(), "sample.txt");
    const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 6 } };
    const [root] = await paintedWith([
      memory([entry("1", "one", { location: { uri: uri.toString(), range } })]),
    ]);
    await vscode.commands.executeCommand("workingMemory.open", root?.children[0]);
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.toString(), uri.toString());
    assert.equal(editor?.document.getText(editor.selection), "second");
  },

  "where there is no file, nothing is opened": async () => {
    const before = vscode.window.activeTextEditor?.document.uri.toString();
    for (const uri of [vscode.Uri.joinPath(folder(), "gone.txt"), folder()]) {
      const location = { uri: uri.toString() };
      const [root] = await paintedWith([memory([entry("1", "one", { location })])]);
      await vscode.commands.executeCommand("workingMemory.open", root?.children[0]);
      assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), before);
    }
  },

  "a place that is no file is not opened": async () => {
    const before = vscode.window.activeTextEditor?.document.uri.toString();
    const location = { uri: "command:workbench.action.closeWindow" };
    const [root] = await paintedWith([memory([entry("1", "one", { location })])]);
    await vscode.commands.executeCommand("workingMemory.open", root?.children[0]);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), before);
  },

  "an action is called with its params, and taken back": async () => {
    const [root] = await paintedWith([memory([entry("m1", "one")])]);
    await vscode.commands.executeCommand("workingMemory.item.forget", root?.children[0]);
    const [removed] = sent("wm/memory/remove");
    assert.equal(removed?.params.id, "m1");
    assert.equal(removed?.params.workspace, folder().toString());
    await vscode.commands.executeCommand("workingMemory.undo");
    assert.equal(sent("wm/memory/restore")[0]?.params.id, "m1");
    await vscode.commands.executeCommand("workingMemory.undo");
    assert.equal(sent("wm/memory/restore").length, 1, "there is nothing more to undo");
  },

  "an action of a row that the panel still shows is called once": async () => {
    const removed = () => sent("wm/memory/remove").length;
    const before = removed();
    const [root] = await paintedWith([memory([entry("m1", "one")])]);
    const call = () => vscode.commands.executeCommand("workingMemory.item.forget", root?.children[0]);
    await Promise.all([call(), call()]);
    await call();
    assert.equal(removed(), before + 1);
    const restored = sent("wm/memory/restore").length;
    await vscode.commands.executeCommand("workingMemory.undo");
    await vscode.commands.executeCommand("workingMemory.undo");
    assert.equal(sent("wm/memory/restore").length, restored + 1, "it was done once");
    await call();
    assert.equal(removed(), before + 2, "it was taken back");
    await vscode.commands.executeCommand("workingMemory.undo");
  },

  "an action that is none of the memory's own is not called": async () => {
    const evil = { ...forget, method: "workspace/executeCommand", params: { command: "evil" } };
    const [root] = await paintedWith([memory([entry("m1", "one", { actions: [evil] })])]);
    await vscode.commands.executeCommand("workingMemory.item.forget", root?.children[0]);
    assert.equal(sent("workspace/executeCommand").length, 0);
  },

  "what was done can be tried to be taken back again if that fails": async () => {
    const restored = () => sent("wm/memory/restore").length;
    const before = restored();
    const [root] = await paintedWith([memory([entry("m1", "one")])]);
    await vscode.commands.executeCommand("workingMemory.item.forget", root?.children[0]);
    writeFileSync(join(dir, "refuse"), "error");
    await vscode.commands.executeCommand("workingMemory.undo");
    assert.equal(restored(), before + 1);
    await vscode.commands.executeCommand("workingMemory.undo");
    assert.equal(restored(), before + 2);
    await vscode.commands.executeCommand("workingMemory.undo");
    assert.equal(restored(), before + 2, "it is taken back");

    await vscode.commands.executeCommand("workingMemory.item.forget", root?.children[0]);
    writeFileSync(join(dir, "refuse"), "gone");
    await vscode.commands.executeCommand("workingMemory.undo");
    await vscode.commands.executeCommand("workingMemory.undo");
    assert.equal(restored(), before + 3, "what is gone is not asked for again");
  },

  "what is taken back while the last action is under way is that action, if it is done": async () => {
    const restored = () => sent("wm/memory/restore").map(({ params }) => params.id);
    const before = restored().length;
    const forgotten = async (id: string, method = forget.method) => {
      const actions = [{ ...forget, method, undo: { ...forget.undo, params: { id } } }];
      const [root] = await paintedWith([memory([entry(id, "one", { actions })])]);
      return () => vscode.commands.executeCommand("workingMemory.item.forget", root?.children[0]);
    };
    const undo = () => vscode.commands.executeCommand("workingMemory.undo");
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const withoutAnswer = async (...calls: (() => Thenable<unknown>)[]) => {
      writeFileSync(join(dir, "deaf"), "");
      const all: Thenable<unknown>[] = [];
      for (const call of calls) {
        all.push(call());
        await turn();
      }
      rmSync(join(dir, "deaf"));
      await painted(); // the server responds with the next message
      await Promise.all(all);
    };
    await (await forgotten("m1"))();
    await withoutAnswer(await forgotten("m2"), undo);
    assert.deepEqual(restored().slice(before), ["m2"]);
    await withoutAnswer(await forgotten("m3", "wm/nowhere"), undo);
    assert.deepEqual(restored().slice(before), ["m2"], "what was refused is not there to be taken back");
    await withoutAnswer(await forgotten("m4", "wm/nowhere"), undo, undo);
    assert.deepEqual(restored().slice(before), ["m2", "m1"], "the second is for the one before");
  },

  "what is taken back at once is taken back one after the other": async () => {
    const before = sent("wm/memory/restore").length;
    for (const id of ["m1", "m2"]) {
      const actions = [{ ...forget, undo: { ...forget.undo, params: { id } } }];
      const [root] = await paintedWith([memory([entry(id, "one", { actions })])]);
      await vscode.commands.executeCommand("workingMemory.item.forget", root?.children[0]);
    }
    writeFileSync(join(dir, "refuse"), "error");
    await Promise.all([1, 2, 3].map(() => vscode.commands.executeCommand("workingMemory.undo")));
    const ids = sent("wm/memory/restore").map(({ params }) => params.id);
    assert.deepEqual(ids.slice(before), ["m2", "m2", "m1"]);
  },

  "a text that is shown is plain, and another one once it is shown anew or the memory has changed":
    async () => {
      for (const text of ["# [run](command:workbench.action.quit)", "another\u202e"]) {
        writeFileSync(join(dir, "context"), text);
        await vscode.commands.executeCommand("workingMemory.showContext");
        const document = vscode.window.activeTextEditor?.document;
        assert.equal(document?.languageId, "plaintext");
        const shown = text.replace("\u202e", "\\u202e");
        await until("the text", () => document?.getText() === shown);
      }
      const document = vscode.window.activeTextEditor?.document;
      const known = async (text: string, tell: () => Promise<unknown>) => {
        writeFileSync(join(dir, "context"), text);
        await tell();
        await until("it read anew", () => document?.getText() === text);
      };
      await known("what is known now", painted);
      await known("what another server knows", () => start(""));
      rmSync(join(dir, "context"));
      await painted();
      await until("it gone", () => /no longer exists/.test(document?.getText() ?? ""));
    },

  "a text of several lines is written in a tab; saving hands it over, closing gives up": async () => {
    const first = await openDraft();
    assert.equal(first.editor.document.getText(), "one\ntwo");
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await first.done;
    assert.equal(updates().length, 0);

    // Drafts do not use the encoding of the user's settings.
    const files = vscode.workspace.getConfiguration("files");
    await files.update("encoding", "utf16le", vscode.ConfigurationTarget.Global);
    const second = await openDraft();
    assert.equal(second.editor.document.getText(), "one\ntwo");
    await write(second.editor, "one\ntwo and trés");
    await second.done;
    await files.update("encoding", undefined, vscode.ConfigurationTarget.Global);
    assert.deepEqual(updates(), ["one\ntwo and trés"]);
    assert.equal(drafts().length, 0);
  },

  "a draft is plain text and has every character, seen or not": async () => {
    const before = updates().length;
    const text = `one \u200b\u{e0041}\ufeff [run](command:workbench.action.quit)\n${"long ".repeat(250_000)}`;
    const { done, editor } = await openDraft(text);
    assert.equal(editor.document.languageId, "plaintext");
    await editor.edit((change) => change.insert(new vscode.Position(0, 0), "first "));
    await vscode.commands.executeCommand("workbench.action.files.save");
    await done;
    assert.ok(updates().slice(before)[0] === `first ${text}`);
  },

  "what is asked beside a draft is asked before it, and nothing after it": async () => {
    const before = updates().length;
    const choices = ["decision", "project"].map((value) => ({ value, label: value }));
    const type: PanelInput = { param: "type", prompt: "Type", kind: "choice", choices };
    const press = (command: string) => vscode.commands.executeCommand(`workbench.action.${command}`);
    const asked = await startEdit("one\ntwo", [type]);
    const opened = draft();
    await until("the question answered", async () => {
      await press("acceptSelectedQuickOpenItem");
      return drafts().length > 0;
    });
    await write(await opened, "one\nand all");
    await asked.done;
    const [{ params } = assert.fail("nothing was submitted")] = sent("wm/memory/update").slice(before);
    assert.deepEqual([params.text, params.type], ["one\nand all", "decision"]);

    const left = await startEdit("one\ntwo", [type]);
    await until("the question left", async () => {
      await press("closeQuickOpen");
      return Promise.race([left.done.then(() => true), new Promise((resolve) => setImmediate(resolve))]);
    });
    assert.equal(drafts().length, 0);
    assert.equal(updates().length, before + 1, "to leave it gives up");
  },

  "what the editor saves by itself is not submitted": async () => {
    const before = updates().length;
    const files = vscode.workspace.getConfiguration("files");
    const saveBy = (mode: string | undefined) =>
      files.update("autoSave", mode, vscode.ConfigurationTarget.Global);
    const { done, editor } = await openDraft();
    const { document } = editor;
    await files.update("autoSaveDelay", 1, vscode.ConfigurationTarget.Global);
    await saveBy("afterDelay");
    await editor.edit((change) => change.insert(new vscode.Position(1, 3), " and"));
    await until("a save after a delay", () => !document.isDirty);
    await saveBy("onFocusChange");
    await editor.edit((change) => change.insert(new vscode.Position(1, 7), " three"));
    await vscode.window.showTextDocument(vscode.Uri.joinPath(folder(), "sample.txt"));
    await until("a save when it is left", () => !document.isDirty);
    assert.equal(drafts().length, 1, "it is still written");

    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("workbench.action.files.save");
    await done;
    assert.deepEqual(updates().slice(before), ["one\ntwo and three"]);

    // Saves after the end are ignored without an error.
    await vscode.workspace.fs.writeFile(document.uri, new Uint8Array([65]));
    await assert.rejects(async () => vscode.workspace.fs.readFile(document.uri));
    const third = await openDraft();
    await third.editor.edit((change) => change.insert(new vscode.Position(1, 3), " and four"));
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    // Closing asked nothing, so the extension asks whether to continue.
    const fourth = await goOn(third.editor.document);
    assert.equal(fourth.document.getText(), "one\ntwo and four");
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await third.done;
    assert.equal(updates().length, before + 1, "closing gives up");
    await saveBy(undefined);
    await files.update("autoSaveDelay", undefined, vscode.ConfigurationTarget.Global);
  },

  "a text that is refused is there again as it was written": async () => {
    const before = updates().length;
    const { done, editor } = await openDraft();
    let open = editor;
    const versions = ["two, refused", "two, rejected", "two, unheard", "two"].map((text) => `one\n${text}`);
    for (const [i, how] of ["error", "rejected", "end"].entries()) {
      writeFileSync(join(dir, "refuse"), how);
      await write(open, versions[i] ?? "");
      // If the server exits without a response, the draft is shown only after the user continues.
      open = await (how === "end" ? goOn(open.document) : draft(open.document));
      assert.equal(open.document.getText(), versions[i]);
    }
    await until("another server", () => api.server.state.kind === "running");
    await write(open, versions[3] ?? "");
    await done;
    assert.deepEqual(updates().slice(before), versions);
    assert.equal(drafts().length, 0);

    writeFileSync(join(dir, "refuse"), "error");
    const second = await openDraft();
    await write(second.editor, "one\nand no more");
    await draft(second.editor.document);
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await second.done;
    assert.equal(updates().length, before + 5, "closing gives up");
  },

  "diagnostics of others are forwarded, only what changed": async () => {
    const uri = vscode.Uri.joinPath(folder(), "sample.txt");
    const others = vscode.languages.createDiagnosticCollection("other");
    const broken = new vscode.Diagnostic(
      new vscode.Range(0, 0, 0, 5),
      "broken",
      vscode.DiagnosticSeverity.Error,
    );
    broken.source = "ts";
    broken.code = { value: 2304, target: uri };
    const forwarded = () =>
      sent("wm/diagnostics/changed").filter(({ params }) => params.uri === uri.toString());
    others.set(uri, [broken]);
    await until("the first", () => forwarded().length === 1);
    assert.deepEqual(forwarded()[0]?.params.diagnostics, [
      {
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } },
        severity: 1,
        message: "broken",
        source: "ts",
        code: 2304,
      },
    ]);
    others.set(uri, [broken]); // the same again
    const elsewhere = vscode.Uri.joinPath(folder(), "other.txt");
    others.set(elsewhere, [broken]);
    await until("the other file", () => sent("wm/diagnostics/changed").length === 2);
    assert.equal(forwarded().length, 1);
    await vscode.commands.executeCommand("workingMemory.restart");
    await until("all again for the new server", () => forwarded().length === 2);
    others.clear();
    await until("that it is gone", () => forwarded().at(-1)?.params.diagnostics.length === 0);
    others.dispose();
  },

  "read and edited files flow from the text sync, large ones do not": async () => {
    const uri = vscode.Uri.joinPath(folder(), "sync.txt");
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode("hello\n"));
    const editor = await vscode.window.showTextDocument(uri, { preview: false });
    await until("opened", () =>
      sent("textDocument/didOpen").some((m) => m.params.textDocument.uri === uri.toString()),
    );
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "x"));
    await until("changed", () => sent("textDocument/didChange").length > 0);
    const large = vscode.Uri.joinPath(folder(), "large.txt");
    await vscode.workspace.fs.writeFile(large, new Uint8Array(1024 * 1024 + 1).fill(65));
    await vscode.window.showTextDocument(large);
    await editor.document.save();
    await until("saved", () => sent("textDocument/didSave").length > 0);
    assert.ok(!sent("textDocument/didOpen").some((m) => m.params.textDocument.uri === large.toString()));
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  },

  "what is only shown is not read: a glance, a preview, a diff; what is edited there is": async () => {
    const file = async (name: string) => {
      const uri = vscode.Uri.joinPath(folder(), `${name}.txt`);
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode("text\n"));
      return uri;
    };
    const opened = () =>
      sent("textDocument/didOpen").map((m) => m.params.textDocument.uri.split("/").at(-1) as string);
    let tries = 0;
    // On a busy machine a glance may take longer than the second after which it is a look.
    const read = await until("a glance", async () => {
      const [glance, read] = await Promise.all([file(`glance${++tries}`), file(`read${tries}`)]);
      await vscode.window.showTextDocument(glance, { preview: false });
      await vscode.window.showTextDocument(read, { preview: false });
      await until("what is read", () => opened().includes(`read${tries}.txt`));
      return !opened().includes(`glance${tries}.txt`) && read;
    });
    const before = opened().length;
    const [preview, diff, last] = await Promise.all([file("preview"), file("diff"), file("last")]);
    await vscode.commands.executeCommand("vscode.diff", read, diff, "the difference");
    await vscode.commands.executeCommand("vscode.executeHoverProvider", diff, new vscode.Position(0, 0));
    // Nobody reads what is beside it, however long it is there: as long as this one.
    await vscode.window.showTextDocument(preview, { preview: true, viewColumn: vscode.ViewColumn.Beside });
    await vscode.window.showTextDocument(last, { preview: false, viewColumn: vscode.ViewColumn.One });
    await until("the last", () => opened().includes("last.txt"));
    assert.deepEqual(opened().slice(before), ["last.txt"]);
    const editor = await vscode.window.showTextDocument(preview, { viewColumn: vscode.ViewColumn.Two });
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "x"));
    await until("what is edited", () => opened().at(-1) === "preview.txt");
    await editor.document.save();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  },

  "renamed and deleted files are told": async () => {
    const [from, to] = ["from.txt", "to.txt"].map((name) => vscode.Uri.joinPath(folder(), name));
    assert.ok(from && to);
    await vscode.workspace.fs.writeFile(from, new Uint8Array());
    const rename = new vscode.WorkspaceEdit();
    rename.renameFile(from, to);
    await vscode.workspace.applyEdit(rename);
    const [renamed] = await until("the rename", () => {
      const told = sent("workspace/didRenameFiles");
      return told.length > 0 && told;
    });
    assert.deepEqual(renamed?.params.files, [{ oldUri: from.toString(), newUri: to.toString() }]);
    const remove = new vscode.WorkspaceEdit();
    remove.deleteFile(to);
    await vscode.workspace.applyEdit(remove);
    await until(
      "the deletion",
      () => sent("workspace/didDeleteFiles")[0]?.params.files[0].uri === to.toString(),
    );
  },

  "a file that is renamed is not told to be gone before": async () => {
    const at = (name: string) => vscode.Uri.joinPath(folder(), name);
    const [from, other] = [at("before.txt"), at("other-gone.txt")];
    const [created, deleted] = [new Set<string>(), new Set<string>()];
    const watcher = vscode.workspace.createFileSystemWatcher("**/*");
    watcher.onDidCreate((uri) => created.add(uri.toString()));
    watcher.onDidDelete((uri) => deleted.add(uri.toString()));
    for (const uri of [from, other]) {
      await vscode.workspace.fs.writeFile(uri, new Uint8Array());
      await until("it seen", () => created.has(uri.toString()));
    }
    const told = () =>
      sent("workspace/didChangeWatchedFiles").flatMap(({ params }): string[] =>
        params.changes.map(({ uri }: { uri: string }) => uri),
      );
    let early: string[] | undefined;
    const meanwhile = async () => {
      rmSync(from.fsPath);
      await until("it seen to be gone", () => deleted.has(from.toString()));
      rmSync(other.fsPath);
      await until("the other told", () => told().includes(other.toString()));
      early = told();
      writeFileSync(from.fsPath, "");
    };
    const renaming = vscode.workspace.onWillRenameFiles((event) => event.waitUntil(meanwhile()));
    const rename = new vscode.WorkspaceEdit();
    rename.renameFile(from, at("after.txt"));
    await vscode.workspace.applyEdit(rename);
    vscode.Disposable.from(renaming, watcher).dispose();
    assert.ok(early?.includes(other.toString()) && !early.includes(from.toString()));
    await until("the rename", () =>
      sent("workspace/didRenameFiles").some(({ params }) => params.files[0].oldUri === from.toString()),
    );
  },

  "settings that somebody set reach the server, defaults do not": async () => {
    const settings = vscode.workspace.getConfiguration("workingMemory");
    await settings.update("memory.maxEntries", 7, vscode.ConfigurationTarget.Global);
    await until("the server told", () => sent("workspace/didChangeConfiguration").length > 0);
    await vscode.commands.executeCommand("workingMemory.restart");
    const options = { memory: { maxEntries: 7 }, settingsPrefix: "workingMemory." };
    assert.deepEqual(sent("initialize").at(-1)?.params.initializationOptions, options);
    await settings.update("memory.maxEntries", undefined, vscode.ConfigurationTarget.Global);
  },

  "five thousand items are rows, and those of a closed section are not": async () => {
    const items = Array.from({ length: 5000 }, (_, i) => entry(`${i}`, `entry ${i}`));
    await paintedWith([memory(items)]);
    assert.equal(api.tree.rows.length, 5001);
    assert.equal(api.tree.rows.at(-1)?.label, "entry 4999");
    await vscode.commands.executeCommand("workingMemory.collapseAll");
    assert.deepEqual(
      api.tree.rows.map(({ label, open }) => [label, open]),
      [["Workspace memory", false]],
    );
    assert.equal(await api.tree.goTo("4321"), true);
    assert.equal(api.tree.rows.length, 5001, "it is opened for what is gone to");
    assert.equal(api.tree.find(undefined)?.kind, "item");
    assert.equal(await api.tree.goTo("nowhere"), false);
    await paintedWith([memory([])]);
  },

  "a server that crashes is started again, and what was painted stays meanwhile": async () => {
    assert.equal((await start("")).kind, "running");
    await paintedWith([memory([entry("1", "one")])]);
    const lengths: number[] = [];
    const watching = api.model.onDidChange(() => lengths.push(api.tree.rows.length));
    writePanel([memory([entry("1", "two")])]);
    const pid = api.server.pid;
    await api.server.call("test/crash", {}).catch(() => {});
    await until("another server", () => api.server.state.kind === "running" && api.server.pid !== pid);
    await until("its panel", () => api.tree.rows[1]?.label === "two");
    watching.dispose();
    assert.deepEqual(new Set(lengths), new Set([2]));
  },

  "a server that keeps crashing is given up after five restarts": async () => {
    for (const mode of ["quit", "shut", "crash"]) {
      await start(mode);
      const state = await until("given up", () => api.server.state.kind === "failed" && api.server.state);
      assert.match(state.problem, /keeps exiting/);
      assert.equal(sent("started").length, 6);
    }
    assert.deepEqual(
      api.tree.rows.map(({ label }) => label),
      ["Show the Log", "Restart the Server", "Set the Path of the Server"],
    );
  },

  "a server that never answers is given up and ended": async () => {
    await impatiently(async () => assertGivenUp(await start("hang"), /does not respond/));
  },

  "a server that writes garbage is given up and ended": async () => {
    await impatiently(async () =>
      assertGivenUp(await start("garbage"), /does not respond|cannot be started/),
    );
  },

  "a server that refuses to start is told, given up and ended": async () => {
    await assertGivenUp(await start("deny"), /cannot be started: .*no such thing/);
  },

  "a server of another version is told in one sentence with what to do, given up and ended": async () => {
    await start("");
    const before = logged().length;
    await assertGivenUp(await start("old"), /another version/);
    const said = await until("its end", () => {
      const text = logged().slice(before);
      return /another version.*the server exited/s.test(text) && text;
    });
    assert.equal(said.match(/\[error\]/g)?.length, 1, said);
    assert.deepEqual(
      api.tree.rows.map(({ label }) => label),
      ["Reload the Window", "Show the Log", "Restart the Server", "Set the Path of the Server"],
    );
  },

  "a server that is restarted has exited by itself before the next one starts": async () => {
    await start("");
    const { pid } = api.server;
    await vscode.commands.executeCommand("workingMemory.restart");
    const both = sent().filter(({ method }) => method === "started" || method === "exited");
    assert.deepEqual(
      both.map(({ method, pid }) => [method, pid]),
      [
        ["started", pid],
        ["exited", pid],
        ["started", api.server.pid],
      ],
    );
  },

  "a server stays when a setting changes that another one overrides": async () => {
    await start("");
    const { pid } = api.server;
    const states: State[] = [];
    const watching = api.server.onDidChangeState((state) => states.push(state));
    let isChanged = false;
    const change = vscode.workspace.onDidChangeConfiguration((event) => {
      isChanged ||= event.affectsConfiguration("workingMemory.server.timeoutSeconds");
    });
    const settings = vscode.workspace.getConfiguration("workingMemory");
    for (const seconds of [50, undefined]) {
      isChanged = false;
      await settings.update("server.timeoutSeconds", seconds, vscode.ConfigurationTarget.Global);
      await until("the change", () => isChanged);
    }
    vscode.Disposable.from(watching, change).dispose();
    assert.deepEqual(states, []);
    assert.equal(api.server.pid, pid);
  },

  "a hung server that is restarted twice at once leaves one behind it": () =>
    impatiently(async () => {
      await start("");
      const hung = api.server.pid ?? 0;
      process.kill(hung, "SIGSTOP");
      await Promise.all([1, 2].map(() => vscode.commands.executeCommand("workingMemory.restart")));
      await until("another server", () => api.server.state.kind === "running");
      await painted();
      const alive = () => sent("started").filter(({ pid }) => isAlive(pid ?? 0));
      await until("the others ended", () => alive().length === 1);
      assert.equal(alive()[0]?.pid, api.server.pid);
      assert.notEqual(api.server.pid, hung);
    }),

  "a panel that cannot be read is told, and the one before stays": async () => {
    await start("");
    await paintedWith([memory([entry("1", "one")])]);
    const before = api.tree.rows;
    writePanel([null]);
    await api.server.call("test/changed", {}).catch(() => {});
    await until("it told", () => /invalid panel/.test(api.tree.message));
    assert.deepEqual(api.tree.rows, before);
    await paintedWith([memory([entry("1", "two")])]);
    assert.equal(api.tree.message, "");
  },

  "a server that falls silent is told until it answers": () =>
    impatiently(async () => {
      await painted();
      const before = api.tree.rows;
      writeFileSync(join(dir, "deaf"), "");
      await assert.rejects(api.server.request("wm/status", {}), /does not respond\. Restart it/);
      assert.match(api.tree.message, /does not respond/);
      assert.deepEqual(api.tree.rows, before, "what was painted stays");
      rmSync(join(dir, "deaf"));
      await api.server.request("wm/status", {});
      await until("it told", () => api.tree.message === "");
    }),

  "a pause that ends by itself is shown no longer": async () => {
    writeFileSync(join(dir, "paused"), new Date(Date.now() + 1000).toISOString());
    await start("");
    await until("the pause", () => api.status.paused);
    assert.match(api.tree.message, /^Recording is paused until \d/);
    rmSync(join(dir, "paused"));
    await until("its end", () => !api.status.paused);
    assert.equal(api.tree.message, "");
  },

  "a pause that is longer than a timer can wait, or that nobody can read, is asked for once": async () => {
    const asked = () => sent("wm/status").length;
    const far = new Date(Date.now() + 300 * 24 * 3600 * 1000);
    for (const end of [far.toISOString(), "soon"]) {
      writeFileSync(join(dir, "paused"), end);
      await start("");
      await until("the pause", () => api.status.paused);
      assert.ok(
        end === "soon" || api.status.pauseNotice.includes(`${far.getFullYear()}`),
        api.status.pauseNotice,
      );
      const before = asked();
      // The request of a timer that fires at once would come before these responses.
      for (let i = 0; i < 20; i++) {
        await api.server.request("wm/memory/list", {}).catch(() => {});
      }
      assert.equal(asked(), before);
      rmSync(join(dir, "paused"));
      api.status.refresh();
      await until("its end", () => !api.status.paused);
    }
  },

  "VS Code's agent has no tools if the question is dismissed, and those of the memory once it is allowed":
    async () => {
      await start("");
      await offered("notifications.clearAll", (starts) => starts > 0);
      assert.deepEqual(toolsOfAgent(), []);
      assert.equal(consent(), "ask");

      await offered("notification.acceptPrimaryAction", () => toolsOfAgent().length > 0);
      assert.equal(consent(), "on");
      const kept = await invoke("memory_remember", {
        text: "Prices are integers in cents",
        type: "decision",
      });
      assert.match(kept, /"status":"added"/);
      assert.match(await invoke("memory_context", {}), /Prices are integers in cents/);

      const settings = vscode.workspace.getConfiguration("workingMemory");
      await settings.update("agent.tools", "off", vscode.ConfigurationTarget.Global);
      await until("the end of the tools", () => toolsOfAgent().length === 0);
      await settings.update("agent.tools", undefined, vscode.ConfigurationTarget.Global);
    },

  "a program that hangs at --version is told": () =>
    impatiently(async () => {
      const state = await start("mute");
      assert.ok(
        state.kind === "failed" && state.problem.includes("does not respond to --version"),
        JSON.stringify(state),
      );
    }),

  "a program that is missing is told, and found once it is set": async () => {
    const settings = vscode.workspace.getConfiguration("workingMemory");
    const right = settings.get<string>("server.path");
    await settings.update("server.path", "/nowhere/wm-lsp", vscode.ConfigurationTarget.Global);
    await until(
      "the problem",
      () => api.server.state.kind === "failed" && /not a program/.test(api.server.state.problem),
    );
    writeFileSync(join(dir, "mode"), "");
    await settings.update("server.path", right, vscode.ConfigurationTarget.Global);
    await until("the server running", () => api.server.state.kind === "running");
  },
};

/** Checks that the server's exit was reported and no other server was started. */
async function assertGivenUp(state: State, why: RegExp): Promise<void> {
  assert.ok(state.kind === "failed" && why.test(state.problem), JSON.stringify(state));
  const pid = sent("started")[0]?.pid ?? 0;
  await until("its end", () => !isAlive(pid));
  // The extension learns of its child's exit in the following turns of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  const said = await promisify(execFile)("true").then(() => api.server.state);
  assert.deepEqual(said, state);
  assert.equal(sent("started").length, 1);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Called by the editor; the run ends when it returns. */
export async function run(): Promise<void> {
  const only = new RegExp(process.env.WM_TEST_ONLY ?? "");
  for (const [name, body] of Object.entries(tests).filter(([name]) => only.test(name))) {
    const from = Date.now();
    try {
      await body();
      appendFileSync(out, `ok ${name} (${Date.now() - from} ms)\n`);
    } catch (error) {
      const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
      appendFileSync(out, `not ok ${name}\n${trace.replace(/^/gm, "  ")}\n`);
    }
  }
}
