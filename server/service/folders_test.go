package service

import (
	"context"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Patience is how long a test waits for something that must happen.
const Patience = 5 * time.Minute

// returnsInTime fails the test if f does not return in time.
func returnsInTime(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(Patience):
		t.Fatal(what + " does not return")
	}
}

func TestOpeningAWorkspaceBlocksNoOtherRequest(t *testing.T) {
	var blocking atomic.Bool
	opening, released := make(chan struct{}, 1), make(chan struct{})
	release := sync.OnceFunc(func() { close(released) })
	f := newFace(t, func(room.Env) room.Room {
		if blocking.Load() {
			opening <- struct{}{}
			<-released
		}
		return weatherRoom{}
	})
	defer release()
	blocking.Store(true)
	elsewhere := &wire.StatusParams{Params: wire.Params{Workspace: string(uri.File(t.TempDir()))}}
	named := make(chan error, 1)
	go func() {
		_, err := f.service.View(elsewhere)
		named <- err
	}()
	<-opening
	returnsInTime(t, "a view of the open folder", func() {
		_, err := f.service.View(&wire.StatusParams{})
		assert.NoError(t, err)
	})
	returnsInTime(t, "Configure", func() { f.service.Configure([]byte(`{"memory": {"maxEntries": 7}}`)) })
	blocking.Store(false)
	release()
	require.NoError(t, <-named)
	at, err := f.service.View(elsewhere)
	require.NoError(t, err)
	assert.Equal(t, 7, at.Settings().Memory.MaxEntries, "settings that changed while the workspace was opened")
}

func TestTasksOnTheQueueCanUseTheFoldersWhileTheServiceCloses(t *testing.T) {
	f := newFace(t)
	at, err := f.service.View(&wire.StatusParams{})
	require.NoError(t, err)
	isClosing := func() bool {
		f.service.folders.mu.RLock()
		defer f.service.folders.mu.RUnlock()
		return f.service.folders.closed
	}
	f.service.Order(t.Context(), wire.Mutates, at, func(context.Context) (any, error) {
		assert.Eventually(t, isClosing, Patience, time.Millisecond)
		f.service.Locate(f.uri("cart.go"))
		return nil, nil
	})
	ctx, cancel := context.WithTimeout(t.Context(), Patience)
	defer cancel()
	f.service.Close(ctx)
	assert.NoError(t, ctx.Err(), "Close waited for its deadline")
	_, err = f.service.View(&wire.StatusParams{Params: wire.Params{Workspace: string(uri.File(t.TempDir()))}})
	assert.ErrorIs(t, err, errClosing)
}

func TestAWrongMemberOfTheInitializationOptionsIsAProblem(t *testing.T) {
	s := New(Options{
		Log: slog.New(slog.DiscardHandler), DataDir: t.TempDir(), UserFile: filepath.Join(t.TempDir(), "none.toml"),
	})
	s.Begin(Client{
		Name: "test", Folders: []string{string(uri.File(t.TempDir()))},
		Settings: json.RawMessage(`{"attach": "yes", "sessionId": "q"}`),
	})
	defer s.Close(context.Background())
	assert.Equal(t, "q", s.Session())
	at, err := s.View(&wire.StatusParams{})
	require.NoError(t, err)
	status, err := s.Status(context.Background(), at, &wire.StatusParams{})
	require.NoError(t, err)
	require.Len(t, status.Problems, 1)
	assert.Equal(t, "initializationOptions: attach must be a bool, got string; it is ignored",
		status.Problems[0].Message)
}
