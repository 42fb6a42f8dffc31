package room

import (
	"context"
	"log/slog"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// A memory type that does more than keep a state has a service. A room decides
// and never writes; its service writes through the workspace, works on files and
// follows what happens. Rooms are made anew whenever the state is loaded anew,
// so a service looks its room up each time. It lives as long as the workspace.
//
// What a service is called for is told by the interfaces below; rooms may
// implement them, too. All of them are called on the queue of the workspace.

// ErrStore means that what is kept on disk cannot be reached; nothing was changed.
// The message says why.
var ErrStore error = fault.Refuse(fault.Store, fault.Data{}, "the memory cannot be written")

// A Host is a workspace as services see it. All but Do, Offer and what only reads
// is called on its queue.
type Host interface {
	Settings() *settings.Settings
	// Now returns the wall clock in UTC, in whole milliseconds.
	Now() time.Time
	Log() *slog.Logger
	// Rooms returns the rooms as they are now.
	Rooms() []Room

	// Apply decides and writes. The decision is made on the newest state of all
	// processes and may be made twice, so it must have no effects. Its changes are on
	// the disk when Apply returns.
	Apply(ctx context.Context, who change.Actor, decide func() ([]change.Change, error)) ([]change.Change, error)
	// ApplyHot folds changes now and writes them soon.
	ApplyHot(ctx context.Context, who change.Actor, changes []change.Change) ([]change.Change, error)
	// Attend starts or resumes the session of an event, if need be.
	Attend(ctx context.Context, ev event.Event) error
	// Do puts a task on the queue, waiting while it is full. It reports false if the
	// workspace is closed.
	Do(task func()) bool
	// Offer puts a task on the queue, which may be called there. It reports false if
	// the queue is full or closed.
	Offer(task func()) bool

	// Paused reports whether nothing is recorded now.
	Paused() bool
	// NotDeleted returns an error if a session was deleted.
	NotDeleted(session string) error
	// SessionDir returns the folder of a session, which need not exist. The error is
	// ErrStore.
	SessionDir(session string) (string, error)
	// Served returns the sessions that this process serves.
	Served() []string
	// SetProblem tells people of a problem until it is cleared; about identifies it.
	SetProblem(about string, problem Problem)
	ClearProblem(about string)
}

// A Problem is something that a person should know of, and what to do about it.
type Problem struct {
	Severity string // "error" or "warning"
	Message  string
	Fix      string
}

// Failure returns a problem that keeps something from working.
func Failure(message, fix string) Problem {
	return Problem{Severity: "error", Message: message, Fix: fix}
}

// Warning returns a problem with which everything goes on.
func Warning(message, fix string) Problem {
	return Problem{Severity: "warning", Message: message, Fix: fix}
}

// A Recorder keeps events themselves. It is called before anything else is made of
// an event, so that an event whose recording fails can be told again.
type Recorder interface {
	Record(ctx context.Context, ev event.Event) error
}

// A Follower is told of changes that were folded, of whichever process. It must
// not write; it may put a task on the queue.
type Follower interface {
	Committed(changes []change.Change)
}

// A Looker looks about every second, and when the store was opened, for what
// nobody tells.
type Looker interface {
	Look(ctx context.Context)
}

// A Releaser is told that this process is about to stop serving a session.
type Releaser interface {
	Release(session string)
}

// A Tidier removes from the folder of a session what nobody has written. No
// process serves the session, nor can begin to meanwhile.
type Tidier interface {
	Tidy(dir string) error
}

// A Leaver finishes what it has put off. It is called before the workspace is
// closed, while it still can be written.
type Leaver interface {
	Leave(ctx context.Context)
}

// A Salvager returns the readable copy of what is in memory, for Rebuilders.
type Salvager interface {
	Salvage() ([]byte, error)
}
