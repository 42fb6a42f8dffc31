package room

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// A memory type that does more than keep state has a service. A room returns changes and
// never writes. Its service writes through the workspace, reads and writes files, and
// follows changes. Rooms are replaced when the state is reloaded, so a service looks up its
// room each time. A service exists as long as the workspace.
//
// Services and rooms may implement the interfaces below. Their methods are called on the
// queue of the workspace.

// ErrStore is returned if the store cannot be used. Nothing was changed. The message says
// why.
var ErrStore error = fault.Refuse(fault.Store, fault.Data{}, "the memory cannot be written")

// A Host is a workspace as services use it. Its methods are called on its queue, except Do,
// Offer and methods that only read.
type Host interface {
	Settings() *settings.Settings
	// Now returns the wall clock in UTC, in whole milliseconds.
	Now() time.Time
	// AgeNow returns the time from which the ages of what is kept are measured: Now, unless
	// the clock may have jumped.
	AgeNow() time.Time
	Log() *slog.Logger
	// Rooms returns the current rooms.
	Rooms() []Room

	// Apply writes the changes that decide returns. decide is called on the newest state of
	// all processes. It may be called twice and must have no side effects. The changes are on
	// the disk when Apply returns.
	Apply(ctx context.Context, who change.Actor, decide func() ([]change.Change, error)) ([]change.Change, error)
	// ApplyHot folds changes now and writes them soon.
	ApplyHot(ctx context.Context, who change.Actor, changes []change.Change) ([]change.Change, error)
	// EnsureSession starts or resumes the session of an event if necessary.
	EnsureSession(ctx context.Context, ev event.Event) error
	// Do puts a task on the queue. It waits while the queue is full, and returns false if the
	// workspace is closed.
	Do(task func()) bool
	// Offer puts a task on the queue. It returns false if the queue is full or closed. Tasks
	// may call it.
	Offer(task func()) bool

	// Paused reports whether recording is paused.
	Paused() bool
	// NotDeleted returns an error if a session was deleted.
	NotDeleted(session string) error
	// SessionDir returns the folder of a session, which need not exist. The error is
	// ErrStore.
	SessionDir(session string) (string, error)
	// Served returns the sessions that this process serves.
	Served() []string
	// SetProblem shows a problem to people until it is cleared. about identifies it.
	SetProblem(about string, problem Problem)
	ClearProblem(about string)
}

// Of returns the current room of type R of a workspace, which its service works for. It is zero if there is none.
func Of[R Room](host Host) R {
	found, _ := Find[R](host.Rooms())
	return found
}

// A Problem is a problem that a person should know about, with a fix.
type Problem struct {
	Severity string // "error" or "warning"
	Message  string
	Fix      string
}

// String returns the problem and its fix as sentences.
func (p Problem) String() string {
	if p.Fix == "" {
		return p.Message
	}
	return strings.TrimRight(p.Message, ".") + ". " + p.Fix
}

// Failure returns a problem because of which something does not work.
func Failure(message, fix string) Problem {
	return Problem{Severity: "error", Message: message, Fix: fix}
}

// Warning returns a problem despite which everything works.
func Warning(message, fix string) Problem {
	return Problem{Severity: "warning", Message: message, Fix: fix}
}

// A Recorder records events. It is called before an event has any other effect, so that a
// client can repeat an event that could not be recorded.
type Recorder interface {
	Record(ctx context.Context, ev event.Event) error
}

// A Follower is notified of folded changes of all processes. It must not write, but may put
// a task on the queue.
type Follower interface {
	Committed(changes []change.Change)
}

// An Opener is called when the store was opened. Every read waits for it, so it does only what
// reads depend on.
type Opener interface {
	Opened(ctx context.Context)
}

// A Poller is called about every second, at first a second after the start, to look for changes
// for which there is no notification.
type Poller interface {
	Poll(ctx context.Context)
}

// A Releaser is notified before this process stops serving a session.
type Releaser interface {
	Release(session string)
}

// A Tidier removes generated files from the folder of a session if they were not used. No
// process serves the session, and none can begin to during the call.
type Tidier interface {
	Tidy(dir string) error
}

// A Flusher finishes delayed work. It is called before the workspace is closed, while it can
// still be written.
type Flusher interface {
	Flush(ctx context.Context)
}

// A Salvager returns the readable copy of the state in memory, for Rebuilders.
type Salvager interface {
	Salvage() ([]byte, error)
}
