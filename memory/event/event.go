// Package event defines the events that the server makes from the messages of editors
// and agents and that the rooms observe. Events are plain data. Each room interprets
// them itself.
package event

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/command"
	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/extract/summary"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/process"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

// An Event is one thing that happened in a workspace.
type Event struct {
	// At is when it happened, UTC.
	At time.Time
	// Session is the id of the session in which it happened, Agent the name of the agent
	// or editor, Task the agent's task id. Agent and Task may be empty.
	Session, Agent, Task string
	// Person is Actor.Person of package change.
	Person string
	// Editor is true if the session is that of an editor, in which a person works.
	Editor bool
	// Worktree is the folder to which the paths of the event are relative. Hot state is
	// stored per worktree.
	Worktree string
	// Attached is true if the sender is attached to the session without owning it. It may
	// disconnect at any time; the session continues until its lease expires.
	Attached bool
	// Host is the process of the agent, and Hook the number of the one that runs for this event only and
	// tells it. Host is "" if that is not known.
	Host process.ID
	Hook int
	// ID makes the event idempotent if it is not empty: a second event of the same session
	// with the same ID changes nothing.
	ID string
	// Body is one of the types below.
	Body any
}

// Actor returns the actor of the changes that the event makes.
func (ev Event) Actor() change.Actor {
	return change.Actor{Session: ev.Session, Agent: ev.Agent, Person: ev.Person, At: ev.At}
}

// SessionStarted is the start or resumption of a session.
type SessionStarted struct {
	Title string
	// Explicit is true if a client requested it, false if an event caused it.
	Explicit bool
	// Resumed is true if the session was not alive just before: the process of its owner
	// is gone, or its lease has expired.
	Resumed bool
	// LeaseUntil is when the lease of a session without an owner expires. It is zero if
	// the session has an owner.
	LeaseUntil time.Time
}

// SessionEnded is the end of a session. Lost is true if the process of its owner is
// gone, Expired if its lease has expired, Abandoned if its client is gone without having ended it.
type SessionEnded struct{ Lost, Expired, Abandoned bool }

// SessionDeleted is the removal of all data of a session.
type SessionDeleted struct{}

// Written is a write to the data of a session by its own agent or, if Own is false, by
// somebody else, such as a person in an editor.
type Written struct{ Own bool }

// A FileAction is an operation on a file.
type FileAction string

// The actions, in the order of their weight (systems.md B8).
const (
	Edit  FileAction = "edit"
	Write FileAction = "write"
	Grep  FileAction = "grep"
	Glob  FileAction = "glob" // only its name was found
	Read  FileAction = "read"
)

// FileTouched is a read or change of a file. A burst of changes in an editor is one
// event.
type FileTouched struct {
	Path   string // slash-separated, relative to the worktree
	Action FileAction
	Hash   string // sha256 of the content in hex, or "" if unknown
	// Since is when the server started, if an editor opened the file. An editor opens its
	// files again for every server, which is not a new read of files touched before.
	Since time.Time
}

// FileRenamed is the renaming of a file or folder.
type FileRenamed struct{ From, To string }

// FileDeleted is the deletion of a file or folder.
type FileDeleted struct{ Path string }

// Diagnostics is the current set of all diagnostics of one file.
type Diagnostics struct {
	Path    string // slash-separated, relative to the worktree; absolute if outside
	Version int32  // of the document, 0 if unknown
	Items   []Diagnostic
	// ClosesOnly is true while the document is being edited: errors that are no longer in
	// the set are closed, and none are opened (systems.md B10).
	ClosesOnly bool
}

// A Diagnostic is one diagnostic of a language server.
type Diagnostic struct {
	Severity int // 1 error, 2 warning, 3 information, 4 hint
	Line     int // 1-based
	Source   string
	Code     string
	Message  string
}

// ToolRan is the execution of a tool by an agent.
type ToolRan struct {
	Tool     string
	Input    json.RawMessage // an object or empty
	Output   string
	Error    string
	ExitCode *int // nil if unknown
	// Failed is true if the tool reported a failure, even if the exit code is unknown.
	Failed    bool
	Cwd       string // absolute
	Synthetic bool

	run *tool.Run
}

// Run returns the command that the tool ran, with its output. The settings have
// patterns of additional errors.
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

// Prepared returns the event with its run, so that the rooms share one parse of the
// output.
func (t ToolRan) Prepared(worktree string, errors settings.Errors) ToolRan {
	t.run = t.Run(worktree, errors)
	return t
}

// TerminalRan is a command that a person ran in a terminal. It opens and closes errors; nothing else is
// kept of it, because it is not the work of an agent.
type TerminalRan struct{ ToolRan }

// MessageReceived is a new message of the conversation.
type MessageReceived struct {
	Role   string // user, assistant, system, tool
	Text   string
	Tokens int // 0 if unknown

	heard *request.Heard
}

// Heard returns what the message says.
func (m MessageReceived) Heard() request.Heard {
	if m.heard == nil {
		return request.Hear(m.Role, m.Text, request.Before{})
	}
	return *m.heard
}

// Prepared returns the event with what the message says, so that the rooms share one reading
// of it. The message may refer to what was said before.
func (m MessageReceived) Prepared(before request.Before) MessageReceived {
	heard := request.Hear(m.Role, m.Text, before)
	m.heard = &heard
	return m
}

// Task returns summary.Task of a message of the user that is prepared, "" of others.
func (m MessageReceived) Task(former string) string {
	if m.Role != "user" || m.heard == nil {
		return ""
	}
	return summary.Task(m.Text, former)
}

// Leaning returns summary.Leaning of a task and a message that asks for something, as Task returns it.
func (m MessageReceived) Leaning(task, asked string) string {
	return summary.Leaning(task, m.Text, asked)
}

// Continued returns summary.Continued of a task and a message of the user that is prepared.
func (m MessageReceived) Continued(task string) string {
	if m.Role != "user" || m.heard == nil {
		return ""
	}
	answers := ""
	if said := m.heard.Sayings; len(said) > 0 {
		answers = said[0].Answers
	}
	return summary.Continued(task, m.Text, answers)
}

// A Todo is one item of the host's own todo list.
type Todo struct {
	ID       string `json:"id,omitempty"` // of the host; "" if it gives none
	Content  string `json:"content"`
	Status   string `json:"status"`
	Priority string `json:"priority,omitempty"`
}

// TodosChanged is a change of the host's todo list, with all items or, if Partial is true, with those that
// have changed. Of a known item these have only what has changed.
type TodosChanged struct {
	Todos   []Todo
	Partial bool
}

// UsageReported is a report of the usage of the agent's context.
type UsageReported struct {
	Used, Limit int
	Unit        string // chars or tokens
	Messages    int    // in the history of the host; 0 if unknown
	Split       Split
}

// Split is what the used tokens of an agent's context are, as far as its host knows: its own instructions, the
// descriptions of its tools, and the conversation. Each is 0 if it is not known.
type Split struct {
	System  int `json:"system,omitempty"`
	Tools   int `json:"tools,omitempty"`
	History int `json:"history,omitempty"`
}

// CompactionFinished is the replacement of the conversation by a summary.
type CompactionFinished struct {
	Summary string
	// Recorded is true if the compaction is in the log of the session already.
	Recorded bool
}
