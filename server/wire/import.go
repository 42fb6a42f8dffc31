package wire

// ImportParams name the memory of another program to take over, or an import to take back.
type ImportParams struct {
	Params
	// The format; "opencode-working-memory" by default. With path, absent is the format that the file has.
	From ImportSource `json:"from,omitzero"`
	// The absolute path of a file or folder to read; by default, where the program keeps the memory of the
	// workspace.
	Path string `json:"path,omitzero"`
	// True to change nothing and say what would be taken over.
	DryRun bool `json:"dryRun,omitzero"`
	// True to take over also what was taken over before, which may have been removed since.
	Again bool `json:"again,omitzero"`
	// True to take back the latest import, or the latest one of the format in from. What was changed since
	// stays. Repeated, it takes back the one before.
	Undo bool `json:"undo,omitzero"`
	// True to offer the memory of the format no more in the panel.
	Dismiss bool `json:"dismiss,omitzero"`
}

// ImportSource is a format in which programs keep memory that can be taken over.
type ImportSource string

// The formats.
const (
	ImportAll                   ImportSource = "all"                     // All that have a place for the workspace.
	ImportOpenCodeWorkingMemory ImportSource = "opencode-working-memory" // The plugin of OpenCode, in both layouts.
	ImportSessionFolders        ImportSource = "session-folders"         // ~/.ai/sessions, with working-memory.
	ImportClaudeMemory          ImportSource = "claude-memory"           // MEMORY.md and topics of Claude Code.
	ImportSerena                ImportSource = "serena"                  // .serena/memories.
	ImportClineMemoryBank       ImportSource = "cline-memory-bank"       // memory-bank.
	ImportInstructions          ImportSource = "instructions"            // CLAUDE.md, AGENTS.md, .cursor/rules, ….
	ImportClaudeMem             ImportSource = "claude-mem"              // An export of claude-mem; needs path.
	ImportServerMemory          ImportSource = "server-memory"           // JSON Lines of server-memory; needs path.
	ImportMem0                  ImportSource = "mem0"                    // An export of mem0 or OpenMemory; needs path.
	ImportBasicMemory           ImportSource = "basic-memory"            // Notes of basic-memory; needs path.
)

// ImportResult is what was taken over now, or taken back. All lists are empty if there is nothing new.
type ImportResult struct {
	// A receipt for each entry of the workspace memory, also for those that are rejected, and, with undo, for
	// those that are removed.
	Memories []Receipt `json:"memories"`
	// The ids of the sessions whose core memory and working memory were taken over, or that were deleted.
	Sessions []string `json:"sessions"`
	// What was not read, or not taken back, and why.
	Skipped []ImportSkipped `json:"skipped"`
	// The notes that were taken over.
	Notes []ImportNote `json:"notes,omitzero"`
	// The number of secrets that were removed in all.
	Redactions int `json:"redactions,omitzero"`
	// The number of entries, sessions and notes that an earlier import decided about. They are left out without again.
	Before int `json:"before,omitzero"`
	// True if nothing was changed, because dryRun was asked for.
	DryRun bool `json:"dryRun,omitzero"`
	// With dryRun, what would be taken over, for a person.
	Markdown string `json:"markdown,omitzero"`
	// The call that takes all of it back.
	Undo *Undo `json:"undo,omitzero"`
}

// ImportNote is a document that is a note of a session now.
type ImportNote struct {
	// The session.
	SessionID string `json:"sessionId"`
	// The path of the note.
	Path string `json:"path"`
	// Where it was read.
	Imported Imported `json:"imported"`
	// The number of secrets that were removed from it.
	Redactions int `json:"redactions,omitzero"`
}

// ImportSkipped is a file, or a part of one, that is not taken over.
type ImportSkipped struct {
	// The file, the session, the note or the id of the entry.
	Name string `json:"name"`
	// The reason.
	Reason string `json:"reason"`
}
