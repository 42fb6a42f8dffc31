// The settings of the server: only those that the user set, so that its defaults and the wm-lsp.toml files
// still apply.
import * as vscode from "vscode";

type Table = { [key: string]: unknown };

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Merges one value over another; tables are merged recursively. */
export function over(below: unknown, above: unknown): unknown {
  if (above === undefined) {
    return below;
  }
  if (!isTable(below) || !isTable(above)) {
    return above;
  }
  const merged: Table = { ...below };
  for (const [key, value] of Object.entries(above)) {
    merged[key] = over(merged[key], value);
  }
  return merged;
}

/** The section of all settings of this extension. */
const section = "workingMemory";

/** The tables that are the extension's own, and no settings of the server. */
const own: ReadonlySet<string> = new Set(["server", "diagnostics", "agent", "terminals"]);

/** The names of the server's settings that the manifest has. */
export function serverKeys(manifest: Manifest): string[] {
  const names = manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
  return names
    .map((name) => name.slice(`${section}.`.length))
    .filter((key) => !own.has(key.split(".")[0] ?? ""));
}

/** What is read of the manifest. */
export interface Manifest {
  contributes: { configuration: { properties: object }[] };
}

/** Returns a table with one value, such as {memory: {maxEntries: 7}} for memory.maxEntries. */
function nested(key: string, value: unknown): unknown {
  return key.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}

/** The values of the keys that are set; those of a folder only if it is trusted. */
export function serverSettings(keys: readonly string[], scope?: vscode.Uri): object {
  const settings = vscode.workspace.getConfiguration(section, scope);
  let merged: unknown = {};
  for (const key of keys) {
    const set = settings.inspect<unknown>(key);
    const ofFolders = vscode.workspace.isTrusted ? [set?.workspaceValue, set?.workspaceFolderValue] : [];
    for (const value of [set?.globalValue, ...ofFolders]) {
      merged = value === undefined ? merged : over(merged, nested(key, value));
    }
  }
  return isTable(merged) ? merged : {};
}
