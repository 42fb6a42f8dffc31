// A terminal without a window in which a program runs, and a picture of it.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";
import { installed, launchBrowser, until } from "../vscode/tests/editor.mjs";

/** The size of a picture. */
export const size = { width: 1200, height: 742 };

const grid = { cols: 131, rows: 38 };
const background = "#14161b"; // the background of Neovim's default colors

// VS Code's terminal, and its library for pseudoterminals.
const require = createRequire(
  path.join(installed, "code-server", "node_modules", "code-server", "lib", "vscode", "package.json"),
);

/** The script of the page: shows all output of a program in a terminal. */
async function paint([options, output]) {
  const screen = new window.Terminal(options);
  screen.open(document.body);
  // This terminal draws lines and blocks without gaps.
  screen.loadAddon(new window.WebglAddon.WebglAddon(true));
  screen.focus();
  await new Promise((written) => screen.write(output, written));
  await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
}

/** A program in a pseudoterminal without a window. */
export class Terminal {
  #screen;
  #process;
  #ended;
  #output = "";

  constructor(program, args, options) {
    const { Terminal: Screen } = require("@xterm/headless");
    this.#screen = new Screen({ ...grid, allowProposedApi: true });
    this.#process = require("node-pty").spawn(program, args, { ...options, ...grid, name: "xterm-256color" });
    this.#ended = new Promise((resolve) => void this.#process.onExit(resolve));
    this.#screen.onData((answer) => this.type(answer));
    this.#process.onData((output) => {
      this.#output += output;
      this.#screen.write(output);
    });
  }

  type(keys) {
    this.#process.write(keys);
  }

  /** Returns the visible text. */
  text() {
    const line = (row) => this.#screen.buffer.active.getLine(row).translateToString().trimEnd();
    return Array.from({ length: grid.rows }, (_, row) => `${line(row)}\n`).join("");
  }

  sees(what) {
    return until(`on the screen: ${what}`, () => {
      const text = this.text();
      assert.ok(text.includes(what), text);
      return true;
    });
  }

  /** Takes a screenshot: a terminal in a page replays all output so far. */
  async take(file) {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ viewport: size });
      await page.setContent(`<body style="margin: 10px; background: ${background}">`);
      for (const script of ["@xterm/xterm", "@xterm/addon-webgl"]) {
        await page.addScriptTag({ path: require.resolve(script) });
      }
      await page.addStyleTag({ path: require.resolve("@xterm/xterm/css/xterm.css") });
      const font = { fontFamily: "DejaVu Sans Mono", fontSize: 15, lineHeight: 1.1 };
      await page.evaluate(paint, [{ ...grid, ...font, theme: { background } }, this.#output]);
      await page.screenshot({ path: file });
    } finally {
      await browser.close();
    }
  }

  async end() {
    this.#process.kill();
    await this.#ended;
  }
}
