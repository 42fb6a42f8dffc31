package notes

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

const (
	// maxVersions and maxVersionBytes limit the versions that are kept of the notes of a
	// session. The oldest are deleted first.
	maxVersions     = 100
	maxVersionBytes = 4 << 20
	revisionLength  = 16
)

// VersionName returns the name of the file of a version of a note: its revision, and the
// revision of the path of the note. Versions of before have no path, and are those of any note.
func VersionName(name, revision string) string { return revision + "-" + RevisionOf(name) }

func (f Folder) versions() string { return filepath.Join(f.dir, store.VersionsName) }

// Keep keeps a version of a note, so that it can be read by its revision after the note has
// changed. It is not synced to the disk. It is called with the lock of the notes held, that
// is, by a function given to Update.
func (f Folder) Keep(note, content string) error {
	_, err := f.keep(note, content, files.WriteUnsynced)
	return err
}

func (f Folder) keep(
	note, content string, write func(path string, content []byte) error,
) (revision string, err error) {
	revision = RevisionOf(content)
	name := filepath.Join(f.versions(), VersionName(note, revision))
	if err := errors.Join(regular.Folder(f.versions()), regular.Alone(name)); err != nil {
		return "", fmt.Errorf("keep a version of a note: %w", err)
	}
	if now := time.Now(); os.Chtimes(name, now, now) == nil {
		return revision, nil // it was kept before, and is now the newest
	}
	if err := f.makeFolder(store.VersionsName); err != nil {
		return "", fmt.Errorf("create the folder of the versions of notes: %w", err)
	}
	content, _ = redact.Text(content) // an editor may have written secrets
	if err := write(name, []byte(content)); err != nil {
		return "", fmt.Errorf("keep a version of a note: %w", err)
	}
	return revision, f.sweep()
}

// moveVersions gives the versions of a note the path to which it is moved.
func (f Folder) moveVersions(name, to string) error {
	entries, err := os.ReadDir(f.versions())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("list the versions of notes: %w", err)
	}
	for _, entry := range entries {
		revision, ours := strings.CutSuffix(entry.Name(), VersionName(name, ""))
		if !ours {
			continue
		}
		from, to := filepath.Join(f.versions(), entry.Name()), filepath.Join(f.versions(), VersionName(to, revision))
		if err := os.Rename(from, to); err != nil {
			return fmt.Errorf("keep a version of a note: %w", err)
		}
	}
	return nil
}

// sweep deletes the oldest versions that exceed the limits.
func (f Folder) sweep() error {
	entries, err := os.ReadDir(f.versions())
	if err != nil {
		return fmt.Errorf("list the versions of notes: %w", err)
	}
	var files []fs.FileInfo
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), strings.Compare(a.Name(), b.Name()))
	})
	bytes := int64(0)
	for i, file := range files {
		if bytes += file.Size(); i >= maxVersions || bytes > maxVersionBytes && i > 0 {
			_ = os.Remove(filepath.Join(f.versions(), file.Name()))
		}
	}
	return nil
}

// ReadRevision returns a note with the content of a revision. The error is a fault with
// the reason NotFound if that revision is not kept.
func (f Folder) ReadRevision(name, revision string) (Note, error) {
	name, err := Clean(name)
	if err != nil {
		return Note{}, err
	}
	absent := fault.Missing(name, "there is no revision %s of the note %s; only its newest ones are kept",
		revision, name)
	if len(revision) != revisionLength || strings.Trim(revision, "0123456789abcdef") != "" {
		return Note{}, absent
	}
	content, err := regular.ReadAlone(filepath.Join(f.versions(), VersionName(name, revision)), maxVersionBytes)
	if errors.Is(err, fs.ErrNotExist) {
		content, err = regular.ReadAlone(filepath.Join(f.versions(), revision), maxVersionBytes)
	}
	// An empty file of a version that is not empty is one that was not on the disk before a power cut.
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(content) == 0 && revision != RevisionOf("") {
		return Note{}, absent
	}
	if err != nil {
		return Note{}, fmt.Errorf("read a version of a note: %w", err)
	}
	return Note{Path: name, Content: string(content), Revision: revision}, nil
}
