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

/** The set values of section wm; those of a folder only if it is trusted. */
export function serverSettings(scope?: vscode.Uri): object {
  const set = vscode.workspace.getConfiguration(undefined, scope).inspect<unknown>("wm");
  const ofFolders = vscode.workspace.isTrusted ? [set?.workspaceValue, set?.workspaceFolderValue] : [];
  const layers = [set?.globalValue, ...ofFolders];
  const merged = layers.reduce<unknown>(over, {});
  return isTable(merged) ? merged : {};
}
