// Neovim in a terminal: the panel beside a file, and how full the agent's context is.
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { installed, launchBrowser, until } from "../vscode/tests/editor.mjs";

export const size = { width: 1200, height: 742 };

const grid = { cols: 131, rows: 38 };
const background = "#14161b"; // the background of Neovim's default colors

// VS Code's terminal, and its library for pseudoterminals.
const require = createRequire(
  path.join(installed, "code-server", "node_modules", "code-server", "lib", "vscode", "package.json"),
);

const init = `
vim.opt.runtimepath:prepend(vim.env.WM_PLUGIN)
vim.cmd.runtime("plugin/wm.lua")
vim.o.number, vim.o.swapfile, vim.o.ruler, vim.o.showcmd = true, false, false, false
vim.o.laststatus, vim.o.statusline = 3, " %t%=%{%v:lua.require'wm'.statusline()%} "
require("wm").setup({ cmd = { vim.env.WM_BINARY } })
`;

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
class Terminal {
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

/** Opens the editor where the agent works, does what a user would do, and calls `run` with the terminal. */
export async function use({ program, folder, home, env }, run) {
  const file = path.join(home, "init.lua");
  fs.writeFileSync(file, init);
  const nvim = path.join(path.dirname(installed), "nvim-0.12", "bin", "nvim");
  const plugin = path.join(import.meta.dirname, "..", "nvim");
  const terminal = new Terminal(nvim, ["--clean", "-u", file, "cart.go"], {
    cwd: folder,
    env: { ...env, WM_PLUGIN: plugin, WM_BINARY: program, COLORTERM: "truecolor", LC_ALL: "C.UTF-8" },
  });
  try {
    await terminal.sees("package cart");
    terminal.type(":WM panel\r");
    await terminal.sees("cart.go  edit, 1x");
    terminal.type("\x17p:8\r:WM session\r"); // back to the file
    await terminal.sees("agent (live");
    terminal.type(`${/(\d+): agent \(live/.exec(terminal.text())[1]}\r`);
    await terminal.sees("cart.go  edit, 1x · Neovim");
    terminal.type(":WM usage\r");
    await terminal.sees("100 % ┤");
    terminal.type("\x1720_\x17k"); // 20 rows, and back to the file
    await terminal.sees("▤ meta");
    await terminal.sees("\n cart.go ");
    await terminal.sees("wm 74 % moderate");
    await run(terminal);
  } finally {
    await terminal.end();
  }
}
