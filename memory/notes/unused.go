package notes

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// RemoveUnused removes the notes if they were never used: there is no overview, or it is
// one of the templates, and there are no other notes and no former versions. Files that
// are written meanwhile stay, as does the folder of the session.
func (f Folder) RemoveUnused(templates []string) error {
	var files []string
	err := filepath.WalkDir(f.dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("check whether the notes were used: %w", err)
	}
	for _, path := range files {
		if !f.isUnused(path, templates) {
			return nil
		}
	}
	for _, path := range []string{
		filepath.Join(f.Path(), Overview), filepath.Join(f.Path(), Detail), filepath.Join(f.Path(), Archive),
		f.Path(), filepath.Join(f.dir, store.NotesLockName),
		filepath.Join(f.dir, store.HistoryLockName), filepath.Join(f.dir, store.CompactLockName),
	} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil // something was written in the meantime
		}
	}
	return os.RemoveAll(f.versions())
}

// isUnused reports whether a file in the folder of the session exists also if no note was
// written.
func (f Folder) isUnused(path string, templates []string) bool {
	rel, err := filepath.Rel(f.dir, path)
	if err != nil {
		return false
	}
	switch dir, name := filepath.Split(rel); filepath.Clean(dir) {
	case ".":
		// Who erases from the folder creates the locks that are missing.
		return slices.Contains([]string{
			store.LeaseName, store.NotesLockName, store.HistoryLockName, store.CompactLockName,
		}, name)
	case store.NotesName:
		content, err := regular.ReadAlone(path, MaxBytes)
		return name == Overview && err == nil && slices.Contains(templates, string(content))
	case store.VersionsName:
		return slices.ContainsFunc(templates, func(t string) bool {
			revision := RevisionOf(t)
			return name == VersionName(Overview, revision) || name == revision // from before
		})
	}
	return false
}
