package folders

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/sourcegraph/conc/pool"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

const (
	// lockTimeout is the maximum time to wait for all locks of other processes together.
	lockTimeout = 5 * time.Second
	// erasedAtOnce is from how many files of a session strings are erased at once.
	erasedAtOnce = 8
)

// sessionLocks are the names of the locks of a session, in the order in which they are taken.
var sessionLocks = []string{store.CompactLockName, store.NotesLockName, store.HistoryLockName}

// EraseFromSessions erases strings from the folders of all sessions. Versions of notes and
// temporary files that contain one are deleted. In other files the text is replaced. It
// returns the paths, relative to the folder of the workspace, of the files that may still
// contain a string, and the errors. Only one process does this at a time.
func (s Sessions) EraseFromSessions(texts []string) (left []string, err error) {
	sessions := filepath.Join(s.dir, store.SessionsName)
	folders, err := s.folders()
	if err != nil {
		return []string{store.SessionsName}, err
	}
	if len(folders) == 0 {
		return nil, nil
	}
	// The longest first, because it may contain others.
	texts = slices.SortedFunc(slices.Values(texts), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	lock, err := files.Lock(ctx, filepath.Join(s.dir, store.EraseLockName))
	if err != nil {
		return []string{store.SessionsName}, fmt.Errorf("wait for another process that erases: %w", err)
	}
	defer func() { _ = lock.Close() }()
	var errs []error
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		found, err := s.eraseFromSession(ctx, filepath.Join(sessions, folder.Name()), texts)
		left, errs = append(left, found...), append(errs, err)
	}
	return left, errors.Join(errs...)
}

// eraseFromSession erases strings from the folder of a session. It waits for processes that
// write into it.
func (s Sessions) eraseFromSession(ctx context.Context, dir string, texts []string) (left []string, err error) {
	held, err := filesIn(dir)
	if err != nil {
		return []string{s.relative(dir)}, fmt.Errorf("list the files of a session: %w", err)
	}
	if len(held) == 0 {
		return nil, nil
	}
	unlock, err := lockSession(ctx, dir)
	if err != nil {
		return []string{s.relative(dir)}, err
	}
	defer unlock()
	if held, err = filesIn(dir); err != nil { // they do not change while the locks are held
		return []string{s.relative(dir)}, fmt.Errorf("list the files of a session: %w", err)
	}
	errs := make([]error, len(held))
	all := pool.New().WithMaxGoroutines(erasedAtOnce) // the disk syncs several files at once
	for i, path := range held {
		erase := eraseFrom
		if filepath.Base(filepath.Dir(path)) == store.VersionsName || files.IsTemporary(filepath.Base(path)) {
			erase = removeIfHolding
		}
		all.Go(func() { errs[i] = erase(path, texts) })
	}
	all.Wait()
	for i, path := range held {
		if errs[i] != nil {
			left = append(left, s.relative(path))
		}
	}
	return left, errors.Join(errs...)
}

// lockSession takes all locks of a session.
func lockSession(ctx context.Context, dir string) (unlock func(), err error) {
	var locks []*flock.Flock
	unlock = func() {
		for _, lock := range locks {
			_ = lock.Close()
		}
	}
	for _, name := range sessionLocks {
		lock, err := files.Lock(ctx, filepath.Join(dir, name))
		if err != nil {
			unlock()
			return nil, fmt.Errorf("lock the folder of a session: %w", err)
		}
		locks = append(locks, lock)
	}
	return unlock, nil
}

// LockSessions takes all locks of all sessions that have files, so that no process writes into
// their folders. It skips a session whose locks it cannot take within lockTimeout.
func (s Sessions) LockSessions() (unlock func()) {
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	var unlocks []func()
	folders, _ := s.folders()
	for _, folder := range folders {
		dir := filepath.Join(s.dir, store.SessionsName, folder.Name())
		if held, err := filesIn(dir); err != nil || len(held) == 0 {
			continue
		}
		if unlock, err := lockSession(ctx, dir); err == nil {
			unlocks = append(unlocks, unlock)
		}
	}
	return func() {
		for _, unlock := range unlocks {
			unlock()
		}
	}
}

// relative returns a path relative to the folder of the workspace, with slashes.
func (s Sessions) relative(path string) string {
	if rel, err := filepath.Rel(s.dir, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return filepath.Base(path)
}

// filesIn returns the regular files in the folder of a session, except the lease and the
// locks.
func filesIn(dir string) (paths []string, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case entry.Type().IsRegular() && entry.Name() != store.LeaseName && !strings.HasSuffix(path, store.LockSuffix):
			paths = append(paths, path)
		}
		return nil
	})
	return paths, err
}

// eraseFrom replaces strings in a file. If an editor, which takes no lock, writes the file
// meanwhile, it is read again.
func eraseFrom(path string, texts []string) error {
	name := filepath.Base(path)
	root, err := regular.OpenRoot(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("erase from %s: %w", name, err)
	}
	defer func() { _ = root.Close() }()
	for {
		before, err := root.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("erase from %s: %w", name, err)
		}
		after := store.WithoutBytes(before, texts)
		if bytes.Equal(after, before) {
			return nil
		}
		pending, err := files.New(root, after)
		if err != nil {
			return fmt.Errorf("erase from %s: %w", name, err)
		}
		if now, err := root.ReadFile(name); err != nil || !bytes.Equal(now, before) {
			pending.Discard()
			continue
		}
		if err := pending.Replace(name); err != nil {
			return fmt.Errorf("erase from %s: %w", name, err)
		}
		return nil
	}
}

func removeIfHolding(path string, texts []string) error {
	_, err := files.RemoveHolding(path, texts)
	return err
}
