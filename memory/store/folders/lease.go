// Package folders keeps what belongs to the sessions of a workspace as files: a
// folder for each session, and in it the lease that tells whether a process
// serves the session.
package folders

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// Sessions are the folders of the sessions of a workspace.
type Sessions struct{ dir string }

// In returns the folders of the sessions in the folder of a workspace. Nothing is
// made before a lease is taken.
func In(dir string) Sessions { return Sessions{dir} }

// SessionDir is the folder of a session. It need not exist.
func (s Sessions) SessionDir(session string) string {
	return filepath.Join(s.dir, store.SessionsName, store.SessionKey(session))
}

// A lease is a lock that the operating system takes back when the process ends,
// however it ends. Several processes may serve one session, so holders share it.
type lease struct{ lock *flock.Flock }

// Lease takes the lease of a session, making its folder.
func (s Sessions) Lease(session string) (store.Lease, error) {
	dir := s.SessionDir(session)
	path := filepath.Join(dir, store.LeaseName)
	for {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("make the folder of the session: %w", err)
		}
		lock := flock.New(path, flock.SetPermissions(0o600))
		// Waits only while somebody looks whether the session is alive.
		err := lock.RLock()
		if err == nil && files.IsAt(lock, path) {
			return lease{lock}, nil
		}
		_ = lock.Close()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("take the lease of the session: %w", err)
		}
		// The folder was removed meanwhile, because nobody served the session.
	}
}

// Release gives the lease back.
func (l lease) Release() error { return l.lock.Close() }

// Alive reports whether any process, this one included, serves the session.
func (s Sessions) Alive(session string) bool {
	lock, served := leased(s.SessionDir(session))
	if lock != nil {
		_ = lock.Close()
	}
	return served
}

// leased reports whether any process serves the session of a folder. Where none
// does, none will while the lock is held that it returns; there is none where
// there was no lease.
func leased(dir string) (lock *flock.Flock, served bool) {
	path := filepath.Join(dir, store.LeaseName)
	if _, err := os.Stat(path); err != nil {
		return nil, false
	}
	lock = flock.New(path, flock.SetFlag(os.O_RDWR))
	free, err := lock.TryLock()
	if free && files.IsAt(lock, path) {
		return lock, false
	}
	if free { // removed and made anew meanwhile
		_ = lock.Close()
		return nil, true
	}
	// Not to know is no reason to forget.
	return nil, !errors.Is(err, fs.ErrNotExist)
}

// WhileUnserved runs f on the folder of a session that no process serves, nor can
// begin to serve meanwhile, and then removes the folder if f has left nothing in
// it but the lease. It does nothing where there is no folder, or the session is
// served.
func (s Sessions) WhileUnserved(session string, f func(dir string) error) error {
	dir := s.SessionDir(session)
	lock, served := leased(dir)
	if lock == nil && served {
		return nil
	}
	err := f(dir)
	entries, readErr := os.ReadDir(dir)
	if readErr == nil && len(entries) == 1 && entries[0].Name() == store.LeaseName {
		_ = os.Remove(filepath.Join(dir, store.LeaseName))
	}
	if lock != nil {
		_ = lock.Close()
	}
	_ = os.Remove(dir) // where anything is in it, it stays
	return err
}

// SweepSessions deletes the folders of sessions that are not to be kept, by their
// key, in which nothing was written since a time, and which no process serves.
func (s Sessions) SweepSessions(keep func(key string) bool, before time.Time) (store.Sweep, error) {
	var sweep store.Sweep
	folders, err := os.ReadDir(filepath.Join(s.dir, store.SessionsName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return sweep, fmt.Errorf("look at the folders of the sessions: %w", err)
	}
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		sweep.Scanned++
		dir := filepath.Join(s.dir, store.SessionsName, folder.Name())
		if keep(folder.Name()) || !unwritten(dir, before) {
			continue
		}
		switch removed, err := removeUnserved(dir); {
		case err != nil:
			sweep.Failed = append(sweep.Failed, store.SessionsName+"/"+folder.Name())
		case removed:
			sweep.Deleted++
		}
	}
	return sweep, nil
}

// unwritten reports whether nothing below a folder was written since a time.
func unwritten(dir string, since time.Time) bool {
	errWritten := errors.New("written")
	return filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && !info.ModTime().Before(since) {
			err = errWritten
		}
		return err
	}) == nil
}

// removeUnserved deletes a folder of a session that no process serves.
func removeUnserved(dir string) (bool, error) {
	lock, served := leased(dir)
	if served {
		return false, nil
	}
	err := os.RemoveAll(dir)
	if lock != nil {
		_ = lock.Close()
	}
	if err != nil { // not every system deletes a file that is open
		err = os.RemoveAll(dir)
	}
	return err == nil, err
}

// RemoveSession deletes the files of a session and returns their paths,
// relative to the folder of the workspace.
func (s Sessions) RemoveSession(session string) ([]string, error) {
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
	// A process that erases takes locks in the folder, which are files, too.
	if err := removeAll(dir); err != nil {
		return nil, fmt.Errorf("delete the files of the session: %w", err)
	}
	return removed, nil
}
