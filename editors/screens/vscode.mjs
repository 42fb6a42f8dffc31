// VS Code as a person sees it who opens the panel for the first time: the memory beside the files.
import path from "node:path";
import { Editor, packageExtension, until } from "../vscode/tests/editor.mjs";
import { load } from "../vscode/tests/page.mjs";

export const size = { width: 1280, height: 760 };

const settings = {
  "workbench.colorTheme": "Default Dark Modern",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "editor.fontSize": 13,
  "editor.cursorBlinking": "solid",
  "editor.folding": false,
  "editor.glyphMargin": false,
  "editor.lineNumbersMinChars": 3,
  "editor.matchBrackets": "never",
  "editor.minimap.enabled": false,
  "editor.occurrencesHighlight": "off",
  "remote.autoForwardPorts": false,
};

/** Opens two files and the panel, and leaves the panel where it is and as wide and folded as it comes. */
async function arrange(bench) {
  const { page } = bench;
  // A file counts as read when it is clicked, if the server is there.
  await page.locator(".statusbar-item", { hasText: "74 %" }).waitFor();
  await bench.open("cart_test.go");
  const groups = page.locator(".editor-group-container");
  const second = groups.nth(1);
  await bench.pressUntil("Control+K Control+Backslash", second);
  // The first editor may take the focus back.
  await until("the second group active", async () => {
    await second.locator(".view-lines").click();
    await second.and(page.locator(".active")).waitFor({ timeout: 2000 });
    return true;
  });
  await bench.open("cart.go");
  for (const [i, name] of ["cart_test.go", "cart.go"].entries()) {
    await groups.nth(i).locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
  }

  await bench.show("Working Memory");
  await page.locator(".view-line", { hasText: "cnt" }).click();
  await page.mouse.move(size.width / 2, size.height - 5);
}

/** The editor that is shown. */
class Screen {
  #bench;

  constructor(bench) {
    this.#bench = bench;
  }

  /** Returns the panel as text. */
  async text() {
    const rows = await this.#bench.rows.evaluateAll((all) =>
      all.map((row) => {
        const parts = row.querySelectorAll(".label, .detail, .aside");
        const texts = [...parts].map((part) => part.textContent.trim()).filter((text) => text !== "");
        return "  ".repeat(row.ariaLevel - 1) + texts.join("  ");
      }),
    );
    return `${rows.join("\n")}\n`.replace(/ +$/gm, "");
  }

  async take(file) {
    await this.#bench.page.screenshot({ path: file, animations: "disabled", caret: "hide" });
  }
}

/** Opens the editor where the agent works, arranges it, and calls `run` with the screen. */
export async function use({ folder, home, env }, run) {
  const editor = new Editor(home, { env, settings });
  await editor.install(packageExtension(path.join(home, "packages")));
  await editor.use(async (browser) => {
    const bench = await load(editor, browser, `folder=${encodeURIComponent(folder)}`, size);
    await arrange(bench);
    await bench.row(/agent.*74 %/s).waitFor();
    // Highlights of the mouse fade out.
    await bench.page.locator(".monaco-sash.hover").waitFor({ state: "detached" });
    await bench.page.locator(".scrollbar.visible").first().waitFor({ state: "detached" });
    await run(new Screen(bench));
  });
}
