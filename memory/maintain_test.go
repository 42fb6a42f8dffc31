package memory_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// A leaking room has work on its tables that fails.
type leaking struct{ err *error }

func (leaking) Name() string                                 { return "leaking" }
func (leaking) Observe(event.Event) ([]change.Change, error) { return nil, nil }
func (leaking) Fold(change.Change) ([]change.Row, error)     { return nil, nil }
func (leaking) Load([]change.Row) error                      { return nil }
func (leaking) Due() bool                                    { return true }
func (l leaking) Maintain(context.Context, room.Tx) error    { return *l.err }
func (leaking) Abandon()                                     {}

func TestWorkThatFailsEachSecondIsLoggedOnceInAWhile(t *testing.T) {
	world := newMemoryWorld(t)
	place, err := scope.Locate(world.folder, "git")
	require.NoError(t, err)
	var log bytes.Buffer
	now, failure := time.Now(), errors.New("the pipe is broken")
	w := memory.Open(place, memory.Options{
		DataDir: world.data, Storage: world.storage, Settings: settings.Default,
		Log:   slog.New(slog.NewTextHandler(&log, nil)),
		Rooms: []room.Maker{func(room.Env) room.Room { return leaking{&failure} }},
		Now:   func() time.Time { return now },
	})
	t.Cleanup(func() { w.Close(context.Background()) })
	logged := func() (times int) {
		on(w, func() {
			for range 5 {
				memory.Poll(w)
				now = now.Add(time.Second)
			}
			times = strings.Count(log.String(), failure.Error())
		})
		return times
	}
	assert.Equal(t, 1, logged())
	failure = errors.New("the pipe is gone")
	assert.Equal(t, 1, logged(), "another error is told")
	failure = errors.New("the pipe is broken")
	assert.Equal(t, 1, logged(), "it is the same")
	on(w, func() { now = now.Add(10 * time.Minute) })
	assert.Equal(t, 2, logged(), "it still is")
}
