package memory_test

import (
	"context"
	"errors"
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

var errNoSync = errors.New("the disk does not sync")

// An unsynced store fails to sync what it has committed as long as fails is true.
type unsynced struct {
	memory.Store
	fails *bool
}

func (u unsynced) Update(ctx context.Context, mode store.Mode, meanwhile func(), f func(store.Tx) error) error {
	err := u.Store.Update(ctx, mode, meanwhile, f)
	if err == nil && mode == store.Durable && *u.fails {
		return store.ErrUnsynced
	}
	return err
}

func (u unsynced) Shred(ctx context.Context) error {
	if *u.fails {
		return errNoSync
	}
	return u.Store.Shred(ctx)
}

func TestAWriteThatTheDiskDoesNotConfirmIsToldAndIsThereOnce(t *testing.T) {
	world := newWorld(t)
	fails := false
	world.storage = around(onDisk, func(s memory.Store) memory.Store { return unsynced{s, &fails} })
	w := world.open()
	add(t, w, longterm.Addition{Text: "The first rule of the project is kept"})
	on(w, func() {
		ev := event.Event{Session: "s", Worktree: w.Root()}
		ev.Body = event.FileTouched{Path: "a.go", Action: event.Edit}
		_, err := w.Observe(t.Context(), ev)
		assert.NoError(t, err)
		memory.Flush(w)
		ev.Body = event.FileTouched{Path: "b.go", Action: event.Edit}
		_, err = w.Observe(t.Context(), ev) // it waits to be written
		assert.NoError(t, err)
		fails = true
		_, err = w.Apply(t.Context(), change.Actor{}, func() ([]change.Change, error) {
			in := longterm.Addition{Text: "The second rule of the project is kept"}
			return memory.RoomOf[*longterm.Room](w).Add(in)
		})
		assert.ErrorIs(t, err, memory.ErrStore)
		assert.ErrorContains(t, err, "the disk did not confirm that it is saved")
	})
	assert.Len(t, w.Problems(), 1)
	fails = false
	add(t, w, longterm.Addition{Text: "The third rule of the project is kept"})
	assert.Empty(t, w.Problems())
	assert.Len(t, texts(w), 3)
	w.Close(t.Context())

	again := world.open()
	assert.Len(t, texts(again), 3)
	changes, err := again.Trace(t.Context(), store.Filter{Kinds: []string{"memory.added"}})
	require.NoError(t, err)
	assert.Len(t, changes, 3)
	changes, err = again.Trace(t.Context(), store.Filter{Subject: "b.go"})
	require.NoError(t, err)
	assert.Len(t, changes, 1)
}

func TestAnEraseThatTheDiskDoesNotConfirmIsFinished(t *testing.T) {
	world := newWorld(t)
	fails := false
	world.storage = around(onDisk, func(s memory.Store) memory.Store { return unsynced{s, &fails} })
	w := world.open()
	const text = "The launch codename is Halcyon Meridian"
	gone := add(t, w, longterm.Addition{Text: text}).ID
	observe(t, w, "s", event.TodosChanged{Todos: []event.Todo{{Content: "tell that " + text, Status: "pending"}}})
	on(w, func() { fails = true })
	_, err := erase(w, gone)
	require.ErrorIs(t, err, memory.ErrStore)
	on(w, func() { fails = false })
	left, err := erase(w, gone)
	require.NoError(t, err)
	assert.Empty(t, left)
	todos := []event.Todo{{Content: "something else", Status: "pending"}}
	observe(t, w, "s", event.TodosChanged{Todos: todos}) // the former ones are in the trace
	w.Close(t.Context())
	for path, content := range files(t, world.data) {
		assert.False(t, strings.Contains(string(content), "Halcyon"), path)
	}
}
