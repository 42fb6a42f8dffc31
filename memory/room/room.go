// Package room is the contract between a workspace and its memory types. A room
// is one package: it keeps the state of one memory type and says everything
// that the rest of the program has to know of it through the interfaces here.
// Only Room is required.
package room

import (
	"context"
	"database/sql"
	"log/slog"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/summary"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// A Room is one memory type.
type Room interface {
	// Name names the rows of the room in the store.
	Name() string
	// Observe returns what should be written about an event. It changes nothing
	// and may be called again for the same event, on a newer state.
	Observe(ev event.Event) ([]change.Change, error)
	// Fold applies a change and returns the rows that it touched. It depends on
	// nothing but the change and the state, so that the log can be replayed.
	Fold(c change.Change) ([]change.Row, error)
	// Load sets rows; one without a value is deleted.
	Load(rows []change.Row) error
}

// A Maker returns a new and empty room. A workspace makes its rooms when it is
// opened, when it loads its state anew, and to replay a part of its log.
type Maker func(env Env) Room

// Env is what a room gets from its workspace. Nothing in it may be called while
// the room is made: the other rooms may not be there yet.
type Env struct {
	// Settings returns the settings in force; they may change while the room lives.
	Settings func() *settings.Settings
	// Now returns the wall clock in UTC, in whole milliseconds.
	Now func() time.Time
	// NewID returns a ULID that was never returned before.
	NewID func() string
	Log   *slog.Logger
	// Tracked returns the path of a file relative to the worktree, with /, and
	// whether it is tracked. Relative paths are taken from cwd.
	Tracked func(worktree, cwd, file string) (rel string, tracked bool)
	// Relative returns the path of an absolute file relative to the worktree of the
	// workspace that holds it. It reports false if none does.
	Relative func(file string) (rel string, inside bool)
	// Retired reads the rows of the room with a name that are retired: Load is not
	// given them at the start. A room that folds a part of the log is given all rows
	// and must not call it.
	Retired func(room string) ([]change.Row, error)
	// SessionDir returns the folder that holds the files of a session.
	SessionDir func(session string) (string, error)
	// Live reports whether a session goes on.
	Live func(session string) bool
	// Open reports whether an error with the fingerprint is open in a worktree.
	Open func(worktree, fingerprint string) bool
	// Trace returns at most limit changes of a kind from the log, with what is not
	// yet written, oldest first. It is called on the queue of the workspace.
	Trace func(ctx context.Context, kind change.Kind, limit int) []change.Change
}

// Find returns the room of type R. It reports false if there is none.
func Find[R Room](rooms []Room) (R, bool) {
	for _, r := range rooms {
		if found, is := r.(R); is {
			return found, true
		}
	}
	var none R
	return none, false
}

// An Announcer lists the nouns of the changes that it writes. Every noun that is
// written has to be announced by exactly one room.
type Announcer interface {
	Nouns() []Noun
}

// A Noun is the first part of the kinds of a room's changes, such as "memory" in
// "memory.added".
type Noun struct {
	Name string
	// Shared changes may leave this machine. They hold no absolute path.
	Shared bool
	// Panel and Context are the ids of the sections that such a change concerns.
	Panel, Context []string
}

// A Reader is the session that a context is made for.
type Reader struct {
	Session string
	// Worktree is the absolute path of the folder that paths are relative to.
	Worktree string
}

// A Teller has sections of the context.
type Teller interface {
	Sections(at Reader) []render.Section
}

// A Painter has sections of the panel.
type Painter interface {
	// Panels returns the room's sections and how to paint them. They are the same
	// for as long as the room lives.
	Panels() []panel.Part
}

// A Limited room has parts that are in every context and have a limit.
type Limited interface {
	// Budgets returns how full the parts are in the contexts of a session.
	Budgets(session string) []panel.Gauge
}

// A Reviewed room holds things that a person should look at.
type Reviewed interface {
	// Unreviewed counts those that nobody has looked at yet.
	Unreviewed() int
}

// An AgentMemory keeps what an agent knows in its session. The panel of a session
// that has no memory of its own, such as an editor's, shows an agent's.
type AgentMemory interface {
	// HasMemory reports whether anything is kept of a session.
	HasMemory(session string) bool
}

// A SessionKeeper keeps something for each session.
type SessionKeeper interface {
	// EndSession returns what should be written when a session ends, in addition to
	// what Observe returns for that event.
	EndSession(session string) []change.Change
	// ForgetSession drops everything of a session that was deleted or swept, and
	// returns the rows that it touched. It is a part of the fold.
	ForgetSession(session string) []change.Row
}

// A Forgetter holds strings that can be erased.
type Forgetter interface {
	// Forget returns the changes that take a string out of the room's state.
	Forget(text string) []change.Change
}

// A Rebuilder can be rebuilt from the readable copy after the database was damaged
// and set aside.
type Rebuilder interface {
	// RebuildFrom returns the changes that fill the empty room. The error says that
	// the copy cannot be read.
	RebuildFrom(copied []byte) ([]change.Change, error)
}

// A Contributor knows facts that a summary of a session's conversation must not
// lose.
type Contributor interface {
	AddFacts(ctx context.Context, at Reader, facts *summary.Facts)
}

// An Indexer owns tables in the database, such as a full-text index. They are
// written in the transaction of the changes, are not read at the start and are
// no part of the replay and the snapshot.
type Indexer interface {
	// TablesVersion is the version of the tables, from 1. It rises when they change.
	TablesVersion() int
	// Migrate creates the tables, or brings them from a former version to the
	// current one; from is 0 if there are none. It is called only when a store has
	// another version. The names of the tables begin with the room's name and "_".
	Migrate(ctx context.Context, tx Tx, from int) error
	// Index writes what changes mean for the tables. It is called in the
	// transaction that appends the changes to the log, by the process that
	// writes them. If it fails, nothing of the transaction is written.
	Index(ctx context.Context, tx Tx, changes []change.Change) error
	// Attach gives the room the database to read its tables from. It shows what was
	// committed. Observe, Fold and Index may run in a transaction and must not use
	// it. A room that folds a part of the log is not attached.
	Attach(db Querier)
}

// An Eraser has tables that hold strings which can be erased. What it deletes must
// not stay in the tables in another form; a full-text index of FTS5 needs the
// option secure-delete.
type Eraser interface {
	Indexer
	// EraseIndexed takes strings out of the tables, in the transaction that takes
	// them out of the log.
	EraseIndexed(ctx context.Context, tx Tx, texts []string) error
}

// A Querier reads tables.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// A Tx reads and writes tables in a transaction.
type Tx interface {
	Querier
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}
