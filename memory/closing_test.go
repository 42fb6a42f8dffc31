package memory_test

import (
	"bytes"
	"context"
	"log/slog"
	"sync/atomic"
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

// A noticed store passes on the context in which the watcher looks for changes.
type noticed struct {
	memory.Store
	in chan<- context.Context
}

func (n noticed) Notices(ctx context.Context) (<-chan struct{}, error) {
	n.in <- ctx
	return n.Store.Notices(ctx)
}

// An interrupted room is polled when the workspace is closed, and passes on whether its context is cancelled then.
type interrupted struct {
	room.Room
	polled func(ctx context.Context)
}

func (interrupted) Name() string                                 { return "interrupted" }
func (interrupted) Observe(event.Event) ([]change.Change, error) { return nil, nil }
func (interrupted) Fold(change.Change) ([]change.Row, error)     { return nil, nil }
func (interrupted) Load([]change.Row) error                      { return nil }
func (i interrupted) Poll(ctx context.Context)                   { i.polled(ctx) }

func TestACloseAmidAPollIsNoFault(t *testing.T) {
	world := newMemoryWorld(t)
	open, watching := world.storage.Open, make(chan context.Context, 1)
	world.storage.Open = func(ctx context.Context, dir string, log *slog.Logger) (memory.Store, error) {
		s, err := open(ctx, dir, log)
		return noticed{s, watching}, err
	}
	place, err := scope.Locate(world.folder, "git")
	require.NoError(t, err)
	var w *memory.Workspace
	var log bytes.Buffer
	isDue, whole, closed := false, false, make(chan struct{})
	amid := func(ctx context.Context) {
		if !isDue {
			return
		}
		go func() { defer close(closed); w.Close(context.Background()) }()
		<-(<-watching).Done()
		isDue, whole = false, ctx.Err() == nil
	}
	var ahead atomic.Int64
	w = memory.Open(place, memory.Options{
		DataDir: world.data, Storage: world.storage, Settings: settings.Default,
		Log:   slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn})),
		Rooms: []room.Maker{func(room.Env) room.Room { return interrupted{polled: amid} }},
		Now:   func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) },
	})
	ran := event.ToolRan{Tool: "bash", Input: []byte(`{"command":"./release shop"}`), ExitCode: new(0)}
	observe(t, w, "s", event.MessageReceived{Role: "user", Text: "Release the shop"})
	observe(t, w, "s", ran)
	on(w, func() {
		require.NoError(t, w.EndSession(t.Context(), event.Event{Session: "s"})) // skills are looked for
		ahead.Store(int64(20 * aDay))                                            // and the session is swept
		isDue = true
	})
	<-closed
	assert.True(t, whole, "what has begun is finished")
	assert.Empty(t, log.String())
}
