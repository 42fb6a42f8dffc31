package wire

// WorkspacePurgeParams confirm that everything about a workspace is to be
// forgotten.
type WorkspacePurgeParams struct {
	Params
	// The key of the workspace, as wm/status gives it.
	Confirm string `json:"confirm"`
}

// WorkspacePurgeResult says what is gone.
type WorkspacePurgeResult struct {
	// Everything that was removed, one line each.
	Removed []string `json:"removed"`
}
