// How the server is, as a text for a read-only editor.
import { lines } from "./text";
import type { StatusResult } from "./wire";

/** How the server is and what is wrong. */
export function doctor(status: StatusResult, program: string): string {
  const { store, workspace, sizes, problems } = status;
  const parts = [
    `wm-lsp ${status.version}`,
    `program    ${program}`,
    `workspace  ${workspace.root === "" ? "none; open a folder" : `${workspace.root} (${workspace.key}, by ${workspace.resolvedBy})`}`,
    `store      ${store.path || "none"} (${store.healthy ? "healthy" : "NOT HEALTHY"})`,
    `sessions   ${status.sessions}`,
    `retrieval  ${status.retrieval}`,
    ...(status.pausedUntil === undefined ? [] : [`paused     until ${status.pausedUntil}`]),
    ...Object.entries(sizes).map(([name, size]) => `${name.padEnd(10)} ${size}`),
    "",
    problems.length === 0 ? "Nothing is wrong." : "Problems:",
    ...problems.map(
      ({ severity, message, fix }) => `${severity}: ${message}${fix === undefined ? "" : ` – ${fix}`}`,
    ),
    "",
  ];
  return lines(parts.join("\n"));
}
