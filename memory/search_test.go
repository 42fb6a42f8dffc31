package memory_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/index"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// found returns the texts that a search finds, and how.
func found(t *testing.T, w *memory.Workspace, query string) (texts []string, mode string) {
	t.Helper()
	on(w, func() { memory.Refresh(w) })
	result, err := memory.RoomOf[*index.Room](w).Search(t.Context(), index.Query{Text: query, Limit: 10})
	require.NoError(t, err)
	texts = []string{}
	for _, hit := range result.Hits {
		texts = append(texts, hit.Text)
	}
	return texts, result.Mode
}

func keep(t *testing.T, w *memory.Workspace, text string) (id string) {
	t.Helper()
	on(w, func() {
		changes, err := w.Apply(t.Context(), change.Actor{}, func() ([]change.Change, error) {
			return memory.RoomOf[*longterm.Room](w).Add(longterm.Addition{Text: text, Source: longterm.Explicit})
		})
		require.NoError(t, err)
		id = changes[0].Subject
	})
	return id
}

func TestSearchFindsEntriesInEveryProcessUntilTheyAreErased(t *testing.T) {
	eachStorage(t, func(t *testing.T, world *world) {
		w, other := world.open(), world.open()
		id := keep(t, w, "The launch codename is Halcyon Meridian.")
		keep(t, other, "Round once, on the total.")
		for _, each := range []*memory.Workspace{w, other} {
			texts, mode := found(t, each, "rounding totals")
			assert.Equal(t, []string{"Round once, on the total."}, texts)
			assert.Equal(t, index.Lexical, mode)
			texts, _ = found(t, each, "codename of the launch")
			assert.Equal(t, []string{"The launch codename is Halcyon Meridian."}, texts)
		}
		on(other, func() {
			_, left, err := other.Erase(t.Context(), change.Actor{}, id)
			require.NoError(t, err)
			assert.Empty(t, left)
		})
		for _, each := range []*memory.Workspace{w, other} {
			texts, _ := found(t, each, "halcyon codename")
			assert.Empty(t, texts)
		}
		on(w, func() {
			_, _, err := w.Purge(t.Context(), change.Actor{})
			require.NoError(t, err)
		})
		texts, _ := found(t, w, "rounding")
		assert.Empty(t, texts)
		keep(t, w, "Round down, always.")
		texts, mode := found(t, w, "rounding")
		assert.Equal(t, []string{"Round down, always."}, texts)
		assert.Equal(t, index.Lexical, mode)
	})
}

func TestTheTermsOfAnErasedEntryAreNotInTheDatabase(t *testing.T) {
	world := newWorld(t)
	w := world.open()
	id := keep(t, w, "The launch codename is halcyonium.")
	on(w, func() {
		_, left, err := w.Erase(t.Context(), change.Actor{}, id)
		require.NoError(t, err)
		assert.Empty(t, left)
	})
	w.Close(context.Background())
	for _, suffix := range []string{"", "-wal"} {
		content, err := os.ReadFile(filepath.Join(w.Dir(), store.DatabaseName+suffix))
		require.NoError(t, err)
		assert.NotContains(t, string(content), "halcyon", suffix)
	}
}

func TestAnIndexThatIsMissingIsBuiltInTheBackground(t *testing.T) {
	slow.Test(t)
	world := newWorld(t)
	world.settings.Memory.MaxEntries = 500
	w := world.open()
	on(w, func() {
		_, err := w.Apply(t.Context(), change.Actor{}, func() (all []change.Change, err error) {
			for i := range 300 {
				entry := longterm.Entry{
					ID: fmt.Sprintf("01HZZZZZZZZZZZZZZZZZZZZ%03d", i), Type: "project", Source: longterm.Explicit,
					Text: fmt.Sprintf("The kestrel n%dq is fed on time.", i), Status: longterm.StatusActive,
				}
				all = append(all, change.New(longterm.Added, entry.ID, entry))
			}
			return all, nil
		})
		require.NoError(t, err)
	})
	on(w, func() {
		s := memory.StoreOf(w)
		require.NoError(t, s.Update(t.Context(), store.Durable, nil, func(tx store.Tx) error {
			_, err := tx.ExecContext(t.Context(), "DROP TABLE index_chunk")
			return err
		}))
	})
	texts, mode := found(t, w, "n7q")
	assert.Equal(t, index.Scan, mode)
	assert.Equal(t, []string{"The kestrel n7q is fed on time."}, texts)
	require.Eventually(t, func() bool {
		texts, mode = found(t, w, "n7q")
		return mode == index.Lexical
	}, patience, tick)
	assert.Equal(t, []string{"The kestrel n7q is fed on time."}, texts)
}

// A database of before has no sections of notes, and a person may write notes while no process runs.
func TestNotesOfSessionsThatNobodyServesAreReadForSearch(t *testing.T) {
	world := newWorld(t)
	w := world.open()
	write := func(session, path, text string) (dir string) {
		ev := event.Event{At: time.Now().UTC(), Session: session, Worktree: world.folder}
		on(w, func() {
			_, err := memory.ServiceOf[*notes.Service](w).Write(t.Context(), ev, path, text, "")
			require.NoError(t, err)
		})
		folder, err := memory.ServiceOf[*notes.Service](w).Folder(session)
		require.NoError(t, err)
		return folder.Path()
	}
	dir := write("one", "detail/a.md", "The kestrel hovers.")
	write("two", "detail/b.md", "The sparrow sings.")
	on(w, func() {
		s := memory.StoreOf(w)
		require.NoError(t, s.Update(t.Context(), store.Durable, nil, func(tx store.Tx) error {
			for _, drop := range []string{
				"DROP TABLE notes_section", "DROP TABLE notes_file", "DROP TABLE index_chunk",
				"DELETE FROM meta WHERE key = '" + store.TablesKey("notes") + "'",
			} {
				if _, err := tx.ExecContext(t.Context(), drop); err != nil {
					return err
				}
			}
			return nil
		}))
	})
	w.Close(context.Background())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "detail", "c.md"), []byte("The heron waits."), 0o600))

	again := world.open()
	assert.Eventually(t, func() bool {
		on(again, func() { memory.Poll(again) })
		for query, want := range map[string]string{
			"kestrel hovers": "The kestrel hovers.", "sparrow sings": "The sparrow sings.",
			"heron waits": "The heron waits.",
		} {
			texts, mode := found(t, again, query)
			if len(texts) == 0 || texts[0] != want || mode != index.Lexical {
				return false
			}
		}
		return true
	}, patience, 10*time.Millisecond)
}
