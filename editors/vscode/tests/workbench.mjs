// Drives the workbench in a browser, with the packaged extension, the real server inside it and an agent
// beside it. The tests check the page and screenshots for the presence and position of what matters.
// usage: WM_TEST_VSCODE=… node tests/workbench.mjs
// WM_TEST_ONLY is a regular expression for the tests to run, WM_TEST_PICTURES a folder for a screenshot
// after each test, WM_TEST_PATIENCE the timeout in milliseconds.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { Agent } from "./agent.mjs";
import { contrast, Editor, luminance, Picture, packageExtension, until } from "./editor.mjs";
import { load } from "./page.mjs";
import { runAll } from "./suite.mjs";

const root = path.dirname(import.meta.dirname);
const home = fs.mkdtempSync(path.join(os.tmpdir(), "wm-workbench-"));
const folder = path.join(home, "workspace");
const second = path.join(home, "second");
const third = path.join(home, "third");
const fake = path.join(home, "fake");
for (const dir of [folder, second, third, fake]) {
  fs.mkdirSync(dir);
}
fs.writeFileSync(path.join(folder, "notes.txt"), "Amounts are integers, in cents\nsecond line\n");
fs.writeFileSync(path.join(folder, "wm-lsp.toml"), "[session]\n");
fs.writeFileSync(path.join(folder, "typed.txt"), "what is typed is\n");
fs.writeFileSync(path.join(folder, "depot.go"), "package depot\n\nfunc near() int { return 1 }\n");
fs.writeFileSync(path.join(folder, "broken.json"), '{ "a": 1,, }\n');
fs.writeFileSync(
  path.join(folder, "cart.json"),
  '{ "price": 1,,\n  "note": "The price is kept in cents, everywhere" }\n',
);
fs.writeFileSync(path.join(folder, "draft.txt"), "the first words\n");
fs.writeFileSync(path.join(folder, "cart.go"), "package cart\n\ttotal()\n");
fs.writeFileSync(
  path.join(folder, "prices.txt"),
  "parsePrice reads a price\nthis line is broken\nof this one nothing is known\n",
);
fs.writeFileSync(path.join(second, "other.txt"), "another folder\n");
fs.writeFileSync(path.join(second, "other.json"), '{ "b": 2,, }\n');
fs.writeFileSync(path.join(third, "late.json"), '{ "c": 3,, }\n');

// A compiler that reports what the file "message" says, and nothing if there is none. While the file "slow" is
// there it does not end: in a browser VS Code loses the output of a command that is typed and ends at once.
const compiler = path.join(home, "bin", "go");
fs.mkdirSync(path.dirname(compiler));
fs.writeFileSync(
  compiler,
  `#!/bin/sh
echo >> runs
[ -e message ] || { echo >> ends; exit 0; }
echo "# example.org/cart"
echo "./cart.go:2:2: $(cat message)"
while [ -e slow ]; do sleep 0.05; done
echo >> ends
exit 1
`,
  { mode: 0o755 },
);
const env = { HOME: home };
for (const name of ["CONFIG", "DATA", "STATE", "CACHE"]) {
  env[`XDG_${name}_HOME`] = path.join(home, name.toLowerCase());
}

fs.mkdirSync(path.join(home, ".claude")); // as if Claude Code were installed

const vsix = packageExtension(path.join(home, "packages"));

/** Checks that elements are placed one below the other. */
async function assertBelow(...locators) {
  const boxes = await Promise.all(locators.map((locator) => locator.boundingBox()));
  for (const [i, box] of boxes.entries()) {
    assert.ok(box !== null && box.width > 0 && box.height > 0, `element ${i} is seen`);
    assert.ok(
      i === 0 || boxes[i - 1].y + boxes[i - 1].height <= box.y + 1,
      `element ${i} is below the one before`,
    );
  }
  return boxes;
}

const themes = {
  light: "Default Light Modern",
  dark: "Default Dark Modern",
  "high contrast": "Default High Contrast",
  "high contrast light": "Default High Contrast Light",
};
/** The class names of the themes in a webview. */
const webviewThemes = {
  light: "vscode-light",
  dark: "vscode-dark",
  "high contrast": "vscode-high-contrast:not(.vscode-high-contrast-light)",
  "high contrast light": "vscode-high-contrast-light",
};

/** Returns the colors of an element, the most frequent first. */
async function commonColors(page, locator) {
  await locator.scrollIntoViewIfNeeded();
  const picture = await Picture.of(page, await locator.boundingBox());
  return picture.colors().map(([color]) => color);
}

const decision = "Money is an integer number of cents";
const evil =
  "Click [here](command:workbench.action.files.newUntitledFile) <img src=x onerror=\"document.title='owned'\"> <script>document.title='owned'</script> \u202etxt $(flame)";

/** Unpacks the program in the installed extension for the agents, and returns its path. */
function programOf(editor) {
  const extension = fs.readdirSync(editor.extensions).find((name) => name.startsWith("wm-lsp"));
  const packed = fs.readFileSync(path.join(editor.extensions, extension, "bin", "wm-lsp.br"));
  const file = path.join(home, "program");
  fs.writeFileSync(file, brotliDecompressSync(packed), { mode: 0o755 });
  return file;
}

/** The program that the extension has unpacked. */
function unpacked(editor) {
  return path.join(editor.data, "User", "globalStorage", "wm-lsp.wm-lsp", "wm-lsp");
}

/** Returns the processes of the editor's servers. */
function serversOf(editor) {
  const isServer = (pid) => {
    try {
      return fs.readlinkSync(`/proc/${pid}/exe`).startsWith(unpacked(editor));
    } catch {
      return false; // it has exited, or belongs to somebody else
    }
  };
  const pids = fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter(isServer).map(Number);
}

/** Opens the walkthrough, and returns what looks at its steps. */
async function walkthrough(bench) {
  await bench.choose("Get Started with Working Memory", async () => {
    await bench.command("Welcome: Open Walkthrough...");
    await bench.page.keyboard.type("Working Memory");
  });
  return {
    assertDone: (title, done) =>
      bench.page
        .locator("button.getting-started-step", { hasText: title })
        .locator(`[role="checkbox"][aria-checked="${done}"]`)
        .waitFor(),
  };
}

function mainTests(editor, bench, agent, program) {
  const { page } = bench;
  const openErrors = async () => (await agent.call("wm/errors/list")).errors;
  const message = path.join(folder, "message");
  const slow = path.join(folder, "slow");
  const undo = page.locator('[id="wm-lsp.wm-lsp.workingMemory.undo"]');
  /** Waits for a message in the status bar, which is there for some seconds. */
  const isTold = (text) => page.locator(".statusbar-item", { hasText: text }).waitFor();
  const isWritten = (text) => page.locator(".xterm-rows > div", { hasText: text }).last().waitFor();
  /** Lets the agent run a compiler that reports a message, and returns the error. */
  const vetted = async (message) => {
    const input = { command: "go vet ./..." };
    const output = `# example.org/cart\n./cart.go:2:2: ${message}\n`;
    await agent.call("wm/tool/executed", { tool: "bash", input, output, exitCode: 1 });
    return (await openErrors()).find(({ summary }) => summary.includes(message));
  };
  const entryThat = (is) =>
    until("the entry", async () => (await agent.call("wm/memory/list")).entries.find(({ text }) => is(text)));

  return [
    [
      "nothing asks for attention at the start",
      async () => {
        await bench.status.waitFor();
        await until(
          "the server running",
          async () => !/starting/.test((await bench.status.getAttribute("aria-label")) ?? ""),
        );
        await bench.assertNoToast();
        assert.equal(await page.locator(".tab").count(), 0, "no tab, such as a walkthrough's");
        const icon = page.locator('.activitybar a.action-label[aria-label^="Working Memory"]');
        assert.equal(await page.locator(".activitybar .badge:visible", { has: icon }).count(), 0, "no badge");
      },
    ],
    [
      "what is to review is counted on the icon before the panel was opened, until it is reviewed",
      async () => {
        const candidate = "- [project] Every price has two digits after the point";
        const summary = `<workspace_memory_candidates>\n${candidate}\n</workspace_memory_candidates>`;
        const { memories } = await agent.call("wm/compaction/finished", { summary });
        const [{ id }] = memories;
        const badge = page.locator(".activitybar .badge:visible");
        await badge.filter({ hasText: "1" }).waitFor();
        assert.equal(await bench.tree.count(), 0, "the panel was not opened");
        await agent.call("wm/memory/update", { id, reviewed: true });
        await badge.waitFor({ state: "detached" });
        await agent.call("wm/memory/remove", { id, erase: true });
      },
    ],
    [
      "the panel has the sections in order, with bars and what to do",
      async () => {
        await bench.show("Working Memory");
        await bench.row("Project memory").waitFor();
        await assertBelow(
          bench.row("Agents"),
          bench.row("Failing now"),
          bench.row("Project memory"),
          bench.row("Nothing yet"),
          bench.row("Files"),
          bench.row("More"),
        );
        assert.match(await bench.text(bench.row("Project memory")), /0 of \d+ entries/);
        for (const hint of ["Nothing fails", "Nothing yet", "Opened files"]) {
          await bench.assertWhole(hint);
        }
        const widths = [".bar", ".bar .used"].map((part) =>
          bench
            .row("Project memory")
            .locator(part)
            .evaluate((one) => one.getBoundingClientRect().width),
        );
        const [whole, used] = await Promise.all(widths);
        assert.ok(whole > 10 && used === 0, `${used} of ${whole}`);
        await page.mouse.move(900, 500);
        const [track, around] = await Promise.all([
          commonColors(page, bench.row("Project memory").locator(".bar")),
          commonColors(page, bench.row("Nothing yet")),
        ]);
        const ratio = contrast(track[0], around[0]);
        assert.ok(ratio > 1.1 && ratio < 2, `an empty bar has a contrast of ${ratio} and looks full`);
      },
    ],
    [
      "Enter and a click on a sentence that stands for rows ask for the first one, or show how they come",
      async () => {
        const box = page.locator(".quick-input-widget:visible", {
          hasText: "What should every later session",
        });
        await bench.row("Nothing yet").click();
        await box.waitFor();
        await page.keyboard.press("Escape");
        await box.waitFor({ state: "detached" });
        await bench.focused("Nothing yet");
        const start = page.locator(".gettingStartedContainer", {
          hasText: "Get Started with Working Memory",
        });
        const closed = async () => {
          await start.waitFor();
          await bench.command("View: Close All Editors");
          await start.waitFor({ state: "detached" });
        };
        await page.keyboard.press("ArrowUp");
        await page.keyboard.press("ArrowUp");
        await bench.focused("Nothing fails");
        await page.keyboard.press("Enter");
        await closed();
        await bench.row("Nothing fails").click();
        await closed();
      },
    ],
    [
      "to undo in the panel takes back nothing that is typed in a file",
      async () => {
        await bench.open("typed.txt");
        await page.locator(".view-line", { hasText: "what is typed" }).click();
        await page.keyboard.press("End");
        await page.keyboard.type(" kept");
        const line = page.locator(".view-line", { hasText: "kept" });
        await line.waitFor();
        await bench.row("Failing now").locator(".twistie").click();
        await bench.row("Nothing fails").waitFor({ state: "detached" });
        await page.keyboard.press("ArrowRight");
        await bench.row("Nothing fails").waitFor();
        await page.keyboard.press("Control+Z");
        await isTold("There is nothing to undo");
        await line.waitFor();
        const isLeftToEditor = await bench.tree.evaluate((tree) => {
          const russian = { key: "я", code: "KeyZ", ctrlKey: true, bubbles: true, cancelable: true };
          return tree.dispatchEvent(new KeyboardEvent("keydown", russian));
        });
        assert.equal(isLeftToEditor, false, "nor does the same key of a layout without Latin letters");
        await line.waitFor();
        await bench.command("File: Revert File");
        await line.waitFor({ state: "detached" });
      },
    ],
    [
      "the diagnostics of a language server reach the agent",
      async () => {
        await bench.open("broken.json");
        const errors = await until("the error", async () => {
          const found = await openErrors();
          return found.length > 0 && found;
        });
        assert.equal(errors[0].path, "broken.json");
        await bench.row("json").waitFor();
        await bench.row("broken.json").waitFor();
      },
    ],
    [
      "a click on a row shows its file and leaves the focus, Enter goes into the file",
      async () => {
        await bench.open("typed.txt");
        await bench.row("broken.json").click();
        await page.locator('.tab.active[data-resource-name="broken.json"]').waitFor();
        await bench.focused("broken.json");
        await page.keyboard.press("Enter");
        await page.locator(".editor-instance .monaco-editor.focused").waitFor();
        await bench.row("Failing now").click({ position: { x: 60, y: 10 } });
        const expanded = (is) => bench.tree.locator(`.focused[aria-expanded="${is}"]`).waitFor();
        await expanded(false);
        await page.keyboard.press("Enter");
        await expanded(true);
      },
    ],
    [
      "what an agent adds is painted at once",
      async () => {
        await agent.call("wm/message/received", { role: "user", text: "please go on" });
        for (let i = 0; i < 5; i++) {
          const text = i === 0 ? decision : `Rule number ${i} is kept for good`;
          await agent.call("wm/memory/add", { text, type: "decision" });
          await bench.row(text).waitFor();
        }
      },
    ],
    [
      "what changes without a pause is painted all the while",
      async () => {
        const { id } = await agent.call("wm/memory/add", { text: "Draft 0 of a rule", type: "project" });
        let going = true;
        const changes = async () => {
          for (let i = 1; going; i++) {
            await agent.call("wm/memory/update", { id, text: `Draft ${i} of a rule` });
          }
        };
        const changing = changes();
        try {
          for (let i = 0; i < 3; i++) {
            const painted = await bench.row(/Draft \d+ of a rule/).innerText();
            await until("a later one", async () => (await bench.row(/Draft/).innerText()) !== painted);
          }
          await bench.row("Rule number 2").click();
          await bench.focused("Rule number 2");
          const painted = await bench.row(/Draft/).innerText();
          await until("a later one", async () => (await bench.row(/Draft/).innerText()) !== painted);
          assert.equal(await bench.row("Rule number 2").getAttribute("aria-selected"), "true");
          await bench.focused("Rule number 2");
        } finally {
          going = false;
          await changing;
        }
        await agent.call("wm/memory/remove", { id, erase: true });
        await bench.row(/Draft/).waitFor({ state: "detached" });
      },
    ],
    [
      "an action on the line is done at once, and taken back; to erase is asked for",
      async () => {
        await bench.act(bench.row(decision), "Pin");
        await bench.row("pinned").waitFor();
        await bench.act(bench.row(decision), "Forget");
        await bench.row("Forgotten").waitFor();
        await undo.filter({ hasText: "Undo Forget" }).click();
        await bench.row(decision).waitFor();
        const isActive = ({ text, status }) => text === decision && status === "active";
        await until("it active", async () => (await agent.call("wm/memory/list")).entries.some(isActive));
        // The action before it is offered next.
        await undo.filter({ hasText: "Undo Pin" }).click();
        await until("it unpinned", async () => {
          const now = (await agent.call("wm/memory/list")).entries.find(({ text }) => text === decision);
          return now.pinned !== true;
        });
        const { id } = await agent.call("wm/memory/add", { text: "To be erased", type: "project" });
        await bench.row("To be erased").waitFor();
        await agent.call("wm/memory/remove", { id });
        await bench.row("Forgotten").click();
        await bench.row("To be erased").click();
        await bench.choose("Erase every trace", () => page.keyboard.press("Control+."));
        const dialog = page.locator(".monaco-dialog-box");
        await dialog.waitFor();
        assert.match(await dialog.innerText(), /Erase every trace: “To be erased”\?[\s\S]*cannot be undone/);
        await dialog.getByRole("button", { name: "Erase every trace" }).click();
        await bench.row("To be erased").waitFor({ state: "detached" });
      },
    ],
    [
      "an answered question gives the focus back at once, and then takes it from nothing",
      async () => {
        const text = "To be erased while the server is busy";
        await agent.call("wm/memory/add", { text, type: "project" });
        await bench.row(text).click();
        await bench.choose("Erase every trace", () => page.keyboard.press("Control+."));
        const button = page.locator(".monaco-dialog-box").getByRole("button", { name: "Erase every trace" });
        await button.waitFor();
        const list = page.locator(".quick-input-list .monaco-list-row", { hasText: "Erase every trace" });
        const [server] = serversOf(editor);
        process.kill(server, "SIGSTOP");
        try {
          await button.click();
          await bench.focused(text);
          await page.keyboard.press("Control+.");
          await list.waitFor();
        } finally {
          process.kill(server, "SIGCONT");
        }
        await Promise.all([
          bench.row(text).waitFor({ state: "detached" }),
          isTold("Done: Erase every trace"),
        ]);
        // What was asked of the page before it had the focus last.
        await bench.tree.evaluate(() => {
          window.dispatchEvent(new MessageEvent("message", { data: { takesFocus: 0 } }));
        });
        assert.ok(await page.evaluate(() => document.activeElement.closest(".quick-input-widget") !== null));
        assert.ok(await list.isVisible());
        await page.keyboard.press("Escape");
      },
    ],
    [
      "the row below one that is forgotten has the focus, also if rows above go with it",
      async () => {
        const texts = ["Use pnpm, not npm", "Do not use npm but pnpm", "Ports stand in a list"];
        const ids = [];
        for (const text of texts) {
          ids.push((await agent.call("wm/memory/add", { text, type: "reference" })).id);
        }
        await bench.row("1 near duplicate").waitFor();
        await bench.row(texts[2]).waitFor();
        await bench.rows.filter({ hasText: texts[1] }).last().click();
        await bench.focused(texts[1]);
        await page.keyboard.press("Delete");
        await bench.row("1 near duplicate").waitFor({ state: "detached" });
        await bench.focused(texts[2]);
        for (const id of ids) {
          await agent.call("wm/memory/remove", { id, erase: true });
        }
        await bench.row(texts[2]).waitFor({ state: "detached" });
      },
    ],
    [
      "what was undone is done again, and several rows are copied, forgotten and taken back at once",
      async () => {
        const statusOf = async (start) =>
          (await agent.call("wm/memory/list", { includeInactive: true })).entries.find(({ text }) =>
            text.startsWith(start),
          )?.status;
        const areAll = (status) =>
          until(status, async () => {
            const all = await Promise.all([1, 2, 3].map((i) => statusOf(`Several of them, ${i}`)));
            return all.every((one) => one === status);
          });
        for (const i of [1, 2, 3]) {
          await agent.call("wm/memory/add", { text: `Several of them, ${i}`, type: "reference" });
        }
        await bench.row("Several of them, 1").click();
        await bench.row("Several of them, 3").click({ modifiers: ["Shift"] });
        await page.keyboard.press("Control+C");
        await isTold("Copied 3 rows");
        await page.keyboard.press("Delete");
        await areAll("removed");
        await bench.row("Failing now").click({ position: { x: 60, y: 10 } });
        await page.keyboard.press("Control+Z");
        await areAll("active");
        await page.keyboard.press("Control+Shift+Z");
        await areAll("removed");
        await page.keyboard.press("Control+Z");
        await areAll("active");
        await page.keyboard.press("Enter"); // it was folded
        for (const i of [1, 2, 3]) {
          await bench.active(`Several of them, ${i}`).waitFor();
        }
        await bench.row("Several of them, 1").click();
        await bench.row("Several of them, 3").click({ modifiers: ["Shift"] });
        await bench.focused("Several of them, 3");
        await bench.choose("Forget", async () => {
          await page.keyboard.press("Control+.");
          await page.locator('.quick-input-widget input[placeholder="Action on 3 rows"]').waitFor();
        });
        await areAll("removed");
        await page.keyboard.press("Control+Z");
        await areAll("active");
        for (const { id, text } of (await agent.call("wm/memory/list")).entries) {
          if (text.startsWith("Several of them")) {
            await agent.call("wm/memory/remove", { id, erase: true });
          }
        }
      },
    ],
    [
      "of several that were forgotten, those that exist are taken back, and nothing names what was erased",
      async () => {
        const ids = [];
        for (const name of ["first", "second", "third"]) {
          const text = `One of three, the ${name}`;
          ids.push((await agent.call("wm/memory/add", { text, type: "reference" })).id);
        }
        const left = async () =>
          (await agent.call("wm/memory/list")).entries.filter(({ id }) => ids.includes(id));
        await bench.row("One of three, the second").click();
        const tab = page.locator(".tab", { hasText: "One of three, the second" });
        await tab.waitFor();
        await bench.row("One of three, the first").click();
        await bench.row("One of three, the third").click({ modifiers: ["Shift"] });
        await page.keyboard.press("Delete");
        await until("all forgotten", async () => (await left()).length === 0);
        await agent.call("wm/memory/remove", { id: ids[2], erase: true });
        await bench.row("Failing now").click({ position: { x: 60, y: 10 } });
        await page.keyboard.press("Control+Z");
        await until("two are back", async () => (await left()).length === 2);
        const toast = page.locator(".notification-toast", { hasText: "1 of 3 no longer exist" });
        await toast.waitFor();
        await page.keyboard.press("Control+Shift+Z");
        await until("both forgotten again", async () => (await left()).length === 0);
        await page.keyboard.press("Enter"); // it was folded
        await bench.command("Notifications: Clear All Notifications");
        await toast.waitFor({ state: "detached" });
        for (const id of ids.slice(0, 2)) {
          await agent.call("wm/memory/remove", { id, erase: true });
        }
        await bench.detail.locator("p", { hasText: "This no longer exists" }).waitFor();
        await tab.waitFor({ state: "detached" });
      },
    ],
    [
      "a click on a row without a place shows its details and leaves the focus",
      async () => {
        await bench.row(decision).click();
        await page.locator(".tab.active", { hasText: decision.slice(0, 20) }).waitFor();
        await bench.detail.locator("#detail li", { hasText: "Type: Decision" }).waitFor();
        await bench.focused(decision);
      },
    ],
    [
      "keys act on the row that has the focus, not on the one that is selected",
      async () => {
        for (const text of ["Rows are chosen", "Rows are reached by keys"]) {
          await agent.call("wm/memory/add", { text, type: "decision" });
        }
        const [chosen, reached] = [bench.row("Rows are chosen"), bench.row("Rows are reached by keys")];
        await reached.waitFor();
        await chosen.click();
        const [{ y: from }, { y: to }] = await Promise.all([chosen.boundingBox(), reached.boundingBox()]);
        await page.keyboard.press(from < to ? "ArrowDown" : "ArrowUp");
        await bench.focused("Rows are reached");
        assert.equal(await chosen.getAttribute("aria-selected"), "true");

        await page.keyboard.press("F2");
        const box = page.locator(".quick-input-widget:visible input.input");
        await until("its text", async () => (await box.inputValue()) === "Rows are reached by keys");
        await page.keyboard.press("Enter");
        const types = page.locator(".quick-input-list .monaco-list-row");
        await types.first().filter({ hasText: "Decision (now)" }).waitFor();
        assert.equal(await types.filter({ hasText: "(now)" }).count(), 1);
        await page.keyboard.press("Escape");
        const back = () => bench.focused("Rows are reached");
        await back();
        await bench.chooseDefault("Pin", () => page.keyboard.press("Control+."));
        const entry = async (start) =>
          (await agent.call("wm/memory/list")).entries.find(({ text }) => text.startsWith(start));
        await reached.filter({ hasText: "pinned" }).waitFor();
        await back();
        await page.keyboard.press("Delete");
        await until("it forgotten", async () => (await entry("Rows are reached"))?.status !== "active");
        assert.equal((await entry("Rows are chosen")).status, "active");
        assert.ok(!(await entry("Rows are chosen")).pinned);
        await agent.call("wm/memory/remove", { id: (await entry("Rows are chosen")).id });
      },
    ],
    [
      "a key that a person binds to a command of the panel acts on its row, and only there; one that is taken away does not",
      async () => {
        const { id } = await agent.call("wm/memory/add", { text: "This is forgotten by a key of one's own" });
        const status = async () =>
          (await agent.call("wm/memory/list", { includeInactive: true })).entries.find((one) => one.id === id)
            .status;
        const press = () => page.keyboard.press("Control+Alt+8");
        const row = bench.row("This is forgotten by a key");
        // A key that comes too early is lost.
        await until("it forgotten", async () => {
          await row.click();
          await press();
          return until("it gone", async () => (await status()) === "removed", 10_000);
        });
        await page.keyboard.press("Control+Z");
        await until("it there again", async () => (await status()) === "active");
        await bench.active("This is forgotten by a key").waitFor();
        await page.keyboard.press("Control+Y"); // which is taken away
        await row.click();
        await page.keyboard.press("F2");
        await page.locator(".quick-input-widget:visible input.input").waitFor(); // what a key did is done by now
        await page.keyboard.press("Escape");
        assert.equal(await status(), "active", "the key is taken away");
        await row.click();
        await bench.open("typed.txt");
        await press();
        await row.click();
        await page.keyboard.press("F2");
        await page.locator(".quick-input-widget:visible input.input").waitFor(); // what a key did is done by now
        await page.keyboard.press("Escape");
        assert.equal(await status(), "active", "the file had the focus");
        await agent.call("wm/memory/remove", { id, erase: true });
      },
    ],
    [
      "a draft is kept or given up as a person answers, and one that is refused is there again",
      async () => {
        const write = (block, content) =>
          agent.call("wm/core/update", { block, operation: "replace", content });
        const read = async (block) => (await agent.call("wm/core/read")).blocks[block].content;
        const draft = page.locator(".tab.active", { hasText: "What the block" });
        const box = page.locator(".quick-input-widget:visible input.input");
        // The editor behind a closed draft takes the focus when it has loaded.
        const edit = (label) =>
          until("the question", async () => {
            await bench.row(label).click();
            await page.keyboard.press("F2");
            const asked = draft.or(box).first().waitFor({ timeout: 10_000 });
            return asked.then(
              () => true,
              () => false,
            );
          });
        const add = async (label, text) => {
          await edit(label);
          await draft.waitFor();
          await bench.editing("Ship it");
          await page.keyboard.press("Control+End");
          await page.keyboard.type(text);
          await page.locator(".editor-instance .view-line", { hasText: text }).waitFor();
          await draft.locator(".tab-actions .action-label").click();
        };
        const answer = async (name) => {
          await page.locator(".monaco-dialog-box").getByRole("button", { name, exact: true }).click();
          await draft.waitFor({ state: "detached" });
        };
        await write("goal", "Ship it\nin May");
        await bench.row(/^\W*Goal & progress/).click(); // it is folded at first
        await add("goal: Ship it", " or June");
        await answer("Don't Save");
        await add("goal: Ship it", " or July");
        await answer("Save");
        await until("it written", async () => (await read("goal")) === "Ship it\nin May or July");

        await write("progress", "half of it");
        await edit("progress: half of it");
        const long = "half of it ".repeat(300);
        await box.fill(long);
        await page.keyboard.press("Enter");
        await page.locator(".notification-toast", { hasText: /Edit: .*2000/ }).waitFor();
        await until("the text again", async () => (await box.inputValue()) === long);
        await box.fill("all of it");
        await page.keyboard.press("Enter");
        await until("it written", async () => (await read("progress")) === "all of it");
        assert.equal(await page.locator(".tab", { hasText: "What the block" }).count(), 0);
        await bench.command("Notifications: Clear All Notifications");
        await write("goal", "");
        await write("progress", "");
      },
    ],
    [
      "the type of a text of several lines is asked for before it is written, and nothing after Save or the close button",
      async () => {
        const draft = page.locator(".tab.active", { hasText: "What should every later session know" });
        const box = page.locator(".quick-input-widget:visible");
        await bench.row("Rule number 1").click(); // so that a page had the focus before
        await bench.focused("Rule number 1");
        const written = async (text) => {
          await bench.command("Working Memory: Remember …");
          await box.locator("input.input").fill("The first line");
          const isKept = await bench.keepsFocus();
          await box.locator('a.action-label[aria-label^="Write several lines"]').click();
          await box.filter({ hasText: "Preference" }).locator("input.input:focus").waitFor();
          assert.ok(await isKept(), "no page has had the focus in between");
          await page.keyboard.type("Preference");
          await page.keyboard.press("Enter");
          await draft.waitFor();
          await bench.editing("The first line");
          await page.keyboard.press("Control+End");
          await page.keyboard.type(`\n${text}`);
          await page.locator(".editor-instance .view-line", { hasText: text }).waitFor();
        };
        const kept = async (text) => {
          await draft.waitFor({ state: "detached" });
          const { id, type } = await entryThat((whole) => whole === `The first line\n${text}`);
          assert.equal(type, "feedback");
          await agent.call("wm/memory/remove", { id, erase: true });
        };
        await written("and the second is saved");
        await page.keyboard.press("Control+S");
        await kept("and the second is saved");
        await written("and another is closed");
        await draft.locator(".tab-actions .action-label").click();
        const answer = page.locator(".monaco-dialog-box").getByRole("button", { name: "Save", exact: true });
        await answer.click();
        await kept("and another is closed");
      },
    ],
    [
      "a selection is remembered by keyboard alone, with its type and file",
      async () => {
        await bench.open("notes.txt");
        await page.locator(".view-line", { hasText: "Amounts" }).click();
        await page.keyboard.press("Control+Home");
        await page.keyboard.press("Shift+End");
        const remember = () => bench.command("Working Memory: Remember the Selection");
        await bench.chooseDefault(/Fact.*what holds in this project/s, remember);
        const entry = await until("the entry", async () =>
          (await agent.call("wm/memory/list")).entries.find(({ text }) =>
            text.startsWith("Amounts are integers"),
          ),
        );
        assert.equal(entry.type, "project");
        assert.deepEqual(entry.files, ["notes.txt"]);
      },
    ],
    [
      "memory is searched while typing, and Enter goes to the row, the file or the details of what is chosen",
      async () => {
        const box = page.locator('.quick-input-widget:visible input[placeholder^="Words to search for"]');
        const find = (command, words, first) =>
          bench.chooseDefault(first, async () => {
            await bench.command(command);
            await box.pressSequentially(words, { timeout: 10_000 });
          });
        await bench.open("notes.txt");
        const named = /Money is an integer.*Decision/s;
        await bench.choose(named, () => bench.command("Working Memory: Search Memory"));
        await bench.focused(decision);
        await find("Working Memory: Search Memory", "cents money", /Money is an integer/);
        await bench.focused(decision);

        const removed = await agent.call("wm/memory/add", { text: "Zanzibar is where the depot stands" });
        await agent.call("wm/memory/remove", { id: removed.id });
        const depots = []; // so many that the panel does not list the one that is searched
        for (let i = 0; i < 21; i++) {
          const { id } = await agent.call("wm/memory/add", { text: `Depot number ${i} was closed` });
          await agent.call("wm/memory/remove", { id });
          depots.push(id);
        }
        await find("Working Memory: Search Memory", "zanzibars", /Zanzibar/);
        await page.locator(".tab.active", { hasText: "Zanzibar" }).waitFor();
        await bench.detail.locator("#detail", { hasText: "Zanzibar is where the depot stands" }).waitFor();
        for (const id of [removed.id, ...depots]) {
          await agent.call("wm/memory/remove", { id, erase: true });
        }

        const vet = (exitCode, output) =>
          agent.call("wm/tool/executed", {
            tool: "bash",
            input: { command: "go vet ./..." },
            exitCode,
            output,
          });
        await vet(1, "# example\n./depot.go:3:9: undefined: quagga\n");
        await find("Working Memory: Search Memory", "quag", /depot\.go: undefined: quagga/);
        await page.locator('.tab.active[data-resource-name="depot.go"]').waitFor();
        await page.locator(".statusbar-item", { hasText: "Ln 3, Col 1" }).waitFor();
        await vet(0, "");

        await find("Working Memory: Show the Trace of an Entry", "cents money", /Money is an integer/);
        await bench.detail.locator("#detail", { hasText: "memory.added" }).waitFor();
      },
    ],
    [
      "details are rendered, with links, actions and what happened, and follow the memory",
      async () => {
        const { id } = await agent.call("wm/memory/add", {
          text: "Details have *no* <b>markup</b> of their own",
          files: ["notes.txt"],
        });
        await bench.row("Details have *no*").click();
        await bench.command("Working Memory: Show Details");
        const detail = bench.detail.locator("#detail");
        await detail.locator("p", { hasText: "Details have *no* <b>markup</b> of their own" }).waitFor();
        await detail
          .locator("li", { hasText: "Sent to agents: yes, to every agent in this folder" })
          .waitFor();
        await detail.locator("h3", { hasText: "What happened" }).waitFor();
        await agent.call("wm/memory/update", { id, text: "Details are read again" });
        await detail.locator("p", { hasText: "Details are read again" }).waitFor();
        await bench.detail.locator("button", { hasText: "Pin" }).click();
        await detail.locator("li", { hasText: "active, pinned" }).waitFor();
        await detail.locator("a", { hasText: "notes.txt" }).click();
        await page.locator('.tab.active[data-resource-name="notes.txt"]').waitFor();
        await agent.call("wm/memory/remove", { id, erase: true });
      },
    ],
    [
      "the filter leaves what has its words, until Escape gives it up; to choose a row keeps it",
      async () => {
        await bench.row("Rule number 1").click();
        await bench.command("Working Memory: Filter the Panel");
        const box = page.locator(".quick-input-widget:visible", {
          hasText: "Show only items with these words",
        });
        const told = bench.message.filter({ hasText: "Only items with:" });
        await box.locator("input.input").fill("number 2");
        await until(
          "one rule",
          async () => (await bench.rows.filter({ hasText: "Rule number" }).count()) === 1,
        );
        await page.keyboard.press("Escape");
        await until(
          "all rules",
          async () => (await bench.rows.filter({ hasText: "Rule number" }).count()) === 4,
        );
        await bench.focused("Rule number 1"); // which the filter had hidden

        await bench.command("Working Memory: Filter the Panel");
        await box.locator("input.input").fill("nowhere");
        await page.keyboard.press("Enter");
        await box.waitFor({ state: "detached" });
        await bench.row("No item has these words").click(); // which asks for other words
        await until("its words", async () => (await box.locator("input.input").inputValue()) === "nowhere");
        await box.locator("input.input").fill("");
        await page.keyboard.press("Enter");
        await bench.row("Rule number 2").waitFor();
        await bench.focused();

        await bench.command("Working Memory: Filter the Panel");
        await box.locator("input.input").fill("number 3");
        await bench.row("Rule number 2").waitFor({ state: "detached" });
        await bench.row("Rule number 3").click();
        await box.waitFor({ state: "detached" });
        await told.filter({ hasText: "number 3" }).waitFor();
        await bench.command("Working Memory: Filter the Panel");
        await until("its words", async () => (await box.locator("input.input").inputValue()) === "number 3");
        await box.locator("input.input").fill("");
        await page.keyboard.press("Enter");
        await bench.row("Rule number 2").waitFor();
        await bench.focused(); // it gets it back when the box is gone
      },
    ],
    [
      "the filter leaves how the rows are folded",
      async () => {
        const isOpen = (text) => bench.row(text).getAttribute("aria-expanded");
        const toggle = () => bench.row("Failing now").click({ position: { x: 60, y: 10 } });
        await bench.open("broken.json"); // a tab that was only previewed may be gone, and with it the error
        await until("its error", async () =>
          (await openErrors()).some((error) => error.path === "broken.json"),
        );
        await toggle();
        await until("it folded", async () => (await isOpen("Failing now")) === "false");
        await bench.command("Working Memory: Filter the Panel");
        const box = page.locator(".quick-input-widget:visible input.input");
        await box.fill("broken.json");
        await bench.row("Rule number 2").waitFor({ state: "detached" });
        await until("it open", async () => (await isOpen("Failing now")) === "true");
        await page.keyboard.press("Escape");
        await bench.row("Rule number 2").waitFor();
        await until("it folded again", async () => (await isOpen("Failing now")) === "false");
        await toggle();
        await until("it open", async () => (await isOpen("Failing now")) === "true");
      },
    ],
    [
      "the keys of the editor for a search filter, and what is chosen then keeps the focus",
      async () => {
        const box = page.locator(".quick-input-widget:visible input.input");
        for (const key of ["F3", "Control+f", "Control+Alt+f"]) {
          await bench.row("Rule number 3").click();
          await bench.focused("Rule number 3");
          await page.keyboard.press(key);
          await box.fill("number 3");
          await bench.row("Rule number 2").waitFor({ state: "detached" });
          await page.keyboard.press("Escape");
          await bench.row("Rule number 2").waitFor();
          await bench.focused("Rule number 3");
          assert.equal(await bench.row("Rule number 3").getAttribute("aria-selected"), "true");
        }
      },
    ],
    [
      "the panel gets the focus back also when the editor hears late that it had lost it",
      async () => {
        await page.evaluate(() => {
          const { contentWindow: frame } = document.querySelector('iframe.webview[data-shows="tree"]');
          const { postMessage } = frame.MessagePort.prototype;
          frame.MessagePort.prototype.postMessage = function (message, ...rest) {
            const send = () => postMessage.call(this, message, ...rest);
            if (message?.channel === "did-blur") {
              globalThis.isBlurred = true;
              frame.addEventListener("focus", send, { once: true });
            } else {
              send();
            }
          };
          globalThis.restore = () => {
            frame.MessagePort.prototype.postMessage = postMessage;
          };
        });
        // The editor looks now and then, and may not have seen the focus before the question takes it.
        await until("the blur", async () => {
          await bench.row("Rule number 3").click();
          await bench.focused("Rule number 3");
          await page.keyboard.press("F3");
          await page.locator(".quick-input-widget:visible input.input").waitFor();
          const heard = until("it heard", () => page.evaluate(() => globalThis.isBlurred), 2000);
          return heard.catch(async () => {
            await page.keyboard.press("Escape");
            return false;
          });
        });
        await page.keyboard.press("Escape");
        await bench.focused("Rule number 3");
        await page.evaluate(() => globalThis.restore());
      },
    ],
    [
      "the rows are indented as those of every tree of the editor",
      async () => {
        const indented = (pixels) =>
          until(`${pixels} pixels`, async () => {
            const padding = (row) => row.evaluate((one) => getComputedStyle(one).paddingLeft);
            const two = await Promise.all(
              [bench.row("Project memory"), bench.row("Rule number 3")].map(padding),
            );
            return two.join(" ") === `4px ${4 + pixels}px`;
          });
        await indented(8);
        editor.configure({ "workbench.tree.indent": 20 });
        await indented(20);
        editor.configure({ "workbench.tree.indent": 8 });
        await indented(8);
      },
    ],
    [
      "the panel is a tree to a screen reader, with the keys of a tree",
      async () => {
        const { tree } = bench;
        const focused = tree.locator(".focused");
        const state = async (row) =>
          row.evaluate((one) => [one.ariaLevel, one.ariaExpanded, one.ariaSelected].map(String).join(" "));
        const press = async (key, text, wanted) => {
          await page.keyboard.press(key);
          await bench.focused(text);
          await until(`${wanted} after ${key}`, async () => (await state(focused)) === wanted);
        };
        assert.equal(await tree.getAttribute("role"), "tree");
        assert.equal(await tree.getAttribute("aria-multiselectable"), "true");
        assert.equal(await tree.locator(':is(button, a, [tabindex]):not([tabindex="-1"])').count(), 0);
        await bench.row("Files").click({ modifiers: ["Control"] });
        await page.keyboard.press("Escape");
        await press("Home", "Agents", "1 true false");
        const active = await tree.getAttribute("aria-activedescendant");
        assert.equal(active, await focused.getAttribute("id"));
        assert.notEqual(await focused.evaluate((one) => getComputedStyle(one).outlineStyle), "none");
        await press("ArrowLeft", "Agents", "1 false false");
        await press("ArrowRight", "Agents", "1 true false");
        await press("ArrowRight", "", "2 null false");
        await press("ArrowLeft", "Agents", "1 true false");
        await press("End", "More", "1 false false");
        await page.keyboard.type("proj");
        await bench.focused("Project memory");
        await press("ArrowDown", "", "2 null false");
        const [place, size] = await focused.evaluate((one) => [one.ariaPosInSet, one.ariaSetSize]);
        assert.ok(place === "1" && Number(size) >= 4, `${place} of ${size}`);
        assert.match(await focused.getAttribute("aria-label"), /, \w+ · (agent|person)\b/);
        await press("Space", "", "2 null true");
        await press("Shift+ArrowDown", "", "2 null true");
        const selected = tree.locator('[aria-selected="true"]');
        await until("two selected rows", async () => (await selected.count()) === 2); // the first one was so before
        await press("Escape", "", "2 null false");
        await page.keyboard.press("ContextMenu");
        await page.locator(".monaco-menu .action-item", { hasText: "Erase every trace" }).waitFor();
        await page.keyboard.press("Escape");

        const open = tree.locator('[aria-level="1"][aria-expanded="true"] .label');
        const names = await open.allInnerTexts();
        assert.ok(names.length > 3);
        await bench.command("Working Memory: Collapse All");
        await open.first().waitFor({ state: "detached" });
        assert.equal(await tree.locator('[aria-level="2"]').count(), 0);
        const space = await tree.boundingBox();
        await page.mouse.click(space.x + 100, space.y + space.height - 5, { button: "right" });
        const offered = page.locator(".monaco-menu .action-item");
        await offered.first().waitFor();
        assert.deepEqual(await offered.allInnerTexts(), ["Remember …", "Collapse All"]);
        await page.keyboard.press("Escape");
        for (const name of names) {
          await tree.locator(".label").getByText(name, { exact: true }).click();
        }
        await until("all open again", async () => (await open.count()) === names.length);
      },
    ],
    [
      "a place is at the right edge, of a long one the file, and the text comes first",
      async () => {
        const place = "packages/checkout/internal/prices/rounding/half-up.txt";
        fs.mkdirSync(path.join(folder, path.dirname(place)), { recursive: true });
        fs.writeFileSync(path.join(folder, place), "half up\n");
        const long = await agent.call("wm/memory/add", {
          text: "Halves go up in every price",
          files: [place],
        });
        const short = await agent.call("wm/memory/add", { text: "Nothing is rounded", files: ["notes.txt"] });
        const both = await agent.call("wm/memory/add", { text: "A total is rounded once", files: [place] });
        const boxes = (text) =>
          bench.row(text).evaluate((row) =>
            [".label", ".aside", ".folders bdi", ".file"].map((part) => {
              const { left, right } = row.querySelector(part).getBoundingClientRect();
              return { left: Math.round(left), right: Math.round(right) };
            }),
          );
        await bench.row("Nothing is rounded").waitFor();
        const width = await bench.tree.evaluate((tree) => tree.clientWidth);
        assert.ok(width < 310, `the view is ${width} pixels wide, as it comes`);
        await page.mouse.move(900, 500); // off the rows, which show their actions under the mouse
        const edges = [];
        for (const [text, isCut] of [
          ["Halves go up", true],
          ["Nothing is rounded", false],
          ["A total is rounded once", true],
        ]) {
          const [label, aside, folders, file] = await boxes(text);
          edges.push(file.right);
          assert.ok(
            label.right <= aside.left && label.right - label.left >= 60,
            JSON.stringify([label, aside]),
          );
          assert.deepEqual(
            [folders.left < aside.left, file.left < aside.left, file.right],
            [isCut, false, aside.right],
            "without room its folders are cut, and its file from the right",
          );
        }
        assert.deepEqual(edges, Array(3).fill(edges[0]), "all end at the same edge");
        // Its place gives way, and an ellipsis stands for less than a pixel, too.
        const [wide, needed] = await bench
          .row("A total is rounded once")
          .locator(".label")
          .evaluate((label) => {
            const text = document.createRange();
            text.selectNodeContents(label);
            return [label.getBoundingClientRect().width, text.getBoundingClientRect().width];
          });
        assert.ok(wide > needed - 1 / 64, `of ${needed} pixels of the text ${wide} are seen`);
        assert.match(await bench.row("Halves go up").getAttribute("aria-label"), new RegExp(place));
        for (const { id } of [long, short, both]) {
          await agent.call("wm/memory/remove", { id, erase: true });
        }
        await bench.row("Nothing is rounded").waitFor({ state: "detached" });
      },
    ],
    [
      "a detail that does not fit gives way part by part",
      async () => {
        const { id } = await agent.call("wm/memory/add", { text: "VAT", type: "decision" });
        await agent.call("wm/memory/update", { id, pinned: true });
        const row = bench.row(/^VAT.*pinned/);
        await row.waitFor();
        const parts = row.locator(".detail-text .part");
        const texts = await parts.allTextContents();
        assert.equal(texts.join(""), await row.locator(".detail").textContent());
        assert.deepEqual([texts[0], texts.at(-1)], ["Decision ", "· pinned"]);
        /** Reports whether something is painted from so many pixels behind the beginning of a part on. */
        const isPainted = async (part, behind) => {
          const [from, detail] = [await part.boundingBox(), await row.locator(".detail-text").boundingBox()];
          const x = from.x + behind;
          const clip = { x, y: from.y, width: detail.x + detail.width - x, height: from.height };
          const painted = async (visibility) => {
            await row.locator(".detail").evaluate((detail, visibility) => {
              detail.style.visibility = visibility;
            }, visibility);
            return page.screenshot({ clip });
          };
          const nothing = await painted("hidden");
          return !nothing.equals(await painted(""));
        };
        await page.mouse.move(900, 500);
        for (let i = 0; i < texts.length; i++) {
          // The row ends some pixels before the end of the part.
          await parts.nth(i).evaluate((part) => {
            const row = part.closest(".row");
            row.style.width = "";
            const over = row.querySelector(".detail-text").getBoundingClientRect().right;
            row.style.width = `${row.clientWidth - over + part.getBoundingClientRect().right - 6}px`;
          });
          assert.equal(await isPainted(parts.nth(i), 0), true, `the sign in place of ${texts[i]}`);
          assert.equal(await isPainted(parts.nth(i), 16), false, `behind the sign in place of ${texts[i]}`);
        }
        await agent.call("wm/memory/remove", { id, erase: true });
        await row.waitFor({ state: "detached" });
      },
    ],
    [
      "the name of a section and what waits for review are seen in a narrow view",
      async () => {
        const candidate = "[decision] Discounts come off before the tax is added, because the law says so";
        const { memories } = await agent.call("wm/compaction/finished", {
          summary: `<workspace_memory_candidates>\n- ${candidate}\n</workspace_memory_candidates>`,
        });
        const section = bench.row("1 to review");
        const parts = await section.evaluate((row) => {
          const [label, detail] = [".label", ".detail-text"].map((part) => row.querySelector(part));
          return { cut: label.scrollWidth - label.clientWidth, detail: detail.innerText };
        });
        assert.ok(parts.cut <= 0, `the name is cut by ${parts.cut} pixels`);
        assert.match(parts.detail, /^1 to review, /);
        await agent.call("wm/memory/remove", { id: memories[0].id, erase: true });
        await section.waitFor({ state: "detached" });
      },
    ],
    [
      "a panel that was hidden shows what is new, and is folded and selected as before",
      async () => {
        await bench.row("Files").click({ position: { x: 60, y: 10 } });
        await until(
          "it folded",
          async () => (await bench.row("Files").getAttribute("aria-expanded")) === "false",
        );
        await bench.show("Explorer");
        await bench.file("notes.txt").waitFor();
        const { id } = await agent.call("wm/memory/add", { text: "Added behind a hidden panel" });
        await bench.show("Working Memory");
        await bench.row("Added behind a hidden panel").waitFor();
        const files = bench.row("Files");
        const state = () => files.evaluate((row) => [row.ariaExpanded, row.ariaSelected].join(" "));
        await until("it as before", async () => (await state()) === "false true");
        await files.click({ position: { x: 60, y: 10 } });
        await until("it open", async () => (await state()) === "true true");
        await agent.call("wm/memory/remove", { id, erase: true });
      },
    ],
    [
      "after a reload of the window the rows are folded as before, and the details are there and follow the memory",
      async () => {
        const { id } = await agent.call("wm/memory/add", { text: "This outlives a window", type: "project" });
        const files = bench.row("Files");
        await files.click({ position: { x: 60, y: 10 } });
        await bench.tree.locator('.focused[aria-expanded="false"]', { hasText: "Files" }).waitFor();
        await bench.row("This outlives a window").click();
        const paragraph = (text) => bench.detail.locator("#detail p", { hasText: text });
        await paragraph("This outlives a window").waitFor();
        await bench.reload();
        await files.waitFor();
        assert.equal(await files.getAttribute("aria-expanded"), "false");
        await paragraph("This outlives a window").waitFor();
        await agent.call("wm/memory/update", { id, text: "This follows the memory" });
        await paragraph("This follows the memory").waitFor();
        await bench.detail.locator("button", { hasText: "Pin" }).click();
        await bench.detail.locator("#detail li", { hasText: "active, pinned" }).waitFor();
        await agent.call("wm/memory/remove", { id, erase: true });
        await bench.detail.locator("#detail", { hasText: "This no longer exists" }).waitFor();
        await page.locator(".tab.active", { hasText: "This" }).waitFor({ state: "detached" });
        await files.click({ position: { x: 60, y: 10 } });
        await bench.tree.locator('.focused[aria-expanded="true"]', { hasText: "Files" }).waitFor();
      },
    ],
    [
      "a window that was reloaded and left nothing is not listed as an editor that ended",
      async () => {
        const windows = async () => {
          const { sessions } = await agent.call("wm/session/list");
          return sessions.filter(({ agent, live }) => agent === "code-server" && live);
        };
        const use = async (file) => {
          await bench.open(file);
          await page.locator(".editor-instance .view-line").first().click();
          return until("a window at work", async () => (await windows())[0]?.sessionId);
        };
        const before = await use("notes.txt");
        await bench.reload();
        await until("it ended", async () => (await windows()).every(({ sessionId }) => sessionId !== before));
        const assertNotListed = async () => {
          const { id } = await agent.call("wm/memory/add", { text: "Painted after the end" });
          await bench.row("Painted after the end").waitFor();
          assert.deepEqual(await bench.rows.filter({ hasText: /code-server.*ended/s }).allInnerTexts(), []);
          await agent.call("wm/memory/remove", { id, erase: true });
          await bench.row("Painted after the end").waitFor({ state: "detached" });
        };
        await assertNotListed();
        await use("typed.txt");
        await assertNotListed();
        assert.equal(await bench.rows.filter({ hasText: /code-server/ }).count(), 1);
      },
    ],
    [
      "the error at the cursor is remembered with its fix",
      async () => {
        await bench.open("broken.json");
        await page.locator(".view-line", { hasText: '"a"' }).click();
        await page.locator(".squiggly-error").first().waitFor();
        await bench.command("Working Memory: Remember This Error and Its Fix");
        const box = page.locator(".quick-input-widget:visible", { hasText: "How is it fixed?" });
        await box.locator("input.input").fill("one comma is enough");
        await page.keyboard.press("Enter");
        await bench.choose("Pointer");
        const entry = await until("the entry", async () =>
          (await agent.call("wm/memory/list")).entries.find(({ text }) =>
            text.endsWith(": one comma is enough"),
          ),
        );
        assert.equal(entry.type, "reference");
        assert.deepEqual(entry.files, ["broken.json"]);
      },
    ],
    [
      "an error and a selection are remembered by their code actions; a mere selection has no lightbulb",
      async () => {
        const bulb = page.locator(".lightBulbWidget:visible, .codicon-gutter-lightbulb:visible");
        const box = page.locator(".quick-input-widget:visible", { hasText: "How is it fixed?" });
        // VS Code keeps the actions of one request. If those of an earlier request arrive after those of the last
        // one, it forgets both and the bulb stays, until the selection changes again.
        const hasNoBulb = async () => {
          let turn = 0;
          await until("no lightbulb", async () => {
            await page.keyboard.press(turn++ % 2 === 0 ? "Shift+ArrowLeft" : "Shift+ArrowRight");
            await bulb.waitFor({ state: "detached", timeout: 5000 });
            return true;
          });
        };
        await bench.open("cart.json");
        await page.locator(".view-line", { hasText: '"price"' }).click();
        await page.keyboard.press("End");
        await bulb.waitFor();
        await bench.takeAction("Remember this error and its fix");
        await box.waitFor();
        await page.keyboard.press("Escape");
        await bench.takeAction("Remember this error and its fix");
        await box.locator("input.input").fill("write the second price");
        await page.keyboard.press("Enter");
        await bench.chooseDefault("Fact");
        const error = await entryThat((text) => text.startsWith("Error in cart.json: "));
        assert.match(error.text, /\(json \w+\)\. Fix: write the second price$/);
        assert.deepEqual([error.type, error.files], ["project", ["cart.json"]]);

        await page.locator(".view-line", { hasText: '"note"' }).click();
        await page.keyboard.press("Home");
        await page.keyboard.press("Shift+End");
        await hasNoBulb();
        await bench.takeAction("Remember the selection");
        await bench.chooseDefault("Fact");
        const selection = await entryThat((text) => text.includes("The price is kept in cents"));
        assert.deepEqual([selection.type, selection.files], ["project", ["cart.json"]]);
        await hasNoBulb(); // the actions that were asked for showed one
      },
    ],
    [
      "the overview of an agent opens, and its note is archived",
      async () => {
        await agent.call("wm/context");
        await bench.command("Working Memory: Open the Overview");
        await page.locator(".tab.active", { hasText: "overview.md" }).waitFor();
        await agent.call("wm/notes/write", { path: "detail/parser.md", content: "# The parser\n" });
        const archive = () => bench.command("Working Memory: Archive a Note");
        await bench.chooseDefault("The parser", archive); // listed before the overview
        await until("it in the archive", async () =>
          (await agent.call("wm/notes/list")).files.some(({ path }) => path.startsWith("archive/")),
        );
      },
    ],
    [
      "the doctor says how the server is, and the log is one command away",
      async () => {
        await bench.command("Working Memory: Doctor");
        await page.locator(".tab.active", { hasText: "doctor.txt" }).waitFor();
        const lines = page.locator(".editor-instance .view-lines").first();
        await until("the report", async () => /store .*\(healthy\)/.test(await bench.text(lines)));
        assert.match(await bench.text(lines), /program .*\(bundled\)/);
        await bench.command("Working Memory: Show Log");
        const log = page.locator('[id="workbench.parts.panel"] .view-line', {
          hasText: "(bundled), version",
        });
        await log.first().waitFor();
        await bench.command("View: Hide Panel");
        await until("what the server logs as it says it", () => {
          const files = fs.readdirSync(editor.data, { recursive: true });
          const file = files.find((name) => name.endsWith("Working Memory.log"));
          return /\[info\].* level=INFO msg=initialized/.test(
            fs.readFileSync(path.join(editor.data, file), "utf8"),
          );
        });
      },
    ],
    [
      "recording is paused and resumed from the status bar",
      async () => {
        await bench.choose("Pause recording", () => bench.status.click());
        await until("paused", async () => /Memory paused/.test(await bench.status.innerText()));
        assert.ok((await agent.call("wm/status")).pausedUntil);
        await bench.choose("Resume recording", () => bench.status.click());
        await until("resumed", async () => !/paused/.test(await bench.status.innerText()));
        assert.equal((await agent.call("wm/status")).pausedUntil, undefined);
      },
    ],
    [
      "what is remembered while recording is paused is kept after Resume",
      async () => {
        await agent.call("wm/pause", {});
        await until("paused", async () => /paused/.test(await bench.status.innerText()));
        await bench.tree.focus(); // the status bar covers messages with what it says of the one with the focus
        await bench.command("Working Memory: Remember …");
        const box = page.locator(".quick-input-widget:visible input.input");
        await box.fill("Pauses end by themselves");
        await page.keyboard.press("Enter");
        await bench.chooseDefault("Fact");
        // Later VS Code hides the message itself; it is kept in its list.
        await until("the offer", async () => {
          await bench.command("Notifications: Show Notifications");
          const offer = page.locator(".notifications-center", { hasText: "recording is paused" });
          await offer.getByRole("button", { name: "Resume recording" }).click({ timeout: 10_000 });
          return true;
        });
        const { id } = await entryThat((text) => text === "Pauses end by themselves");
        assert.equal((await agent.call("wm/status")).pausedUntil, undefined);
        await agent.call("wm/memory/remove", { id, erase: true });
        await bench.command("Notifications: Clear All Notifications");
      },
    ],
    [
      "the steps of the walkthrough tick themselves by what has happened, such as an agent that is at work",
      async () => {
        const options = { cwd: folder, env: editor.env };
        const { agents } = JSON.parse(execFileSync(program, ["agents", "--json"], options));
        assert.ok(
          agents.every(({ installed }) => installed.length === 0),
          "no agent's settings name the memory",
        );
        const steps = await walkthrough(bench);
        for (const title of ["The server runs", "Connect an agent", "Remember something"]) {
          await steps.assertDone(title, true);
        }
        await steps.assertDone("See what an agent gets", false);
        await bench.command("View: Close All Editors");
      },
    ],
    [
      "an agent that is installed here is offered, and connected where the person sees what is changed",
      async () => {
        await bench.choose("Claude Code", () => bench.command("Working Memory: Connect an Agent"));
        const terminal = page.locator(
          "[id='workbench.parts.panel'] .xterm, .terminal-outer-container .xterm",
        );
        await terminal.first().waitFor();
        assert.ok(!fs.existsSync(path.join(home, ".claude", "settings.json")), "nothing is written unasked");
        await isWritten("Write this?");
        await terminal.first().click();
        await page.keyboard.type("y");
        await page.keyboard.press("Enter");
        await isWritten("To undo this: wm-lsp uninstall claude-code"); // what it says at its end can be read
        assert.ok(fs.existsSync(path.join(home, ".claude", "settings.json")));
        await bench.command("Terminal: Kill All Terminals");
      },
    ],
    [
      "the context view shows the curve, the parts and exactly the agent's text",
      async () => {
        const yesterday = new Date(Date.now() - 24 * 60 * 60_000).toISOString();
        for (const [percentage, at] of [[20, yesterday], [35], [50], [72]]) {
          await agent.call("wm/usage/reported", {
            tokensUsed: percentage * 1000,
            tokensMax: 100_000,
            systemTokens: 4000,
            toolsTokens: 6000,
            at,
          });
        }
        // So that every part of the context has a content.
        await agent.call("wm/core/update", { block: "goal", operation: "replace", content: "ship it" });
        await agent.call("wm/working/add", { content: "look at the parser", slot: "todo" });
        await agent.call("wm/context");
        await page.locator(".pane-header", { hasText: /Context of the Agent/i }).click();
        const { context } = bench;
        await context.locator("svg polyline.curve").waitFor();
        const expected = await agent.call("wm/context", { preview: true });
        await until("the text", async () => (await context.locator("#text").textContent()) === expected.text);
        assert.match(
          await context.locator("#usage .used").innerText(),
          /72 % · moderate · 72,000 of 100,000 tokens/,
        );
        assert.match(await context.locator("#usage svg").getAttribute("aria-label"), /; 4 reports$/);
        assert.match(await context.locator("#usage").innerText(), /a time without a report: 24 h in all\./);
        const here = (at) => new Date(at).toLocaleString("sv").slice(0, "2026-01-31 09:30".length);
        assert.deepEqual(await context.locator("#usage time").allInnerTexts(), [
          here(yesterday),
          here(expected.pressure.history.at(-1).at).split(" ")[1],
        ]);
        const [head, line] = await Promise.all(
          ["thead tr", "tbody tr"].map((row) => context.locator(`#parts ${row}`).first().boundingBox()),
        );
        assert.ok(head.height <= line.height, "the head of the table is one line");
        const shown = (await context.locator("#parts tbody tr").allInnerTexts()).map((row) =>
          // The name of a part says in brackets what was left out of it.
          row.replace(/ \(.*\)/, "").split("\t"),
        );
        assert.deepEqual(
          shown.map(([label, tokens]) => [label?.trim(), Number(tokens.replaceAll(",", ""))]),
          expected.sections.filter(({ tokens }) => tokens > 0).map(({ label, tokens }) => [label, tokens]),
        );
        const pieces = await context
          .locator("#bar span")
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
        const tokens = expected.sections.map(({ tokens }) => tokens).filter((count) => count > 0);
        assert.equal(pieces.length, tokens.length);
        assert.ok(
          pieces.indexOf(Math.max(...pieces)) === tokens.indexOf(Math.max(...tokens)),
          "the largest part is the widest",
        );
        const sizes = await context.locator("#window-parts td").allInnerTexts();
        const counts = sizes.map((size) => Number(size.replaceAll(",", "")));
        assert.deepEqual(counts, [expected.tokens, 4000, 6000, 62_000 - expected.tokens, 28_000]);
        assert.equal(await context.locator("#window-title").innerText(), "The whole window: 100,000 tokens");
        const curve = bench.status.filter({ hasText: /▂▃▄▆ 72 %/ });
        await curve.waitFor();
        assert.match(await curve.getAttribute("aria-label"), /72 % full \(moderate\)\. Advice: /);
        await assertBelow(
          context.locator("#usage-title"),
          context.locator("svg"),
          context.locator(".times"),
          context.locator("#window-title"),
          context.locator("#window-bar"),
          context.locator("#window-parts"),
          context.locator("#parts-title"),
          context.locator("#bar"),
          context.locator("#parts"),
          context.locator("#text-title"),
        );
      },
    ],
    [
      "at 300 pixels a goal, its advice and both texts of a pair can be read, and a button merges them",
      async () => {
        const goal = "All prices are whole cents";
        await agent.call("wm/core/update", { block: "goal", operation: "replace", content: goal });
        const texts = ["Use pnpm, not npm", "Do not use npm but pnpm"];
        const ids = [];
        for (const text of texts) {
          ids.push((await agent.call("wm/memory/add", { text, type: "project" })).id);
        }
        await bench.widen(300);
        await bench.row(texts[1]).waitFor();
        await assertBelow(bench.row("1 near duplicate"), ...texts.map((text) => bench.row(text)));
        for (const text of [goal, ...texts]) {
          await bench.assertWhole(text);
        }
        const advice = bench.panel.locator("#advice");
        const [all, seen] = await advice.evaluate((one) => [one.scrollHeight, one.clientHeight]);
        assert.ok(seen > 0 && all <= seen, `of ${all} pixels of the advice ${seen} are seen`);
        await bench.act(bench.row(texts[1]), "Merge into the second");
        await bench.row("1 near duplicate").waitFor({ state: "detached" });
        const entries = (await agent.call("wm/memory/list")).entries.map(({ text }) => text);
        assert.deepEqual(
          texts.map((text) => entries.includes(text)),
          [false, true],
        );
        for (const id of ids) {
          await agent.call("wm/memory/remove", { id, erase: true });
        }
      },
    ],
    [
      "at a zoom of 200 % how full the context is and its level can be read",
      async () => {
        const parts = () =>
          bench.panel.locator("#curve").evaluate((curve) => {
            const { right: edge } = curve.getBoundingClientRect();
            const { left, right } = curve.querySelector(".full").getBoundingClientRect();
            const { width } = curve.querySelector("svg").getBoundingClientRect();
            return { text: curve.innerText, isWhole: left >= 0 && right <= edge, width };
          });
        await bench.widen(170); // the least: as much as 340 pixels at a zoom of 200 %
        await until("the curve gone", async () => (await parts()).width === 0);
        const narrow = await parts();
        assert.match(narrow.text, /72 % moderate/);
        assert.ok(narrow.isWhole, JSON.stringify(narrow));
        await bench.widen(300);
        await until("the curve", async () => (await parts()).width >= 40);
        assert.ok((await parts()).isWhole);
      },
    ],
    [
      "a person chooses whose memory is shown",
      async () => {
        const other = { sessionId: "another" };
        const goal = "Write the manual";
        await agent.call("wm/session/start", { ...other, agent: "writer" });
        await agent.call("wm/core/update", { ...other, block: "goal", operation: "replace", content: goal });
        const switchAgent = () => bench.command("Working Memory: Switch Agent");
        await bench.choose("writer", switchAgent);
        await bench.row(goal).waitFor();
        const expected = await agent.call("wm/context", { ...other, preview: true });
        await until(
          "its context",
          async () => (await bench.context.locator("#text").textContent()) === expected.text,
        );
        await bench.command("Working Memory: Show the Context of the Agent");
        const shownIn = page.locator(".editor-instance .view-line", { hasText: goal });
        await shownIn.waitFor();
        await bench.choose("agent", switchAgent);
        await shownIn.waitFor({ state: "detached" });
        await bench.choose("writer", switchAgent);
        await shownIn.waitFor();
        const third = { sessionId: "a third" };
        await agent.call("wm/session/start", { ...third, agent: "writer" });
        const options = bench.context.locator("#session option");
        await until("both of one name", async () => {
          const names = await options.allInnerTexts();
          return names.filter((name) => name.startsWith("writer, since ")).length === 2;
        });
        await agent.call("wm/session/end", third);
        await options.filter({ hasText: /^writer$/ }).waitFor({ state: "attached" });
        // A choice ends with its session.
        await agent.call("wm/session/end", other);
        await bench.row(`goal: ${goal}`).waitFor({ state: "hidden" });
      },
    ],
    [
      "looking at the context gives nobody an overview",
      async () => {
        const { sessions } = await agent.call("wm/session/list");
        const own = sessions.find(({ sessionId }) => sessionId !== agent.sessionId);
        assert.deepEqual((await agent.call("wm/notes/list", { sessionId: own.sessionId })).files, []);
      },
    ],
    [
      "texts with markup, command links and hidden characters act nowhere",
      async () => {
        const receipt = await agent.call("wm/memory/add", { text: evil, type: "project", rationale: evil });
        assert.notEqual(receipt.status, "rejected", receipt.reason);
        const row = bench.row("Click [here]");
        await row.waitFor();
        assert.ok(!(await bench.text(row)).includes("\u202e"));
        await row.hover({ position: { x: 60, y: 10 } });
        const tooltip = () => row.getAttribute("title");
        await until("the tooltip", async () =>
          /Type: Fact[\s\S]*Why: Click \[here\]/.test((await tooltip()) ?? ""),
        );
        assert.ok(!(await tooltip()).includes("\u202e"));
        assert.equal(await row.locator("img, script, a").count(), 0);
        await until("it in the context", async () =>
          /Click/.test((await bench.context.locator("#text").textContent()) ?? ""),
        );
        assert.equal(await bench.context.locator("#text *").count(), 0);
        await bench.command("Working Memory: Search Memory");
        await page
          .locator('.quick-input-widget:visible input[placeholder^="Words to search for"]')
          .pressSequentially("onerror");
        const hit = page.locator(".quick-input-list .monaco-list-row", { hasText: "Click" }).first();
        await hit.waitFor();
        assert.equal(await hit.locator("img, script, a[href], .codicon-flame").count(), 0);
        await page.keyboard.press("Escape");
        assert.notEqual(await page.title(), "owned");
        assert.equal(await page.locator(".tab", { hasText: "Untitled" }).count(), 0, "no command was run");
      },
    ],
    [
      "hover shows what is known of the place, and nothing in it acts",
      async () => {
        const files = ["prices.txt"];
        await agent.call("wm/memory/add", {
          text: `parsePrice() rounds down. ${evil}`,
          type: "project",
          files,
        });
        const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 4 } };
        await agent.call("wm/diagnostics/changed", {
          uri: `${agent.uri}/prices.txt`,
          diagnostics: [{ range, severity: 1, message: `Broken. ${evil}` }],
        });
        await bench.open("prices.txt");
        const hover = page.locator(".monaco-editor .monaco-hover:visible");
        const hoverAt = async (line) => {
          await page.locator(".view-line", { hasText: line }).click({ position: { x: 10, y: 5 } });
          await page.keyboard.press("Control+K");
          await page.keyboard.press("Control+I");
        };
        for (const [line, said] of [
          ["parsePrice", "Remembered (project): parsePrice() rounds down."],
          ["this line is broken", "Open error (typecheck"],
        ]) {
          await hoverAt(line);
          await hover.filter({ hasText: said }).waitFor();
          const text = await bench.text(hover);
          assert.ok(text.includes("[here](command:workbench.action.files.newUntitledFile) <img src=x"), text);
          assert.ok(!text.includes("\u202e"));
          assert.equal(await hover.locator(".rendered-markdown :is(img, script, a, .codicon)").count(), 0);
          await page.keyboard.press("Escape");
          await hover.waitFor({ state: "detached" });
        }
        await hoverAt("nothing is known");
        // What is drawn now was requested after the hover.
        await agent.call("wm/memory/add", { text: "Hover is silent elsewhere", type: "project", files });
        await bench.row("Hover is silent elsewhere").waitFor();
        assert.equal(await hover.count(), 0);
        assert.notEqual(await page.title(), "owned");
        assert.equal(await page.locator(".tab", { hasText: "Untitled" }).count(), 0, "no command was run");
      },
    ],
    [
      "the memory follows a file that is renamed and deleted in the explorer",
      async () => {
        const text = "The draft is for those who have not read the rest";
        const files = async () => (await agent.call("wm/files/list")).files.map(({ path }) => path);
        const entry = () => entryThat((one) => one === text);
        const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } };
        const found = [{ range, severity: 1, message: "too short" }];
        await bench.open("draft.txt");
        await until("the file active", async () => (await files()).includes("draft.txt"));
        await agent.call("wm/memory/add", { text, type: "project", files: ["draft.txt"] });
        await agent.call("wm/diagnostics/changed", { uri: `${agent.uri}/draft.txt`, diagnostics: found });

        await bench.show("Explorer");
        await bench.file("draft.txt").click();
        await page.keyboard.press("F2");
        await page.locator(".explorer-item-edited input").fill("final.txt");
        await page.keyboard.press("Enter");
        await until("the memory about the new file", async () => (await entry()).files[0] === "final.txt");
        await until("the new file active", async () => (await files()).includes("final.txt"));
        assert.ok(!(await files()).includes("draft.txt"));
        const { path } = (await openErrors()).find(({ summary }) => summary === "too short");
        assert.equal(path, "final.txt");

        await bench.file("final.txt").click();
        await page.keyboard.press("Delete");
        await page
          .locator(".monaco-dialog-box")
          .getByRole("button", { name: /Delete|Trash/ })
          .click();
        await until("the file gone", async () => !(await files()).includes("final.txt"));
        assert.match((await entry()).stale.reason, /final\.txt/);
        await bench.show("Working Memory");
      },
    ],
    ...Object.entries(themes).map(([name, theme]) => [
      `all can be told apart in ${name}`,
      async () => {
        editor.configure({ "workbench.colorTheme": theme });
        const light = name.endsWith("light");
        const isLight = async () => {
          const color = await page
            .locator(".sidebar")
            .evaluate((one) => getComputedStyle(one).backgroundColor);
          const [red, green, blue] = color.match(/\d+/g).map(Number);
          return luminance((red << 16) | (green << 8) | blue) > 0.5;
        };
        const wanted = { light: "vs", dark: "vs-dark", "high contrast": "hc-black" }[name] ?? "hc-light";
        await page.locator(`.monaco-workbench.${wanted}`).waitFor();
        await until("the colors", async () => (await isLight()) === light);
        await page.mouse.move(900, 500);
        await bench.top();
        const rows = [bench.row("Failing now"), bench.row("Project memory"), bench.row(/^\W*Files/)];
        for (const box of await assertBelow(...rows)) {
          const picture = await Picture.of(page, {
            x: box.x,
            y: box.y,
            width: box.width,
            height: box.height,
          });
          assert.ok(picture.contrast() >= 4.5, `a contrast of ${picture.contrast()}`);
        }
        const { fingerprint } = await vetted(`seen in ${name}`);
        const failing = bench.row(`seen in ${name}`);
        const [label, icon] = await Promise.all(
          [".label", ".icon.error"].map((part) =>
            failing.locator(part).evaluate((one) => getComputedStyle(one).color),
          ),
        );
        assert.notEqual(icon, label, "what fails has a color");
        await agent.call("wm/errors/dismiss", { fingerprint });
        const { context } = bench;
        await context.locator(`body.${webviewThemes[name]}`).waitFor();
        const [background] = await commonColors(page, context.locator("#parts-title"));
        for (const kind of ["#bar span", "#parts .swatch", "#window-parts .swatch:not(.free)"]) {
          const colors = [];
          for (const part of await context.locator(kind).all()) {
            colors.push((await commonColors(page, part))[0]);
          }
          const table = await context.locator("#parts").innerText();
          assert.equal(new Set(colors).size, colors.length, `every color of ${kind} in ${table}`);
          for (const [i, color] of colors.entries()) {
            const ratio = contrast(color, background);
            assert.ok(ratio >= 3, `${kind} ${i} has a contrast of ${ratio} to the background`);
          }
        }
      },
    ]),
    [
      "every action of the real panel has a line in the menus",
      async () => {
        const { contributes } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
        const named = new Set(contributes.commands.map(({ title }) => title));
        const elsewhere = path.join(home, "elsewhere");
        fs.mkdirSync(elsewhere);
        fs.writeFileSync(path.join(elsewhere, "cart.go"), "package cart\n");
        const program = path.join(home, "program");
        const former = await new Agent(program, elsewhere, editor.env, "former").start();
        const edit = { tool: "edit", input: { filePath: "cart.go" }, output: "" };
        await former.call("wm/message/received", {
          role: "user",
          text: "round the total of the cart half up",
        });
        await former.call("wm/tool/executed", edit);
        await former.end();
        const other = await new Agent(program, elsewhere, editor.env, "other").start();
        await other.call("wm/notes/write", { path: "detail/a.md", content: "# A\n" });
        await other.call("wm/core/update", { block: "goal", operation: "replace", content: "ship it" });
        await other.call("wm/working/add", { content: "look at the parser", slot: "todo" });
        for (const text of [
          "Use pnpm, not npm",
          "Do not use npm but pnpm",
          "Indent with tabs",
          "Indent with spaces",
        ]) {
          await other.call("wm/memory/add", { text, type: "feedback" });
        }
        const { id } = await other.call("wm/memory/add", {
          text: "Amounts are whole cents",
          type: "decision",
        });
        await other.call("wm/memory/remove", { id });
        await other.call("wm/compaction/finished", {
          summary:
            "<workspace_memory_candidates>\n- [decision] Discounts come off before the tax is added, because the law " +
            "says so\n</workspace_memory_candidates>",
        });
        const run = (command, more) =>
          other.call("wm/tool/executed", {
            tool: "bash",
            input: { command },
            output: "ok",
            exitCode: 0,
            ...more,
          });
        await run("go vet ./...", { output: "# cart\n./cart.go:1:1: unused\n", exitCode: 1 });
        for (const sessionId of ["first", "second", "third"]) {
          await other.call("wm/tool/executed", { ...edit, sessionId });
          await run("make lint", { sessionId });
          await run("make test", { sessionId });
        }
        const { skills } = await other.call("wm/commit");
        await other.call("wm/skills/update", { id: skills[0].id, status: "kept" });
        const { sections } = await other.call("wm/panel");
        await other.end();
        const titles = (items) =>
          items.flatMap(({ actions, children }) => [
            ...actions.map(({ title }) => title),
            ...titles(children ?? []),
          ]);
        const all = sections.flatMap(({ actions, items }) =>
          titles([{ actions: actions ?? [], children: items }]),
        );
        for (const title of [
          "Continue",
          "Keep",
          "Merge into the first",
          "Only the second holds",
          "Run again",
        ]) {
          assert.ok(all.includes(title), `${title} of ${all}`);
        }
        assert.ok(all.includes("Export as SKILL.md"), `${all}`);
        assert.deepEqual(
          all.filter((title) => !named.has(title)),
          [],
        );
      },
    ],
    [
      "a pair is merged from the menu of its row, and its page says what was decided",
      async () => {
        const texts = ["Use yarn, not npm", "Do not use npm but yarn"];
        for (const text of texts) {
          await agent.call("wm/memory/add", { text, type: "feedback" });
        }
        const entries = async () =>
          (await agent.call("wm/memory/list")).entries.filter(({ text }) => texts.includes(text));
        const pair = bench.row("says nearly the same as the one below");
        await pair.click();
        const detail = bench.detail.locator("#detail");
        await detail.locator("p", { hasText: "These say nearly the same" }).waitFor();
        await pair.click();
        await bench.rows.filter({ hasText: /says nearly the same$/ }).waitFor();
        assert.equal(await pair.getAttribute("aria-expanded"), "true", "a click folds no pair");
        await pair.click({ button: "right" });
        await page.locator(".monaco-menu .action-item", { hasText: "Merge into the second" }).hover();
        await page.keyboard.press("Enter"); // a click just after the menu has opened is ignored
        await detail.locator("p", { hasText: "A decision about them was made" }).waitFor();
        assert.deepEqual(
          (await entries()).map(({ text, reinforced }) => [text, reinforced]),
          [[texts[1], 1]],
        );
        await bench.row("Failing now").click({ position: { x: 60, y: 10 } });
        await page.keyboard.press("Control+Z");
        await pair.waitFor();
        assert.deepEqual(
          (await entries()).map(({ reinforced }) => reinforced),
          [0, 0],
        );
        await page.keyboard.press("Enter"); // it was folded
        for (const { id } of await entries()) {
          await agent.call("wm/memory/remove", { id, erase: true });
        }
        await pair.waitFor({ state: "detached" });
      },
    ],
    [
      "what an agent holds is saved for all sessions, and a slot that was cleared is put back",
      async () => {
        for (const content of ["Ask before a migration", "Releases wait for Thursday"]) {
          await agent.call("wm/working/add", { content, slot: "decision" });
        }
        await bench.tree.focus();
        await page.keyboard.press("End"); // what is not in view is no element
        await bench.row(/^\W*Recent/).click();
        const row = bench.row("Ask before a migration");
        await bench.chooseDefault("Decision", () => bench.act(row, "Save to project memory"));
        const promoted = await until("the entry", async () =>
          (await agent.call("wm/memory/list")).entries.find(({ text }) => text === "Ask before a migration"),
        );
        assert.equal(promoted.type, "decision");
        const stays = bench.row("Said and chosen").filter({ hasText: "1 of 5" }); // the other one is saved
        await stays.waitFor();

        const held = async () => (await agent.call("wm/working/read")).slots.decision;
        const before = await held();
        await stays.click();
        await page.keyboard.press("Delete");
        await until("it empty", async () => (await held()).length === 0);
        // The agent can see both before the editor is told, whose server is killed next.
        await undo.filter({ hasText: "Undo Clear" }).click();
        await isTold("Undone: Clear");
        await until("it back", async () => (await held()).length > 0);
        assert.deepEqual(await held(), before);
      },
    ],
    [
      "an error of a command is shown at its place, copied, dismissed and taken back",
      async () => {
        const { summary } = await vetted("undefined: total");
        await bench.top();
        await bench.open("cart.go");
        const squiggle = page.locator(".squiggly-error");
        await squiggle.waitFor();
        await bench.command("Problems: Focus on Problems View");
        const problem = page.locator(".markers-panel .monaco-list-row", { hasText: summary });
        await problem.filter({ hasText: /wm\W*lint/ }).waitFor();
        await bench.command("View: Toggle Panel Visibility");

        const row = bench.row(summary);
        await row.click({ button: "right" });
        await page.locator(".monaco-menu .action-item", { hasText: "Copy for an agent" }).hover();
        await page.keyboard.press("Enter");
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
        const copied = () => page.evaluate(() => navigator.clipboard.readText());
        const text = "cart.go:2: undefined: total\nReported by this command:\ngo vet ./...\n";
        await until("it copied", async () => (await copied()) === text);

        await bench.act(row, "Dismiss");
        await row.waitFor({ state: "detached" });
        await squiggle.waitFor({ state: "detached" });
        await undo.filter({ hasText: "Undo Dismiss" }).click();
        await row.waitFor();
        await squiggle.waitFor();
        const [error] = (await openErrors()).filter(({ path }) => path === "cart.go");
        assert.deepEqual(
          error.sources.map(({ origin }) => origin),
          ["command"],
          "what was published did not come back as a diagnostic",
        );
      },
    ],
    [
      "a limit out of range is told where it is set, and the setting of the editor by its name",
      async () => {
        await bench.open("wm-lsp.toml");
        await page.locator(".view-line", { hasText: "[session]" }).click();
        await page.keyboard.press("Control+End");
        await page.keyboard.type("maxDecisions = 51");
        await page.keyboard.press("Control+S");
        await page.locator(".squiggly-warning").waitFor();
        await bench.command("Problems: Focus on Problems View");
        const told = "session.maxDecisions must be at most 50, got 51; used instead: 5";
        const problem = page.locator(".markers-panel .monaco-list-row", { hasText: told });
        await problem.filter({ hasText: /wm\W*settings/ }).waitFor();
        await bench.command("View: Toggle Panel Visibility");
        await page.locator(".view-line", { hasText: "maxDecisions" }).click();
        await page.keyboard.press("Control+A");
        await page.keyboard.press("Delete");
        await page.keyboard.press("Control+S");
        await page.locator(".squiggly-warning").waitFor({ state: "detached" });
        await page.locator(".tab.dirty").waitFor({ state: "detached" });
        await bench.command("View: Close All Editors");
        await bench.top();
        editor.configure({ "workingMemory.memory.maxEntries": 900 });
        await bench.row("workingMemory.memory.maxEntries must be at most 500, got 900").waitFor();
        editor.configure({ "workingMemory.memory.maxEntries": undefined });
        await bench.row("workingMemory.memory.maxEntries").waitFor({ state: "detached" });
      },
    ],
    [
      "the command that showed an error is run again when the person agrees, and a green run closes it",
      async () => {
        fs.writeFileSync(message, "undefined: total");
        const { summary, count } = await vetted("undefined: total");
        await bench.top();
        const row = bench.row(summary);
        const runAgain = async () => {
          await bench.act(row, "Run again");
          const dialog = page.locator(".monaco-dialog-box");
          await dialog.waitFor();
          assert.match(await dialog.innerText(), /Run this command[\s\S]*go vet \.\/\.\.\.[\s\S]*workspace/);
          return dialog;
        };
        await (await runAgain()).getByRole("button", { name: "Cancel" }).click();
        await (await runAgain()).getByRole("button", { name: "Run" }).click();
        const now = async () => (await openErrors()).find((error) => error.summary === summary);
        await until("the run counted", async () => (await now())?.count === count + 1);
        fs.rmSync(message);
        await (await runAgain()).getByRole("button", { name: "Run" }).click();
        await row.waitFor({ state: "detached" });
        await page.locator(".squiggly-error").waitFor({ state: "detached" });
        assert.equal(
          await page.locator(".terminal-tabs-entry, .single-terminal-tab").count(),
          1,
          "one terminal",
        );
      },
    ],
    [
      "what a person runs in the terminal opens and closes errors, and nothing while recording is paused",
      async () => {
        const run = async (said) => {
          if (said === undefined) {
            fs.rmSync(message);
          } else {
            fs.writeFileSync(message, said);
          }
          fs.writeFileSync(slow, "");
          const times = (name) => fs.statSync(path.join(folder, name)).size;
          const [runs, ends] = [times("runs"), times("ends")];
          await page.locator(".terminal.xterm").click();
          await page.keyboard.type("go vet ./...\n");
          await until("it run", () => times("runs") > runs);
          if (said !== undefined) {
            await isWritten(said);
            fs.rmSync(slow);
          }
          await until("its end", () => times("ends") > ends);
        };
        await run("undefined: seen");
        await bench.row("undefined: seen").waitFor();
        await agent.call("wm/pause");
        await page.locator(".statusbar-item", { hasText: "Memory paused" }).waitFor();
        await run("undefined: unseen");
        await agent.call("wm/pause", { resume: true });
        await page.locator(".statusbar-item", { hasText: "Memory paused" }).waitFor({ state: "detached" });
        await run("undefined: seen again");
        await bench.row("undefined: seen again").waitFor();
        assert.equal(await bench.row("undefined: unseen").count(), 0);
        await run(undefined);
        await bench.row("undefined: seen again").waitFor({ state: "detached" });
        await bench.command("Terminal: Kill All Terminals");
      },
    ],
    [
      "a skill is edited and exported to where the person says, by keyboard",
      async () => {
        const sessions = ["skilled-1", "skilled-2", "skilled-3"];
        for (const sessionId of sessions) {
          await agent.call("wm/tool/executed", { tool: "edit", input: { path: "depot.go" }, sessionId });
          for (const command of ["make lint", "make test"]) {
            const input = { command };
            await agent.call("wm/tool/executed", {
              tool: "bash",
              input,
              output: "ok",
              exitCode: 0,
              sessionId,
            });
          }
        }
        await agent.call("wm/commit", { sessionId: sessions[2] });
        await page.mouse.move(700, 600); // the tooltip of an icon may cover the row
        await bench.row("Check a change: lint and test").click();
        await bench.focused("Check a change");
        await page.keyboard.press("F2");
        const box = page.locator(".quick-input-widget:visible", { hasText: "What it does" });
        await box.locator("input.input").fill("Lint and test what was changed");
        await page.keyboard.press("Enter");
        for (const prompt of ["When it is used", "What else to know"]) {
          await page.locator(".quick-input-widget:visible", { hasText: prompt }).waitFor();
          await page.keyboard.press("Enter");
        }
        await page.locator(".tab.active", { hasText: "The commands" }).waitFor();
        await page.locator(".view-line", { hasText: "make test" }).click();
        await page.keyboard.press("Control+End");
        await page.keyboard.type("\nmake race");
        await page.keyboard.press("Control+S");

        const row = bench.row("Lint and test what was changed");
        await bench.focused("Lint and test"); // the panel takes the focus when the text is written
        await bench.chooseDefault("Export as SKILL.md", async () => {
          await row.click();
          await page.keyboard.press("Control+.");
          await page.locator(".quick-input-widget:visible input.input").fill("Export", { timeout: 10_000 });
        });
        await page.locator(".quick-input-widget:visible", { hasText: "Folder for the skills" }).waitFor();
        await page.keyboard.press("Control+A");
        await page.keyboard.type("made/skills");
        await page.keyboard.press("Enter");
        const made = path.join(folder, "made");
        const exported = () => fs.globSync(path.join(made, "skills", "*", "SKILL.md"))[0];
        const [file] = await Promise.all([until("the file", exported), isTold("Done: Export as SKILL.md")]);
        assert.match(fs.readFileSync(file, "utf8"), /make race/);
        await bench.focused("Lint and test");
        await page.keyboard.press("Delete");
        await row.waitFor({ state: "detached" });
        fs.rmSync(made, { recursive: true });
        for (const sessionId of sessions) {
          await agent.call("wm/session/delete", { sessionId });
        }
      },
    ],
    [
      "a server that dies is started again, and the panel is back",
      async () => {
        const before = serversOf(editor);
        process.kill(before[0], "SIGKILL");
        await until("another server", () => serversOf(editor).some((pid) => !before.includes(pid)));
        await agent.call("wm/memory/add", { text: "Servers come and go", type: "project" });
        await bench.row("Servers come and go").waitFor();
        await bench.assertNoToast();
      },
    ],
    [
      "a program that is damaged is unpacked again, to the path that everybody knows",
      async () => {
        const before = serversOf(editor);
        const path = unpacked(editor);
        const whole = fs.readFileSync(path);
        fs.rmSync(path); // the file of a program that runs cannot be changed
        fs.writeFileSync(path, whole.subarray(0, 1000), { mode: 0o755 });
        process.kill(before[0], "SIGKILL");
        await until("another server", () => serversOf(editor).some((pid) => !before.includes(pid)));
        assert.ok(fs.readFileSync(path).equals(whole));
        assert.equal(fs.statSync(path).mode & 0o777, 0o755);
        await bench.row("Servers come and go").waitFor();
        await bench.assertNoToast();
      },
    ],
    [
      "a server that hangs is told in the status bar, where the next step comes first",
      async () => {
        // A start asks the program for its version first.
        const [hung] = await until("one server that runs", async () => {
          const isStarting = /starting/.test((await bench.status.getAttribute("aria-label")) ?? "");
          const servers = serversOf(editor);
          return !isStarting && servers.length === 1 && servers;
        });
        process.kill(hung, "SIGSTOP");
        await bench.command("Working Memory: Doctor");
        await until("it told", async () =>
          /does not respond/.test((await bench.status.getAttribute("aria-label")) ?? ""),
        );
        await bench.chooseDefault("Restart the server", () => bench.status.click());
        await until("another server", () => {
          const servers = serversOf(editor);
          return servers.length > 0 && !servers.includes(hung);
        });
        await bench.row("Servers come and go").waitFor();
        await bench.command("Notifications: Clear All Notifications");
      },
    ],
    [
      "of five thousand items, also those that a filter finds, those in view are elements and stay, and the last is a key away",
      async () => {
        const item = (i) => ({
          id: `${i}`,
          kind: "memory",
          icon: "law",
          label: `${evil} ${i}`,
          detail: "x".repeat(5000),
          actions: [],
        });
        const items = Array.from({ length: 5000 }, (_, i) => item(i));
        items[0].label = "first שלום of all";
        items[1].label = "אחרון of all ".repeat(20);
        const serve = (seq, items) => {
          const sections = [{ id: "memory", title: "Large", show: "always", items }];
          const file = path.join(fake, "panel.json");
          fs.writeFileSync(`${file}.new`, JSON.stringify({ seq, sections, badge: 2 }));
          fs.renameSync(`${file}.new`, file); // the server may read it at any time
        };
        serve(7, items);
        fs.writeFileSync(path.join(fake, "markdown"), evil);
        const program = path.join(home, "wm-lsp");
        const script = path.join(root, "tests", "fake-server.mjs");
        fs.writeFileSync(
          program,
          `#!/bin/sh\nFAKE_DIR="${fake}" exec "${process.execPath}" "${script}" "$@"\n`,
          { mode: 0o755 },
        );
        editor.configure({ "workingMemory.server.path": program });
        await bench.row("Large").waitFor();
        await page.locator(".activitybar .badge:visible", { hasText: "2" }).first().waitFor();
        const jump = async (key, row) => {
          await bench.tree.focus();
          await page.keyboard.press(key);
          await bench.focused(row);
          assert.ok(await bench.row(row).isVisible());
          assert.ok((await bench.rows.count()) < 100, "only what is in view");
        };
        await bench.top();
        await bench.row("first שלום of all").click();
        const direction = (text) =>
          bench
            .row(text)
            .locator(".label")
            .evaluate((one) => getComputedStyle(one).direction);
        assert.equal(await direction("first שלום"), "ltr");
        assert.equal(await direction("אחרון"), "rtl", "its end is cut, at the left");
        await jump("End", /4999/);
        const last = bench.row(/4999/);
        const { height } = await last.boundingBox();
        assert.ok(height < 40, "a very long text stays on its line");
        assert.equal(await last.getAttribute("aria-posinset"), "5000");
        assert.equal(await last.getAttribute("aria-setsize"), "5000");
        await bench.tree.evaluate((tree) => tree.scrollTo(0, 22 * 2500));
        await bench.row(/ 2500/).waitFor();
        const { y } = await bench.row(/ 2500/).boundingBox();
        serve(8, [{ ...item("new"), label: "above all" }, ...items]);
        await bench.command("Working Memory: Refresh the Panel");
        await until(
          "the new one",
          async () => (await bench.row(/ 2500/).getAttribute("aria-posinset")) === "2502",
        );
        assert.equal((await bench.row(/ 2500/).boundingBox()).y, y, "what is in view stays there");
        assert.ok(await bench.row(/ 2499/).isVisible());
        const moved = [items[2499], { ...item("new"), label: "above all" }, ...items.toSpliced(2499, 1)];
        serve(9, moved);
        await bench.command("Working Memory: Refresh the Panel");
        await bench.row(/ 2499/).waitFor({ state: "detached" });
        assert.equal((await bench.row(/ 2500/).boundingBox()).y, y, "also when the first of it moves away");
        await jump("End", /4999/);
        assert.notEqual(await page.title(), "owned");

        await bench.command("Working Memory: Filter the Panel");
        const box = page.locator(".quick-input-widget:visible input.input");
        await box.fill("Click 499");
        await until("what it finds", async () => (await bench.rows.count()) === 16);
        await box.fill("Click");
        await page.keyboard.press("Enter");
        await bench.message.filter({ hasText: "Only items with: Click" }).waitFor();
        await bench.focused();
        await jump("End", /4999/);
        await bench.command("Working Memory: Clear the Filter");
        await bench.command("Working Memory: Open the Panel");
        await bench.focused();
        await jump("Home", "Large");
        await bench.row("first שלום of all").waitFor();

        await bench.tree.evaluate((tree) => tree.scrollTo(0, 22 * 2500 + 7));
        await bench.row(/ 2500/).waitFor();
        await until("no row above", async () => (await bench.row(/ 2480/).count()) === 0);
        const place = (await bench.row(/ 2500/).boundingBox()).y;
        serve(10, [{ ...item("newer"), label: "above all" }, ...moved]);
        await bench.reload();
        await until("the same place", async () => {
          const [row] = await bench.rows.filter({ hasText: / 2500/ }).all();
          return (await row?.boundingBox())?.y === place;
        });
      },
    ],
    [
      "a server that is missing is told where it would be, with the next step, and without a toast",
      async () => {
        editor.configure({ "workingMemory.server.path": "/nowhere/wm-lsp" });
        await bench.message.filter({ hasText: "/nowhere/wm-lsp, which is not a program" }).waitFor();
        await until("the status", async () => /Memory/.test(await bench.status.innerText()));
        assert.match(await bench.status.getAttribute("aria-label"), /Change or clear it/);
        await bench.assertNoToast();
        await assertBelow(
          bench.row("Show the Log"),
          bench.row("Restart the Server"),
          bench.row("Set the Path"),
        );
        await bench.row("Set the Path").click();
        const setting = page.locator(".settings-editor .setting-item-contents", {
          hasText: "Path of wm-lsp",
        });
        await until(
          "its value",
          async () => (await setting.locator("input").inputValue()) === "/nowhere/wm-lsp",
        );
        await page.keyboard.press("Escape");
        editor.configure({ "workingMemory.server.path": "" });
        await bench.row(decision).waitFor();
      },
    ],
  ];
}

function emptyTests(bench) {
  const { page } = bench;
  return [
    [
      "without a folder the panel says what to do, and nothing is asked in vain",
      async () => {
        await bench.show("Working Memory");
        await bench.message.filter({ hasText: "Open a folder to show its memory here" }).waitFor();
        await bench.row("Open Folder").waitFor();
        assert.equal(await bench.rows.count(), 1, "no sections");
        await until("the status", async () =>
          /no folder is open/.test((await bench.status.getAttribute("aria-label")) ?? ""),
        );
        await bench.command("Working Memory: Remember …");
        await page.locator(".statusbar-item", { hasText: "Open a folder first" }).waitFor();
        await bench.assertNoToast();
      },
    ],
  ];
}

/** An agent that is connected over MCP alone: it uses the tools, and reports nothing. */
async function overMcp(program, cwd, env, run) {
  const child = spawn(program, ["mcp"], { cwd, env, stdio: ["pipe", "ignore", "ignore"] });
  const ended = once(child, "exit");
  const clientInfo = { name: "some-agent", version: "1" };
  const messages = [
    { id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "memory_search", arguments: { query: "prices" } } },
  ];
  for (const message of messages) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
  try {
    await run();
  } finally {
    child.stdin.end();
    await ended;
  }
}

/** The tests of a folder in which nothing has happened. */
function quietTests(bench, program, env) {
  return [
    [
      "the walkthrough ticks that an agent is connected which uses the memory over MCP and reports nothing",
      async () => {
        execFileSync(program, ["uninstall", "claude-code", "--yes"], { cwd: second, env });
        await bench.show("Working Memory");
        await bench.row("Nobody has worked here yet").waitFor();
        const steps = await walkthrough(bench);
        await steps.assertDone("The server runs", true);
        await steps.assertDone("Connect an agent", false);
        await overMcp(program, second, env, () => steps.assertDone("Connect an agent", true));
      },
    ],
  ];
}

/** The tests of several folders. `agents` work in the folder, the second and the third. */
function folderTests(bench, marker, openFolders, agents, connect) {
  const { page } = bench;
  const errors = async (agent) => (await agent.call("wm/errors/list")).errors.map(({ path }) => path);
  const files = async (agent) => (await agent.call("wm/files/list")).files;
  const hasError = (agent, path) => until(path, async () => (await errors(agent)).includes(path));
  return [
    [
      "a folder that is not trusted cannot name the server, which runs all the same",
      async () => {
        await bench.show("Working Memory");
        await bench.row("Project memory").waitFor();
        assert.ok(!fs.existsSync(marker), "the program that the folder names was not run");
      },
    ],
    [
      "the walkthrough ticks that an agent is connected when its settings say so, also before it is at work",
      async () => {
        connect();
        const steps = await walkthrough(bench);
        await steps.assertDone("Connect an agent", true);
        await steps.assertDone("See what an agent gets", false);
        await bench.command("View: Close All Editors");
      },
    ],
    [
      "the panel shows the folder of the file that is looked at",
      async () => {
        const title = page.locator(".pane-header", { hasText: /^\s*Memory/ }).first();
        await bench.open("other.txt");
        await until("the second folder", async () => /second/.test(await title.innerText()));
        await bench.row("other.txt").waitFor();
        await bench.open("notes.txt");
        await until("the first folder", async () => /workspace/.test(await title.innerText()));
        await bench.row(decision).waitFor();
      },
    ],
    [
      "diagnostics and edits belong to the folder of their file",
      async () => {
        await bench.open("other.json");
        await hasError(agents[1], "other.json");
        await page.locator(".view-line", { hasText: '"b"' }).click();
        await page.keyboard.type(" ");
        const isEdited = ({ path, action }) => path === "other.json" && action !== "read";
        await until("the edit", async () => (await files(agents[1])).some(isEdited));
        assert.deepEqual(await errors(agents[0]), []);
        assert.ok(!(await files(agents[0])).some(({ path }) => path.includes("other")));
      },
    ],
    [
      "folders come and go while the editor runs",
      async () => {
        const title = page.locator(".pane-header", { hasText: /^\s*Memory/ }).first();
        await bench.show("Explorer");
        openFolders(folder, second, third);
        await bench.file("third").waitFor();
        await bench.open("late.json");
        await hasError(agents[2], "late.json");
        await bench.show("Working Memory");
        await until("the third folder", async () => /third/.test(await title.innerText()));
        await bench.row("late.json").waitFor();

        await bench.show("Explorer");
        await bench.file("third").click({ button: "right" });
        await page.locator(".monaco-menu .action-item", { hasText: "Remove Folder from Workspace" }).hover();
        await page.keyboard.press("Enter");
        await until("the error gone", async () => (await errors(agents[2])).length === 0);
        openFolders(folder, second, third);
        await hasError(agents[2], "late.json");
        openFolders(folder, second);
        await until("the error gone again", async () => (await errors(agents[2])).length === 0);
        await bench.show("Working Memory");
        await until("the first folder", async () => /workspace/.test(await title.innerText()));
        await bench.row(decision).waitFor();
        await bench.assertNoToast();
      },
    ],
  ];
}

const only = process.env.WM_TEST_ONLY;
const chosen = (tests) =>
  only === undefined ? tests : tests.filter(([name]) => new RegExp(only).test(name));

async function keepPicture(bench, name) {
  if (process.env.WM_TEST_PICTURES) {
    await bench.page.screenshot({ path: path.join(process.env.WM_TEST_PICTURES, `${name}.png`) });
  }
}

try {
  // Without auto-save the editor asks before it closes an unsaved file.
  const settings = {
    "files.autoSave": "off",
    "terminal.integrated.defaultProfile.linux": "bash",
    "terminal.integrated.gpuAcceleration": "off", // its rows are elements
    "terminal.integrated.shellIntegration.timeout": 60_000, // the most
    "terminal.integrated.env.linux": { PATH: `${path.dirname(compiler)}:/usr/bin:/bin` },
    "terminal.integrated.profiles.linux": { bash: { path: "/bin/bash" } },
  };
  const editor = new Editor(home, { env, settings });
  const bindings = [
    { key: "ctrl+alt+8", command: "workingMemory.delete", when: "workingMemory.panelFocus" },
    { key: "ctrl+y", command: "-workingMemory.redo" },
  ];
  fs.writeFileSync(path.join(editor.data, "User", "keybindings.json"), JSON.stringify(bindings));
  await editor.install(vsix);
  const program = programOf(editor);
  await editor.use(async (browser) => {
    const bench = await load(editor, browser, `folder=${encodeURIComponent(folder)}`);
    const agent = await new Agent(program, folder, editor.env).start();
    try {
      await runAll(chosen(mainTests(editor, bench, agent, program)), (name) => keepPicture(bench, name));
    } finally {
      await agent.end();
    }
    const empty = await load(editor, browser, "ew=true");
    await runAll(chosen(emptyTests(empty)), (name) => keepPicture(empty, name));
    const quiet = await load(editor, browser, `folder=${encodeURIComponent(second)}`);
    await runAll(chosen(quietTests(quiet, program, editor.env)), (name) => keepPicture(quiet, name));
  });

  const marker = path.join(home, "ran");
  const evilProgram = path.join(folder, "wm-lsp");
  fs.writeFileSync(evilProgram, `#!/bin/sh\ntouch "${marker}"\n`, { mode: 0o755 });
  fs.mkdirSync(path.join(folder, ".vscode"));
  const wanted = { "workingMemory.server.path": evilProgram };
  fs.writeFileSync(path.join(folder, ".vscode", "settings.json"), JSON.stringify(wanted));
  const workspace = path.join(home, "both.code-workspace");
  const openFolders = (...paths) => {
    const folders = paths.map((path) => ({ path }));
    fs.writeFileSync(workspace, JSON.stringify({ folders, settings: wanted }));
  };
  openFolders(folder, second);
  const restricted = new Editor(home, { env, trusted: false });
  await restricted.use(async (browser) => {
    const bench = await load(restricted, browser, `workspace=${encodeURIComponent(workspace)}`);
    const agents = await Promise.all(
      // Nobody has said anything in their sessions.
      [folder, second, third].map((folder) => new Agent(program, folder, restricted.env, "quiet").start()),
    );
    try {
      const options = { cwd: folder, env: restricted.env };
      const connect = () => execFileSync(program, ["install", "claude-code", "--yes"], options);
      const tests = folderTests(bench, marker, openFolders, agents, connect);
      await runAll(chosen(tests), (name) => keepPicture(bench, name));
    } finally {
      await Promise.all(agents.map((agent) => agent.end()));
    }
  });
} finally {
  fs.rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 300 });
}
