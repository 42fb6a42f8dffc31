// Package room is the contract between a workspace and its memory types. A room is one
// package that keeps the state of one memory type. The interfaces in this package are all
// that the rest of the program knows of it. Only Room is required.
package room

import (
	"context"
	"database/sql"
	"encoding/json"
	"log/slog"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/summary"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/cores"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/recall"
)

// A Room is one memory type.
type Room interface {
	// Name returns the name under which the room's rows are stored.
	Name() string
	// Observe returns the changes to write for an event. It does not modify the room and may
	// be called again for the same event, on a newer state.
	Observe(ev event.Event) ([]change.Change, error)
	// Fold applies a change and returns the touched rows. It depends only on the change and
	// the state, so that the log can be replayed.
	Fold(c change.Change) ([]change.Row, error)
	// Load sets rows. A row without a value is deleted.
	Load(rows []change.Row) error
}

// A Maker returns a new, empty room. A workspace makes its rooms when it is opened, when it
// reloads its state, and to replay a part of its log.
type Maker func(env Env) Room

// Env holds the functions that a room may call. None may be called while the room is made,
// because the other rooms may not exist yet.
type Env struct {
	// Settings returns the current settings. They may change.
	Settings func() *settings.Settings
	// Now returns the wall clock in UTC, in whole milliseconds.
	Now func() time.Time
	// NewID returns a ULID that was never returned before.
	NewID func() string
	Log   *slog.Logger
	// Cores are those of the process, see cores.Cores. They may be nil.
	Cores *cores.Cores
	// Tracked returns the path of a file relative to the worktree, with slashes, and whether
	// the file is tracked. A relative file is relative to cwd.
	Tracked func(worktree, cwd, file string) (rel string, tracked bool)
	// Read returns the content of a file of a worktree, if it is a regular file of at most
	// 1 MB.
	Read func(worktree, path string) (content string, ok bool)
	// Exists reports whether a path of a worktree is a file.
	Exists func(worktree, path string) bool
	// Unchanged reports whether a file of a worktree exists and was not modified after a time.
	Unchanged func(worktree, path string, since time.Time) bool
	// Versioned reports whether a version control tracks a file of a worktree.
	Versioned func(worktree, path string) bool
	// Pristine reports whether a file of a worktree is as the version control holds it.
	Pristine func(worktree, path string) bool
	// Relative returns the path of an absolute file relative to the worktree that contains
	// it. It returns false if no worktree of the workspace does.
	Relative func(file string) (rel string, inside bool)
	// Retired reads the retired rows of a room, which are not passed to Load at the start. A
	// room that replays a part of the log is given all rows and must not call it.
	Retired func(room string) ([]change.Row, error)
	// Unreadable sets rows of a room aside that it cannot read, such as retired ones. A room
	// need not call it for rows that are passed to Load.
	Unreadable func(room string, rows []change.Row)
	// SessionDir returns the folder with the files of a session.
	SessionDir func(session string) (string, error)
	// Live reports whether a session is live.
	Live func(session string) bool
	// EndedAt returns when a session ended, the zero time if it is live or not known.
	EndedAt func(session string) time.Time
	// Deleted reports whether a session was deleted.
	Deleted func(session string) bool
	// Open reports whether an error with a fingerprint is open in a worktree.
	Open func(worktree, fingerprint string) bool
	// Sources returns the rooms with documents for search.
	Sources func() []Source
	// Coefficients returns how what is found is rated: by what a person has applied, or by the
	// settings.
	Coefficients func() recall.Coefficients
	// Trace returns at most limit changes of a kind from the log, oldest first, including
	// pending ones. It is called on the queue of the workspace.
	Trace func(ctx context.Context, kind change.Kind, limit int) []change.Change
}

// Find returns the room of type R. It returns false if there is none.
func Find[R Room](rooms []Room) (R, bool) {
	for _, r := range rooms {
		if found, is := r.(R); is {
			return found, true
		}
	}
	var none R
	return none, false
}

// All returns the rooms that are a T, such as an optional interface, in order.
func All[T any](rooms []Room) []T {
	var found []T
	for _, r := range rooms {
		if one, is := r.(T); is {
			found = append(found, one)
		}
	}
	return found
}

// LoadReadable loads rows into a room one by one if they cannot be loaded together, and
// returns those that cannot be read.
func LoadReadable(r Room, rows []change.Row) (bad []change.Row) {
	if r.Load(rows) == nil {
		return nil
	}
	for _, row := range rows {
		if r.Load([]change.Row{row}) != nil {
			bad = append(bad, row)
		}
	}
	return bad
}

// A Retirer has rows that may be retired.
type Retirer interface {
	// Retire returns a row with Retirable and Retired set as its value requires.
	Retire(row change.Row) change.Row
}

// An Announcer announces the nouns of the changes that it writes. Every noun must be
// announced by exactly one room.
type Announcer interface {
	Nouns() []Noun
}

// A Noun describes changes by the first part of their kind, such as "memory" in
// "memory.added".
type Noun struct {
	Name string
	// Shared is true if the changes may leave this machine. They hold no absolute paths.
	Shared bool
	// Panel and Context are the ids of the sections that the changes affect.
	Panel, Context []string
}

// A Reader is the session for which a context is made.
type Reader struct {
	Session string
	// Worktree is the absolute path of the folder to which paths are relative.
	Worktree string
	// Query is what the reader is about to do. Volatile sections begin with what it names.
	Query render.Query
	// About returns what the session of the reader is about, nil if nobody knows.
	About func() quality.Topic
}

// A ContextProvider provides sections of the context.
type ContextProvider interface {
	Sections(at Reader) []render.Section
}

// A Painter paints sections of the panel.
type Painter interface {
	// Panels returns the room's sections. They do not change.
	Panels() []panel.Part
}

// A Limited room has parts with a limit that are in every context.
type Limited interface {
	// Budgets returns the budgets of the parts in the contexts of a session.
	Budgets(session string) []panel.Gauge
}

// A Reviewed room has entries that a person should review.
type Reviewed interface {
	// Unreviewed returns the number of entries that a person has to decide about.
	Unreviewed() int
}

// An AgentMemory keeps memory of an agent per session. The panel of a session without such
// memory, such as an editor's, shows that of an agent.
type AgentMemory interface {
	// HasMemory reports whether the room keeps anything for a session.
	HasMemory(session string) bool
}

// A Describer knows something of a session that the panel shows with its name.
type Describer interface {
	// Describe returns it. It is empty if there is nothing.
	Describe(session string) panel.About
}

// A Sweeper has rows that are deleted when there are too many.
type Sweeper interface {
	// SweepRows returns the changes that delete rows over a limit. It is called in a sweep of
	// the workspace, as Observe is on the newest state.
	SweepRows() ([]change.Change, error)
}

// A Warmer has work that the first context would otherwise wait for.
type Warmer interface {
	// Warm does it. It is called once, after the state was loaded, while the room is used.
	Warm()
}

// A SessionKeeper keeps state per session.
type SessionKeeper interface {
	// EndSession returns changes to write when a session ends, in addition to those that
	// Observe returns for that event.
	EndSession(session string) []change.Change
	// ForgetSession drops the state of a session that was deleted or swept, and returns the
	// touched rows. It is part of the fold.
	ForgetSession(session string) []change.Row
}

// A Sparer has strings that a person asked to keep as they were written. They are not
// redacted.
type Sparer interface {
	Spares(text string) bool
}

// A Rebaser adapts changes that this process has not written yet to a change that another
// process has written before them, such as the renaming of a file.
type Rebaser interface {
	// Rebase returns a pending change with the same meaning after another change.
	Rebase(pending, other change.Change) change.Change
}

// A Rebuilder can be rebuilt from a readable copy, after a damaged database was set aside or another process has
// replaced the database.
type Rebuilder interface {
	// RebuildFrom returns the changes that add what the room does not hold. The error is not nil if the
	// copy cannot be read.
	RebuildFrom(copied []byte) ([]change.Change, error)
}

// A Contributor contributes facts to the summaries of a session's conversation.
type Contributor interface {
	AddFacts(ctx context.Context, at Reader, facts *summary.Facts)
}

// An Indexer owns tables in the database, such as a full-text index. They are written in
// the transaction of the changes. They are not read at the start, and are not part of the
// replay and the snapshot.
type Indexer interface {
	// TablesVersion returns the version of the tables, from 1. It rises when they change.
	TablesVersion() int
	// Tables returns the names of the tables in that version. They begin with the room's name and
	// "_". The caller must not modify them.
	Tables() []string
	// Migrate creates the tables, or migrates them from an older version. from is 0 if there
	// are none. It is called only if the store has another version, or has lost some of them.
	Migrate(ctx context.Context, tx Tx, from int) error
	// Index updates the tables for changes. It is called in the transaction that appends the
	// changes to the log, by the process that writes them. If it fails, the transaction is
	// rolled back.
	Index(ctx context.Context, tx Tx, changes []change.Change) error
	// Attach sets the database from which the room reads its tables. It shows committed data.
	// Observe, Fold and Index may run in a transaction and must not use it. A room that
	// replays a part of the log is not attached.
	Attach(db Database)
}

// An Analyser is an Indexer that does a part of its work on many changes beside that of others.
type Analyser interface {
	Indexer
	// Analyse begins with it before Index is called with the same changes, which it may never be.
	Analyse(changes []change.Change)
}

// A FileIndexer fills its tables from files that changes are about.
type FileIndexer interface {
	Indexer
	// ReadsFile reports whether Index reads a file for a change.
	ReadsFile(c change.Change) bool
}

// A Maintainer has work on its tables that is done in the background.
type Maintainer interface {
	Room
	// Due reports whether there is such work. It does not read the tables.
	Due() bool
	// Maintain does a part of it, for about 10 ms, in a transaction of its own. It is called on
	// the queue, on the newest state, about every second and soon again while there is more.
	Maintain(ctx context.Context, tx Tx) error
	// Abandon is called after Maintain if its transaction was rolled back.
	Abandon()
}

// A Renewer has tables that follow from other tables or from files.
type Renewer interface {
	Indexer
	// Renew makes them anew, in a transaction. What takes long may be left to Maintain.
	Renew(ctx context.Context, tx Tx) error
}

// A Rescuer has tables of which the rows that can be read in a damaged database are taken over.
type Rescuer interface {
	Indexer
	// Rescue calls yield with changes that add what can be read, and returns how many changes that
	// are and how many rows were read and are damaged. read calls its function with the columns of
	// each row that can be read; its error says why others cannot be.
	Rescue(read func(Table, func(columns []any) error) error, yield func(change.Change) error) (Rescued, error)
}

// A Table is a table of a room with a key that is an integer, and columns of it.
type Table struct {
	Name, Key string
	Columns   []string
}

// LogTable returns the table of the changes: their numbers, kinds, subjects and payloads.
func LogTable() Table {
	return Table{Name: "log", Key: "seq", Columns: []string{"seq", "kind", "subject", "after"}}
}

// Rescued is what became of the rows of a damaged database.
type Rescued struct {
	// Name is the noun for the rows, such as "items".
	Name string
	// Read were taken over, Damaged were read and are damaged. Others could not be read if Partly.
	Read, Damaged int
	Partly        bool
}

// An Eraser has tables with strings that can be erased. Erased strings must not stay in the
// tables in another form. A full-text index of FTS5 needs the option secure-delete.
type Eraser interface {
	Indexer
	// EraseIndexed erases strings from the tables, in the transaction that erases them from
	// the log.
	EraseIndexed(ctx context.Context, tx Tx, texts []string) error
}

// Values returns values as JSON for "IN (SELECT value FROM json_each(?))", which takes any
// number of them.
func Values[V int64 | string](values []V) string {
	doc, err := json.Marshal(values)
	if err != nil { // strings and integers can be encoded
		panic(err)
	}
	return string(doc)
}

// rowsAtOnce is how many rows one statement of Insert inserts, if there are as many.
const rowsAtOnce = 100

// Insert inserts rows by a statement that ends with VALUES. row is one with a "?" for each value, such as
// "(?,CAST(? AS TEXT))". Most of the time is that of a statement, so a hundred rows are one. The others are inserted
// one by one: a statement that is run often is prepared, and one for each number of rows would not be.
func Insert(ctx context.Context, tx Tx, statement, row string, values []any) error {
	width := strings.Count(row, "?")
	for len(values) > 0 {
		rows := 1
		if len(values) >= width*rowsAtOnce {
			rows = rowsAtOnce
		}
		text := statement + strings.Repeat(row+",", rows-1) + row
		if _, err := tx.ExecContext(ctx, text, values[:width*rows]...); err != nil {
			return err
		}
		values = values[width*rows:]
	}
	return nil
}

// A Querier reads tables.
type Querier = store.Querier

// A Database reads committed data of tables.
type Database interface {
	Querier
	// View calls read with a Querier that shows one state of the tables. It is not valid after
	// that. View returns the error of read.
	View(ctx context.Context, read func(Querier) error) error
}

// A Tx reads and writes tables in a transaction.
type Tx interface {
	Querier
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}
