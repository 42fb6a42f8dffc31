package service_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// notices are the wm/changed notifications to a client.
type notices chan wire.Changed

func (n notices) Changed(_ context.Context, changed wire.Changed) { n <- changed }
func (n notices) Intervene(wire.Intervention)                     {}
func (n notices) Compacted(wire.HistoryCompacted)                 {}

func (notices) Tell(string)          {}
func (notices) Ask(service.Question) {}

func TestARoomFromOutsideHasAMethodSectionsAndNoticesInLessThan60Lines(t *testing.T) {
	source, err := os.ReadFile("toy_test.go")
	require.NoError(t, err)
	assert.Less(t, strings.Count(string(source), "\n"), 60)

	told := make(notices, 100)
	s := service.New(service.Options{
		Log: slog.New(slog.DiscardHandler), Outbox: told, DataDir: t.TempDir(),
		UserFile: filepath.Join(t.TempDir(), "none.toml"),
		Rooms:    []room.Maker{newWeather},
		Operations: []service.Operation{
			service.Define(wire.Method{Name: "toy/weather", Access: wire.Mutates}, seeWeather),
		},
	})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go s.Tell(ctx)
	s.Begin(service.Client{Name: "test", Folders: []string{string(uri.File(t.TempDir()))}})
	defer s.Close(ctx)
	operations := map[string]service.Operation{}
	for _, op := range s.Operations() {
		operations[op.Name] = op
	}
	call := func(method string, params service.Params) any {
		at, err := s.View(params)
		require.NoError(t, err)
		result, err := s.Start(ctx, operations[method], at, params)()
		require.NoError(t, err, method)
		return result
	}

	assert.Equal(t, 1, call("toy/weather", &weatherParams{Place: "Bern", Sky: "fog"}))
	context := call("wm/context", &wire.ContextParams{}).(wire.ContextResult)
	assert.Contains(t, context.Text, "Bern: fog")
	painted := call("wm/panel", &wire.PanelParams{Sections: []string{"weather"}}).(wire.PanelResult)
	require.Len(t, painted.Sections, 1)
	assert.Equal(t, "fog", painted.Sections[0].Items[0].Label)
	for late := time.After(service.Patience); ; {
		select {
		case changed := <-told:
			for _, section := range changed.Sections {
				if section == "weather" {
					return
				}
			}
		case <-late:
			t.Fatal("nobody was told that the weather changed")
		}
	}
}
