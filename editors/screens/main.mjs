// Creates the screenshots and the context in the README from the real editors and the live panel of the
// terminal. Each opens a folder in which an agent works, with the real server.
// usage: WM_TEST_VSCODE=… node main.mjs [check]
// With check nothing is written. Instead the current screens and context must equal the stored ones.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { until } from "../vscode/tests/editor.mjs";
import * as neovim from "./neovim.mjs";
import * as panel from "./panel.mjs";
import { work, zone } from "./story.mjs";
import * as vscode from "./vscode.mjs";

const editors = { vscode, neovim, terminal: panel };
const root = path.join(import.meta.dirname, "..", "..");
const readme = path.join(root, "README.md");
const screens = path.join(root, "docs", "screens");
const picture = (name) => path.join(screens, `${name}.png`);
/** The text of a screenshot. */
const words = (name) => path.join(screens, `${name}.txt`);
/** What a screen says, without the time at which it was made. */
const said = async (screen) =>
  (await screen.text())
    .replace(/since \d\d:\d\d/g, "since 10:00")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "2026-03-01 10:00:00");
/** The context of the agent in the README. */
const block = /(?<=<!-- written by `make screenshots` -->\n```\n)[^`]*(?=```)/;

process.env.TZ = zone;

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "wm-screens-"));
process.once("exit", () =>
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 300 }),
);
// Runs after the other handlers, which stop what they started.
process.once("SIGINT", () => setImmediate(() => process.exit(130)));

function build() {
  execFileSync("go", ["build", "-buildvcs=false", "-o", scratch, "./cmd/wm-lsp"], { cwd: root });
  return path.join(scratch, "wm-lsp");
}

/** Calls `run` with an agent that has done its work, in a folder and a home of its own. */
async function withAgent(program, run) {
  const home = fs.mkdtempSync(path.join(scratch, "home-"));
  const folder = path.join(home, "cart");
  const cache = execFileSync("go", ["env", "GOCACHE"], { encoding: "utf8" }).trim();
  const env = { ...process.env, GOCACHE: cache, HOME: home };
  for (const name of ["CONFIG", "DATA", "STATE", "CACHE"]) {
    env[`XDG_${name}_HOME`] = path.join(home, name.toLowerCase());
  }
  const agent = await work(program, folder, env);
  try {
    return await run({ agent, program, folder, home, env });
  } finally {
    await agent.end();
  }
}

/** Returns the context of the agent without the guide and its own notes. */
async function given({ agent }) {
  const { text } = await agent.call("wm/context", { include: ["workspace", "core", "session"] });
  return `${text.trimEnd()}\n`;
}

async function write(program) {
  fs.mkdirSync(screens, { recursive: true });
  const text = await withAgent(program, given);
  fs.writeFileSync(
    readme,
    fs.readFileSync(readme, "utf8").replace(block, () => text),
  );
  for (const [name, editor] of Object.entries(editors)) {
    await withAgent(program, (place) =>
      editor.use(place, async (screen) => {
        fs.writeFileSync(words(name), await said(screen));
        await screen.take(picture(name));
      }),
    );
  }
}

function assertPicture(file, { width, height }) {
  const png = fs.readFileSync(file);
  assert.equal(png.toString("latin1", 1, 4), "PNG", `${file} is a picture`);
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [width, height], `the size of ${file}`);
}

async function check(program) {
  const shown = fs.readFileSync(readme, "utf8");
  assert.equal(
    await withAgent(program, given),
    block.exec(shown)?.[0],
    "what the agent is given, in the README",
  );
  for (const [name, editor] of Object.entries(editors)) {
    assert.ok(shown.includes(`](docs/screens/${name}.png)`), `the README shows ${name}.png`);
    assertPicture(picture(name), editor.size);
    const expected = fs.readFileSync(words(name), "utf8");
    await withAgent(program, (place) =>
      editor.use(place, async (screen) => {
        await until("the screen", async () => (await said(screen)) === expected).catch(() => {});
        assert.equal(await said(screen), expected, `what ${name} shows`);
      }),
    );
  }
}

if (process.argv[2] === "check") {
  await check(build()).catch((error) => {
    console.error(`${error.message}\n\nIf that is as it has to be, run: make screenshots`);
    process.exit(1);
  });
} else {
  await write(build());
}
