package folders

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

// EraseFromSessions takes texts out of the folders of all sessions. Former texts
// of notes that hold one are deleted; in every other file, of people's notes or
// of what was said, the text is replaced. One process at a time does so: several
// would write the same file beside the one that they replace.
func (s Sessions) EraseFromSessions(texts []string) error {
	// The longest first: what holds another one is gone as a whole.
	texts = slices.SortedFunc(slices.Values(texts), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	folders, err := filepath.Glob(filepath.Join(s.dir, store.SessionsName, "*"))
	if err != nil || len(folders) == 0 {
		return err
	}
	lock := flock.New(filepath.Join(s.dir, store.EraseLockName), flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("lock the folders of sessions: %w", err)
	}
	defer func() { _ = lock.Close() }()
	var errs []error
	for _, folder := range folders {
		errs = append(errs, eraseFromSession(folder, texts))
	}
	return errors.Join(errs...)
}

// eraseFromSession waits for those of our processes that write into the folder.
func eraseFromSession(dir string, texts []string) error {
	for _, name := range []string{store.NotesLockName, store.HistoryLockName} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			continue // nobody has written yet what it guards
		}
		lock := flock.New(filepath.Join(dir, name), flock.SetFlag(os.O_RDWR))
		if err := lock.Lock(); err != nil {
			return fmt.Errorf("lock the folder of a session: %w", err)
		}
		defer func() { _ = lock.Close() }()
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return fmt.Errorf("look into the folder of a session: %w", err)
		case !entry.Type().IsRegular() || entry.Name() == store.LeaseName || strings.HasSuffix(path, store.LockSuffix):
			return nil
		case filepath.Base(filepath.Dir(path)) == store.VersionsName:
			_, err := RemoveHolding([]string{path}, texts)
			return err
		}
		return eraseFrom(path, texts)
	})
}

// eraseFrom replaces texts in a file. An editor takes no lock: where it writes
// meanwhile, what it wrote is looked at.
func eraseFrom(path string, texts []string) error {
	name := filepath.Base(path)
	for {
		before, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("look into %s: %w", name, err)
		}
		after := store.WithoutBytes(before, texts)
		if bytes.Equal(after, before) {
			return nil
		}
		beside := filepath.Join(filepath.Dir(path), ".erasing-"+name)
		if err := writeSynced(beside, after); err != nil {
			return errors.Join(fmt.Errorf("erase from %s: %w", name, err), os.Remove(beside))
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, before) {
			_ = os.Remove(beside)
			continue
		}
		if err := os.Rename(beside, path); err != nil {
			return errors.Join(fmt.Errorf("erase from %s: %w", name, err), os.Remove(beside))
		}
		return nil
	}
}

func writeSynced(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Sync(), file.Close())
}

// RemoveHolding deletes the files that hold one of the texts, and returns their
// names.
func RemoveHolding(paths, texts []string) ([]string, error) {
	var removed []string
	for _, path := range paths {
		held, err := holdsAny(path, texts)
		if err != nil {
			return removed, fmt.Errorf("look into %s: %w", filepath.Base(path), err)
		}
		if !held {
			continue
		}
		if err := os.Remove(path); err != nil {
			return removed, fmt.Errorf("delete %s: %w", filepath.Base(path), err)
		}
		removed = append(removed, filepath.Base(path))
	}
	return removed, nil
}

func holdsAny(path string, texts []string) (bool, error) {
	if len(texts) == 0 {
		return true, nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	for _, t := range texts {
		if bytes.Contains(content, []byte(t)) {
			return true, nil
		}
	}
	return false, nil
}
