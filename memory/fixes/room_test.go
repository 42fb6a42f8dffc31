package fixes

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/sqlite"
)

// A table is a room with the store of a folder.
type table struct {
	*testing.T
	room  *Room
	store *sqlite.Store
	seq   int64
}

func newTable(t *testing.T) *table {
	opened, err := sqlite.Open(context.Background(), t.TempDir(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { _ = opened.Close() })
	f := &table{T: t, room: New(room.Env{}), store: opened}
	f.update(func(tx store.Tx) error { return f.room.Migrate(t.Context(), tx, 0) })
	return f
}

func (f *table) update(write func(tx store.Tx) error) {
	f.Helper()
	require.NoError(f, f.store.Update(context.Background(), store.Fast, nil, write))
}

// index writes changes, and returns the ids of the documents that they remove.
func (f *table) index(changes ...change.Change) (removed []string) {
	f.Helper()
	for i := range changes {
		f.seq++
		changes[i].Seq = f.seq
	}
	f.update(func(tx store.Tx) error { return f.room.Index(f.Context(), tx, changes) })
	for _, c := range changes {
		_, gone := f.room.Documents(c)
		removed = append(removed, gone...)
	}
	return removed
}

// closed returns the change that closes an error.
func closed(fingerprint, session string, fix hot.Fix) change.Change {
	c := change.New(hot.ErrorClosed, fingerprint, map[string]any{"worktree": "/w", "origin": "command", "fix": fix}).
		Because("the command succeeded")
	c.Session, c.By, c.At = session, "agent", time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	return c
}

// texts returns the texts of all documents, which Find must return, too.
func (f *table) texts() (texts []string) {
	f.Helper()
	var docs []room.Document
	require.NoError(f, f.room.Each(f.Context(), f.store, func(doc room.Document) bool {
		docs = append(docs, doc)
		return true
	}))
	ids := []string{"memory:x", "fix:none"}
	for _, doc := range docs {
		texts, ids = append(texts, doc.Text), append(ids, doc.ID)
	}
	found, err := f.room.Find(f.Context(), f.store, ids)
	require.NoError(f, err)
	assert.Equal(f, docs, found)
	return texts
}

func TestAnErrorIsKeptOnceAsItWasFixedLast(t *testing.T) {
	f := newTable(t)
	f.index(change.New(hot.ErrorClosed, "f0", map[string]any{"worktree": "/w", "origin": "diagnostic"}))
	assert.Empty(t, f.texts(), "it is not worth keeping")
	fix := hot.Fix{Category: "test", Summary: "TestX failed", By: "go test"}
	f.index(closed("f1", "a", fix))
	fix.Edited, fix.Cause = []string{"a.go", "b.go"}, "The cache was stale."
	f.index(closed("f1", "b", fix), closed("f2", "b", hot.Fix{
		Category: "lint", Summary: "line too long", Path: "a.go", Code: "E501", Command: "ruff .", By: "ruff .",
	}))
	assert.Equal(t, []string{
		"TestX failed\nClosed: the command succeeded: go test\nEdited: a.go, b.go\nCause: The cache was stale.",
		"a.go: line too long (E501)\nReported by: ruff .\nClosed: the command succeeded: ruff .",
	}, f.texts())
	f.index(change.New(sessions.Swept, "b", struct{}{}))
	assert.Len(t, f.texts(), 2, "what was learnt outlives the session")
	f.index(change.New(sessions.Deleted, "b", struct{}{}))
	assert.Empty(t, f.texts())
}

func TestTheErrorsThatWereFixedFirstAreDropped(t *testing.T) {
	f := newTable(t)
	var changes []change.Change
	for i := range maxFixes {
		changes = append(changes, closed(fmt.Sprint("f", i), "a", hot.Fix{Summary: fmt.Sprint("failure ", i)}))
	}
	assert.Empty(t, f.index(changes...))
	first, _ := f.room.Documents(changes[0])
	require.Len(t, first, 1)
	assert.Equal(t, []string{first[0].ID}, f.index(closed("new", "a", hot.Fix{Summary: "the newest"})))
	texts := f.texts()
	require.Len(t, texts, maxFixes)
	assert.Contains(t, texts[0], "failure 1\n")
	assert.Empty(t, f.index(closed("new", "a", hot.Fix{Summary: "the newest"})))
}

func TestWhatIsErasedIsGoneFromFixes(t *testing.T) {
	f := newTable(t)
	f.index(closed("f1", "a", hot.Fix{Summary: "cannot reach halcyon.example", By: "curl \"halcyon.example\""}))
	f.update(func(tx store.Tx) error { return f.room.EraseIndexed(t.Context(), tx, []string{"halcyon.example"}) })
	assert.Equal(t, []string{
		"cannot reach [erased]\nClosed: the command succeeded: curl \"[erased]\"",
	}, f.texts())
}
