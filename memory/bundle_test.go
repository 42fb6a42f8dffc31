package memory_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/working"
)

// A sessionState is what the rooms keep of a session.
type sessionState struct {
	files  []hot.File
	items  []working.Scored
	events int
}

func keptOf(w *memory.Workspace, session string) sessionState {
	known := memory.RoomOf[*working.Room](w)
	return sessionState{
		files: memory.RoomOf[*hot.Room](w).Files(session, w.Root(), 0),
		items: known.Pool(session), events: known.Events(session),
	}
}

// storedRows returns how many rows of files and items of a session are stored, apart from bundles, and how many
// bundles.
func storedRows(t *testing.T, world *world, dir, session string) (rows, bundles int) {
	t.Helper()
	s, err := world.storage.Open(t.Context(), dir, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	state, err := s.Load(t.Context(), nil)
	require.NoError(t, err)
	for _, row := range append(state.Rows["hot"], state.Rows["working"]...) {
		switch {
		case room.Bundled(row) == session:
			bundles++
		case strings.HasPrefix(row.Key, session+"\x1f") || strings.HasPrefix(row.Key, "file\x1f") &&
			strings.Contains(row.Key, "\x1f"+session+"\x1f"):
			rows++
		}
	}
	return rows, bundles
}

func TestTheFilesAndItemsOfASessionThatIsOverAreOneRowEach(t *testing.T) {
	for name, world := range map[string]*world{"on disk": newWorld(t), "in memory": newMemoryWorld(t)} {
		t.Run(name, func(t *testing.T) {
			world.t = t
			w := world.open()
			for i := range 5 {
				input := fmt.Sprintf(`{"path": "file%d.go"}`, i)
				observe(t, w, "s", event.ToolRan{Tool: "edit", Input: []byte(input)})
			}
			before := keptOf(w, "s")
			require.Len(t, before.files, 5)
			require.Len(t, before.items, 5)
			reopen := func() {
				w.Close(t.Context())
				w = world.open()
			}
			reopen()
			rows, bundles := storedRows(t, world, w.Dir(), "s")
			assert.Zero(t, rows)
			assert.Equal(t, 2, bundles)
			assert.Equal(t, before, keptOf(w, "s"), "it keeps what it had")

			observe(t, w, "s", event.SessionStarted{})
			assert.Equal(t, before, keptOf(w, "s"), "it goes on with what it had")
			observe(t, w, "s", event.ToolRan{Tool: "edit", Input: []byte(`{"path": "file0.go"}`)})
			on(w, func() { memory.Flush(w) })
			rows, bundles = storedRows(t, world, w.Dir(), "s")
			assert.Greater(t, rows, 5, "what changes is stored by itself")
			assert.Zero(t, bundles)
			after := keptOf(w, "s")
			assert.NotEqual(t, before, after)
			reopen()
			assert.Equal(t, after, keptOf(w, "s"))

			observe(t, w, "other", event.FileRenamed{From: "file3.go", To: "third.go"})
			reopen()
			var paths []string
			for _, file := range keptOf(w, "s").files {
				paths = append(paths, file.Path)
			}
			assert.ElementsMatch(t, []string{"file0.go", "file1.go", "file2.go", "third.go", "file4.go"}, paths)

			observe(t, w, "s", event.SessionDeleted{})
			reopen()
			assert.Equal(t, sessionState{files: []hot.File{}}, keptOf(w, "s"))
			rows, bundles = storedRows(t, world, w.Dir(), "s")
			assert.Zero(t, rows+bundles)
		})
	}
}
