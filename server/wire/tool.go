package wire

import "encoding/json"

// ToolExecutedParams say which tool an agent ran, and what came of it.
type ToolExecutedParams struct {
	Params
	// Its name. What it does is told from it: read, view, open; edit, patch,
	// multiedit, apply_patch; write, create; grep, glob, search, list; bash,
	// shell, run, exec; others by the settings under tools.
	Tool string `json:"tool"`
	// What it was called with, an object. Paths are read from filePath, path,
	// file_path and paths, relative ones from cwd; a command line from command.
	Input json.RawMessage `json:"input,omitzero"`
	// What it printed.
	Output string `json:"output,omitzero"`
	// Its own error message.
	Error string `json:"error,omitzero"`
	// Exit code of the command, null or absent if it is not known.
	ExitCode *int `json:"exitCode,omitzero"`
	// Whether it did what it was to do.
	Outcome Outcome `json:"outcome,omitzero"`
	// What else the host knows, an object. The exit code is also looked for in
	// its exitCode, exit_code, exit, code and status.
	Metadata json.RawMessage `json:"metadata,omitzero"`
	// The folder that it ran in, absolute; the workspace by default.
	Cwd string `json:"cwd,omitzero"`
	// True if the host made the output up.
	Synthetic bool `json:"synthetic,omitzero"`
	// The host's id of the call; the same one twice counts once.
	CallID string `json:"callId,omitzero"`
	// True if the output is to be answered pruned, as wm/prune does.
	Prune bool `json:"prune,omitzero"`
}

// Outcome says whether a tool did what it was to do.
type Outcome string

// The outcomes.
const (
	OutcomeSuccess Outcome = "success" // It did.
	OutcomeFailure Outcome = "failure" // It did not; without an exit code that is an unknown code other than 0.
)

// ToolExecutedResult says what that changed.
type ToolExecutedResult struct {
	// The files that it touched.
	ActiveFiles []ActiveFile `json:"activeFiles"`
	// Errors that are open now and were not before.
	Opened []OpenError `json:"opened"`
	// Fingerprints of errors that are closed now.
	Closed []string `json:"closed"`
	// The output, pruned, if that was asked for.
	Output *Pruned `json:"output,omitzero"`
}
