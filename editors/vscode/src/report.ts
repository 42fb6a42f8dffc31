// The status of the server as text for a read-only editor.
import { lines } from "./text";
import type { StatusResult } from "./wire";

/** Returns the status of the server and its problems. */
export function doctor(status: StatusResult, program: string): string {
  const { store, workspace, sizes, problems } = status;
  const { root, key, resolvedBy } = workspace;
  const facts: [string, unknown][] = [
    ["program", program],
    ["workspace", root === "" ? "none; open a folder" : `${root} (${key}, by ${resolvedBy})`],
    ["store", `${store.path || "none"} (${store.healthy ? "healthy" : "NOT HEALTHY"})`],
    ["sessions", status.sessions],
    ["retrieval", status.retrieval],
    ...(status.pausedUntil === undefined
      ? []
      : [["paused", `until ${status.pausedUntil}`] as [string, unknown]]),
    ...Object.entries(sizes).sort(([a], [b]) => a.localeCompare(b)),
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  const parts = [
    `wm-lsp ${status.version}`,
    ...facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    "",
    problems.length === 0 ? "No problems." : "Problems:",
    ...problems.map(
      ({ severity, message, fix }) => `${severity}: ${message}${fix === undefined ? "" : ` – ${fix}`}`,
    ),
    "",
  ];
  return lines(parts.join("\n"));
}
