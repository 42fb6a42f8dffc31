// Generated from server/mcp by go test ./server/mcp -run Current -update; edit tools.go.

/** The names of the MCP server's tools, by method. */
export const methodNames = {
  "wm/context": "memory_context",
  "wm/memory/add": "memory_remember",
  "wm/memory/list": "memory_list",
  "wm/memory/remove": "memory_forget",
  "wm/core/update": "core_memory_update",
  "wm/notes/read": "notes_read",
  "wm/notes/write": "notes_write",
  "wm/errors/list": "open_errors",
  "wm/history/compact": "compact_history",
  "wm/core/read": "core_memory_read",
  "wm/working/read": "working_memory_read",
  "wm/working/add": "working_memory_add",
  "wm/working/remove": "working_memory_remove",
  "wm/working/clear": "working_memory_clear",
  "wm/memory/update": "memory_update",
  "wm/memory/explain": "memory_explain",
  "wm/notes/list": "notes_list",
  "wm/notes/archive": "notes_archive",
  "wm/prune": "prune_output",
  "wm/output/read": "read_output",
  "wm/usage/reported": "report_usage",
  "wm/files/list": "active_files",
  "wm/memorize": "memorize",
} as const;
