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
}
