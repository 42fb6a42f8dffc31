// Package hot is the room of the hot state: which files are being worked on,
// which errors are open, what was decided and is to be done in the sessions
// that are going on (systems.md B7 to B13). It is kept per worktree, and much of
// it is gone when a session is.
package hot

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// The kinds of changes that this room writes. All but the notes are hot: their
// fold does not depend on their order among those of other processes.
const (
	FileTouched      change.Kind = "file.touched"
	FileRenamed      change.Kind = "file.renamed"
	FileDeleted      change.Kind = "file.deleted"
	ErrorSeen        change.Kind = "error.seen"
	ErrorClosed      change.Kind = "error.closed"
	ErrorsUnverified change.Kind = "error.unverified"
	CommandSucceeded change.Kind = "command.succeeded"
	NoteTaken        change.Kind = "note.taken"
	NoteForgotten    change.Kind = "note.forgotten"
	TodosSet         change.Kind = "todos.set"
)

// Options are what the room needs to know from outside.
type Options struct {
	Settings func() *settings.Settings
	// Live reports whether a session goes on.
	Live func(session string) bool
	// Tracked gives the path of a file relative to the worktree, with /, and
	// whether it is tracked. Relative paths are taken from cwd.
	Tracked func(worktree, cwd, file string) (rel string, tracked bool)
	// Trace returns at most limit changes of a kind from the log, oldest first.
	Trace func(ctx context.Context, kind change.Kind, limit int) []change.Change
}

// Room knows the hot state. It is safe for concurrent use.
type Room struct {
	Options

	mu        sync.RWMutex
	files     change.Table[File]
	errors    change.Table[Error]
	successes change.Table[success]
	notes     change.Table[[]Note]       // by session and kind, oldest first
	todos     change.Table[[]event.Todo] // by session
}

// New returns an empty room.
func New(options Options) *Room {
	return &Room{
		Options: options,
		files:   change.Table[File]{}, errors: change.Table[Error]{}, successes: change.Table[success]{},
		notes: change.Table[[]Note]{}, todos: change.Table[[]event.Todo]{},
	}
}

// Name names the rows of the room.
func (r *Room) Name() string { return "hot" }

// Nouns returns the nouns of the changes that this room writes. The fold of a
// touched file also concerns the errors in it.
func (r *Room) Nouns() []room.Noun {
	return []room.Noun{
		{Name: "file", Panel: []string{"files", "errors"}, Context: []string{"session"}},
		{Name: "error", Panel: []string{"errors"}, Context: []string{"session", "working", "meta"}},
		{Name: "command", Panel: []string{"errors"}, Context: []string{"session", "working", "meta"}},
		{Name: "note", Context: []string{"session"}},
		{Name: "todos", Context: []string{"session"}},
	}
}

// The tables of the room: the first part of a row's key.
const (
	fileTable    = "file"
	errorTable   = "error"
	successTable = "success"
	noteTable    = "note"
	todoTable    = "todos"
)

func key(parts ...string) string { return strings.Join(parts, "\x1f") }

// Load sets rows.
func (r *Room) Load(rows []change.Row) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for _, row := range rows {
		table, _, _ := strings.Cut(row.Key, "\x1f")
		switch table {
		case fileTable:
			errs = append(errs, r.files.Load(row))
		case errorTable:
			errs = append(errs, r.errors.Load(row))
		case successTable:
			errs = append(errs, r.successes.Load(row))
		case noteTable:
			errs = append(errs, r.notes.Load(row))
		case todoTable:
			errs = append(errs, r.todos.Load(row))
		}
	}
	return errors.Join(errs...)
}

// Observe answers what an event means for the hot state.
func (r *Room) Observe(ev event.Event) ([]change.Change, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	switch body := ev.Body.(type) {
	case event.FileTouched:
		return []change.Change{r.touch(ev, body)}, nil
	case event.FileRenamed:
		return r.observeRename(ev, body), nil
	case event.FileDeleted:
		return r.observeDelete(ev, body), nil
	case event.Diagnostics:
		return r.observeDiagnostics(ev, body), nil
	case event.ToolRan:
		return r.observeTool(ev, body), nil
	case event.MessageReceived:
		return observeMessage(body), nil
	case event.TodosChanged:
		if slices.Equal(body.Todos, r.todos[key(todoTable, ev.Session)]) {
			return nil, nil
		}
		return []change.Change{change.New(TodosSet, ev.Session, body.Todos).AsHot()}, nil
	case event.SessionStarted:
		if body.Resumed && r.hasErrors(ev.Session) {
			return []change.Change{change.New(ErrorsUnverified, ev.Session, struct{}{}).AsHot()}, nil
		}
	}
	return nil, nil
}

// Fold applies a change.
func (r *Room) Fold(c change.Change) ([]change.Row, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch c.Kind {
	case FileTouched:
		return r.foldTouch(c)
	case FileRenamed:
		return r.foldRename(c)
	case FileDeleted:
		return r.foldDelete(c)
	case ErrorSeen:
		return r.foldSeen(c)
	case ErrorClosed:
		return r.foldClosed(c)
	case ErrorsUnverified:
		return r.foldUnverified(c)
	case CommandSucceeded:
		return r.foldSucceeded(c)
	case NoteTaken:
		return r.foldTaken(c)
	case NoteForgotten:
		return r.foldForgotten(c)
	case TodosSet:
		return r.foldTodos(c)
	}
	return nil, nil
}

// EndSession returns that the diagnostics of a session are closed.
func (r *Room) EndSession(session string) []change.Change {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.closeDiagnostics(session, "session over")
}

// ForgetSession drops everything of a session.
func (r *Room) ForgetSession(session string) []change.Row {
	r.mu.Lock()
	defer r.mu.Unlock()
	var rows []change.Row
	for k, file := range r.files {
		if file.Session == session {
			row, _ := r.files.Delete(k)
			rows = append(rows, row)
		}
	}
	for k, e := range r.errors {
		if rest := e.without(func(s Source) bool { return s.Session == session }); len(rest.Sources) < len(e.Sources) {
			rows = append(rows, r.putError(k, rest))
		}
	}
	for k := range r.notes {
		if strings.HasPrefix(k, key(noteTable, session, "")) {
			row, _ := r.notes.Delete(k)
			rows = append(rows, row)
		}
	}
	rows = append(rows, r.todos.Drop(key(todoTable, session))...)
	slices.SortFunc(rows, func(a, b change.Row) int { return strings.Compare(a.Key, b.Key) })
	return rows
}

// visible reports whether what one session did is shown to another: its own,
// and that of every session that goes on.
func (r *Room) visible(session, reader string) bool {
	return session == reader || r.Live(session)
}

// moved returns the path that a file has after from became to, and whether it
// is another one: from is the file itself or a folder above it.
func moved(file, from, to string) (string, bool) {
	if file == from {
		return to, true
	}
	if rest, under := strings.CutPrefix(file, from+"/"); under {
		return to + "/" + rest, true
	}
	return file, false
}
