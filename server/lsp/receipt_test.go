package lsp

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (n notebook) undo(undo *wire.Undo) {
	n.t.Helper()
	require.NotNil(n.t, undo)
	n.call(undo.Method, undo.Params, nil)
}

func TestTheWritingOfANoteIsUndone(t *testing.T) {
	n := notebook{start(t, nil)}
	for _, path := range []string{"overview.md", "detail/plan.md", "archive/old.md"} {
		first := n.write(path, "# First\n\nThe tables are moved one by one.\n")
		before := n.read(path)
		second := n.write(path, "# Second\n\nThe tables are moved at once.\n")
		n.undo(second.Undo)
		assert.Equal(t, before.Content, n.read(path).Content)
		assert.Nil(t, n.write(path, before.Content).Undo, "nothing was changed")
		if path == "archive/old.md" {
			assert.Nil(t, first.Undo, "what is new in the archive is there already")
			continue
		}
		require.NotNil(t, first.Undo)
		n.undo(first.Undo)
		assert.Equal(t, wire.RefusalNotFound, n.refusal("wm/notes/read", map[string]any{"path": path}).Reason)
	}
}

func TestTheUndoOfAWriteDoesNotOverwriteWhatCameLater(t *testing.T) {
	n := notebook{start(t, nil)}
	n.write("detail/plan.md", "first")
	second := n.write("detail/plan.md", "second")
	n.write("detail/plan.md", "third")
	assert.Equal(t, wire.RefusalConflict, n.refusal(second.Undo.Method, second.Undo.Params).Reason)
	assert.Equal(t, "third", n.read("detail/plan.md").Content)

	var restored wire.NotesRestoreResult
	n.call("wm/notes/restore", map[string]any{"path": "detail/plan.md", "revision": second.Revision}, &restored)
	assert.Equal(t, "second", n.read("detail/plan.md").Content)
	n.undo(restored.Undo)
	assert.Equal(t, "third", n.read("detail/plan.md").Content)
	both := map[string]any{"path": "detail/plan.md", "revision": second.Revision, "to": "detail/x.md"}
	assert.Contains(t, n.fails("wm/notes/restore", both).Message, "must be empty")
	assert.Equal(t, wire.RefusalNotFound, n.refusal("wm/notes/restore",
		map[string]any{"path": "detail/plan.md", "revision": "0123456789abcdef"}).Reason)
}

func TestAReceiptSaysWhatWasTakenOut(t *testing.T) {
	const text = "The password: hunter2hunter2 is asked for by bob@corp.example.org"
	type taken struct {
		Redactions int      `json:"redactions"`
		Redacted   []string `json:"redacted"`
	}
	for method, params := range map[string]func(text string) map[string]any{
		"wm/notes/write": func(text string) map[string]any {
			return map[string]any{"path": "detail/a.md", "content": text}
		},
		"wm/message/received": func(text string) map[string]any {
			return map[string]any{"role": "assistant", "text": text}
		},
		"wm/core/update": func(text string) map[string]any {
			return map[string]any{"block": "context", "operation": "replace", "content": text}
		},
	} {
		t.Run(method, func(t *testing.T) {
			p := start(t, nil)
			var secret, innocent taken
			p.call(method, params(text), &secret)
			assert.Equal(t, taken{2, []string{"secret", "email"}}, secret)
			p.call(method, params("The archive is read only"), &innocent)
			assert.Zero(t, innocent)
			p.call(method, params("The password: [redacted:secret] is asked for"), &innocent)
			assert.Zero(t, innocent, "it was taken out before")
		})
	}
}

func TestTheUndoOfAnEditOrOfKeepingLeavesTheOfferAsItWas(t *testing.T) {
	p := start(t, nil)
	var heard wire.MessageReceivedResult
	p.call("wm/message/received", map[string]any{
		"role": "user", "text": "We decided to use SQLite instead of Postgres because there is no server to run.",
	}, &heard)
	require.Len(t, heard.Memories, 1)
	offer := heard.Memories[0]
	for name, edit := range map[string]map[string]any{
		"edited":          {"text": "SQLite, and no server"},
		"kept":            {"status": "active"},
		"edited and kept": {"text": "SQLite, and no server", "status": "active", "pinned": true},
	} {
		edit["id"] = offer.ID
		var edited wire.Receipt
		p.call("wm/memory/update", edit, &edited)
		require.NotNil(t, edited.Undo, name)
		p.call(edited.Undo.Method, edited.Undo.Params, nil)
		var list wire.MemoryListResult
		p.call("wm/memory/list", map[string]any{"includeInactive": true}, &list)
		require.Len(t, list.Entries, 1, name)
		assert.Equal(t, wire.StatusOffered, list.Entries[0].Status, name)
		assert.Equal(t, offer.Entry.Text, list.Entries[0].Text, name)
		assert.Equal(t, offer.Entry.Source, list.Entries[0].Source, name)
		assert.False(t, list.Entries[0].Pinned, name)
	}
}
