package memory

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// A Store stores one workspace. It is safe for concurrent use. Functions that are passed to
// it run in a transaction. They must not call the store, except Retired and the methods for
// folders and outputs, which do not use transactions.
type Store interface {
	Log
	Projection
	Folders
	outputs.Store
	longterm.Copies
	// Querier reads committed data of the tables of rooms.
	room.Querier
	// Notices returns a channel that receives a value after commits of any process, this one
	// included. Several commits may make one notice. It is closed when ctx is done or the
	// watch fails, so callers must also poll.
	Notices(ctx context.Context) (<-chan struct{}, error)
	// RemoveHolding deletes the outputs, and the files that were set aside or are temporary,
	// that hold one of the texts (all of them if there are no texts). It returns what it
	// deleted, and the paths, relative to the folder of the workspace, of the files that may
	// still hold one, and why.
	RemoveHolding(texts []string) (removed, left []string, err error)
	// Shred makes sure that nothing can be read any more of what was deleted,
	// rewritten or blanked in transactions.
	Shred(ctx context.Context) error
	// LockSessions waits until no process writes into the folders of sessions, and keeps
	// them from it until unlock is called. It must not be called in a transaction. Processes
	// that do not stop for seconds are not waited for.
	LockSessions() (unlock func())
	// Discard takes everything of the workspace away but what a transaction writes: the
	// readable copy, the sessions, the outputs, and what was set aside. It returns the names.
	// RemoveDiscarded deletes it. Discard may be called in a transaction.
	Discard() ([]string, error)
	// RemoveDiscarded deletes what was discarded. It returns the names of what is left, and
	// why.
	RemoveDiscarded() (left []string, err error)
	// SetRowsAside moves rows, by room, out of the tables into a file, and returns the name
	// of the file. Rows whose value is another one by now stay.
	SetRowsAside(ctx context.Context, rows map[string][]change.Row, now time.Time) (string, error)
	// Check looks for damage in what was not read yet, which may take long. It does
	// not keep others from writing. The error is store.ErrCorrupt if there is any.
	Check(ctx context.Context) error
	// Close closes the store. Committed data is kept.
	Close() error
}

// A Log holds the changes of a workspace, of all processes, in order.
type Log interface {
	// Since returns the changes after seq, in order. The error is store.ErrReplaced if the
	// store was removed or replaced.
	Since(ctx context.Context, seq int64) ([]change.Change, error)
	// Trace returns the changes that match a filter, oldest first.
	Trace(ctx context.Context, filter store.Filter) ([]change.Change, error)
	// Length returns the number of changes in the log.
	Length(ctx context.Context) (int64, error)
	// OverLimit returns the newest change that is over the limits of count and age,
	// 0 if there is none. None is too old while the first one is not. The newest
	// change of all never is over them, so that the numbering goes on from it.
	OverLimit(ctx context.Context, maxChanges int, before time.Time) (int64, error)
	// History returns how the memory came to be as it was after the change seq. Of
	// a time before the snapshot only the snapshot is known, which is newer then.
	History(ctx context.Context, seq int64) (store.History, error)
}

// A Projection holds the rows that are folded from the log.
type Projection interface {
	// Load reads the state without retired rows. If each is not nil, it is called with the
	// rows of every room as soon as they are read.
	Load(ctx context.Context, each func(room string, rows []change.Row)) (store.State, error)
	// Retired reads the committed retired rows of a room. It may be called in a transaction.
	Retired(ctx context.Context, room string) ([]change.Row, error)
	// Update runs f in a transaction, as the only writer of all processes, and then notifies
	// the other processes. If f or the commit fails, nothing is written. The error is
	// store.ErrReplaced if the store was replaced by another one, and store.ErrRemade if it
	// was removed and written again.
	Update(ctx context.Context, mode store.Mode, f func(store.Tx) error) error
}

// Folders are the folders of sessions, with the leases of served sessions.
type Folders interface {
	// SessionDir returns the folder of a session. It need not exist.
	SessionDir(session string) string
	// Lease takes the lease of a session and creates its folder. Several processes may hold it.
	Lease(session string) (store.Lease, error)
	// Alive reports whether any process, this one included, holds the lease of a session.
	Alive(session string) bool
	// WhileUnserved runs f on the folder of a session if no process serves the session. None
	// can begin to during the call. It then removes the folder if only the lease is left in it.
	WhileUnserved(session string, f func(dir string) error) error
	// SweepSessions deletes the folders of sessions for whose key keep returns false, in
	// which nothing was written since a time, and which no process serves.
	SweepSessions(keep func(key string) bool, before time.Time) (store.Sweep, error)
	// RemoveSession deletes the files of a session and returns their paths, relative
	// to the folder of the workspace.
	RemoveSession(session string) ([]string, error)
	// EraseFromSessions takes texts out of the folders of all sessions. Former texts of
	// notes that hold one are deleted, and so are temporary files. In every other file the
	// text is replaced. It returns the paths, relative to the folder of the workspace, of
	// the files that may still hold one, and why.
	EraseFromSessions(texts []string) (left []string, err error)
}

// A Storage opens the stores of an implementation.
type Storage struct {
	// Open opens the store in dir, and creates it if there is none. The error is or wraps
	// store.ErrNewer or store.ErrCorrupt if that is the reason.
	Open func(ctx context.Context, dir string, log *slog.Logger) (Store, error)
	// SetAside renames a damaged store, so that Open creates a new one, and returns its new
	// name. The name is empty if another process has done it already.
	SetAside func(ctx context.Context, dir string, now time.Time, log *slog.Logger) (string, error)
}

// StorageOf returns a storage from the functions of an implementation with the type S of
// stores.
func StorageOf[S Store](
	open func(ctx context.Context, dir string, log *slog.Logger) (S, error),
	setAside func(ctx context.Context, dir string, now time.Time, log *slog.Logger) (string, error),
) Storage {
	return Storage{SetAside: setAside, Open: func(ctx context.Context, dir string, log *slog.Logger) (Store, error) {
		s, err := open(ctx, dir, log)
		if err != nil {
			return nil, err // not s, which would be a non-nil interface
		}
		return s, nil
	}}
}

// openedStore holds the open store, nil if there is none.
type openedStore struct {
	pointer  atomic.Pointer[Store]
	log      *slog.Logger
	problems *problems
	disabled error // the reason, if the workspace is disabled
}

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

// opened returns the store. If it is not open, the error is ErrStore with the reason, or the
// reason why the workspace is disabled.
func (o *openedStore) opened() (Store, error) {
	if s := o.Load(); s != nil {
		return s, nil
	}
	if o.disabled != nil {
		return nil, o.disabled
	}
	if problem, there := o.problems.get(aboutStore); there {
		return nil, fmt.Errorf("%w: %s", ErrStore, problem.Message)
	}
	return nil, ErrStore
}

// retired implements room.Env.Retired.
func (o *openedStore) retired(room string) ([]change.Row, error) {
	s, err := o.opened()
	if err != nil {
		return nil, err
	}
	rows, err := s.Retired(context.Background(), room)
	if err != nil {
		o.log.Error("read the retired rows", "room", room, "error", err)
		return nil, fmt.Errorf("%w: %w", ErrStore, err)
	}
	return rows, nil
}

// sessionDir implements room.Env.SessionDir.
func (o *openedStore) sessionDir(session string) (string, error) {
	s, err := o.opened()
	if err != nil {
		return "", err
	}
	return s.SessionDir(session), nil
}
