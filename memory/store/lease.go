package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

const (
	sessionsName = "sessions"
	leaseName    = "lease"
)

// SessionKey names the folder of a session: the first 32 hex digits of the
// sha256 of its id.
func SessionKey(session string) string {
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:16])
}

// SessionDir is the folder of a session. It need not exist.
func (s *Store) SessionDir(session string) string {
	return filepath.Join(s.dir, sessionsName, SessionKey(session))
}

// A Lease says that a process serves a session. The operating system takes it
// back when the process ends, however it ends. Several processes may serve one
// session, so holders share the lock.
type Lease struct{ lock *flock.Flock }

// Lease takes the lease of a session, making its folder.
func (s *Store) Lease(session string) (*Lease, error) {
	dir := s.SessionDir(session)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the session: %w", err)
	}
	lock := flock.New(filepath.Join(dir, leaseName), flock.SetPermissions(0o600))
	// Waits only while somebody looks whether the session is alive.
	if err := lock.RLock(); err != nil {
		return nil, fmt.Errorf("take the lease of the session: %w", err)
	}
	return &Lease{lock}, nil
}

// Release gives the lease back.
func (l *Lease) Release() error { return l.lock.Close() }

// Alive reports whether any process, this one included, serves the session.
func (s *Store) Alive(session string) bool {
	path := filepath.Join(s.SessionDir(session), leaseName)
	if _, err := os.Stat(path); err != nil {
		return false
	}
	lock := flock.New(path, flock.SetFlag(os.O_RDWR))
	free, err := lock.TryLock()
	if err != nil {
		// Not to know is no reason to forget.
		return !errors.Is(err, fs.ErrNotExist)
	}
	if free {
		_ = lock.Close()
	}
	return !free
}

// RemoveSession deletes the files of a session and returns their paths,
// relative to the folder of the workspace.
func (s *Store) RemoveSession(session string) ([]string, error) {
	dir := s.SessionDir(session)
	var removed []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(s.dir, path)
		removed = append(removed, filepath.ToSlash(rel))
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the files of the session: %w", err)
	}
	if err := os.RemoveAll(dir); err != nil {
		return nil, fmt.Errorf("delete the files of the session: %w", err)
	}
	return removed, nil
}
