import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { check, find } from "../../src/binary";

const home = mkdtempSync(join(tmpdir(), "wm-binary-"));
after(() => rmSync(home, { recursive: true }));

function program(path: string, script: string, mode = 0o755): string {
  const file = join(home, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, mode);
  return file;
}

const set = program("set/wm-lsp", "");
const extension = join(home, "extension");
const onPath = program("path/wm-lsp", "");
const places = {
  setting: "",
  extension,
  storage: join(home, "storage"),
  env: { PATH: `${home}/none:${home}/path` },
  platform: "linux",
} as const;

test("the setting comes first, then the extension's own, then the PATH", async () => {
  assert.deepEqual(await find({ ...places, setting: set }), { path: set, from: "setting" });
  assert.deepEqual(await find(places), { path: onPath, from: "PATH" });
  const own = readFileSync(set);
  const sha256 = createHash("sha256").update(own).digest("hex");
  mkdirSync(join(extension, "bin"), { recursive: true });
  writeFileSync(join(extension, "bin", "wm-lsp.br"), brotliCompressSync(own));
  writeFileSync(join(extension, "bin", "wm-lsp.json"), JSON.stringify({ size: own.length, sha256 }));
  assert.deepEqual(await find(places), { path: join(home, "storage", "wm-lsp"), from: "bundled" });
  assert.deepEqual(await find({ ...places, setting: set }), { path: set, from: "setting" });
});

test("a setting that names no program is not passed over", async () => {
  const plain = program("plain/wm-lsp", "", 0o644);
  for (const setting of [plain, home, join(home, "nothing")]) {
    const found = await find({ ...places, setting });
    assert.ok("problem" in found && found.problem.includes("workingMemory.server.path"), setting);
  }
});

test("where there is none, the message says what to do", async () => {
  const found = await find({ ...places, extension: home, env: {} });
  assert.ok("problem" in found && found.problem.includes("Install"));
});

const minute = 60_000;

test("the version is what the program says", async () => {
  assert.deepEqual(await check(program("ok", "echo wm-lsp 1.2.3-4"), minute), { version: "1.2.3-4" });
});

for (const [what, script, part, within] of [
  ["another program", "echo git version 2", "not a working wm-lsp", minute],
  ["one that fails", "echo wm-lsp 1; exit 3", "not a working wm-lsp", minute],
  ["garbage without end", "yes", "not a working wm-lsp", minute],
  ["one that hangs", "exec sleep 600", "does not respond", 500],
] as const) {
  test(`${what} is told with the next step`, async () => {
    const checked = await check(program("bad", script), within);
    assert.ok("problem" in checked);
    assert.match(checked.problem, new RegExp(part));
    assert.match(checked.problem, /workingMemory\.server\.path/);
  });
}

test("a program for another machine is told with the next step", async () => {
  const file = join(home, "foreign");
  writeFileSync(file, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 9, 9, 9]), { mode: 0o755 });
  const checked = await check(file, minute);
  assert.ok("problem" in checked && checked.problem.includes("not a working wm-lsp"));
});
