package wire

// FilesListParams request the active files.
type FilesListParams struct {
	Params
	// The maximum number; all if absent or 0.
	Limit int `json:"limit,omitzero"`
}

// FilesListResult are the active files.
type FilesListResult struct {
	// The files, highest rank first.
	Files []ActiveFile `json:"files"`
}

// ActiveFile is a file that is in use.
type ActiveFile struct {
	// The path, relative to the workspace, with /.
	Path string `json:"path"`
	// The action with the highest weight.
	Action FileAction `json:"action"`
	// The number of actions.
	Count int `json:"count"`
	// The weight of the action + 3 × count (systems.md B8).
	Rank int `json:"rank"`
	// When the last action was.
	LastSeen Time `json:"lastSeen"`
	// The session that changed it last, or else that of the last action.
	SessionID string `json:"sessionId"`
	// The agent or editor of that session.
	By string `json:"by,omitzero"`
	// The SHA-256 of its content at that time, in hex, if known.
	Hash string `json:"hash,omitzero"`
}

// FileAction is an action on a file.
type FileAction string

// The actions, by falling weight.
const (
	FileEdit  FileAction = "edit"  // Its content was changed.
	FileWrite FileAction = "write" // It was written or saved as a whole.
	FileGrep  FileAction = "grep"  // It was searched, or a search of a folder reported it.
	FileRead  FileAction = "read"  // It was read or opened.
	FileGlob  FileAction = "glob"  // A search for names, or a listing, reported it.
)
