package service

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/backup"
	"github.com/wm-lsp/wm-lsp/memory/index"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// anyText returns a string of words, some of which are strange.
func anyText(r *rand.Rand) string {
	words := []string{
		"always", "amounts", "are", "integers", "Straße", "二", "\u2603", "never", "`make`", "<b>", "\\", "\"", "a\tb",
		"{}", "the", "cache", "😀", "\u2028", "'", "%s", "--",
	}
	var text []string
	for range 3 + r.IntN(12) {
		text = append(text, words[r.IntN(len(words))])
	}
	return fmt.Sprintf("%s %d", strings.Join(text, " "), r.IntN(1000))
}

// doAnything calls an operation at random that writes. One that is refused has written nothing.
func doAnything(f *face, r *rand.Rand) {
	own := wire.Params{SessionID: fmt.Sprintf("session %d", r.IntN(3))}
	list, err := f.call("wm/memory/list", &wire.MemoryListParams{})
	require.NoError(f.t, err)
	entries := list.(wire.MemoryListResult).Entries
	text := anyText(r)
	calls := []func() (any, error){
		func() (any, error) {
			pinned := r.IntN(9) == 0
			return f.call("wm/memory/add", &wire.MemoryAddParams{Text: text, Pinned: pinned, Rationale: anyText(r)})
		},
		func() (any, error) {
			return f.call("wm/core/update", &wire.CoreUpdateParams{
				Params: own, Block: "progress", Operation: wire.CoreAppend, Content: text,
			})
		},
		func() (any, error) {
			return f.call("wm/working/add", &wire.WorkingAddParams{Params: own, Slot: "todo", Content: text})
		},
		func() (any, error) {
			path := fmt.Sprintf("detail/%d.md", r.IntN(4))
			return f.call("wm/notes/write", &wire.NotesWriteParams{Params: own, Path: path, Content: text})
		},
		func() (any, error) {
			return f.call("wm/message/received", &wire.MessageReceivedParams{
				Params: own, Role: "user", Text: "Remember: " + text,
			})
		},
		func() (any, error) {
			content, err := json.Marshal(text)
			require.NoError(f.t, err)
			items := []wire.MemoryItem{{Content: content}}
			return f.call("wm/memorize", &wire.MemorizeParams{Params: own, Items: items})
		},
		func() (any, error) { return f.call("wm/search", &wire.SearchParams{Query: text}) },
	}
	if len(entries) > 0 {
		id := entries[r.IntN(len(entries))].ID
		calls = append(calls,
			func() (any, error) { return f.call("wm/memory/update", &wire.MemoryUpdateParams{ID: id, Text: &text}) },
			func() (any, error) {
				return f.call("wm/memory/remove", &wire.MemoryRemoveParams{ID: id, Erase: r.IntN(4) == 0})
			})
	}
	_, _ = calls[r.IntN(len(calls))]()
}

// rows returns the lines of an export that say what is kept, without its first and last one.
func rows(t *testing.T, m backup.Memory) []string {
	t.Helper()
	var doc bytes.Buffer
	require.NoError(t, m.Write(t.Context(), &doc, time.Now()))
	lines := strings.Split(strings.TrimSuffix(doc.String(), "\n"), "\n")
	require.Greater(t, len(lines), 2)
	return lines[1 : len(lines)-1]
}

func TestWhatIsExportedPurgedAndImportedIsTheSameMemory(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 17))
			f := newFace(t)
			for range 40 {
				doAnything(f, r)
			}
			at, err := f.service.View(&wire.StatusParams{})
			require.NoError(t, err)
			m := backup.Memory{
				Dir: at.Dir(), Version: "test", Log: slog.New(slog.DiscardHandler),
				Derived: []string{(*index.Room)(nil).Name()},
			}
			key := at.Key()
			f.service.Close(t.Context())
			before := rows(t, m)
			var export bytes.Buffer
			require.NoError(t, m.Write(t.Context(), &export, time.Now()))

			purgeIn(t, f, key)
			require.NoError(t, m.Restore(t.Context(), bytes.NewReader(export.Bytes()), time.Now(), nil),
				"a purged memory is empty")
			assert.Equal(t, before, rows(t, m))
			assert.Greater(t, len(before), 40)
		})
	}
}

// purgeIn purges the memory of the folder of a face, whose service is closed, with another one.
func purgeIn(t *testing.T, f *face, key string) {
	t.Helper()
	s := New(Options{
		Log: slog.New(slog.DiscardHandler), Outbox: Silent{}, DataDir: f.service.options.DataDir,
		UserFile: f.service.options.UserFile,
	})
	s.Begin(Client{Name: "test", Folders: []string{f.uri("")}})
	defer s.Close(context.Background())
	params := &wire.WorkspacePurgeParams{Confirm: key}
	at, err := s.View(params)
	require.NoError(t, err)
	for _, op := range s.Operations() {
		if op.Name == "wm/workspace/purge" {
			_, err = s.Start(t.Context(), op, at, params)()
			require.NoError(t, err)
		}
	}
}
