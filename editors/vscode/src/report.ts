// Answers of the server as texts for a read-only editor.
import { lines } from "./text";
import type { MemoryExplainResult, StatusResult } from "./wire";

/** How an entry came to be and what happened to it. */
export function trace({ entry, events, retention }: MemoryExplainResult): string {
  const parts = [
    `# ${entry.id}`,
    "",
    entry.text,
    "",
    ...(entry.rationale === undefined ? [] : [`Why: ${entry.rationale}`]),
    `Type ${entry.type}, ${entry.status}${entry.pinned === true ? ", pinned" : ""}, said ${entry.reinforced} times again`,
    `Rank ${retention.rank}, ${retention.rendered ? "in contexts" : "not in contexts"}: ${retention.reason}`,
    "",
    "# What happened",
    "",
    ...events.map((event) => {
      const by = event.by === undefined ? "" : ` by ${event.by}`;
      const reason = event.reason === undefined ? "" : `: ${event.reason}`;
      return `${event.at}  ${event.kind}${by}${reason}`;
    }),
    "",
  ];
  return lines(parts.join("\n"));
}

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
