// Package sqlite stores a workspace on the disk: a SQLite database with the log of changes and
// the rows folded from it, the folders of the sessions, the readable copy, the outputs, and the
// file that notifies other processes of commits.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/folders"
)

// A Store is the open store of a workspace. It is safe for concurrent use.
type Store struct {
	folders.Sessions
	dir string
	log *slog.Logger

	writing chan struct{} // of length 1: one writer of this process at a time
	turn    *fileLock     // held by the process that writes next
	lock    *fileLock     // held by the process that writes

	mu       sync.Mutex // guards the fields below
	db       *sql.DB    // synchronous=NORMAL: a commit survives the end of the process
	wal      *os.File   // its write-ahead log, nil until it is to be synced
	identity identity
	reopened error // ErrReplaced or ErrRemade, until an Update has returned it
	readOnly bool  // db refused to write
	// checkpointing is true while a checkpoint runs.
	checkpointing atomic.Bool
	checkpoints   sync.WaitGroup
	// tables is a connection that reads the tables of rooms concurrently.
	tables atomic.Pointer[reader]
	// statements are those of db, nil before the first write.
	statements *statements
	damage     damage
}

// Open opens the store in dir, and creates it if it is missing. The error is or wraps
// store.ErrNewer or store.ErrCorrupt if that is the reason.
func Open(ctx context.Context, dir string, log *slog.Logger) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the workspace's memory: %w", err)
	}
	if err := ownFiles(dir); err != nil {
		return nil, err
	}
	s := newStore(dir, log)
	err := s.exclusiveNext(patience, nil, func() error { return s.open(ctx) })
	if errors.Is(err, store.ErrBusy) {
		err = s.openBeside(ctx, err)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// ownFiles returns an error if a file of the store is not a regular file, such as a pipe, which would block an open, or
// if one that is written in place has another name: what is written would change another file.
func ownFiles(dir string) error {
	err := regular.Own(filepath.Join(dir, store.CopyName))
	for _, name := range []string{
		store.LockName, store.TurnLockName, store.NoticeName, store.EraseLockName,
		store.DatabaseName, store.DatabaseName + "-wal", store.DatabaseName + "-shm", store.DatabaseName + "-journal",
	} {
		if err == nil {
			err = regular.Alone(filepath.Join(dir, name))
		}
	}
	if err != nil {
		return fmt.Errorf("open the workspace's memory: %w", err)
	}
	return nil
}

func newStore(dir string, log *slog.Logger) *Store {
	return &Store{
		Sessions: folders.In(dir), dir: dir, log: log, writing: make(chan struct{}, 1),
		turn: newFileLock(dir, store.TurnLockName), lock: newFileLock(dir, store.LockName),
	}
}

// Close closes the store.
func (s *Store) Close() error {
	s.checkpoints.Wait()
	s.writing <- struct{}{}
	defer func() { <-s.writing }()
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.closeDatabases(), s.turn.close(), s.lock.close())
}

// open opens the database, and creates it if it is missing. If that fails, nothing is open.
func (s *Store) open(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, s.closeDatabases())
		}
	}()
	path := filepath.Join(s.dir, store.DatabaseName)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		// It is created here with a mode so that other users can never read it.
		file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return fmt.Errorf("make the memory database: %w", err)
		}
		if err := file.Close(); err != nil {
			return fmt.Errorf("make the memory database: %w", err)
		}
	}
	s.connect(path)
	if err := s.migrate(ctx); err != nil {
		return classify(err)
	}
	if err := s.createLost(ctx, time.Now()); err != nil {
		return classify(err)
	}
	identity, err := s.identify()
	if err != nil {
		return fmt.Errorf("stat the memory database: %w", err)
	}
	s.identity = identity
	return nil
}
