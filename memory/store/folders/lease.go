// Package folders manages the folders of the sessions of a workspace. Each session has a
// folder with a lease file, which is locked while a process serves the session.
package folders

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// Sessions are the folders of the sessions of a workspace.
type Sessions struct{ dir string }

// In returns the folders of the sessions in the folder of a workspace. A folder is created
// when a lease is taken.
func In(dir string) Sessions { return Sessions{dir} }

// SessionDir returns the folder of a session. It need not exist.
func (s Sessions) SessionDir(session string) string {
	return filepath.Join(s.dir, store.SessionsName, store.SessionKey(session))
}

// A lease is a file lock, which the operating system releases when the process ends. The lock
// is shared, because several processes may serve one session.
type lease struct{ lock *flock.Flock }

// Lease takes the lease of a session and creates its folder.
func (s Sessions) Lease(session string) (store.Lease, error) {
	dir := s.SessionDir(session)
	path := filepath.Join(dir, store.LeaseName)
	for {
		if err := errors.Join(regular.Folder(filepath.Dir(dir)), regular.Folder(dir), regular.Alone(path)); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("make the folder of the session: %w", err)
		}
		lock := flock.New(path, flock.SetPermissions(0o600))
		// It waits only while another process checks whether the session is alive.
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

// Release releases the lease.
func (l lease) Release() error { return l.lock.Close() }

// Alive reports whether any process, including this one, serves a session.
func (s Sessions) Alive(session string) bool {
	lock, served := leased(s.SessionDir(session))
	if lock != nil {
		_ = lock.Close()
	}
	return served
}

// leased reports whether any process serves the session of a folder. If none does, it returns
// a lock that keeps other processes from serving the session, or nil if there is no lease
// file.
func leased(dir string) (lock *flock.Flock, served bool) {
	path := filepath.Join(dir, store.LeaseName)
	if _, err := os.Lstat(path); err != nil {
		return nil, false
	}
	if regular.Alone(path) != nil { // it is not known, see below; Lease tells it
		return nil, true
	}
	lock = flock.New(path, flock.SetFlag(os.O_RDWR))
	free, err := lock.TryLock()
	if free && files.IsAt(lock, path) {
		return lock, false
	}
	if free { // it was removed and created again meanwhile
		_ = lock.Close()
		return nil, true
	}
	// If it is not known, the session counts as served.
	return nil, !errors.Is(err, fs.ErrNotExist)
}

// WhileUnserved runs f on the folder of a session if no process serves the session. None can
// begin to during the call. It then removes the folder if only the lease is left in it.
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
	_ = os.Remove(dir) // it fails if there is a file in it
	return err
}

// SweepSessions deletes the folders of sessions for whose key keep returns false, in which
// nothing was written since a time, and which no process serves.
func (s Sessions) SweepSessions(keep func(key string) bool, before time.Time) (store.Sweep, error) {
	var sweep store.Sweep
	folders, err := s.folders()
	if err != nil {
		return sweep, err
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

// folders returns the folders of all sessions, and what else is beside them.
func (s Sessions) folders() ([]fs.DirEntry, error) {
	dir := filepath.Join(s.dir, store.SessionsName)
	err := regular.Folder(dir)
	if err != nil {
		return nil, err
	}
	folders, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list the folders of sessions: %w", err)
	}
	return folders, nil
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

// removeUnserved deletes a folder of a session if no process serves the session.
func removeUnserved(dir string) (bool, error) {
	lock, served := leased(dir)
	if served {
		return false, nil
	}
	err := os.RemoveAll(dir)
	if lock != nil {
		_ = lock.Close()
	}
	if err != nil { // on some systems, an open file cannot be deleted
		err = os.RemoveAll(dir)
	}
	return err == nil, err
}

// RemoveSession deletes the files of a session. It returns their paths, relative to the folder
// of the workspace.
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
	// A process that erases may create lock files in the folder meanwhile.
	if err := removeAll(dir); err != nil {
		return nil, fmt.Errorf("delete the files of the session: %w", err)
	}
	return removed, nil
}
