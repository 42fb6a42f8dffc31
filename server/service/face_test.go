package service

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A face is a client in the same process: it calls operations as Go functions.
type face struct {
	t       *testing.T
	service *Service
	root    string
	data    string // the folder of the memory
	known   map[string]Operation

	mu        sync.Mutex
	changed   []wire.Changed
	warned    []wire.Intervention
	compacted []wire.HistoryCompacted
	asked     []Question
}

func (f *face) Changed(_ context.Context, changed wire.Changed) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changed = append(f.changed, changed)
}

func (f *face) Intervene(intervention wire.Intervention) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.warned = append(f.warned, intervention)
}

func (f *face) Compacted(compacted wire.HistoryCompacted) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.compacted = append(f.compacted, compacted)
}

func (f *face) Tell(string) {}

func (f *face) Ask(question Question) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, question)
}

// newFace returns a face with one open folder, the session "s", and more rooms.
func newFace(t *testing.T, more ...room.Maker) *face {
	t.Helper()
	return newFaceOf(t, `{"sessionId": "s"}`, more...)
}

// newFaceOf is newFace for a client with settings.
func newFaceOf(t *testing.T, settings string, more ...room.Maker) *face {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data [1]")
	require.NoError(t, os.Mkdir(data, 0o700))
	f := &face{t: t, root: t.TempDir(), data: data, known: map[string]Operation{}}
	f.begin(settings, more...)
	return f
}

// beside returns a face in the same folder, as another process has it.
func (f *face) beside(settings string) *face {
	f.t.Helper()
	other := &face{t: f.t, root: f.root, data: f.data, known: map[string]Operation{}}
	other.begin(settings)
	return other
}

func (f *face) begin(settings string, more ...room.Maker) {
	f.service = New(Options{
		Log: slog.New(slog.DiscardHandler), Outbox: f, Version: "test",
		DataDir: f.data, UserFile: filepath.Join(f.t.TempDir(), "none.toml"), Rooms: more,
	})
	for _, op := range f.service.Operations() {
		f.known[op.Name] = op
	}
	told := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer close(told)
		f.service.Tell(ctx)
	}()
	f.service.Begin(Client{
		Name: "test", Folders: []string{f.uri("")}, Settings: json.RawMessage(settings),
	})
	f.t.Cleanup(func() {
		cancel()
		<-told
		closing, done := context.WithTimeout(context.Background(), Patience)
		defer done()
		f.service.Close(closing)
	})
}

func (f *face) uri(name string) string { return string(uri.File(filepath.Join(f.root, name))) }

func (f *face) write(name, text string) {
	f.t.Helper()
	require.NoError(f.t, os.WriteFile(filepath.Join(f.root, name), []byte(text), 0o644))
}

// start starts an operation in the order of the calls.
func (f *face) start(name string, params Params) (wait func() (any, error)) {
	f.t.Helper()
	op, there := f.known[name]
	require.True(f.t, there, name)
	at, err := f.service.View(params)
	require.NoError(f.t, err, name)
	return f.service.Start(context.Background(), op, at, params)
}

func (f *face) call(name string, params Params) (any, error) {
	f.t.Helper()
	return f.start(name, params)()
}

// get calls an operation and fails the test on an error.
func get[R any](f *face, name string, params Params) R {
	f.t.Helper()
	result, err := f.call(name, params)
	require.NoError(f.t, err, name)
	typed, right := result.(R)
	require.True(f.t, right, "%s returns %T", name, result)
	return typed
}
