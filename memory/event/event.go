// Package event is what happened: plain data that the server makes of the
// messages of editors and agents, and that the rooms observe. An event states
// facts only; what they mean is each room's own business.
package event

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

// An Event is one thing that happened in a workspace.
type Event struct {
	// At is when it happened, UTC.
	At time.Time
	// Session is the id of the session in which it happened; Agent the name of
	// the agent or editor; Task the agent's task id. Agent and Task may be empty.
	Session, Agent, Task string
	// Worktree is the folder to which the paths of the event are relative:
	// hot state is kept per worktree.
	Worktree string
	// Attached is true if who tells of it speaks for the session without owning it:
	// it may leave at once, and the session goes on for the time of its lease.
	Attached bool
	// ID makes the event idempotent when it is not empty: a second event of the
	// same session with the same ID changes nothing.
	ID string
	// Body is one of the types below.
	Body any
}

// SessionStarted says that a session begins or resumes.
type SessionStarted struct {
	Title string
	// Explicit is true if a client asked for it, rather than a first event.
	Explicit bool
	// Resumed is true if nothing kept the session alive just before: the process
	// of its owner is gone, or its lease is over.
	Resumed bool
	// LeaseUntil is how long a session without an owner goes on; zero if it has one.
	LeaseUntil time.Time
}

// SessionEnded says that a session is over. Lost or Expired is true if nobody said
// so: the process of its owner is gone, or its lease is over.
type SessionEnded struct{ Lost, Expired bool }

// SessionDeleted says that everything of a session is to be forgotten.
type SessionDeleted struct{}

// Written says that something was written into what is kept of a session, by its
// own agent or by somebody else, such as a person in an editor.
type Written struct{ Own bool }

// FileAction is what was done to a file.
type FileAction string

// The actions, in the order of their weight (systems.md B8).
const (
	Edit  FileAction = "edit"
	Write FileAction = "write"
	Grep  FileAction = "grep"
	Read  FileAction = "read"
)

// FileTouched says that a file was read or changed. A burst of changes in an
// editor is one event.
type FileTouched struct {
	Path   string // relative to the worktree, with /
	Action FileAction
	Hash   string // sha256 of the content, hex; empty if not known
	// Since is when the server began, where an editor opens the file: it opens its
	// files again with every server, and has not read again what the session touched before.
	Since time.Time
}

// FileRenamed says that a file or folder has a new path.
type FileRenamed struct{ From, To string }

// FileDeleted says that a file or folder is gone.
type FileDeleted struct{ Path string }

// Diagnostics is the whole set of diagnostics of one file, as its language
// server sees it now.
type Diagnostics struct {
	Path    string // relative to the worktree, with /; absolute if outside
	Version int32  // of the document, 0 if not known
	Items   []Diagnostic
	// ClosesOnly is true while the document is being typed in: what is no longer
	// in the set is closed, nothing is opened (systems.md B10).
	ClosesOnly bool
}

// A Diagnostic is one finding of a language server.
type Diagnostic struct {
	Severity int // 1 error, 2 warning, 3 information, 4 hint
	Line     int // 1-based
	Source   string
	Code     string
	Message  string
}

// ToolRan says that an agent ran a tool.
type ToolRan struct {
	Tool     string
	Input    json.RawMessage // an object or empty
	Output   string
	Error    string
	ExitCode *int // nil if not known
	// Failed is true if the tool reported a failure, also where the code is not known.
	Failed    bool
	Cwd       string // absolute
	Synthetic bool

	run *tool.Run
}

// Run returns the command that the tool ran, with its output. The settings say
// which errors there are besides the known ones.
func (t ToolRan) Run(worktree string, errors settings.Errors) *tool.Run {
	if t.run != nil {
		return t.run
	}
	output := t.Output
	if t.Error != "" {
		output = strings.TrimSuffix(output, "\n") + "\n" + t.Error
	}
	return tool.NewRun(tool.CommandLine(t.Input), t.Cwd, worktree,
		command.Output{Stdout: output, ExitCode: t.ExitCode, Failed: t.Failed}, errors)
}

// Prepared returns the same with its run at hand, so that several rooms read
// what it printed once.
func (t ToolRan) Prepared(worktree string, errors settings.Errors) ToolRan {
	t.run = t.Run(worktree, errors)
	return t
}

// MessageReceived says that a message was added to the conversation.
type MessageReceived struct {
	Role   string // user, assistant, system, tool
	Text   string
	Tokens int // 0 if not known
}

// A Todo is one line of the host's own list.
type Todo struct {
	Content  string `json:"content"`
	Status   string `json:"status"`
	Priority string `json:"priority,omitempty"`
}

// TodosChanged is the host's whole todo list.
type TodosChanged struct{ Todos []Todo }

// UsageReported says how full the agent's context is.
type UsageReported struct {
	Used, Limit int
	Unit        string // chars or tokens
	Messages    int    // in the history of the host; 0 if not known
}

// CompactionFinished says that the conversation was replaced by a summary.
type CompactionFinished struct{ Summary string }
