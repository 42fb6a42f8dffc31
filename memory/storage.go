package memory

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/regular"
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
	// Database reads committed data of the tables of rooms.
	room.Database
	// Notices returns a channel that receives a value after commits of any process, this one
	// included. Several commits may make one notice. It is closed when ctx is done or the
	// watch fails, so callers must also poll.
	Notices(ctx context.Context) (<-chan struct{}, error)
	// RemoveHolding deletes the outputs, temporary files and files that were set aside that
	// contain one of the strings, or all of them if there are no strings. It returns what it
	// deleted, and the paths, relative to the folder of the workspace, of the files that may
	// still contain one, with the errors.
	RemoveHolding(texts []string) (removed, left []string, err error)
	// Shred makes sure that the files of the database no longer contain what transactions
	// deleted, rewrote or blanked.
	Shred(ctx context.Context) error
	// LockSessions takes the locks of the folders of all sessions, so that no process writes
	// into them until unlock is called. It skips a session whose locks it cannot take within
	// seconds. It must not be called in a transaction.
	LockSessions() (unlock func())
	// Discard moves everything except the database away: the readable copy, the sessions,
	// the outputs, and files that were set aside. It returns their names. RemoveDiscarded
	// deletes them. Discard may be called in a transaction.
	Discard() ([]string, error)
	// RemoveDiscarded deletes discarded files. It returns the names of those that are left,
	// with the errors.
	RemoveDiscarded() (left []string, err error)
	// SetRowsAside moves rows, by room, out of the tables into a file, and returns the name
	// of the file. Rows whose value has changed meanwhile are not moved.
	SetRowsAside(ctx context.Context, rows map[string][]change.Row, now time.Time) (string, error)
	// Check checks the whole database for damage, which may take long. Other transactions
	// can write meanwhile. The error is store.ErrCorrupt if there is damage.
	Check(ctx context.Context) error
	// Damage returns store.ErrCorrupt if a read or write of this store has met damage, also if
	// its caller went on without what could not be read.
	Damage() error
	// Close closes the store. Committed data is kept.
	Close() error
}

// A Log holds the changes of a workspace, of all processes, in order.
type Log interface {
	// Since returns the changes after seq, in order. The error is store.ErrReplaced if the
	// store was removed or replaced.
	Since(ctx context.Context, seq int64) ([]change.Change, error)
	// Newest returns the position of the newest change, of all processes, that was
	// acknowledged, or a later one. It is 0 if it is not known. It does not wait.
	Newest() int64
	// Trace returns the changes that match a filter, oldest first.
	Trace(ctx context.Context, filter store.Filter) ([]change.Change, error)
	// Length returns the number of changes in the log.
	Length(ctx context.Context) (int64, error)
	// OverLimit returns the position of the newest change that is over the limits of count
	// and age, or 0 if there is none. No change is too old unless the oldest one is. The
	// newest change is never over the limits, because the numbering continues from it.
	OverLimit(ctx context.Context, maxChanges int, before time.Time) (int64, error)
	// History returns the snapshot and the changes up to seq. If the snapshot is newer than
	// seq, it returns only the snapshot.
	History(ctx context.Context, seq int64) (store.History, error)
}

// A Projection holds the rows that are folded from the log.
type Projection interface {
	// Load reads the state without retired rows. If each is not nil, it is called with the
	// rows of rooms as soon as they are read, in parts, and the state has none.
	Load(ctx context.Context, each func(room string, rows []change.Row)) (store.State, error)
	// Retired reads the committed retired rows of a room. It may be called in a transaction or View.
	Retired(ctx context.Context, room string) ([]change.Row, error)
	// Salvage copies what can be read in a store that was set aside under a name into this one,
	// which is new: its own tables and those of some rooms.
	Salvage(ctx context.Context, setAside string, rooms []string) (store.Salvaged, error)
	// SalvageTable calls yield with the columns of the rows of a table that can be read in a store
	// that was set aside under a name, each row once. The error says why others cannot be read; it
	// is that of yield if that fails.
	SalvageTable(ctx context.Context, setAside string, table room.Table, yield func(columns []any) error) error
	// Update runs f in a transaction, as the only writer of all processes, and then notifies
	// the other processes. If f or the commit fails, nothing is written. The error is
	// store.ErrReplaced if the store was replaced by another one, and store.ErrRemade if it
	// was removed and written again.
	// The error is store.ErrUnsynced if it is written, but may be lost with a power cut.
	// If another process writes, it calls meanwhile, unless that is nil, in no transaction,
	// as soon as no further process writes before this one. If the mode is store.Fast and the
	// other process has been writing for a second, the error is store.ErrBusy.
	Update(ctx context.Context, mode store.Mode, meanwhile func(), f func(store.Tx) error) error
	// Waiting returns since when this process waits for another one that writes, the zero
	// time if it does not. Holder returns that process.
	Waiting() time.Time
	Holder() store.Holder
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
	// EraseFromSessions erases strings from the folders of all sessions. Versions of notes and
	// temporary files that contain one are deleted. In other files the text is replaced. It
	// returns the paths, relative to the folder of the workspace, of the files that may
	// still contain one, with the errors.
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
	dir := s.SessionDir(session)
	return dir, errors.Join(regular.Folder(filepath.Dir(dir)), regular.Folder(dir))
}
