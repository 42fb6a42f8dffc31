package memory_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// retiredEntries opens a workspace anew in which an entry was evicted and another
// removed; both say something about old.go.
func retiredEntries(t *testing.T, world *world) (w *memory.Workspace, evicted, removed string) {
	t.Helper()
	world.settings.Memory.MaxEntries = 2
	w = world.open()
	removed = add(t, w, longterm.Addition{Text: "The docs are in the wiki", Files: []string{"old.go"}}).ID
	on(w, func() {
		_, err := w.Apply(context.Background(), change.Actor{}, func() ([]change.Change, error) {
			return memory.RoomOf[*longterm.Room](w).Remove(removed)
		})
		require.NoError(t, err)
	})
	evicted = add(t, w, longterm.Addition{Text: "The API listens on port 80", Files: []string{"old.go"}}).ID
	add(t, w, longterm.Addition{Text: "The tests are run by make"})
	add(t, w, longterm.Addition{Text: "The port of the staging server is 8080"})
	w.Close(context.Background())

	s, err := world.storage.Open(t.Context(), w.Dir(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	state, err := s.Load(t.Context(), nil)
	require.NoError(t, err)
	assert.Len(t, state.Rows["longterm"], 2, "what is not in force is not read at the start")
	require.NoError(t, s.Close())
	return world.open(), evicted, removed
}

func TestAnEntryThatIsNotInForceIsThereAfterARestart(t *testing.T) {
	apply := func(w *memory.Workspace, decide func(*longterm.Room) ([]change.Change, error)) ([]change.Change, error) {
		var changes []change.Change
		var err error
		on(w, func() {
			changes, err = w.Apply(context.Background(), change.Actor{}, func() ([]change.Change, error) {
				return decide(memory.RoomOf[*longterm.Room](w))
			})
		})
		return changes, err
	}
	type test func(t *testing.T, w *memory.Workspace, r *longterm.Room, evicted, removed string)
	for name, test := range map[string]test{
		"it is read": func(t *testing.T, _ *memory.Workspace, r *longterm.Room, evicted, removed string) {
			entry, there := r.Get(evicted)
			require.True(t, there)
			assert.Equal(t, longterm.StatusEvicted, entry.Status)
			_, there = r.Get("none")
			assert.False(t, there)
		},
		"it is explained": func(t *testing.T, _ *memory.Workspace, r *longterm.Room, evicted, _ string) {
			explained, err := r.Explain(evicted)
			require.NoError(t, err)
			assert.Contains(t, explained.Reason, "over the limit")
		},
		"it is listed": func(t *testing.T, _ *memory.Workspace, r *longterm.Room, _, _ string) {
			assert.Len(t, r.List(nil, false), 2)
			assert.Len(t, r.List(nil, true), 4)
		},
		"it is restored": func(t *testing.T, w *memory.Workspace, r *longterm.Room, _, removed string) {
			changes, err := apply(w, func(r *longterm.Room) ([]change.Change, error) { return r.Restore(removed) })
			require.NoError(t, err)
			assert.Equal(t, longterm.Restored, changes[0].Kind)
			assert.Len(t, r.List(nil, false), 2)
			assert.Contains(t, texts(w), "The docs are in the wiki")
		},
		"it is not removed twice": func(t *testing.T, w *memory.Workspace, _ *longterm.Room, _, removed string) {
			changes, err := apply(w, func(r *longterm.Room) ([]change.Change, error) { return r.Remove(removed) })
			require.NoError(t, err)
			assert.Empty(t, changes)
		},
		"it cannot be edited": func(t *testing.T, w *memory.Workspace, _ *longterm.Room, evicted, _ string) {
			text := "something else"
			_, err := apply(w, func(room *longterm.Room) ([]change.Change, error) {
				return room.Update(evicted, longterm.Patch{Text: &text})
			})
			require.ErrorContains(t, err, "is evicted: restore it first")
		},
		"it follows a file": func(t *testing.T, w *memory.Workspace, r *longterm.Room, evicted, removed string) {
			observe(t, w, "s", event.FileRenamed{From: "old.go", To: "new.go"})
			for _, id := range []string{evicted, removed} {
				entry, _ := r.Get(id)
				assert.Equal(t, []string{"new.go"}, entry.Files)
			}
			observe(t, w, "s", event.FileDeleted{Path: "new.go"})
			observe(t, w, "s", event.FileTouched{Path: "new.go", Action: event.Edit})
			entry, _ := r.Get(evicted)
			assert.Nil(t, entry.Stale)
		},
		"it is erased with its like": func(t *testing.T, w *memory.Workspace, r *longterm.Room, evicted, _ string) {
			add(t, w, longterm.Addition{Text: "the api listens on port 80!"})
			again := r.List(nil, false)[1]
			on(w, func() {
				_, _, err := w.Erase(context.Background(), change.Actor{}, again.ID)
				require.NoError(t, err)
			})
			_, there := r.Get(evicted)
			assert.False(t, there)
		},
		"it is as it was when the transaction fails": func(
			t *testing.T, w *memory.Workspace, r *longterm.Room, _, removed string,
		) {
			_, err := apply(w, func(room *longterm.Room) ([]change.Change, error) {
				changes, err := room.Restore(removed)
				return append(changes, change.New("memory.unheard of", "x", "")), err
			})
			require.ErrorContains(t, err, "does not know the kind")
			entry, there := r.Get(removed)
			require.True(t, there)
			assert.Equal(t, longterm.StatusRemoved, entry.Status)
		},
	} {
		t.Run(name, func(t *testing.T) {
			eachStorage(t, func(t *testing.T, world *world) {
				w, evicted, removed := retiredEntries(t, world)
				test(t, w, memory.RoomOf[*longterm.Room](w), evicted, removed)
				before := entriesOf(w)
				w.Close(context.Background())
				assert.Equal(t, before, entriesOf(world.open()), "it is kept")
			})
		})
	}
}

// entriesOf are all entries, in force or not.
func entriesOf(w *memory.Workspace) []longterm.Entry {
	return memory.RoomOf[*longterm.Room](w).List(nil, true)
}

func TestWhatAnotherProcessRestoresAndErasesIsNotReadBack(t *testing.T) {
	eachStorage(t, func(t *testing.T, world *world) {
		w, evicted, removed := retiredEntries(t, world)
		other := world.open()
		on(other, func() {
			_, err := other.Apply(context.Background(), change.Actor{}, func() ([]change.Change, error) {
				return memory.RoomOf[*longterm.Room](other).Restore(removed)
			})
			require.NoError(t, err)
			_, _, err = other.Erase(context.Background(), change.Actor{}, evicted)
			require.NoError(t, err)
		})
		require.Eventually(t, func() bool {
			settle(w)
			entry, there := memory.RoomOf[*longterm.Room](w).Get(removed)
			_, left := memory.RoomOf[*longterm.Room](w).Get(evicted)
			return there && entry.Status == longterm.StatusActive && !left
		}, patience, tick)
		assert.Equal(t, entriesOf(other), entriesOf(w))
	})
}

// TestWhatIsSweptIsGoneForAllProcesses sweeps entries over the limit, and looks that the others can
// still be restored, that the log tells what happened, and that a replay leads to the same.
func TestWhatIsSweptIsGoneForAllProcesses(t *testing.T) {
	eachStorage(t, func(t *testing.T, world *world) {
		world.settings.Memory.MaxEntries, world.settings.Memory.MaxPast = 2, 10
		w, other := world.open(), world.open()
		var added []string
		for i := range 20 {
			added = append(added, add(t, w, longterm.Addition{Text: fmt.Sprintf("The archive %d is read only", i)}).ID)
		}
		gone, left := added[:8], added[8:]
		ids := func(w *memory.Workspace) []string {
			var found []string
			for _, entry := range entriesOf(w) {
				found = append(found, entry.ID)
			}
			return found
		}
		require.Eventually(t, func() bool { settle(other); return len(ids(other)) == len(added) }, patience, tick)
		assert.Equal(t, len(gone), swept(t, w).Entries)
		assert.Equal(t, left, ids(w))
		require.Eventually(t, func() bool {
			settle(other)
			return slices.Equal(left, ids(other))
		}, patience, tick)

		changes, err := w.Trace(t.Context(), store.Filter{Subject: gone[0]})
		require.NoError(t, err)
		assert.Equal(t, longterm.Swept, changes[len(changes)-1].Kind)
		assert.Contains(t, changes[len(changes)-1].Reason, "over the limit of 10 entries no longer in force")

		on(other, func() {
			_, err := other.Apply(context.Background(), change.Actor{}, func() ([]change.Change, error) {
				return memory.RoomOf[*longterm.Room](other).Restore(left[0])
			})
			require.NoError(t, err)
			_, _, err = other.Erase(context.Background(), change.Actor{}, gone[1])
			require.NoError(t, err, "what was swept can be erased as long as the log holds it")
		})
		assert.Contains(t, texts(other), "The archive 8 is read only")
		changes, err = w.Trace(t.Context(), store.Filter{Subject: gone[1]})
		require.NoError(t, err)
		for _, c := range changes {
			assert.NotContains(t, string(c.Before)+string(c.After), "archive 1 is")
		}

		before := entriesOf(other)
		w.Close(context.Background())
		other.Close(context.Background())
		s, err := world.storage.Open(t.Context(), w.Dir(), slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		state, err := s.Load(t.Context(), nil)
		require.NoError(t, err)
		retired, err := s.Retired(t.Context(), "longterm")
		require.NoError(t, err)
		history, err := s.History(t.Context(), state.Seq)
		require.NoError(t, err)
		require.NoError(t, s.Close())
		rows := memory.Replay(w, history.Rows, history.Changes)["longterm"]
		assert.Equal(t, byKey(append(state.Rows["longterm"], retired...)), byKey(rows))
		assert.Equal(t, before, entriesOf(world.open()))
	})
}
