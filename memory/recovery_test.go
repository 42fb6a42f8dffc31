package memory_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// remove deletes a folder at once, as it seems to who looks for it by its name.
func remove(t *testing.T, dir string) {
	t.Helper()
	gone := filepath.Join(t.TempDir(), "gone")
	require.NoError(t, os.Rename(dir, gone))
	require.NoError(t, os.RemoveAll(gone))
}

func TestAFolderThatIsRemovedIsMadeAnewWithWhatItHeld(t *testing.T) {
	slow.Test(t)
	for name, what := range map[string]func(w *memory.Workspace, data string) string{
		"of the workspace": func(w *memory.Workspace, _ string) string { return w.Dir() },
		"of all data":      func(_ *memory.Workspace, data string) string { return data },
	} {
		t.Run(name, func(t *testing.T) {
			world := newWorld(t)
			w, kept, removed := world.filled()
			other := world.open()
			remove(t, what(w, world.data))

			kept = append(kept, "The session goes on meanwhile")
			add(t, w, longterm.Addition{Text: kept[3]})
			assert.ElementsMatch(t, kept, texts(w))
			require.Eventually(t, func() bool { // a process that notices it before it is made anew tells it
				told := append(w.Problems(), other.Problems()...)
				return len(told) > 0 && !slices.ContainsFunc(told, func(problem memory.Problem) bool {
					return !strings.Contains(problem.Message, "was removed")
				})
			}, patience, tick)
			on(w, func() { memory.Poll(w) })
			assert.True(t, memory.Alive(w, "s"), "the session has its lease again")
			require.Eventually(t, func() bool { return len(texts(other)) == 4 }, patience, tick)
			written(t, filepath.Join(w.Dir(), store.CopyName), 4)
			add(t, other, longterm.Addition{Text: "The other process goes on too"})
			require.Eventually(t, func() bool { return len(texts(w)) == 5 }, patience, tick)
			observe(t, w, "s", event.FileTouched{Path: "c.go", Action: event.Edit})
			on(w, func() { memory.Flush(w) })

			third := world.open()
			assert.Len(t, texts(third), 5)
			assert.Equal(t, 3, hotFiles(third))
			_, there := memory.RoomOf[*longterm.Room](third).Get(removed)
			assert.True(t, there)
			info, err := os.Stat(filepath.Join(w.Dir(), store.DatabaseName))
			require.NoError(t, err)
			assert.Zero(t, info.Mode().Perm()&0o077)
		})
	}
}

// Nobody writes for a while: the folder is made again all the same.
func TestAFolderThatIsRemovedIsMadeAnewWithoutAWrite(t *testing.T) {
	world := newWorld(t)
	w, kept, _ := world.filled()
	remove(t, w.Dir())
	require.Eventually(t, func() bool { return len(w.Problems()) == 1 }, patience, tick)
	settle(w)
	assert.ElementsMatch(t, kept, texts(world.open()))
}

// Another process starts in the empty folder before this one notices.
func TestWhatIsHeldIsAddedToADatabaseThatAnotherProcessMadeAnew(t *testing.T) {
	world := newWorld(t)
	w, kept, _ := world.filled()
	var fresh *memory.Workspace
	on(w, func() {
		remove(t, w.Dir())
		fresh = world.open()
		add(t, fresh, longterm.Addition{Text: "The new process has begun anew"})
	})
	kept = append(kept, "The new process has begun anew")
	for _, each := range []*memory.Workspace{w, fresh} {
		require.Eventually(t, func() bool { return len(texts(each)) == 4 }, patience, tick, fmt.Sprint(texts(each)))
		assert.ElementsMatch(t, kept, texts(each))
	}
	fresh.Close(context.Background())
	w.Close(context.Background())
	assert.ElementsMatch(t, kept, texts(world.open()))
}
