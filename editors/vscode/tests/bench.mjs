// The editor that test/bench/vscode.go measures. An empty line on standard input opens a page with an extension
// host of its own; any other is a JSON object with words that are typed into the open input box, one key every
// delay milliseconds, or all at once without a delay. Each line on standard output is a JSON list of the rows that
// are new on the screen; `["last key"]` comes before the last key.
// usage: WM_TEST_VSCODE=… WM_BENCH_SOCKET=… WM_BENCH_ROWS=… node tests/bench.mjs HOME FOLDER SERVER
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { Editor } from "./editor.mjs";

const [home, folder, server] = process.argv.slice(2);
const root = path.dirname(import.meta.dirname);
const editor = new Editor(home, { settings: { "workingMemory.server.path": server } });
fs.cpSync(path.join(root, "tests", "bench"), editor.extensions, { recursive: true });

// The built extension, changed so that it is activated only when the benchmark asks for it.
const own = path.join(editor.extensions, "wm-lsp");
for (const part of ["dist", "media"]) {
  fs.cpSync(path.join(root, part), path.join(own, part), { recursive: true });
}
const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
fs.writeFileSync(path.join(own, "package.json"), JSON.stringify({ ...manifest, activationEvents: [] }));

/** Runs in the page: reports new rows in view, also those of a webview, after the frame that shows them. */
function watch() {
  const inView = (row, list) => {
    const [one, all] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
    return one.top < all.bottom && one.bottom > all.top;
  };
  const watched = (document, list) => {
    let shown = new Set();
    let waiting = false;
    const { port1, port2 } = new MessageChannel();
    const report = () => {
      waiting = false;
      const rows = [...document.querySelectorAll(`${list} [role="treeitem"]`)];
      const texts = rows.filter((row) => inView(row, row.closest(list))).map((row) => row.textContent);
      const fresh = texts.filter((text) => !shown.has(text));
      if (fresh.length > 0) {
        globalThis.painted(fresh);
      }
      shown = new Set(texts);
    };
    port1.onmessage = report;
    new MutationObserver(() => {
      if (!waiting) {
        waiting = true;
        requestAnimationFrame(() => port2.postMessage(""));
      }
    }).observe(document, { childList: true, characterData: true, subtree: true });
    report();
  };
  watched(document, ".pane-body .monaco-list");
  const found = new WeakSet();
  const find = () => {
    for (const frame of document.querySelectorAll("iframe.webview")) {
      const tree = frame.contentDocument
        ?.getElementById("active-frame")
        ?.contentDocument?.getElementById("tree");
      if (tree && !found.has(tree)) {
        found.add(tree);
        watched(tree.ownerDocument, "#tree");
      }
    }
  };
  setInterval(find, 5);
}

const tell = (rows) => process.stdout.write(`${JSON.stringify(rows)}\n`);

/** Types instead of what is in the box, from the keyboard: the checks of a locator would be measured, too. */
async function type(page, { words, delay }) {
  const { keyboard } = page;
  await page.locator(".quick-input-widget:visible input.input").selectText();
  if (words === "") {
    return keyboard.press("Delete");
  }
  const [first, last] = delay === undefined ? ["", words] : [words.slice(0, -1), words.slice(-1)];
  await keyboard.type(first, { delay });
  tell(["last key"]);
  await (delay === undefined ? keyboard.insertText(last) : keyboard.press(last));
}

await editor.use(async (browser) => {
  let page;
  for await (const line of readline.createInterface(process.stdin)) {
    if (line !== "") {
      await type(page, JSON.parse(line));
      continue;
    }
    await page?.context().close();
    const context = await browser.newContext({ viewport: { width: 1400, height: 1000 } });
    await context.exposeFunction("painted", tell);
    await context.addInitScript(watch);
    page = await context.newPage();
    await page.goto(`http://${editor.authority}/?folder=${encodeURIComponent(folder)}`);
  }
});
