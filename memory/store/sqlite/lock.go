package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// patience is how long what can be done later waits for another process that writes. With 32
// busy processes a writer waits a tenth of it.
const patience = time.Second

// A fileLock is a lock between processes. One goroutine at a time takes it. If another process
// does not release it, the attempt to take it goes on while nobody waits for it, because an
// attempt cannot be ended.
type fileLock struct {
	*flock.Flock // not used during an attempt, which holds its mutex

	mu      sync.Mutex
	attempt *attempt // nil if there is none
}

// An attempt is an attempt to take a lock that another process holds.
type attempt struct {
	since  time.Time
	ended  chan struct{} // closed when the lock is taken, or cannot be taken
	err    error         // set before
	wanted bool          // guarded by the mutex of the lock
}

func newFileLock(dir, name string) *fileLock {
	return &fileLock{Flock: flock.New(filepath.Join(dir, name), flock.SetPermissions(0o600))}
}

// waiting returns since when there is an attempt, the zero time if there is none.
func (l *fileLock) waiting() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.attempt == nil {
		return time.Time{}
	}
	return l.attempt.since
}

// take takes the lock. If limit is not 0 and there has been an attempt for longer, the error is
// store.ErrBusy.
func (l *fileLock) take(limit time.Duration) error {
	l.mu.Lock()
	if l.attempt == nil {
		l.attempt = &attempt{since: time.Now(), ended: make(chan struct{})}
		go l.try(l.attempt)
	}
	current := l.attempt
	current.wanted = true
	l.mu.Unlock()
	var late <-chan time.Time
	if limit > 0 {
		late = time.After(limit - time.Since(current.since))
	}
	select {
	case <-current.ended:
		return current.err
	case <-late:
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-current.ended: // meanwhile
		return current.err
	default:
		current.wanted = false
		return store.ErrBusy
	}
}

// try makes an attempt. If nobody wants the lock when it is taken, it is released.
func (l *fileLock) try(current *attempt) {
	err := l.Lock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil && !current.wanted {
		err = l.Unlock()
	}
	current.err, l.attempt = err, nil
	close(current.ended)
}

// close closes the file of the lock, unless there is an attempt, which ends with the process.
func (l *fileLock) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.attempt != nil {
		return nil
	}
	return l.Close()
}

// Waiting returns since when this process waits for another one that writes, the zero time if
// it does not.
func (s *Store) Waiting() time.Time {
	since := s.lock.waiting()
	if next := s.turn.waiting(); since.IsZero() || !next.IsZero() && next.Before(since) {
		return next
	}
	return since
}

// Holder returns the process that writes, or else the one that writes next.
func (s *Store) Holder() (holder store.Holder) {
	for _, lock := range []*fileLock{s.lock, s.turn} {
		if holder = files.Holder(lock.Path()); holder.PID != 0 {
			break
		}
	}
	return holder
}

// busy returns store.ErrBusy with what is known of the process that writes.
func (s *Store) busy() error {
	holder := s.Holder()
	state := "has been writing for too long"
	if holder.Stopped {
		state = "was stopped while it wrote"
	}
	return fmt.Errorf("%w: %s %s", store.ErrBusy, holder, state)
}

// openBeside opens the database while another process holds the lock, if nothing has to be
// written to it first. Otherwise it returns the error busy.
func (s *Store) openBeside(ctx context.Context, busy error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	path := filepath.Join(s.dir, store.DatabaseName)
	before, err := os.Stat(path)
	if err != nil {
		return busy
	}
	s.connect(path)
	var version int
	if err := s.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return classify(fmt.Errorf("read the version of the memory: %w", err))
	}
	lost, err := lostTables(ctx, s.db)
	if err != nil {
		return classify(err)
	}
	now, err := s.identify()
	if version != Schema() || len(lost) > 0 || err != nil || !os.SameFile(now.database, before) {
		return busy
	}
	s.identity = now
	return nil
}

// lostTables returns which tables of the store are missing.
func lostTables(ctx context.Context, db *sql.DB) ([]string, error) {
	there, err := store.TableNames(ctx, db)
	var lost []string
	for _, table := range ownTables {
		if !slices.Contains(there, table) {
			lost = append(lost, table)
		}
	}
	return lost, err
}

// exclusive runs f as the only writer of all processes.
func (s *Store) exclusive(f func() error) error { return s.exclusiveNext(0, nil, f) }

// exclusiveNext is exclusive. If it waits for another process for longer than limit, and limit
// is not 0, the error is store.ErrBusy. If another process writes, it calls meanwhile, unless
// that is nil, as soon as no further process writes before this one.
func (s *Store) exclusiveNext(limit time.Duration, meanwhile func(), f func() error) error {
	if err := s.enter(limit); err != nil {
		return err
	}
	defer func() { <-s.writing }()
	err := s.takeNext(limit, meanwhile)
	for err == nil && !files.IsAt(s.lock.Flock, s.lock.Path()) { // it was removed, and others lock a new one
		_ = s.lock.Unlock()
		if err = regular.Alone(s.lock.Path()); err == nil {
			err = s.takeNext(limit, meanwhile)
		}
	}
	if errors.Is(err, store.ErrBusy) {
		return s.busy()
	}
	if err != nil {
		return fmt.Errorf("lock the workspace's memory: %w", err)
	}
	defer func() { _ = s.lock.Unlock() }()
	s.mu.Lock()
	defer s.mu.Unlock()
	return f()
}

// takeNext takes the lock of the process that writes, while it holds that of the process that writes next.
func (s *Store) takeNext(limit time.Duration, meanwhile func()) error {
	waited, err := s.take(s.turn, limit, nil)
	if err != nil {
		return err
	}
	defer func() { _ = s.turn.Unlock() }()
	if waited && meanwhile != nil {
		meanwhile()
		meanwhile = nil
	}
	_, err = s.take(s.lock, limit, meanwhile)
	return err
}

// enter waits until no other goroutine of this process writes.
func (s *Store) enter(limit time.Duration) error {
	var late <-chan time.Time
	if limit > 0 {
		late = time.After(limit)
	}
	select {
	case s.writing <- struct{}{}:
		return nil
	case <-late:
		return s.busy()
	}
}

// take takes a lock. If it must wait, it calls meanwhile before, unless that is nil, and
// reports that it waited.
func (s *Store) take(lock *fileLock, limit time.Duration, meanwhile func()) (waited bool, err error) {
	if lock.waiting().IsZero() {
		taken, err := lock.TryLock()
		if errors.Is(err, fs.ErrNotExist) { // the folder was removed
			if err = os.MkdirAll(s.dir, 0o700); err == nil {
				taken, err = lock.TryLock()
			}
		}
		if err != nil || taken {
			return false, err
		}
	}
	if meanwhile != nil {
		meanwhile()
	}
	return true, lock.take(limit)
}
