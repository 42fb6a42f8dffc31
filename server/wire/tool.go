package wire

import "encoding/json"

// ToolExecutedParams are a tool call of an agent, with its outcome.
type ToolExecutedParams struct {
	Params
	// The name, which determines what the tool does: read, view, open; edit, patch,
	// multiedit, apply_patch; write, create; grep, glob, search, list; bash, shell,
	// run, exec. The settings under tools define others.
	Tool string `json:"tool"`
	// The arguments, an object. Paths are taken from filePath, path, file_path and
	// paths, the command line from command. Relative paths start at cwd.
	Input json.RawMessage `json:"input,omitzero"`
	// The output.
	Output string `json:"output,omitzero"`
	// The error message of the tool.
	Error string `json:"error,omitzero"`
	// The exit code of the command; null or absent if it is not known.
	ExitCode *int `json:"exitCode,omitzero"`
	// Whether the tool succeeded.
	Outcome Outcome `json:"outcome,omitzero"`
	// Other data of the host, an object. The exit code may also be its exitCode,
	// exit_code, exit, code or status.
	Metadata json.RawMessage `json:"metadata,omitzero"`
	// The absolute path of the working directory; the workspace by default.
	Cwd string `json:"cwd,omitzero"`
	// True if the output was written by the host and not by the tool.
	Synthetic bool `json:"synthetic,omitzero"`
	// True if a person ran a command in a terminal of the editor. It opens and closes errors, and nothing
	// else is kept of it.
	Terminal bool `json:"terminal,omitzero"`
	// The host's id of the call. A repeated id is ignored.
	CallID string `json:"callId,omitzero"`
	// True to return the pruned output, as wm/prune does.
	Prune bool `json:"prune,omitzero"`
}

// Outcome is the success or failure of a tool.
type Outcome string

// The outcomes.
const (
	OutcomeSuccess Outcome = "success" // It succeeded.
	OutcomeFailure Outcome = "failure" // It failed. Without an exit code, the code is taken to be unknown but not 0.
)

// ToolExecutedResult is the effect of a tool call.
type ToolExecutedResult struct {
	// The files that the tool touched.
	ActiveFiles []ActiveFile `json:"activeFiles"`
	// The errors that were opened.
	Opened []OpenError `json:"opened"`
	// The fingerprints of the errors that were closed.
	Closed []string `json:"closed"`
	// The id of the item of episodic memory that says what was called and what came of it; absent
	// if items.enableToolTracking is off, while recording is paused, and if the call was reported
	// before.
	ItemID string `json:"itemId,omitzero"`
	// The pruned output, if it was requested.
	Output *Pruned `json:"output,omitzero"`
}
