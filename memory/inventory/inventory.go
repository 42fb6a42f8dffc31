// Package inventory lists the memories of all workspaces on a machine, and deletes those of folders
// that are gone. Nothing here opens a memory.
package inventory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// A Memory is the memory of a workspace.
type Memory struct {
	// Key is the key of the workspace, and Root its folder; "" if it is not known, because its path
	// holds a secret, or because the memory was last used by a version that did not record it.
	Key  string `json:"key"`
	Root string `json:"root,omitzero"`
	// Path is the folder of the memory, and Bytes the size of the files in it.
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
	// LastUsed is when something was last written to it.
	LastUsed time.Time `json:"lastUsed"`
	// State is whether the folder of the workspace is there.
	State State `json:"state"`
}

// A State is whether the folder of a workspace is there.
type State string

// The states.
const (
	// There means that the folder is there, or cannot be looked at.
	There State = "there"
	// Unknown means that the folder is not known.
	Unknown State = "unknown"
	// Missing means that the folder is gone, but not for long enough, or with the folder that holds it:
	// it may be on a disk that is not mounted.
	Missing State = "missing"
	// Gone means that the folder is gone and that the memory was not used for the days of the setting
	// cleaning.goneDays. PurgeGone deletes it.
	Gone State = "gone"
)

// maxRoot is how many bytes the path of a folder has at most.
const maxRoot = 64 << 10

// Record records the folder of a workspace, unless its path holds a secret.
func Record(dataDir, key, root string) error {
	dir := filepath.Join(dataDir, store.RootsName)
	if rootOf(dataDir, key) == root || gate.Text(root) != root {
		return nil
	}
	if err := errors.Join(os.MkdirAll(dir, 0o700), regular.Folder(dir)); err != nil {
		return err
	}
	return files.WriteUnsynced(filepath.Join(dir, key), []byte(root))
}

// rootOf returns the recorded folder of a workspace, "" if there is none.
func rootOf(dataDir, key string) string {
	doc, err := regular.Read(filepath.Join(dataDir, store.RootsName), key, maxRoot)
	if err != nil || scope.KeyOf(string(doc)) != key {
		return ""
	}
	return string(doc)
}

// List returns the memories in a data folder, those that were used last first.
func List(dataDir string, now time.Time, goneDays int) ([]Memory, error) {
	entries, err := os.ReadDir(filepath.Dir(store.WorkspaceDir(dataDir, "key")))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the memories: %w", err)
	}
	var list []Memory
	for _, entry := range entries {
		if !entry.IsDir() || !isKey(entry.Name()) {
			continue
		}
		m := Memory{
			Key: entry.Name(), Root: rootOf(dataDir, entry.Name()), Path: store.WorkspaceDir(dataDir, entry.Name()),
		}
		m.Bytes, m.LastUsed = sizeOf(m.Path), lastUsed(m.Path)
		m.State = m.state(now, goneDays)
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b Memory) int {
		return cmp.Or(b.LastUsed.Compare(a.LastUsed), strings.Compare(a.Key, b.Key))
	})
	return list, nil
}

// isKey reports whether a name is that of the folder of a memory.
func isKey(name string) bool {
	return len(name) == len(scope.KeyOf("")) && strings.Trim(name, "0123456789abcdef") == ""
}

func (m Memory) state(now time.Time, goneDays int) State {
	if m.Root == "" {
		return Unknown
	}
	if _, err := os.Stat(m.Root); !errors.Is(err, fs.ErrNotExist) {
		return There
	}
	_, err := os.Stat(filepath.Dir(m.Root))
	if err != nil || m.LastUsed.IsZero() || now.Sub(m.LastUsed) < time.Duration(goneDays)*24*time.Hour {
		return Missing
	}
	return Gone
}

// sizeOf returns the size of the files in a folder and below, without those that cannot be read.
func sizeOf(dir string) (bytes int64) {
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			if info, err := entry.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return nil
	})
	return bytes
}

// lastUsed returns when a memory was last written. Reading it changes the other files.
func lastUsed(dir string) (at time.Time) {
	for _, name := range []string{store.NoticeName, store.DatabaseName} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.ModTime().After(at) {
			at = info.ModTime()
		}
	}
	return at
}

// patience is how long PurgeGone waits for a process that writes to a memory.
const patience = time.Second

// discarded is the suffix of the folder of a memory that is being deleted.
const discarded = ".discarded"

// PurgeGone deletes a memory whose folder is gone, and what was recorded of it. It deletes nothing if
// the folder is there again, or if the memory is in use.
func PurgeGone(ctx context.Context, dataDir string, m Memory, goneDays int) error {
	if now := m.state(time.Now(), goneDays); now != Gone {
		return fmt.Errorf("%s is %s now; nothing was deleted", m.Root, now)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	lock, err := files.Lock(ctx, filepath.Join(m.Path, store.LockName))
	if err != nil {
		return fmt.Errorf("the memory of %s is in use; nothing was deleted: %w", m.Root, err)
	}
	_ = lock.Close() // Windows moves no folder with an open file
	away := m.Path + discarded
	if err = os.RemoveAll(away); err == nil {
		err = os.Rename(m.Path, away) // so that a process that is killed leaves no half of a memory
	}
	if err != nil {
		return fmt.Errorf("delete the memory of %s: %w", m.Root, err)
	}
	for _, recorded := range []string{
		filepath.Join(store.RootsName, m.Key), filepath.Join(store.ImportedName, m.Key+".json"),
	} {
		if failed := os.Remove(filepath.Join(dataDir, recorded)); !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return errors.Join(err, os.RemoveAll(away))
}

// ClearLeft deletes what processes that were killed in PurgeGone have left.
func ClearLeft(dataDir string) error {
	workspaces := store.WorkspaceDir(dataDir, "")
	left, err := fs.Glob(os.DirFS(workspaces), "*"+discarded)
	for _, name := range left {
		err = errors.Join(err, os.RemoveAll(filepath.Join(workspaces, name)))
	}
	return err
}
