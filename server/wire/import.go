package wire

// ImportParams name the memory of another program to take over.
type ImportParams struct {
	Params
	// The program; "opencode-working-memory" by default, which is the only one.
	From ImportSource `json:"from,omitzero"`
}

// ImportSource is a program whose memory can be taken over.
type ImportSource string

// ImportOpenCodeWorkingMemory is the plugin of OpenCode of that name, with the files of both of its
// layouts: .opencode/memory-core and .opencode/memory-working in the workspace, and
// opencode-working-memory/workspaces in the user's data folder.
const ImportOpenCodeWorkingMemory ImportSource = "opencode-working-memory" // The plugin of OpenCode of that name.

// ImportResult is what was taken over now. All lists are empty if there is nothing new.
type ImportResult struct {
	// A receipt for each entry of the workspace memory, also for those that are rejected.
	Memories []Receipt `json:"memories"`
	// The ids of the sessions whose core memory and working memory were taken over.
	Sessions []string `json:"sessions"`
	// What was not read, and why.
	Skipped []ImportSkipped `json:"skipped"`
}

// ImportSkipped is a file, or a part of one, that is not taken over.
type ImportSkipped struct {
	// The file, or the session.
	Name string `json:"name"`
	// The reason.
	Reason string `json:"reason"`
}
