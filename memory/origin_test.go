package memory_test

import (
	"context"
	"encoding/json"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

func traced(t *testing.T, w *memory.Workspace, kinds ...string) []change.Change {
	t.Helper()
	settle(w)
	changes, err := w.Trace(context.Background(), store.Filter{Kinds: kinds})
	require.NoError(t, err)
	require.NotEmpty(t, changes)
	return changes
}

func TestAChangeSaysFromWhichProcessAndMachineItComes(t *testing.T) {
	eachStorage(t, func(t *testing.T, world *world) {
		w, other := world.open(), world.open()
		add(t, w, longterm.Addition{Text: "The API listens on port 80"})
		add(t, other, longterm.Addition{Text: "The docs are in the wiki"})
		other.Close(context.Background())
		add(t, world.open(), longterm.Addition{Text: "The tests are run by make"})
		machines, processes := map[string]bool{}, map[string]bool{}
		for _, c := range traced(t, w, "memory.added") {
			machine, process, both := strings.Cut(c.Origin, "/")
			require.True(t, both, c.Origin)
			machines[machine], processes[process] = true, true
			host, err := os.Hostname()
			require.NoError(t, err)
			assert.NotContains(t, c.Origin, host)
			if known, err := user.Current(); err == nil {
				assert.NotContains(t, c.Origin, known.Username)
			}
		}
		assert.Len(t, machines, 1)
		assert.Len(t, processes, 3)
		elsewhere := newMemoryWorld(t).open()
		add(t, elsewhere, longterm.Addition{Text: "The API listens on port 80"})
		machine, _, _ := strings.Cut(traced(t, elsewhere, "memory.added")[0].Origin, "/")
		assert.NotContains(t, machines, machine)
	})
}

func TestAMachineThatIsBeingNamedByAnotherProcessHasItsName(t *testing.T) {
	world := newWorld(t)
	path := filepath.Join(world.data, store.MachineName)
	require.NoError(t, os.WriteFile(path, []byte("0123456789ab\n"), 0o600))
	require.NoError(t, os.Link(path, filepath.Join(world.data, ".writing-0.tmp"))) // it, or one that was killed
	w := world.open()
	add(t, w, longterm.Addition{Text: "The API listens on port 80"})
	machine, _, _ := strings.Cut(traced(t, w, "memory.added")[0].Origin, "/")
	assert.Equal(t, "0123456789ab", machine)
}

func TestAMachineWithoutANameWritesAllTheSame(t *testing.T) {
	world := newWorld(t)
	require.NoError(t, os.WriteFile(filepath.Join(world.data, store.MachineName), []byte("no name at all!"), 0o600))
	w := world.open()
	add(t, w, longterm.Addition{Text: "The API listens on port 80"})
	assert.Empty(t, traced(t, w, "memory.added")[0].Origin)
}

func TestOnlyChangesOfTheWorkspaceMemoryAreShared(t *testing.T) {
	world := newMemoryWorld(t)
	w := world.open()
	observe(t, w, "s", event.FileTouched{Path: "a.go", Action: event.Edit})
	observe(t, w, "s", event.TodosChanged{Todos: []event.Todo{{Content: "write it down", Status: "pending"}}})
	observe(t, w, "s", event.SessionEnded{})
	add(t, w, longterm.Addition{Text: "The API listens on port 80"}) // which writes what waits
	scopes := map[string]change.Scope{}
	for _, c := range traced(t, w) {
		scopes[c.Kind.Noun()] = c.Scope
	}
	require.Greater(t, len(scopes), 2)
	for noun, scope := range scopes {
		assert.Equal(t, noun == "memory", scope == change.Shared, noun)
	}
}

func TestNothingSharedHoldsAnAbsolutePath(t *testing.T) {
	world := newMemoryWorld(t)
	world.settings.Memory.MaxEntries = 3
	w := world.open()
	inside := func(name string) string { return filepath.Join(w.Root(), filepath.FromSlash(name)) }
	files := []string{
		inside("pkg/a.go"), "b.go", filepath.Join(world.data, "memory.db"), "/etc/passwd",
		`C:\src\c.go`, "file:///d.go",
	}
	room := func() *longterm.Room { return memory.RoomOf[*longterm.Room](w) }
	apply := func(decide func() ([]change.Change, error)) {
		t.Helper()
		on(w, func() {
			_, err := w.Apply(context.Background(), change.Actor{Session: "s"}, decide)
			require.NoError(t, err)
		})
	}
	first := add(t, w, longterm.Addition{Text: "The API listens on port 80", Files: files})
	assert.Equal(t, []string{"pkg/a.go", "b.go"}, first.Entry.Files)
	add(t, w, longterm.Addition{Text: "The API listens on port 80", Files: []string{inside("c.go")}}) // merged
	second := add(t, w, longterm.Addition{Text: "The docs are in the wiki", Files: files})
	add(t, w, longterm.Addition{Text: "", Source: longterm.Compaction, Files: files}) // rejected
	text := "The docs are in a book"
	apply(func() ([]change.Change, error) { return room().Update(second.ID, longterm.Patch{Text: &text}) })
	text = "The API listens on port 80"
	apply(func() ([]change.Change, error) { // superseded
		return room().Update(second.ID, longterm.Patch{Text: &text})
	})
	observe(t, w, "s", event.FileRenamed{From: "b.go", To: "sub/b.go"})
	observe(t, w, "s", event.FileDeleted{Path: "sub"})
	observe(t, w, "s", event.FileTouched{Path: "sub/b.go", Action: event.Edit})
	apply(func() ([]change.Change, error) { return room().Remove(first.ID) })
	apply(func() ([]change.Change, error) { return room().Restore(first.ID) })
	apply(func() ([]change.Change, error) {
		gone := &longterm.Stale{Reason: inside("e.go") + " was deleted", Gone: []string{inside("e.go"), "/etc/passwd"}}
		return room().Rebuild(longterm.Document{Version: 1, Entries: []longterm.Entry{
			{Type: "project", Text: "What is read from a copy", Files: files, Stale: gone},
			{Type: "project", Text: "What is read from it, too", Files: []string{inside("e.go")}},
			{Type: "project", Text: "What is over the limit goes", Files: files},
		}})
	})
	apply(func() ([]change.Change, error) { return room().Erase(second.ID) })

	kinds := map[change.Kind]bool{}
	for _, c := range traced(t, w, "memory") {
		kinds[c.Kind] = true
		assert.Equal(t, change.Shared, c.Scope)
		row, err := json.Marshal(c)
		require.NoError(t, err)
		for _, part := range []string{string(row), string(c.Before), string(c.After)} {
			for _, path := range []string{w.Root(), world.folder, world.data, "/etc", `C:\`, "file:"} {
				assert.NotContains(t, part, path, c.Kind)
			}
		}
	}
	for _, kind := range []change.Kind{
		longterm.Added, longterm.Merged, longterm.Updated, longterm.Superseded, longterm.Removed, longterm.Evicted,
		longterm.Restored, longterm.Relinked, longterm.Staled, longterm.Freshened, longterm.Rejected, longterm.Erased,
	} {
		assert.Contains(t, kinds, kind)
	}
}
