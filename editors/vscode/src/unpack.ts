// Unpacks the server's program, which the package contains compressed, into the storage of the extension.
//
// Its path stays when the extension is updated, so that links to the program and what agents start stay right.
// If several versions of the extension run on a machine, all use the program of the one installed last: an
// earlier program could not read a memory that a later one has written.
import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { line } from "./text";

/** What identifies a program: its size in bytes, and the SHA-256 of its content in hexadecimal digits. */
interface Content {
  size: number;
  sha256: string;
}

/** The program in the storage. */
interface Kept extends Content {
  /** When the extension that it is from was installed, in ms since 1970. */
  installed: number;
}

/** The compressed program in the package. */
const packedName = "wm-lsp.br";

/** The file beside a program that says which one it is. */
const contentName = "wm-lsp.json";

/** After this time a file that is being written belongs to an editor that was killed. */
const abandonedMillis = 60 * 60_000;

/** The path of the program, or a problem as a sentence. */
export type Unpacked = { path: string } | { problem: string };

/**
 * Returns the program in the storage, which is unpacked first unless it is there and whole; undefined if the
 * extension has none.
 */
export async function unpack(
  extension: string,
  storage: string,
  name: string,
): Promise<Unpacked | undefined> {
  const packed = join(extension, "bin", packedName);
  const content = await read<Content>(join(extension, "bin", contentName));
  if (content === undefined) {
    return undefined;
  }
  const [path, record] = [join(storage, name), join(storage, contentName)];
  try {
    const own: Kept = { ...content, installed: (await stat(packed)).mtimeMs };
    const kept = await read<Kept>(record);
    if (await isWhole(path, kept !== undefined && kept.installed > own.installed ? kept : own)) {
      return { path };
    }
    await mkdir(storage, { recursive: true });
    await replace(path, (to) => decompress(packed, to, content));
    await replace(record, (to) => writeFile(to, JSON.stringify(own), { flag: "wx" }));
    await clear(storage, [name, contentName]);
    return { path };
  } catch (error) {
    return { problem: why(error, storage, content.size) };
  }
}

async function read<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as T;
  } catch {
    return undefined;
  }
}

async function digest(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

async function isWhole(path: string, { size, sha256 }: Content): Promise<boolean> {
  try {
    const found = await stat(path);
    const isRunnable = process.platform === "win32" || (found.mode & 0o100) !== 0;
    return isRunnable && found.size === size && (await digest(path)) === sha256;
  } catch {
    return false;
  }
}

/** What is in the package is not what was packed. */
class Damaged extends Error {}

async function decompress(packed: string, to: string, { sha256 }: Content): Promise<void> {
  try {
    // With flush the content is on the disk before the file gets its name.
    const file = createWriteStream(to, { flags: "wx", flush: true });
    await pipeline(createReadStream(packed), createBrotliDecompress(), file);
  } catch (error) {
    throw /^(Z|ERR)_/.test(code(error)) ? new Damaged() : error;
  }
  if ((await digest(to)) !== sha256) {
    throw new Damaged();
  }
  await chmod(to, 0o755);
}

/** Replaces a file as a whole by what is written to a path beside it. */
async function replace(path: string, write: (to: string) => Promise<void>): Promise<void> {
  const written = `${path}.${randomUUID()}`;
  try {
    await write(written);
    await rename(written, path).catch(async () => {
      // Windows does not replace a program that runs, but gives it another name.
      await rename(path, `${path}.${randomUUID()}`);
      await rename(written, path);
    });
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}

/** Removes what editors that were killed have left, and programs that no longer run. */
async function clear(storage: string, used: readonly string[]): Promise<void> {
  const abandoned = Date.now() - abandonedMillis;
  for (const name of await readdir(storage)) {
    const path = join(storage, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: abandoned }));
    if (!used.includes(name) && mtimeMs < abandoned) {
      await rm(path, { recursive: true, force: true }).catch(() => {}); // it runs
    }
  }
}

function code(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}

/** Says why the program cannot be unpacked, and what to do. */
function why(error: unknown, storage: string, size: number): string {
  if (error instanceof Damaged) {
    return "The program in this extension is damaged. Install the extension again.";
  }
  const place = line(storage);
  switch (code(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return `The disk is full: wm-lsp needs ${Math.ceil(size / 1e6)} MB in ${place}. Make room there, then restart the server.`;
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return `wm-lsp cannot be written to ${place} (${code(error)}). Make this folder writable and restart the server, or install wm-lsp and set workingMemory.server.path.`;
    default:
      return `wm-lsp cannot be unpacked into ${place} (${line(code(error) || error, 100)}). Restart the server, or install wm-lsp and set workingMemory.server.path.`;
  }
}
