package wire

// FilesListParams ask for the active files.
type FilesListParams struct {
	Params
	// How many at most; all by default.
	Limit int `json:"limit,omitzero"`
}

// FilesListResult are the active files.
type FilesListResult struct {
	// Highest rank first.
	Files []ActiveFile `json:"files"`
}

// ActiveFile is a file that is being worked with.
type ActiveFile struct {
	// Relative to the workspace, with /.
	Path string `json:"path"`
	// The heaviest thing that was done to it.
	Action FileAction `json:"action"`
	// How often anything was done to it.
	Count int `json:"count"`
	// Weight of the action + 3 × count (systems.md B8).
	Rank int `json:"rank"`
	// When something was last done to it.
	LastSeen Time `json:"lastSeen"`
	// The session that did it.
	SessionID string `json:"sessionId"`
	// The agent or editor that did it.
	By string `json:"by,omitzero"`
	// SHA-256 of its content then, hex, where known.
	Hash string `json:"hash,omitzero"`
}

// FileAction is what was done to a file.
type FileAction string

// The actions, heaviest first.
const (
	FileEdit  FileAction = "edit"  // Its content was changed.
	FileWrite FileAction = "write" // It was written or saved as a whole.
	FileGrep  FileAction = "grep"  // It was searched or listed.
	FileRead  FileAction = "read"  // It was read or opened.
)
