package wire

// WorkspacePurgeParams confirm the deletion of all memory of a workspace.
type WorkspacePurgeParams struct {
	Params
	// The key of the workspace, from wm/status.
	Confirm string `json:"confirm"`
}

// WorkspacePurgeResult is what was removed.
type WorkspacePurgeResult struct {
	// What was removed, one line each.
	Removed []string `json:"removed"`
	// The files that could not be deleted yet, relative to the folder of the workspace. It is
	// tried again, also at the next start, until there are none.
	FilesLeft []string `json:"filesLeft,omitzero"`
	// What to tell a person if there are such files.
	Message string `json:"message,omitzero"`
}
