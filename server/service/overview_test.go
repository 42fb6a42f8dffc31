package service

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A beside is a room that does something while a context is assembled.
type beside struct{ do func() }

func (b beside) Name() string                                 { return "beside" }
func (b beside) Observe(event.Event) ([]change.Change, error) { return nil, nil }
func (b beside) Fold(change.Change) ([]change.Row, error)     { return nil, nil }
func (b beside) Load([]change.Row) error                      { return nil }
func (b beside) Sections(room.Reader) []render.Section {
	return []render.Section{{ID: "beside", MaxChars: 100, Render: func(int, render.DedupSet) render.Part {
		b.do()
		return render.Part{}
	}}}
}

// A first context is assembled while the overview of its session is created.
func TestAFirstContextShowsTheOverviewThatIsThereWhenItIsAnswered(t *testing.T) {
	const empty = "<overview>empty: working-memory/overview.md</overview>"
	for name, test := range map[string]struct {
		// meanwhile is done with the path of the overview while the context is assembled.
		meanwhile func(t *testing.T, path string)
		shows     string // the overview
		holds     string // the file
	}{
		"the template if nobody else writes": {func(*testing.T, string) {}, empty, "# "},
		"what another program writes": {func(t *testing.T, path string) {
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
			require.NoError(t, os.WriteFile(path, []byte("# Mine\n\nThe cart is red.\n"), 0o600))
		}, "The cart is red.", "The cart is red."},
	} {
		t.Run(name, func(t *testing.T) {
			var f *face
			var path string
			f = newFace(t, func(room.Env) room.Room {
				return beside{func() { test.meanwhile(t, path) }}
			})
			path = filepath.Join(f.notesFolder(), notes.Overview)
			require.NoFileExists(t, path)

			first := get[wire.ContextResult](f, "wm/context", &wire.ContextParams{})
			assert.Contains(t, first.Text, test.shows)
			doc, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Contains(t, string(doc), test.holds)
			again := get[wire.ContextResult](f, "wm/context", &wire.ContextParams{})
			assert.Contains(t, again.Text, test.shows)
		})
	}
}

// notesFolder returns the folder of the notes of the session "s".
func (f *face) notesFolder() string {
	f.t.Helper()
	at, err := f.service.View(&wire.ContextParams{})
	require.NoError(f.t, err)
	f.service.Settle(context.Background(), at)
	folder, err := at.notes().Folder("s")
	require.NoError(f.t, err)
	return folder.Path()
}

func TestAFirstContextSaysWhyItsOverviewCannotBeCreated(t *testing.T) {
	f := newFace(t)
	get[wire.WorkingAddResult](f, "wm/working/add", &wire.WorkingAddParams{Content: "call the bank"})
	lock := filepath.Join(filepath.Dir(f.notesFolder()), store.NotesLockName)
	require.NoError(t, os.Mkdir(lock, 0o700)) // in the way

	result := get[wire.ContextResult](f, "wm/context", &wire.ContextParams{})
	assert.Contains(t, result.Text, "call the bank")
	assert.NotContains(t, result.Text, "<overview>")
	i := slices.IndexFunc(result.Sections, func(s wire.ContextSection) bool { return s.ID == notes.ContextSection })
	require.GreaterOrEqual(t, i, 0)
	require.Len(t, result.Sections[i].Omitted, 1)
	assert.Contains(t, result.Sections[i].Omitted[0].Reason, "lock the notes")
}
