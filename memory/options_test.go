package memory_test

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

func TestOpenPanicsWithoutAStorage(t *testing.T) {
	options := memory.Options{
		DataDir: t.TempDir(), Settings: settings.Default, Log: slog.New(slog.DiscardHandler),
	}
	assert.PanicsWithValue(t,
		"memory: Open needs Options.Storage with the functions Open and SetAside",
		func() { memory.Open(scope.Place{}, options) })
}
