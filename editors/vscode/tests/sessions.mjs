// Opens a folder in the real editor and waits until its panel shows that agents are at work there, and then
// that they have ended. It makes a file when it has seen them at work.
// usage: WM_TEST_VSCODE=… node tests/sessions.mjs HOME FOLDER SERVER SEEN AGENT...
import fs from "node:fs";
import path from "node:path";
import { Editor, until } from "./editor.mjs";
import { load } from "./page.mjs";

const [home, folder, server, seen, ...agents] = process.argv.slice(2);
const root = path.dirname(import.meta.dirname);
const editor = new Editor(home, { settings: { "workingMemory.server.path": server } });
const own = path.join(editor.extensions, "wm-lsp");
for (const part of ["dist", "media", "package.json"]) {
  fs.cpSync(path.join(root, part), path.join(own, part), { recursive: true });
}

await editor.use(async (browser) => {
  const bench = await load(editor, browser, `folder=${encodeURIComponent(folder)}`);
  await bench.show("Working Memory");
  await bench.row("Agents").waitFor();
  const sessions = bench.rows.and(bench.page.locator('[aria-level="2"]'));
  const rows = (agent) => bench.text(sessions.filter({ hasText: new RegExp(`^\\W*${agent}`) }));
  for (const agent of agents) {
    await until(`${agent} at work`, async () => {
      const text = await rows(agent);
      return text !== "" && !text.includes("ended");
    });
  }
  fs.writeFileSync(seen, "");
  for (const agent of agents) {
    await until(`the end of ${agent}`, async () => /ended/.test(await rows(agent)));
  }
});
