package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// maxFile is the maximum size of a file in a backup, in bytes. The program writes no larger one.
const maxFile = 1 << 30

// keptFolders are the folders whose files are part of a backup. The readable copy is not: it is
// written again.
func keptFolders() []string {
	return []string{store.SessionsName, path.Join(store.CacheName, store.OutputsName)}
}

// isKept reports whether a file, by its path relative to the folder of the workspace, is part of a
// backup: neither a lock nor a temporary file.
func isKept(name string) bool {
	if !slices.ContainsFunc(keptFolders(), func(dir string) bool { return strings.HasPrefix(name, dir+"/") }) {
		return false
	}
	base := path.Base(name)
	return base != store.LeaseName && !strings.HasSuffix(base, store.LockSuffix) && !files.IsTemporary(base)
}

// filesIn returns the files in the folder of a workspace that are part of a backup, in the order
// of their names.
func filesIn(dir string) (names []string, err error) {
	for _, folder := range keptFolders() {
		err := fs.WalkDir(os.DirFS(dir), folder, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() && isKept(name) {
				names = append(names, name)
			}
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("list the files of the sessions: %w", err)
		}
	}
	slices.Sort(names)
	return names, nil
}

// writeFiles writes the files of the sessions and the kept outputs.
func writeFiles(dir string, w *writer) error {
	names, err := filesIn(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		content, err := regular.Read(dir, filepath.FromSlash(name), maxFile)
		if errors.Is(err, fs.ErrNotExist) { // deleted meanwhile
			continue
		}
		if err != nil {
			return fmt.Errorf("read a file of a session: %w", err)
		}
		l := fileLine{Path: name, Content: value{string(content)}}
		if !utf8.Valid(content) {
			l.Content.of = content
		}
		if err := w.write(line{File: &l}); err != nil {
			return err
		}
	}
	return nil
}

// removeFiles deletes the files that are part of a backup. Locks stay, because processes hold them.
func removeFiles(dir string) error {
	names, err := filesIn(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		err := os.Remove(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("delete a file of the former memory: %w", err)
		}
	}
	return nil
}

// checkFile returns an error if a file must not be restored.
func checkFile(f fileLine) error {
	if !fs.ValidPath(f.Path) || !filepath.IsLocal(filepath.FromSlash(f.Path)) || !isKept(f.Path) {
		return fmt.Errorf("the file %q is none of a session or output", f.Path)
	}
	switch f.Content.of.(type) {
	case string, []byte:
		return nil
	}
	return fmt.Errorf("the file %q has no content", f.Path)
}

// restoreFile writes a file, with the folders that it needs, without following links out of the
// folder of the workspace.
func restoreFile(root *os.Root, f fileLine) error {
	content, isText := f.Content.of.(string)
	bytes := []byte(content)
	if !isText {
		bytes, _ = f.Content.of.([]byte)
	}
	folder := path.Dir(f.Path)
	if err := root.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("restore a file: %w", err)
	}
	in, err := root.OpenRoot(folder)
	if err != nil {
		return fmt.Errorf("restore a file: %w", err)
	}
	defer func() { _ = in.Close() }()
	pending, err := files.New(in, bytes)
	if err == nil {
		err = pending.Replace(path.Base(f.Path))
	}
	if err != nil {
		return fmt.Errorf("restore a file: %w", err)
	}
	return nil
}
