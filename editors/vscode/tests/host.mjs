// Runs out/host.js inside the extension host of the editor, with its whole API. The browser is only the
// editor's window.
// usage: WM_TEST_VSCODE=… WM_BINARY=… node tests/host.mjs
// WM_TEST_ONLY is a regular expression for the tests to run.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Editor } from "./editor.mjs";

const root = path.dirname(import.meta.dirname);
const home = fs.mkdtempSync(path.join(os.tmpdir(), "wm-host-"));
const folder = path.join(home, "workspace");
const fake = path.join(home, "fake");
fs.mkdirSync(folder);
fs.mkdirSync(fake);
fs.writeFileSync(path.join(folder, "sample.txt"), "hello world\nsecond line\n");
fs.writeFileSync(path.join(fake, "panel.json"), '{"seq":1,"sections":[],"badge":0}');
fs.writeFileSync(path.join(fake, "markdown"), "");
const program = path.join(home, "wm-lsp");
const script = path.join(root, "tests", "fake-server.mjs");
// The tools of VS Code's agent are those of the real program.
const tools = `[ "$1" != mcp ] || exec "${process.env.WM_BINARY}" "$@"`;
fs.writeFileSync(program, `#!/bin/sh\n${tools}\nexec "${process.execPath}" "${script}" "$@"\n`, {
  mode: 0o755,
});
// A folder's setting, which the tests change.
fs.mkdirSync(path.join(folder, ".vscode"));
fs.writeFileSync(path.join(folder, ".vscode", "settings.json"), '{"workingMemory.server.timeoutSeconds":60}');

const result = path.join(home, "result");
const env = { FAKE_DIR: fake, WM_TEST_OUT: result, WM_TEST_DATA: path.join(home, "editor") };
for (const name of ["CONFIG", "DATA", "STATE", "CACHE"]) {
  env[`XDG_${name}_HOME`] = path.join(home, name.toLowerCase());
}
const settings = {
  "workingMemory.server.path": program,
  "chat.disableAIFeatures": false,
  "chat.mcp.access": "all",
};
const editor = new Editor(home, { settings, env });

async function drive(browser) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const ended = new Promise((resolve) => void page.exposeFunction("codeAutomationExit", resolve));
  await page.exposeFunction("codeAutomationLog", () => {});
  const uri = (file) => ({ scheme: "vscode-remote", authority: editor.authority, path: file });
  // The page on its way to the browser is changed to load an extension under development.
  await page.addInitScript(
    (options) => {
      const observer = new MutationObserver(() => {
        const meta = document.getElementById("vscode-workbench-web-configuration");
        if (meta !== null) {
          observer.disconnect();
          const configuration = JSON.parse(meta.getAttribute("data-settings"));
          configuration.developmentOptions = { ...configuration.developmentOptions, ...options };
          meta.setAttribute("data-settings", JSON.stringify(configuration));
        }
      });
      observer.observe(document, { childList: true, subtree: true });
    },
    { extensions: [uri(root)], extensionTestsPath: uri(path.join(root, "out", "host.js")) },
  );
  await page.goto(`http://${editor.authority}/?folder=${encodeURIComponent(folder)}`);
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, 10 * 60_000, "late");
  });
  if ((await Promise.race([ended, late])) === "late") {
    console.log("not ok the tests end in time\n  the extension host has not ended");
  }
  clearTimeout(timer);
}

try {
  await editor.use(drive);
} finally {
  const text = fs.existsSync(result) ? fs.readFileSync(result, "utf8") : "";
  process.stdout.write(
    text ||
      `not ok the tests run\n${fs.readFileSync(path.join(home, "editor.log"), "utf8").replace(/^/gm, "  ")}\n`,
  );
  process.exitCode = text === "" || text.includes("not ok") ? 1 : 0;
  fs.rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 300 });
}
