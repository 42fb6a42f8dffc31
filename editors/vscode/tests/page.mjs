// The workbench as a page of the browser.
import assert from "node:assert/strict";
import { patience, until } from "./editor.mjs";

/** The elements that the tests look for. */
export class Workbench {
  constructor(page) {
    this.page = page;
    const shown = (what) =>
      page
        .locator(`iframe.webview.ready[data-shows="${what}"]:visible`)
        .contentFrame()
        .frameLocator("#active-frame");
    /** The pages of the webviews: the panel, the context and the tab with details. */
    [this.panel, this.context, this.detail] = ["tree", "picture", "detail"].map(shown);
    this.tree = this.panel.locator("#tree");
    this.rows = this.tree.locator('[role="treeitem"]');
    this.message = this.panel.locator("#message");
    this.status = page.locator('[id="wm-lsp.wm-lsp.workingMemory.status"]');
  }

  /** Opens a view by its icon. */
  async show(name) {
    const icon = this.page.locator(`.activitybar a.action-label[aria-label^="${name}"]`);
    await icon.click({ position: { x: 4, y: 4 } }); // a badge may cover the middle
  }

  /** Finds a file or folder in the explorer. */
  file(name) {
    return this.page.locator(".explorer-folders-view .monaco-list-row", { hasText: name });
  }

  /** Presses keys until they have an effect: while the window loads they may be lost. */
  async pressUntil(keys, seen) {
    await until(`what ${keys} opens`, async () => {
      for (const key of keys.split(" ")) {
        await this.page.keyboard.press(key);
      }
      await seen.waitFor({ timeout: 10_000 });
      return true;
    });
  }

  row(text) {
    return this.rows.filter({ hasText: text }).first();
  }

  /** Finds the row of an entry where it belongs: until a restored entry is painted, its row is among the forgotten. */
  active(text) {
    return this.tree.locator('[role="treeitem"]:not(.dimmed)', { hasText: text }).first();
  }

  /** Fails if the text of a row is cut. */
  async assertWhole(text) {
    const [all, seen] = await this.row(text)
      .locator(".label")
      .evaluate((label) => [label.scrollWidth, label.clientWidth]);
    assert.ok(all <= seen, `of ${all} pixels of ${text} ${seen} are seen`);
  }

  /** Clicks a button of a row, which is shown while the mouse is over it. A row can move from under the mouse. */
  async act(row, title) {
    await until(title, async () => {
      await row.hover();
      await row.getByRole("button", { name: title }).click({ timeout: 10_000 });
      return true;
    });
  }

  /** Waits until the panel has the focus, and a row of it if that is named. */
  async focused(text) {
    const focused = this.panel.locator(text === undefined ? "#tree:focus" : "#tree:focus .focused");
    await (text === undefined ? focused : focused.filter({ hasText: text })).waitFor();
  }

  /** Returns what tells whether the workbench has kept the focus since, which no page in it has had then. */
  async keepsFocus() {
    await this.page.evaluate(() => {
      globalThis.hasLostFocus = false;
      addEventListener("blur", () => (globalThis.hasLostFocus = true), { once: true });
    });
    return () => this.page.evaluate(() => !globalThis.hasLostFocus);
  }

  /** Scrolls the panel to its first row. */
  async top() {
    await until("the first row", async () => {
      await this.tree.evaluate((tree) => tree.scrollTo(0, 0));
      return this.rows.first().isVisible();
    });
  }

  /** Runs a command by its name, from the keyboard. */
  async command(name) {
    await this.#pick("F1", `>${name}`, name);
  }

  /** Makes the side bar so many pixels wide. */
  async widen(width) {
    const { page } = this;
    const sidebar = page.locator(".part.sidebar");
    const { x, y, width: now, height } = await sidebar.boundingBox();
    await page.mouse.move(x + now, y + height - 30);
    await page.mouse.down();
    await page.mouse.move(x + width, y + height - 30, { steps: 5 });
    await page.mouse.up();
    const size = page.viewportSize();
    await page.mouse.move(size.width - 20, size.height - 5);
  }

  /** Reloads the window, and waits for the new one. */
  async reload() {
    await this.page.evaluate(() => {
      globalThis.isOld = true;
    });
    await this.command("Developer: Reload Window");
    await until("a new window", async () => !(await this.page.evaluate(() => globalThis.isOld)));
  }

  async open(name) {
    await this.#pick("Control+P", name, name);
    await this.page.locator(`.tab[data-resource-name="${name}"].active`).waitFor();
  }

  /** Waits until the editor shows a text and has the focus: until a file has loaded, keys go to the one before. */
  async editing(text) {
    await this.page.locator(".editor-instance .view-line", { hasText: text }).waitFor();
    await this.page.locator(".editor-instance .monaco-editor.focused").waitFor();
  }

  /** Chooses an item of a list by name. A file that is loading can take the focus, which closes the list. */
  async #pick(keys, typed, name) {
    await until(name, async () => {
      await this.page.keyboard.press(keys);
      await this.page.locator(".quick-input-widget input.input").fill(typed, { timeout: 10_000 });
      // The list may still show its former items.
      const first = this.page.locator(".quick-input-list .monaco-list-row.focused", { hasText: name });
      await first.waitFor({ timeout: 10_000 });
      return true;
    });
    await this.page.keyboard.press("Enter");
  }

  /** Chooses an item of the list that is open, or else of the one that open opens. */
  async choose(label, open) {
    const choice = this.page.locator(".quick-input-list .monaco-list-row", { hasText: label }).first();
    await this.#offered(choice, open);
    await choice.click();
  }

  /** Chooses the first item. */
  async chooseDefault(label, open) {
    const first = this.page.locator(".quick-input-list .monaco-list-row").first();
    await this.#offered(first.filter({ hasText: label }), open);
    await this.page.keyboard.press("Enter");
  }

  /**
   * Waits for a choice, and opens its list again if need be: when VS Code ends a refresh of the panel in the moment in
   * which the panel loses the focus, it gives it the focus again, which closes the list.
   */
  async #offered(choice, open) {
    await until("the choice", async () => {
      await open?.();
      await choice.waitFor({ timeout: 10_000 });
      return true;
    });
  }

  /** Chooses one of the code actions at the cursor. An editor that is busy may not have them at first. */
  async takeAction(title) {
    const action = this.page.locator(".action-widget .monaco-list-row", { hasText: title });
    await this.pressUntil("Control+.", action);
    await action.click();
  }

  /** Fails with what the toasts say, if there are any. */
  async assertNoToast() {
    assert.deepEqual(await this.page.locator(".notification-toast").allInnerTexts(), []);
  }

  async text(locator) {
    return (await locator.allInnerTexts()).join("\n").replaceAll("\u00a0", " ");
  }
}

/** Runs in the page: writes on the elements of webviews what they show. VS Code does not tell. */
function nameWebviews() {
  const name = (frame) => {
    const shown = frame.contentDocument?.getElementById("active-frame")?.contentDocument;
    const main = shown?.querySelector("#tree, #picture, #detail");
    if (main) {
      frame.dataset.shows = main.id;
    }
  };
  setInterval(() => document.querySelectorAll("iframe.webview:not([data-shows])").forEach(name), 20);
}

/** Opens what the query names in a new page. */
export async function load(editor, browser, query, viewport = { width: 1400, height: 1000 }) {
  const page = await browser.newPage({ viewport });
  page.setDefaultTimeout(patience);
  await page.addInitScript(nameWebviews);
  await page.goto(`http://${editor.authority}/?${query}`);
  await page.locator(".monaco-workbench").waitFor();
  return new Workbench(page);
}
