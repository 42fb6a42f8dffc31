// Finds the server's program and checks it.
import { type ExecFileException, execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { line } from "./text";
import { unpack } from "./unpack";

/** The path of the program, or a problem as a sentence. */
export type Found = { path: string; from: "setting" | "bundled" | "PATH" } | { problem: string };

/** Where to look, in this order. */
export interface Places {
  /** The setting workingMemory.server.path; empty if it is not set. */
  setting: string;
  /** The extension's own folder. */
  extension: string;
  /** The folder for what the extension keeps, into which it unpacks its program. */
  storage: string;
  /** The environment variables. */
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function onPath(name: string, places: Places): string | undefined {
  const folders = (places.env.PATH ?? places.env.Path ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** Finds the program: from the setting, else in the extension, else on the PATH. */
export async function find(places: Places): Promise<Found> {
  const name = places.platform === "win32" ? "wm-lsp.exe" : "wm-lsp";
  if (places.setting !== "") {
    const path = places.setting.replace(/^~(?=[/\\])/, homedir());
    return isProgram(path)
      ? { path, from: "setting" }
      : {
          problem: `The setting workingMemory.server.path names ${line(path)}, which is not a program. Change or clear it.`,
        };
  }
  const bundled = await unpack(places.extension, places.storage, name);
  if (bundled !== undefined) {
    return "path" in bundled ? { ...bundled, from: "bundled" } : bundled;
  }
  const path = onPath(name, places);
  if (path !== undefined) {
    return { path, from: "PATH" };
  }
  return {
    problem:
      "wm-lsp is neither in this extension nor on the PATH. Install the extension for your platform, or wm-lsp itself, or set workingMemory.server.path.",
  };
}

/** The version that the program reports, or a problem as a sentence. */
export type Checked = { version: string } | { problem: string };

/** Asks the program for its version. */
export function check(path: string, timeoutMillis: number): Promise<Checked> {
  return new Promise((resolve) => {
    const options = {
      timeout: timeoutMillis,
      killSignal: "SIGKILL",
      maxBuffer: 64 * 1024,
      encoding: "utf8",
    } as const;
    const child = execFile(path, ["--version"], options, (error, stdout) => {
      const version = /^wm-lsp\s+(\S.*)/m.exec(stdout)?.[1];
      if (error === null && version !== undefined) {
        resolve({ version: line(version, 80) });
      } else if (error?.killed === true && typeof error.code !== "string") {
        resolve({ problem: `${line(path)} does not respond to --version. Check workingMemory.server.path.` });
      } else {
        resolve({
          problem: `${line(path)} is not a working wm-lsp (${why(error)}). Check workingMemory.server.path.`,
        });
      }
    });
    child.stdin?.end();
  });
}

function why(error: ExecFileException | null): string {
  if (error === null) {
    return "it reports another name";
  }
  return typeof error.code === "number"
    ? `exit code ${error.code}`
    : line(error.code ?? error.signal ?? error.message, 100);
}
