#!/usr/bin/env node
// Starts the program for this platform, which is in a package of its own.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";

const name = `wm-lsp-${process.platform}-${process.arch}`;
let program;
try {
  program = createRequire(import.meta.url).resolve(`${name}/${process.platform === "win32" ? "wm-lsp.exe" : "wm-lsp"}`);
} catch {
  console.error(
    `wm-lsp: the package ${name} is missing. Install wm-lsp again, with optional dependencies; ` +
      "if there is no package for your system, build it with Go.",
  );
  process.exit(1);
}
const server = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => server.kill(signal));
}
server.on("error", (error) => {
  console.error(`wm-lsp: ${error.message}`);
  process.exit(1);
});
server.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
