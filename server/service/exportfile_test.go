package service

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// exportsTo sets the file that is kept up to date.
func (f *face) exportsTo(name string) {
	f.t.Helper()
	doc, err := json.Marshal(map[string]any{"export": map[string]any{"file": name}})
	require.NoError(f.t, err)
	f.service.Configure(doc)
}

func (f *face) read(name string) string {
	f.t.Helper()
	doc, err := os.ReadFile(filepath.Join(f.root, name))
	require.NoError(f.t, err)
	return string(doc)
}

func TestTheBlockOfAFileIsKeptUpToDate(t *testing.T) {
	f := newFace(t)
	const rules = "# Rules\n\nBe brief.\n"
	f.write("AGENTS.md", rules)
	f.write("OTHER.md", rules)
	f.exportsTo("AGENTS.md")
	add := func(text string) wire.Receipt {
		return get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: text})
	}
	first := add("Amounts are integers, in cents")
	f.service.exporter.flush()
	assert.Equal(t, rules, f.read("AGENTS.md"), "without markers nobody wants it")

	require.NoError(t, WriteInto(filepath.Join(f.root, "AGENTS.md"), Markdown(nil)))
	add("Rates are strings, the password: hunter2-Xk29! is in the vault")
	require.Eventually(t, func() bool { return strings.Contains(f.read("AGENTS.md"), "Rates are strings") },
		Patience, 10*time.Millisecond, "it is written by itself")
	text := f.read("AGENTS.md")
	assert.True(t, strings.HasPrefix(text, rules))
	assert.Contains(t, text, "- Amounts are integers, in cents\n")
	assert.NotContains(t, text, "hunter2")
	get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: first.ID, Erase: true})
	f.service.Close(t.Context())
	assert.NotContains(t, f.read("AGENTS.md"), "Amounts", "what is scheduled is written at the end")
	assert.Equal(t, rules, f.read("OTHER.md"))
}

func TestAFileThatCannotBeKeptUpToDateStaysAsItIs(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside.md")
	block := Markdown(nil)
	require.NoError(t, os.WriteFile(outside, []byte(block), 0o600))
	dir := t.TempDir()
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "linked.md")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "broken.md"), []byte(endMarker+"\n"+block), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder.md"), 0o700))
	for _, name := range []string{"linked.md", "broken.md", "folder.md", "../outside.md", outside} {
		assert.Error(t, writeBlock(dir, name, Markdown([]wire.MemoryEntry{{Type: "project", Text: "new"}})), name)
	}
	require.NoError(t, writeBlock(dir, "gone.md", block))
	doc, err := os.ReadFile(outside)
	require.NoError(t, err)
	assert.Equal(t, block, string(doc))
	assert.NoFileExists(t, filepath.Join(dir, "gone.md"))
}
