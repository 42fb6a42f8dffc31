package notes

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

// RemoveUntouched removes the notes if nothing was ever written into them: there
// is no overview, or it is one of the templates, no other note and no former text
// of one. What comes in between stays. The folder of the session is left, with
// what is not of the notes.
func (f Folder) RemoveUntouched(templates []string) error {
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
		return fmt.Errorf("look whether the notes were used: %w", err)
	}
	for _, path := range files {
		if !f.isUntouched(path, templates) {
			return nil
		}
	}
	for _, path := range []string{
		filepath.Join(f.Path(), Overview), filepath.Join(f.Path(), Detail), filepath.Join(f.Path(), Archive), f.Path(), filepath.Join(f.dir, store.NotesLockName),
	} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil // something came in between
		}
	}
	return os.RemoveAll(f.versions())
}

// isUntouched reports whether a file in the folder of the session is there also
// where no note was written.
func (f Folder) isUntouched(path string, templates []string) bool {
	rel, err := filepath.Rel(f.dir, path)
	if err != nil {
		return false
	}
	switch dir, name := filepath.Split(rel); filepath.Clean(dir) {
	case ".":
		return slices.Contains([]string{store.LeaseName, store.NotesLockName}, name)
	case store.NotesName:
		content, err := os.ReadFile(path)
		return name == Overview && err == nil && slices.Contains(templates, string(content))
	case store.VersionsName:
		return slices.ContainsFunc(templates, func(t string) bool { return name == RevisionOf(t) })
	}
	return false
}
