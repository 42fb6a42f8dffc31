package wire

// ErrorsListParams request the open errors.
type ErrorsListParams struct {
	Params
	// Only errors in these files or folders, relative to the workspace.
	Paths []string `json:"paths,omitzero"`
}

// ErrorsListResult are the open errors.
type ErrorsListResult struct {
	// The errors, last seen first.
	Errors []OpenError `json:"errors"`
}

// OpenError is an error that has not been seen fixed.
type OpenError struct {
	// 12 hex digits. The same error on another line has the same fingerprint.
	Fingerprint string `json:"fingerprint"`
	// "typecheck", "test", "lint", "build", "runtime", or a category from the settings.
	Category string `json:"category"`
	// The error in one line. For a failing test it begins with the id of the test.
	Summary string `json:"summary"`
	// The file, relative to the workspace, or absolute if it is outside.
	Path string `json:"path,omitzero"`
	// The line, from 1.
	Line int `json:"line,omitzero"`
	// The language server or tool that reported it.
	Tool string `json:"tool,omitzero"`
	// The command that failed.
	Command string `json:"command,omitzero"`
	// How often it was reported.
	Count int `json:"count"`
	// When it was first reported.
	FirstSeen Time `json:"firstSeen"`
	// When it was last reported.
	LastSeen Time `json:"lastSeen"`
	// False after a restart of the server, and when all sessions that reported it are over,
	// until it is reported again.
	Verified bool `json:"verified"`
	// True if its file was edited since.
	MaybeFixed bool `json:"maybeFixed,omitzero"`
	// True if the exit code was 0 because of a pipe, but the output reports failed tests.
	Masked bool `json:"masked,omitzero"`
	// All sources that report it. It is closed when all of them have closed it.
	Sources []ErrorSource `json:"sources"`
}

// ErrorOrigin is what reported an error.
type ErrorOrigin string

// The origins.
const (
	OriginDiagnostic ErrorOrigin = "diagnostic" // A language server.
	OriginCommand    ErrorOrigin = "command"    // A command that failed.
	OriginUser       ErrorOrigin = "user"       // A person, in a message.
)

// ErrorSource is a source that reports an error.
type ErrorSource struct {
	// A language server or a command.
	Origin ErrorOrigin `json:"origin"`
	// The session in which it was reported.
	SessionID string `json:"sessionId"`
	// Whether that session is live.
	Live bool `json:"live"`
}

// ErrorParams name an error that is open, or was dismissed.
type ErrorParams struct {
	Params
	// Its fingerprint.
	Fingerprint string `json:"fingerprint"`
}

// ErrorsDismissResult is the error that was dismissed or restored.
type ErrorsDismissResult struct {
	// The error.
	Error OpenError `json:"error"`
}

// ErrorsRememberParams name the error to remember.
type ErrorsRememberParams struct {
	ErrorParams
	// How it is fixed.
	Fix string `json:"fix,omitzero"`
	// The type of the entry; project by default.
	Type string `json:"type,omitzero"`
}

// ErrorsCopyResult describes an error for an agent.
type ErrorsCopyResult struct {
	// What the editor writes to its clipboard: the error, its place, and the command that showed it.
	Clipboard string `json:"clipboard"`
}

// ErrorsCommandResult is the command that showed an error.
type ErrorsCommandResult struct {
	// What the editor runs in its terminal when the person has agreed.
	Run TerminalCommand `json:"run"`
}

// TerminalCommand is a command line for a terminal. An agent may have written it: an editor shows it to
// the person as it is, and asks before it is run.
type TerminalCommand struct {
	// The command line. It may have several lines.
	Command string `json:"command"`
	// The absolute path of the folder in which it is run.
	Cwd string `json:"cwd"`
}

// SourceWM is the source of the diagnostics that the server publishes.
const SourceWM = "wm"
