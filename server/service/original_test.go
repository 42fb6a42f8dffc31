package service

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

const withSecret = "The password of the test database is dragonfly"

// clientOf returns a client with these initialization options that shares the memory of f.
func clientOf(f *face, settings string) *face {
	other := &face{t: f.t, root: f.root, known: f.known}
	other.service = New(Options{
		Log: slog.New(slog.DiscardHandler), Outbox: other, Version: "test",
		DataDir: f.service.options.DataDir, UserFile: filepath.Join(f.t.TempDir(), "none.toml"),
	})
	known := map[string]Operation{}
	for _, op := range other.service.Operations() {
		known[op.Name] = op
	}
	other.known = known
	other.service.Begin(Client{
		Name: "client", Folders: []string{string(uri.File(f.root))}, Settings: json.RawMessage(settings),
	})
	f.t.Cleanup(func() { other.service.Close(context.Background()) })
	return other
}

func TestAReceiptSaysWhatWasTakenOut(t *testing.T) {
	f := newFace(t)
	receipt := get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{
		Text: withSecret + ", ask ann" + "@acme.test", Type: "reference",
	})
	assert.Equal(t, 2, receipt.Redactions)
	assert.Equal(t, []string{"secret", "email"}, receipt.Redacted)
	assert.NotContains(t, receipt.Entry.Text, "dragonfly")
}

func TestAPersonCanHaveATextKeptAsItWas(t *testing.T) {
	f := newFace(t)
	receipt := get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: withSecret, Type: "reference"})
	require.Len(t, f.asked, 1)
	assert.Contains(t, f.asked[0].Message, "secret")
	assert.NotContains(t, f.asked[0].Message, "dragonfly")
	f.asked[0].Keep(context.Background())
	pinned := true
	kept := get[wire.Receipt](f, "wm/memory/update", &wire.MemoryUpdateParams{ID: receipt.ID, Pinned: &pinned})
	assert.Equal(t, withSecret, kept.Entry.Text, "a later change of the entry leaves its text")
	assert.Contains(t, get[wire.ContextResult](f, "wm/context", &wire.ContextParams{}).Text, withSecret)

	text := withSecret + " no more, it is butterfly-77"
	edited := get[wire.Receipt](f, "wm/memory/update", &wire.MemoryUpdateParams{ID: receipt.ID, Text: &text})
	assert.NotContains(t, edited.Entry.Text, "butterfly-77", "nobody asked for this text")

	f.asked[0].Keep(context.Background())
	list := get[wire.MemoryListResult](f, "wm/memory/list", &wire.MemoryListParams{})
	require.Len(t, list.Entries, 1)
	assert.Equal(t, edited.Entry.Text, list.Entries[0].Text, "the entry has another text by now")
}

func TestNobodyAsksAnAgentForTheOriginal(t *testing.T) {
	f := newFace(t)
	add := &wire.MemoryAddParams{Text: withSecret, Type: "reference"}
	for _, settings := range []string{
		`{"agent":"coder","sessionId":"a"}`, `{"sessionId":"b","attach":true}`, `{"agent":"client","sessionId":"c"}`,
	} {
		client := clientOf(f, settings)
		get[wire.Receipt](client, "wm/memory/add", add)
		assert.Empty(t, client.asked, settings)
	}
	for _, params := range []wire.Params{{AgentID: "coder"}, {SessionID: "s"}, {SessionID: "other"}} {
		named := *add
		named.Params = params
		get[wire.Receipt](f, "wm/memory/add", &named)
		assert.Empty(t, f.asked, params)
	}
	entries, err := os.ReadDir(f.service.options.DataDir)
	require.NoError(t, err)
	assert.NotEmpty(t, entries)
}
