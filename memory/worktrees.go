package memory

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// worktrees holds the folders and worktrees of a workspace. It is safe for concurrent use.
type worktrees struct {
	settings func() *settings.Settings

	mu     sync.RWMutex
	scopes map[string]*scope.Scope // by worktree
}

func newWorktrees(settings func() *settings.Settings) *worktrees {
	return &worktrees{settings: settings, scopes: map[string]*scope.Scope{}}
}

// enter adds a place, if it is new, and returns its scope.
func (t *worktrees) enter(place scope.Place) *scope.Scope {
	t.mu.Lock()
	defer t.mu.Unlock()
	known, there := t.scopes[place.Worktree]
	if !there {
		known = scope.New(place,
			func() []string { return t.settings().Exclude },
			func() int { return t.settings().Files.MaxBytes })
		t.scopes[place.Worktree] = known
	}
	return known
}

// tracked implements room.Env.Tracked.
func (t *worktrees) tracked(worktree, cwd, file string) (string, bool) {
	t.mu.RLock()
	files, there := t.scopes[worktree]
	t.mu.RUnlock()
	if !there {
		return "", false
	}
	rel, inside := files.Rel(cwd, file)
	return rel, inside && files.Tracked(rel)
}

// relative implements room.Env.Relative.
func (t *worktrees) relative(file string) (string, bool) {
	if !filepath.IsAbs(file) { // it may be absolute on another system
		return "", false
	}
	t.mu.RLock()
	scopes := slices.Collect(maps.Values(t.scopes))
	t.mu.RUnlock()
	for _, files := range scopes { // which follow links
		if rel, inside := files.Rel("", file); inside {
			return rel, true
		}
	}
	return "", false
}

// maxRead is the maximum size of a file of a worktree that a room may read, in bytes.
const maxRead = 1 << 20

// readFile implements room.Env.Read.
func readFile(worktree, path string) (string, bool) {
	content, err := regular.Read(worktree, path, maxRead)
	return string(content), err == nil
}

// exists implements room.Env.Exists.
func exists(worktree, path string) bool {
	info, err := os.Lstat(filepath.Join(worktree, filepath.FromSlash(path)))
	return err == nil && info.Mode().IsRegular()
}

// unchanged implements room.Env.Unchanged.
func unchanged(worktree, path string, since time.Time) bool {
	info, err := os.Lstat(filepath.Join(worktree, filepath.FromSlash(path)))
	return err == nil && info.Mode().IsRegular() && !info.ModTime().After(since)
}
