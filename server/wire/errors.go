package wire

// ErrorsListParams ask for the open errors.
type ErrorsListParams struct {
	Params
	// Only errors of these files or folders, relative to the workspace.
	Paths []string `json:"paths,omitzero"`
}

// ErrorsListResult are the open errors.
type ErrorsListResult struct {
	// Last seen first.
	Errors []OpenError `json:"errors"`
}

// OpenError is an error that nobody has yet seen fixed.
type OpenError struct {
	// 12 hex digits; the same error on another line has the same one.
	Fingerprint string `json:"fingerprint"`
	// "typecheck", "test", "lint", "build", "runtime", or a category that the
	// settings add.
	Category string `json:"category"`
	// The error in one line; that of a failing test begins with the test's id.
	Summary string `json:"summary"`
	// The file, relative to the workspace, absolute outside it.
	Path string `json:"path,omitzero"`
	// The line, from 1.
	Line int `json:"line,omitzero"`
	// The language server or tool that reports it.
	Tool string `json:"tool,omitzero"`
	// The command that failed.
	Command string `json:"command,omitzero"`
	// How often it was reported.
	Count int `json:"count"`
	// When it was first reported.
	FirstSeen Time `json:"firstSeen"`
	// When it was last reported.
	LastSeen Time `json:"lastSeen"`
	// False from a restart of the server until it is reported again.
	Verified bool `json:"verified"`
	// True once its file was edited.
	MaybeFixed bool `json:"maybeFixed,omitzero"`
	// True if the command ended with code 0 because of a pipe, and it is the test
	// runner's own summary that says that tests failed.
	Masked bool `json:"masked,omitzero"`
	// All who report it; it is closed when each of them has closed it.
	Sources []ErrorSource `json:"sources"`
}

// ErrorOrigin says who reported an error.
type ErrorOrigin string

// The origins.
const (
	OriginDiagnostic ErrorOrigin = "diagnostic" // A language server.
	OriginCommand    ErrorOrigin = "command"    // A command that failed.
)

// ErrorSource is one who reports an error.
type ErrorSource struct {
	// A language server or a command.
	Origin ErrorOrigin `json:"origin"`
	// The session in which it was reported.
	SessionID string `json:"sessionId"`
	// Whether that session goes on.
	Live bool `json:"live"`
}
