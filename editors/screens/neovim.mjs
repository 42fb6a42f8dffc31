// Neovim in a terminal: the panel beside a file, and how full the agent's context is.
import fs from "node:fs";
import path from "node:path";
import { installed } from "../vscode/tests/editor.mjs";
import { Terminal } from "./terminal.mjs";

export { size } from "./terminal.mjs";

const init = `
vim.opt.runtimepath:prepend(vim.env.WM_PLUGIN)
vim.cmd.runtime("plugin/wm.lua")
vim.o.number, vim.o.swapfile, vim.o.ruler, vim.o.showcmd = true, false, false, false
vim.o.laststatus, vim.o.statusline = 3, " %t%=%{%v:lua.require'wm'.statusline()%} "
require("wm").setup({ cmd = { vim.env.WM_BINARY } })
`;

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
    await terminal.sees("cart.go  edit, 1x · read by you");
    terminal.type(":WM usage\r");
    await terminal.sees("100 % ┤");
    terminal.type("\x1726_\x17k"); // 26 rows, and back to the file
    await terminal.sees("▤ Advice");
    await terminal.sees("\n cart.go ");
    await terminal.sees("wm 74 % moderate");
    await run(terminal);
  } finally {
    await terminal.end();
  }
}
