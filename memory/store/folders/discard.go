package folders

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

// DiscardFiles moves files and folders of the workspace into a new folder, which
// RemoveDiscarded deletes. It returns the names of those that existed.
func (s Sessions) DiscardFiles(names ...string) (moved []string, err error) {
	discarded := filepath.Join(s.dir, store.DiscardedPrefix+strings.ToLower(rand.Text()))
	if err := os.MkdirAll(discarded, 0o700); err != nil {
		return nil, fmt.Errorf("make a folder for deleted files: %w", err)
	}
	for _, name := range names {
		switch err := os.Rename(filepath.Join(s.dir, name), filepath.Join(discarded, name)); {
		case err == nil:
			moved = append(moved, name)
		case !errors.Is(err, fs.ErrNotExist):
			return moved, fmt.Errorf("delete %s: %w", name, err)
		}
	}
	return moved, nil
}

// RemoveDiscarded deletes discarded files. It returns the names of the folders that could not
// be deleted, and the errors.
func (s Sessions) RemoveDiscarded() (left []string, err error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	errs := []error{err}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, store.DiscardedPrefix) {
			continue
		}
		if err := removeAll(filepath.Join(s.dir, name)); err != nil {
			left = append(left, name)
			errs = append(errs, fmt.Errorf("delete discarded files: %w", err))
		}
	}
	return left, errors.Join(errs...)
}

// removeAll deletes a folder. It tries again if another process creates a file in it.
func removeAll(path string) (err error) {
	for range 10 {
		if err = os.RemoveAll(path); err == nil {
			return nil
		}
	}
	return err
}
