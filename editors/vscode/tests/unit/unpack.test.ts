import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import files, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, mock, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { unpack } from "../../src/unpack";

const home = mkdtempSync(join(tmpdir(), "wm-unpack-"));
after(() => rmSync(home, { recursive: true }));

const name = "wm-lsp";
let folders = 0;

/** Installs an extension whose program prints a text, at a time in seconds, and returns its folder. */
function installed(text: string, time: number): string {
  const extension = join(home, `extension${++folders}`);
  const program = Buffer.from(`#!/bin/sh\necho ${text}\n`);
  const sha256 = createHash("sha256").update(program).digest("hex");
  mkdirSync(join(extension, "bin"), { recursive: true });
  writeFileSync(join(extension, "bin", "wm-lsp.br"), brotliCompressSync(program));
  writeFileSync(join(extension, "bin", "wm-lsp.json"), JSON.stringify({ size: program.length, sha256 }));
  utimesSync(join(extension, "bin", "wm-lsp.br"), time, time);
  return extension;
}

/** The path of a folder that does not exist yet. */
function newStorage(): string {
  return join(home, `storage${++folders}`, "of the editor");
}

async function run(extension: string, storage: string): Promise<string> {
  const unpacked = await unpack(extension, storage, name);
  assert.deepEqual(unpacked, { path: join(storage, name) });
  return execFileSync(join(storage, name), { encoding: "utf8" }).trim();
}

/** Says what is wrong. */
async function problem(extension: string, storage: string): Promise<string> {
  const unpacked = await unpack(extension, storage, name);
  assert.ok(unpacked !== undefined && "problem" in unpacked);
  return unpacked.problem;
}

test("an extension without a program unpacks none", async () => {
  const storage = newStorage();
  assert.equal(await unpack(home, storage, name), undefined);
  assert.ok(!existsSync(storage));
});

test("the program is unpacked once, and everybody may run it", async () => {
  const [extension, storage] = [installed("one", 100), newStorage()];
  assert.equal(await run(extension, storage), "one");
  const { ino, mode } = statSync(join(storage, name));
  assert.equal(mode & 0o777, 0o755);
  assert.equal(await run(extension, storage), "one");
  assert.equal(statSync(join(storage, name)).ino, ino, "the file is the same");
  assert.deepEqual(readdirSync(storage), [name, "wm-lsp.json"]);
});

for (const [what, damage] of [
  ["is missing", (path: string) => rmSync(path)],
  ["is half-written", (path: string) => truncateSync(path, 5)],
  ["has another content of the same size", (path: string) => writeFileSync(path, "#!/bin/sh\necho two\n")],
  ["cannot be run", (path: string) => files.chmodSync(path, 0o644)],
  [
    "is a folder",
    (path: string) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
] as const) {
  test(`a program that ${what} is unpacked again`, async () => {
    const [extension, storage] = [installed("one", 100), newStorage()];
    await run(extension, storage);
    damage(join(storage, name));
    assert.equal(await run(extension, storage), "one");
  });
}

test("many windows at once unpack one program", async () => {
  const [extension, storage] = [installed("one", 100), newStorage()];
  const runs = await Promise.all(Array.from({ length: 20 }, () => unpack(extension, storage, name)));
  assert.deepEqual(runs, Array(20).fill({ path: join(storage, name) }));
  assert.equal(await run(extension, storage), "one");
  assert.deepEqual(readdirSync(storage), [name, "wm-lsp.json"]);
});

test("all windows use the program of the extension that was installed last", async () => {
  const [former, latest, storage] = [installed("former", 100), installed("latest", 200), newStorage()];
  assert.equal(await run(former, storage), "former");
  assert.equal(await run(latest, storage), "latest", "the update");
  assert.equal(await run(former, storage), "latest", "a window that was opened before it");
  assert.equal(
    await run(installed("former", 300), storage),
    "former",
    "the earlier version is installed again",
  );
});

test("a program that an update has unpacked and that is damaged is replaced by one's own", async () => {
  const [former, latest, storage] = [installed("former", 100), installed("latest", 200), newStorage()];
  await run(latest, storage);
  truncateSync(join(storage, name), 5);
  assert.equal(await run(former, storage), "former");
  assert.equal(await run(latest, storage), "latest");
});

test("a program that runs goes on while another one takes its place", async () => {
  const [former, latest, storage] = [installed("former", 100), installed("latest", 200), newStorage()];
  await run(former, storage);
  const open = files.openSync(join(storage, name), "r");
  assert.equal(await run(latest, storage), "latest");
  assert.match(readFileSync(open, "utf8"), /former/);
  files.closeSync(open);
});

test("what an editor that was killed has left is removed, and what another one is writing stays", async () => {
  const storage = newStorage();
  mkdirSync(storage, { recursive: true });
  for (const [left, age] of [
    ["wm-lsp.killed", 7200],
    ["wm-lsp.writing", 60],
  ] as const) {
    writeFileSync(join(storage, left), "half");
    utimesSync(join(storage, left), Date.now() / 1000 - age, Date.now() / 1000 - age);
  }
  await run(installed("one", 100), storage);
  assert.deepEqual(readdirSync(storage), [name, "wm-lsp.json", "wm-lsp.writing"]);
});

for (const [what, damage] of [
  ["is cut off", (packed: Buffer) => packed.subarray(0, packed.length - 3)],
  ["is no compressed program", () => Buffer.from("garbage")],
  ["is another program", () => brotliCompressSync("#!/bin/sh\n")],
] as const) {
  test(`a package whose program ${what} is to be installed again`, async () => {
    const [extension, storage] = [installed("one", 100), newStorage()];
    const packed = join(extension, "bin", "wm-lsp.br");
    writeFileSync(packed, damage(readFileSync(packed)));
    assert.equal(
      await problem(extension, storage),
      "The program in this extension is damaged. Install the extension again.",
    );
    assert.deepEqual(readdirSync(storage), [], "nothing of it stays");
  });
}

for (const [code, what, todo] of [
  ["ENOSPC", "The disk is full: wm-lsp needs 1 MB in ", "Make room there, then restart the server."],
  ["EDQUOT", "The disk is full", "Make room there"],
  ["EROFS", "cannot be written to", "Make this folder writable and restart the server"],
  ["EACCES", "cannot be written to", "workingMemory.server.path"],
  ["EIO", "cannot be unpacked into", "workingMemory.server.path"],
] as const) {
  test(`${code} is told with the next step, and the program of before stays`, async () => {
    const [former, latest, storage] = [installed("former", 100), installed("latest", 200), newStorage()];
    await run(former, storage);
    const fails = mock.method(files, "createWriteStream", () => {
      throw Object.assign(new Error(code), { code });
    });
    const said = await problem(latest, storage);
    fails.mock.restore();
    assert.ok(said.includes(what) && said.includes(todo) && said.includes(storage), said);
    assert.deepEqual(readdirSync(storage), [name, "wm-lsp.json"]);
    assert.equal(await run(former, storage), "former");
  });
}

test("a storage that is a file is told with the next step", async () => {
  const file = join(home, "file");
  writeFileSync(file, "");
  assert.match(await problem(installed("one", 100), file), /cannot be unpacked into .*\(EEXIST\)/);
});
