//go:build unix

package memory_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/sweeps"
	"github.com/wm-lsp/wm-lsp/test/raced"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// plants are what a program may put in the place of a file or folder of the memory. outside is
// a folder with a file "other" that must stay as it is.
var plants = map[string]func(path, outside string) error{
	"a link": func(path, outside string) error { return os.Symlink(filepath.Join(outside, "other"), path) },
	"a link to nothing": func(path, outside string) error {
		return os.Symlink(filepath.Join(outside, "nothing"), path)
	},
	"a link to a folder": func(path, outside string) error { return os.Symlink(outside, path) },
	"a named pipe":       func(path, _ string) error { return syscall.Mkfifo(path, 0o600) },
	"a hard link":        func(path, outside string) error { return os.Link(filepath.Join(outside, "other"), path) },
}

// TestWhatIsPlantedAmongTheFilesIsToldAndNotFollowed plants links, pipes and hard links in the
// place of each file and folder that the memory of a session has, and uses the session.
func TestWhatIsPlantedAmongTheFilesIsToldAndNotFollowed(t *testing.T) {
	slow.Test(t)
	session := filepath.Join(store.SessionsName, store.SessionKey("s"))
	outputsOf := filepath.Join(store.CacheName, store.OutputsName)
	for _, name := range []string{
		store.SessionsName, session, filepath.Join(session, store.LeaseName), filepath.Join(session, store.MetaName),
		filepath.Join(session, store.HistoryName), filepath.Join(session, store.HistoryLockName),
		filepath.Join(session, store.CompactLockName), filepath.Join(session, store.NotesLockName),
		filepath.Join(session, store.VersionsName),
		filepath.Join(session, store.VersionsName, notes.VersionName("detail/a.md", notes.RevisionOf(plantedNote))),
		filepath.Join(session, store.NotesName), filepath.Join(session, store.NotesName, notes.Overview),
		filepath.Join(session, store.NotesName, notes.Detail), store.CacheName, outputsOf,
		filepath.Join(outputsOf, store.OutputRef(plantedOutput)),
		filepath.Join("..", "..", store.MachineName), filepath.Join("..", "..", store.RootsName),
	} {
		for kind, plant := range plants {
			if raced.On && kind != "a link to a folder" && kind != "a named pipe" {
				continue
			}
			t.Run(filepath.Base(name)+", "+kind, func(t *testing.T) { plantedIsTold(t, name, kind, plant) })
		}
	}
}

const plantedNote = "# Task\n\nMove the tables, and The archive is read only.\n"

var plantedOutput = long("planted", 200)

func plantedIsTold(t *testing.T, name, kind string, plant func(path, outside string) error) {
	world := newWorld(t)
	world.settings.History.Keep = true
	w := world.open()
	require.NotContains(t, used(t, w), "is a")
	w.Close(context.Background())

	outside := t.TempDir()
	other := filepath.Join(outside, "other")
	require.NoError(t, os.WriteFile(other, []byte("The archive is read only"), 0o600))
	old := time.Now().Add(-100 * aDay).Truncate(time.Second)
	require.NoError(t, os.Chtimes(other, old, old))
	path := filepath.Join(w.Dir(), name)
	require.NoError(t, os.RemoveAll(path))
	require.NoError(t, plant(path, outside))

	w = world.open()
	told := used(t, w)
	w.Close(context.Background())
	assert.Contains(t, told, filepath.Base(name), "it is told")
	content, err := os.ReadFile(other)
	require.NoError(t, err, "the other file is still there")
	assert.Equal(t, "The archive is read only", string(content))
	info, err := os.Stat(other)
	require.NoError(t, err)
	assert.True(t, info.ModTime().Equal(old), "its time was changed to %s", info.ModTime())
	beside, err := os.ReadDir(outside)
	require.NoError(t, err)
	assert.Len(t, beside, 1, "nothing was written beside it")
}

// used uses all that a session has, and returns what was told: errors and problems.
func used(t *testing.T, w *memory.Workspace) string {
	t.Helper()
	var told []string
	done := make(chan struct{})
	go func() {
		defer close(done)
		on(w, func() {
			ctx := context.Background()
			ev := event.Event{Session: "s", Agent: "agent", Worktree: w.Root()}
			note := func(err error) {
				if err != nil {
					told = append(told, err.Error())
				}
			}
			for i := range 5 {
				text := fmt.Sprintf("Look at %d", i) + strings.Repeat(" and on", 40)
				ev.Body = event.MessageReceived{Role: "user", Text: text}
				_, err := w.Observe(ctx, ev)
				note(err)
			}
			ev.Body = nil
			note(memory.ServiceOf[*history.Service](w).Keep(ctx, ev))
			_, err := memory.ServiceOf[*notes.Service](w).Write(ctx, ev, notes.Overview, plantedNote, "")
			note(err)
			_, err = memory.ServiceOf[*notes.Service](w).Write(ctx, ev, "detail/a.md", plantedNote, "")
			note(err)
			folder, err := memory.ServiceOf[*notes.Service](w).Folder("s")
			note(err)
			_, err = folder.Read("detail/a.md")
			note(err)
			_, err = folder.ReadRevision("detail/a.md", notes.RevisionOf(plantedNote))
			note(err)
			_, _, err = memory.ServiceOf[*history.Service](w).Compact(ctx, ev, history.Request{
				Target: history.TargetAll, Strategy: history.Archive, KeepRecent: 1, By: history.ByModel,
			})
			note(err)
			_, ref := outputsOf(w).Prune(outputs.Output{Text: plantedOutput, Mode: "normal"})
			if ref == "" {
				ref = store.OutputRef(plantedOutput)
			}
			_, err = outputsOf(w).Read(ref)
			note(err)
			_, err = memory.ServiceOf[*sweeps.Service](w).Sweep(ctx, change.Actor{})
			note(err)
			receipts, err := addNow(w, longterm.Addition{Text: "The archive is read only"})
			note(err)
			_, left, err := w.Erase(ctx, change.Actor{}, receipts)
			note(err)
			told = append(told, left...)
			note(w.EndSession(ctx, ev))
		})
	}()
	select {
	case <-done:
	case <-time.After(patience):
		require.Fail(t, "it hangs")
	}
	for _, problem := range w.Problems() {
		told = append(told, problem.Message)
	}
	return strings.Join(told, "\n")
}

// addNow adds an entry on the queue and returns its id.
func addNow(w *memory.Workspace, in longterm.Addition) (string, error) {
	changes, err := w.Apply(context.Background(), change.Actor{}, func() ([]change.Change, error) {
		return memory.RoomOf[*longterm.Room](w).Add(in)
	})
	if err != nil || len(changes) == 0 {
		return "", err
	}
	return changes[0].Subject, nil
}
