package wire

import (
	"bytes"
	"encoding/json"
)

// DiagnosticsChangedParams are all diagnostics of one file, as its language
// server sees it now.
type DiagnosticsChangedParams struct {
	Params
	// The file.
	URI string `json:"uri"`
	// Version of the document that was looked at.
	Version *int32 `json:"version,omitzero"`
	// The whole set; it replaces the one before.
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// Diagnostic is one finding of a language server: the members of LSP's
// Diagnostic that matter here.
type Diagnostic struct {
	// Where.
	Range Range `json:"range"`
	// 1 error, 2 warning, 3 information, 4 hint; error by default.
	Severity int `json:"severity,omitzero"`
	// Its code; a number or a text.
	Code Code `json:"code,omitzero"`
	// The language server or linter.
	Source string `json:"source,omitzero"`
	// What is wrong.
	Message Message `json:"message"`
}

// Code is the code of a diagnostic. On the wire it is a text or a number, or
// an object that holds one as value, as some editors have it.
type Code string

// UnmarshalJSON reads a text, a number, or an object with a value; anything
// else is no code.
func (c *Code) UnmarshalJSON(data []byte) error {
	var object struct{ Value json.RawMessage }
	if json.Unmarshal(data, &object) == nil && object.Value != nil {
		data = object.Value
	}
	var text string
	var number json.Number
	switch {
	case json.Unmarshal(data, &text) == nil:
		*c = Code(text)
	case json.Unmarshal(data, &number) == nil:
		*c = Code(number)
	default:
		*c = ""
	}
	return nil
}

// Message is the text of a diagnostic. On the wire it is a text or LSP's
// MarkupContent, of which only the value is kept.
type Message string

// UnmarshalJSON reads a text or a MarkupContent.
func (m *Message) UnmarshalJSON(data []byte) error {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return json.Unmarshal(data, (*string)(m))
	}
	var markup struct{ Value string }
	err := json.Unmarshal(data, &markup)
	*m = Message(markup.Value)
	return err
}

// DiagnosticsChangedResult says what that changed.
type DiagnosticsChangedResult struct {
	// Errors that are open now and were not before.
	Opened []OpenError `json:"opened"`
	// Fingerprints of errors that are closed now.
	Closed []string `json:"closed"`
}

// Outcome says whether a tool did what it was to do.
type Outcome string

// The outcomes.
const (
	OutcomeSuccess Outcome = "success" // It did.
	OutcomeFailure Outcome = "failure" // It did not; without an exit code that is an unknown code other than 0.
)

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

// Role says who speaks.
type Role string

// The roles.
const (
	RoleUser      Role = "user"      // The person; each of their messages begins a turn.
	RoleAssistant Role = "assistant" // The model.
	RoleSystem    Role = "system"    // The host.
	RoleTool      Role = "tool"      // A tool.
)

// MessageReceivedParams are a message that was added to a conversation.
type MessageReceivedParams struct {
	Params
	// Who speaks.
	Role Role `json:"role"`
	// What they say.
	Text string `json:"text"`
	// The host's id of the message; the same one twice counts once.
	MessageID string `json:"messageId,omitzero"`
	// Its length in tokens, where known.
	Tokens int `json:"tokens,omitzero"`
}

// MessageReceivedResult says what was taken from the message.
type MessageReceivedResult struct {
	// One for each request to remember something.
	Memories []Receipt `json:"memories"`
	// Decisions that it states.
	Decisions []string `json:"decisions"`
	// Things to do that it states.
	Todos []string `json:"todos"`
}

// TodosChangedParams are the host's whole todo list.
type TodosChangedParams struct {
	Params
	// All of them; they replace the ones before.
	Todos []Todo `json:"todos"`
}

// Todo is one line of the host's todo list.
type Todo struct {
	// What to do.
	Content string `json:"content"`
	// The host's own word for its state, such as "pending".
	Status string `json:"status"`
	// The host's own word for its priority.
	Priority string `json:"priority,omitzero"`
}

// CompactionStartingParams say that the conversation is about to be summarised.
type CompactionStartingParams struct {
	Params
}

// CompactionStartingResult is what the summary must not lose.
type CompactionStartingResult struct {
	// What to add to the compaction prompt.
	Context string `json:"context"`
}

// CompactionFinishedParams are the summary that replaced the conversation.
type CompactionFinishedParams struct {
	Params
	// The summary. Its last <workspace_memory_candidates> block holds what to
	// remember, as lines of the form "- [type] text".
	Summary string `json:"summary"`
}

// CompactionFinishedResult says what was taken from the summary.
type CompactionFinishedResult struct {
	// One for each candidate.
	Memories []Receipt `json:"memories"`
	// One for each decision of the session that became a memory.
	Promoted []Receipt `json:"promoted"`
}
