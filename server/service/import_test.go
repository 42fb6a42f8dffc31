package service

import (
	"context"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// withOlderPlugin writes files of opencode-working-memory in both layouts and returns their
// texts, by path.
func withOlderPlugin(f *face) map[string]string {
	f.t.Helper()
	data := f.t.TempDir()
	f.t.Setenv("XDG_DATA_HOME", data)
	at, err := f.service.View(&wire.ImportParams{})
	require.NoError(f.t, err)
	store := filepath.Join(data, "opencode-working-memory", "workspaces", at.folder.place.Key)
	docs := map[string]string{
		filepath.Join(f.root, ".opencode", "memory-core", "ses_1.json"): `{"sessionID":"ses_1","blocks":{
			"goal":{"content":"Ship the cart"},"progress":{"content":"half"}}}`,
		filepath.Join(f.root, ".opencode", "memory-working", "ses_1.json"): `{"sessionID":"ses_1","slots":{
			"todo":[{"content":"ask about the tax","timestamp":1}]},"pool":[]}`,
		filepath.Join(store, "workspace-memory.json"): `{"entries":[
			{"id":"mem_1","type":"decision","text":"Deploys go through the staging cluster","source":"explicit"},
			{"id":"mem_2","type":"project","text":"4832b38 fix: something","source":"compaction"},
			{"id":"mem_3","type":"odd","text":"Prices are kept in cents everywhere","source":"manual"}]}`,
	}
	for path, doc := range docs {
		require.NoError(f.t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(f.t, os.WriteFile(path, []byte(doc), 0o644))
	}
	return docs
}

func (f *face) imports() wire.ImportResult {
	f.t.Helper()
	result, err := f.call("wm/import", &wire.ImportParams{})
	require.NoError(f.t, err)
	return result.(wire.ImportResult)
}

func TestB15_TheMemoryOfAnOlderPluginIsTakenOverOnce(t *testing.T) {
	f := newFace(t)
	docs := withOlderPlugin(f)
	first := f.imports()
	require.Len(t, first.Memories, 3)
	assert.Equal(t, wire.ReceiptAdded, first.Memories[0].Status)
	assert.NotNil(t, first.Memories[0].Undo)
	assert.Equal(t, wire.ReceiptRejected, first.Memories[1].Status, "the quality gate applies")
	assert.NotEmpty(t, first.Memories[1].Reason)
	assert.Equal(t, wire.ReceiptRejected, first.Memories[2].Status)
	assert.Contains(t, first.Memories[2].Reason, "odd")
	assert.Equal(t, []string{"opencode:ses_1"}, first.Sessions)
	assert.Empty(t, first.Skipped)

	own := wire.Params{SessionID: "opencode:ses_1"}
	blocks, err := f.call("wm/core/read", &wire.CoreReadParams{Params: own})
	require.NoError(t, err)
	assert.Equal(t, "Ship the cart", blocks.(wire.CoreReadResult).Blocks.Goal.Content)
	held, err := f.call("wm/working/read", &wire.WorkingReadParams{Params: own})
	require.NoError(t, err)
	require.Len(t, held.(wire.WorkingReadResult).Slots["todo"], 1)
	listed, err := f.call("wm/session/list", &wire.SessionListParams{})
	require.NoError(t, err)
	for _, session := range listed.(wire.SessionListResult).Sessions {
		assert.False(t, session.Live && session.SessionID == "opencode:ses_1", "nobody works in it")
	}

	_, err = f.call("wm/memory/remove", &wire.MemoryRemoveParams{ID: first.Memories[0].ID})
	require.NoError(t, err)
	_, err = f.call("wm/core/update", &wire.CoreUpdateParams{
		Params: own, Block: "goal", Operation: wire.CoreReplace, Content: "Another goal",
	})
	require.NoError(t, err)
	again := f.imports()
	assert.Empty(t, again.Memories)
	assert.Empty(t, again.Sessions)
	entries, err := f.call("wm/memory/list", &wire.MemoryListParams{})
	require.NoError(t, err)
	assert.Empty(t, entries.(wire.MemoryListResult).Entries, "what was removed does not come back")
	for path, doc := range docs {
		now, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, doc, string(now), "the files stay as they are")
	}
}

func TestOnlyWhatIsNewInTheFilesIsTakenOver(t *testing.T) {
	f := newFace(t)
	for path := range withOlderPlugin(f) {
		if filepath.Base(path) == "workspace-memory.json" {
			f.imports()
			require.NoError(t, os.WriteFile(path, []byte(`{"entries":[
				{"id":"mem_1","type":"decision","text":"Deploys go through the staging cluster","source":"explicit"},
				{"id":"mem_9","type":"project","text":"The cart is in packages/cart","source":"explicit"}]}`), 0o644))
		}
	}
	again := f.imports()
	require.Len(t, again.Memories, 1)
	assert.Equal(t, "The cart is in packages/cart", again.Memories[0].Entry.Text)
}

func TestABlockOfASessionThatHasATextStaysAsItIs(t *testing.T) {
	f := newFace(t)
	withOlderPlugin(f)
	own := wire.Params{SessionID: "opencode:ses_1"}
	_, err := f.call("wm/core/update", &wire.CoreUpdateParams{
		Params: own, Block: "goal", Operation: wire.CoreReplace, Content: "Newer",
	})
	require.NoError(t, err)
	f.imports()
	blocks, err := f.call("wm/core/read", &wire.CoreReadParams{Params: own})
	require.NoError(t, err)
	assert.Equal(t, "Newer", blocks.(wire.CoreReadResult).Blocks.Goal.Content)
	assert.Equal(t, "half", blocks.(wire.CoreReadResult).Blocks.Progress.Content)
}

func TestAnImportIsRefusedWhileRecordingIsPausedAndOfAnUnknownProgram(t *testing.T) {
	f := newFace(t)
	withOlderPlugin(f)
	_, err := f.call("wm/import", &wire.ImportParams{From: "another"})
	assert.Equal(t, fault.Params, fault.Of(err).Kind)
	_, err = f.call("wm/pause", &wire.PauseParams{Minutes: 5})
	require.NoError(t, err)
	_, err = f.call("wm/import", &wire.ImportParams{})
	assert.Equal(t, fault.Paused, fault.Of(err).Reason)
	_, err = f.call("wm/pause", &wire.PauseParams{Resume: true})
	require.NoError(t, err)
	assert.Len(t, f.imports().Memories, 3)
}

func TestADamagedRecordOfWhatWasImportedIsToldAndNothingIsImportedTwice(t *testing.T) {
	f := newFace(t)
	withOlderPlugin(f)
	f.imports()
	imported := filepath.Join(f.data, "imported")
	records, err := fs.Glob(os.DirFS(imported), "*.json")
	require.NoError(t, err)
	require.Len(t, records, 1)
	require.NoError(t, os.WriteFile(filepath.Join(imported, records[0]), []byte("{"), 0o600))
	_, err = f.call("wm/import", &wire.ImportParams{})
	require.ErrorContains(t, err, "delete it to import all again")
}

func TestAnImportIntoAFolderWithoutMemoryIsRefused(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	s := New(Options{
		Log: slog.New(slog.DiscardHandler), Outbox: &face{t: t}, DataDir: t.TempDir(),
		UserFile: filepath.Join(home, "none.toml"),
	})
	t.Cleanup(func() { s.Close(context.Background()) })
	s.Begin(Client{Name: "test", Folders: []string{string(uri.File(home))}})
	at, err := s.View(&wire.ImportParams{})
	require.NoError(t, err)
	_, err = s.Import(t.Context(), at, &wire.ImportParams{})
	assert.ErrorIs(t, err, scope.ErrNoWorkspace)
}

func TestIDsOfAnotherProgramAreRecordedWithoutSecretsAndShort(t *testing.T) {
	f := newFace(t)
	const key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	for path := range withOlderPlugin(f) {
		if filepath.Base(path) == "workspace-memory.json" {
			doc := `{"entries":[{"id":"` + key + `","type":"decision","text":"Prices are in cents","source":"explicit"},
				{"id":"` + strings.Repeat("i", 1<<20) + `","type":"decision","text":"Use Go","source":"explicit"}]}`
			require.NoError(t, os.WriteFile(path, []byte(doc), 0o644))
		}
	}
	require.Len(t, f.imports().Memories, 2)
	assert.Empty(t, f.imports().Memories, "they are known again")
	at, err := f.service.View(&wire.ImportParams{})
	require.NoError(t, err)
	dir := filepath.Join(f.service.options.DataDir, store.ImportedName)
	record, err := os.ReadFile(filepath.Join(dir, at.folder.place.Key+".json"))
	require.NoError(t, err)
	assert.NotContains(t, string(record), key)
	assert.Less(t, len(record), 1000)
}
