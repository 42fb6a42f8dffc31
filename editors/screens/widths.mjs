// Pictures of the panel in VS Code at 300, 400 and 600 pixels in every kind of theme, to be looked at when its
// look changes.
// usage: WM_TEST_VSCODE=… node widths.mjs FOLDER
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Editor, packageExtension, until } from "../vscode/tests/editor.mjs";
import { load } from "../vscode/tests/page.mjs";
import { work } from "./story.mjs";

const widths = [300, 400, 600];
const themes = {
  light: ["light", "Default Light Modern"],
  dark: ["dark", "Default Dark Modern"],
  "high-contrast": ["high-contrast:not(.vscode-high-contrast-light)", "Default High Contrast"],
  "high-contrast-light": ["high-contrast-light", "Default High Contrast Light"],
};
const size = { width: 1280, height: 760 };
const target = path.resolve(process.argv[2]);
const root = path.join(import.meta.dirname, "..", "..");
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "wm-widths-"));

try {
  fs.mkdirSync(target, { recursive: true });
  execFileSync("go", ["build", "-buildvcs=false", "-o", scratch, "./cmd/wm-lsp"], { cwd: root });
  const folder = path.join(scratch, "cart");
  const cache = execFileSync("go", ["env", "GOCACHE"], { encoding: "utf8" }).trim();
  const env = { ...process.env, GOCACHE: cache, HOME: scratch };
  for (const name of ["CONFIG", "DATA", "STATE", "CACHE"]) {
    env[`XDG_${name}_HOME`] = path.join(scratch, name.toLowerCase());
  }
  const agent = await work(path.join(scratch, "wm-lsp"), folder, env);
  const editor = new Editor(scratch, { env });
  await editor.install(packageExtension(path.join(scratch, "packages")));
  await editor.use(async (browser) => {
    const bench = await load(editor, browser, `folder=${encodeURIComponent(folder)}`, size);
    await bench.show("Working Memory");
    await bench.row("agent").waitFor();
    // A file counts as read when it has the focus, and then says the most: who changed it, and who read it.
    await bench.open("cart.go");
    await bench.page.locator(".view-line", { hasText: "cnt" }).click();
    await bench.row("read by you").waitFor();
    for (const [name, [kind, theme]] of Object.entries(themes)) {
      // An editor that is still loading may miss that its settings were changed.
      await until(theme, async () => {
        editor.configure({ "workbench.colorTheme": theme });
        await bench.panel.locator(`body.vscode-${kind}`).waitFor({ timeout: 5000 });
        return true;
      });
      for (const width of widths) {
        await bench.widen(width);
        const clip = { x: 0, y: 0, width: width + 60, height: size.height };
        const file = path.join(target, `${name}-${width}.png`);
        await bench.page.screenshot({ path: file, clip, animations: "disabled", caret: "hide" });
      }
    }
  });
  await agent.end();
} finally {
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 300 });
}
