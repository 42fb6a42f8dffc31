// The live panel in a terminal: what was decided is selected, with its details beside it.
import { Terminal } from "./terminal.mjs";

export { size } from "./terminal.mjs";

/** Opens the panel where the agent works, does what a user would do, and calls `run` with the terminal. */
export async function use({ program, folder, env }, run) {
  const terminal = new Terminal(program, ["panel", "--theme", "dark"], {
    cwd: folder,
    env: { ...env, COLORTERM: "truecolor", LC_ALL: "C.UTF-8" },
  });
  try {
    await terminal.sees("cart.go  edit, 1x");
    terminal.type("g\t\tj");
    await terminal.sees("p Unpin");
    await terminal.sees("Said by: agent");
    await run(terminal);
  } finally {
    await terminal.end();
  }
}
