package memory

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// A Store keeps one workspace. It is safe for concurrent use. The functions that
// it is given run in a transaction and must not call the store, but for its Folders
// and outputs, which take no part in transactions, and for Retired.
type Store interface {
	Log
	Projection
	Folders
	outputs.Store
	longterm.Copies
	// Querier reads what was committed to the tables of rooms.
	room.Querier
	// Notices returns a channel that receives after every commit of any process,
	// this one included. Several commits may make one notice. It is closed when ctx
	// is done or the watch breaks; whoever listens also looks now and then.
	Notices(ctx context.Context) (<-chan struct{}, error)
	// Shred makes sure that nothing can be read any more of what was deleted or
	// blanked, and deletes what was set aside, and outputs that are kept, if they
	// hold one of the texts (all of them if texts is empty). It returns what it
	// deleted.
	Shred(ctx context.Context, texts []string) ([]string, error)
	// RemoveAll deletes everything of the workspace but what a transaction writes:
	// the readable copy, the sessions, the outputs. It returns the names.
	RemoveAll() ([]string, error)
	// Check looks for damage in what was not read yet, which may take long. It does
	// not keep others from writing. The error is store.ErrCorrupt if there is any.
	Check(ctx context.Context) error
	// Close ends the use of the store. What was committed is kept.
	Close() error
}

// A Log is the changes of a workspace, in order, from whichever process.
type Log interface {
	// Since returns the changes after seq, in order.
	Since(ctx context.Context, seq int64) ([]change.Change, error)
	// Trace returns the changes that the filter chooses, oldest first.
	Trace(ctx context.Context, filter store.Filter) ([]change.Change, error)
	// Length is how many changes the log holds.
	Length(ctx context.Context) (int64, error)
	// OverLimit returns the newest change that is over the limits of count and age,
	// 0 if there is none. None is too old while the first one is not. The newest
	// change of all never is over them, so that the numbering goes on from it.
	OverLimit(ctx context.Context, maxChanges int, before time.Time) (int64, error)
	// History returns how the memory came to be as it was after the change seq. Of
	// a time before the snapshot only the snapshot is known.
	History(ctx context.Context, seq int64) (store.History, error)
}

// A Projection is the rows that are folded from the log.
type Projection interface {
	// Load reads the state, but for the rows that are retired. It gives each, unless
	// that is nil, the rows of every room as soon as they are read.
	Load(ctx context.Context, each func(room string, rows []change.Row)) (store.State, error)
	// Retired reads the rows of a room that are retired, as they were committed. It
	// may be called in a transaction.
	Retired(ctx context.Context, room string) ([]change.Row, error)
	// Update runs f in a transaction, as the only writer of all processes, and then
	// lets the others know. When f or the commit fails nothing is written. The error
	// is store.ErrReplaced when the store is another one than before.
	Update(ctx context.Context, mode store.Mode, f func(store.Tx) error) error
}

// Folders are the folders of sessions, and the leases that tell which sessions
// are served.
type Folders interface {
	// SessionDir is the folder of a session. It need not exist.
	SessionDir(session string) string
	// Lease takes the lease of a session, making its folder. Several may hold it.
	Lease(session string) (store.Lease, error)
	// Alive reports whether anybody, this process included, serves the session.
	Alive(session string) bool
	// WhileUnserved runs f on the folder of a session that nobody serves, nor can
	// begin to serve meanwhile, and then removes the folder if f has left nothing in
	// it but the lease.
	WhileUnserved(session string, f func(dir string) error) error
	// SweepSessions deletes the folders of sessions that are not to be kept, by their
	// key, in which nothing was written since a time, and which nobody serves.
	SweepSessions(keep func(key string) bool, before time.Time) (store.Sweep, error)
	// RemoveSession deletes the files of a session and returns their paths, relative
	// to the folder of the workspace.
	RemoveSession(session string) ([]string, error)
	// EraseFromSessions takes texts out of the folders of all sessions. Former texts
	// of notes that hold one are deleted; in every other file the text is replaced.
	EraseFromSessions(texts []string) error
}

// A Storage is the implementation that keeps workspaces.
type Storage struct {
	// Open opens the workspace kept in dir, making it where it is missing. The error
	// is store.ErrNewer or store.ErrCorrupt where that is the reason.
	Open func(ctx context.Context, dir string, log *slog.Logger) (Store, error)
	// SetAside moves a damaged store out of the way, so that Open makes a new one,
	// and returns under which name it is kept. Another process may have done it
	// already; then the name is empty.
	SetAside func(ctx context.Context, dir string, now time.Time, log *slog.Logger) (string, error)
}

// StorageOf returns the storage of an implementation from its functions, of which
// open returns its own type of store.
func StorageOf[S Store](
	open func(ctx context.Context, dir string, log *slog.Logger) (S, error),
	setAside func(ctx context.Context, dir string, now time.Time, log *slog.Logger) (string, error),
) Storage {
	return Storage{SetAside: setAside, Open: func(ctx context.Context, dir string, log *slog.Logger) (Store, error) {
		s, err := open(ctx, dir, log)
		if err != nil {
			return nil, err // and no nil pointer of type S in an interface
		}
		return s, nil
	}}
}

// openedStore is the store that is open, nil where there is none.
type openedStore struct{ pointer atomic.Pointer[Store] }

func (o *openedStore) Load() Store { return storeAt(o.pointer.Load()) }

func (o *openedStore) Store(s Store) { o.Swap(s) }

func (o *openedStore) Swap(s Store) Store {
	if s == nil {
		return storeAt(o.pointer.Swap(nil))
	}
	return storeAt(o.pointer.Swap(&s))
}

func storeAt(s *Store) Store {
	if s == nil {
		return nil
	}
	return *s
}
