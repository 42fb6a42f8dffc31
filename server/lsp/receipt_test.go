package lsp

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/slow"
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
		require.NotNil(t, first.Undo)
		var gone wire.NotesRestoreResult
		n.call(first.Undo.Method, first.Undo.Params, &gone)
		assert.Equal(t, wire.RefusalNotFound, n.refusal("wm/notes/read", map[string]any{"path": path}).Reason)
		n.undo(gone.Undo)
		assert.Equal(t, before.Content, n.read(path).Content, "the undo of an undo")
	}
}

// Each kind of undo is tried after somebody else has changed the same thing.
func TestAnUndoIsRefusedIfTheSameThingWasChangedSince(t *testing.T) {
	slow.Test(t)
	entry := func(n notebook, text string) wire.Receipt {
		var receipt wire.Receipt
		n.call("wm/memory/add", map[string]any{"text": text}, &receipt)
		return receipt
	}
	update := func(n notebook, id string, params map[string]any) *wire.Undo {
		params["id"] = id
		var receipt wire.Receipt
		n.call("wm/memory/update", params, &receipt)
		return receipt.Undo
	}
	block := func(n notebook, text string) *wire.Undo {
		var result wire.CoreUpdateResult
		n.call("wm/core/update", map[string]any{"block": "goal", "operation": "replace", "content": text}, &result)
		return result.Undo
	}
	entries := func(n notebook) any {
		var list wire.MemoryListResult
		n.call("wm/memory/list", map[string]any{"includeInactive": true}, &list)
		return list.Entries
	}
	blocks := func(n notebook) any {
		var read wire.CoreReadResult
		n.call("wm/core/read", nil, &read)
		return read.Blocks
	}
	notes := func(n notebook) any {
		var list wire.NotesListResult
		n.call("wm/notes/list", nil, &list)
		held := map[string]string{}
		for _, file := range list.Files {
			held[file.Path] = n.read(file.Path).Content
		}
		return held
	}
	for _, c := range []struct {
		name string
		// do makes a change, and returns its undo and the later change.
		do   func(n notebook) (undo *wire.Undo, later func())
		held func(n notebook) any
		says string
	}{
		{"an entry was added, and edited since", func(n notebook) (*wire.Undo, func()) {
			added := entry(n, "Prices are cents")
			return added.Undo, func() { update(n, added.ID, map[string]any{"text": "Prices are euros"}) }
		}, entries, "Prices are euros"},
		{"an entry was added, and said again since", func(n notebook) (*wire.Undo, func()) {
			return entry(n, "Prices are cents").Undo, func() { entry(n, "prices are CENTS") }
		}, entries, "said 2 times"},
		{"an entry was added, and pinned since", func(n notebook) (*wire.Undo, func()) {
			added := entry(n, "Prices are cents")
			return added.Undo, func() { update(n, added.ID, map[string]any{"pinned": true}) }
		}, entries, "was changed since"},
		{"an entry was edited, and edited since", func(n notebook) (*wire.Undo, func()) {
			id := entry(n, "Prices are cents").ID
			undo := update(n, id, map[string]any{"text": "Prices are euros"})
			return undo, func() { update(n, id, map[string]any{"text": "Prices are yen"}) }
		}, entries, "Prices are yen"},
		{"an entry was edited, and removed since", func(n notebook) (*wire.Undo, func()) {
			id := entry(n, "Prices are cents").ID
			undo := update(n, id, map[string]any{"text": "Prices are euros"})
			return undo, func() { n.call("wm/memory/remove", map[string]any{"id": id}, nil) }
		}, entries, "it is removed"},
		{"an entry was removed and restored, and edited since", func(n notebook) (*wire.Undo, func()) {
			id := entry(n, "Prices are cents").ID
			n.call("wm/memory/remove", map[string]any{"id": id}, nil)
			var restored wire.Receipt
			n.call("wm/memory/restore", map[string]any{"id": id}, &restored)
			return restored.Undo, func() { update(n, id, map[string]any{"text": "Prices are yen"}) }
		}, entries, "Prices are yen"},
		{"a block was written, and written since", func(n notebook) (*wire.Undo, func()) {
			return block(n, "Ship the cart"), func() { block(n, "Ship the shop") }
		}, blocks, "Ship the shop"},
		{"a note was made, and written since", func(n notebook) (*wire.Undo, func()) {
			return n.write("detail/a.md", "first").Undo, func() { n.put("detail/a.md", "by an editor") }
		}, notes, "was changed since"},
		{"a note was made, and deleted since", func(n notebook) (*wire.Undo, func()) {
			return n.write("detail/a.md", "first").Undo, func() { n.remove("detail/a.md") }
		}, notes, "moved or deleted"},
		{"a note was written, and archived since", func(n notebook) (*wire.Undo, func()) {
			n.write("detail/a.md", "first")
			undo := n.write("detail/a.md", "second").Undo
			return undo, func() { n.call("wm/notes/archive", map[string]any{"path": "detail/a.md"}, nil) }
		}, notes, "moved or deleted"},
		{"the making of a note was undone, and another was made since", func(n notebook) (*wire.Undo, func()) {
			var gone wire.NotesRestoreResult
			made := n.write("detail/a.md", "first").Undo
			n.call(made.Method, made.Params, &gone)
			return gone.Undo, func() { n.write("detail/a.md", "another") }
		}, notes, "was changed since"},
		{"a note was archived, and edited there since", func(n notebook) (*wire.Undo, func()) {
			n.write("detail/a.md", "first")
			var archived wire.NotesArchiveResult
			n.call("wm/notes/archive", map[string]any{"path": "detail/a.md"}, &archived)
			return archived.Undo, func() { n.put("archive/a.md", "by an editor") }
		}, notes, "was changed since"},
		{"a note was restored, and edited since", func(n notebook) (*wire.Undo, func()) {
			n.write("archive/a.md", "first")
			var restored wire.NotesRestoreResult
			n.call("wm/notes/restore", map[string]any{"path": "archive/a.md"}, &restored)
			return restored.Undo, func() { n.put("detail/a.md", "by an editor") }
		}, notes, "was changed since"},
		{"the text of a note was restored, and edited since", func(n notebook) (*wire.Undo, func()) {
			first := n.write("detail/a.md", "first")
			n.write("detail/a.md", "second")
			var restored wire.NotesRestoreResult
			n.call("wm/notes/restore", map[string]any{"path": "detail/a.md", "revision": first.Revision}, &restored)
			return restored.Undo, func() { n.put("detail/a.md", "by an editor") }
		}, notes, "was changed since"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := notebook{start(t, nil)}
			undo, later := c.do(n)
			require.NotNil(t, undo)
			later()
			before := c.held(n)
			assert.Equal(t, wire.RefusalConflict, n.refusal(undo.Method, undo.Params).Reason)
			assert.Contains(t, n.fails(undo.Method, undo.Params).Message, c.says)
			assert.Equal(t, before, c.held(n), "what came later stays")
		})
		t.Run(c.name+", which it was not", func(t *testing.T) {
			n := notebook{start(t, nil)}
			undo, _ := c.do(n)
			n.undo(undo)
		})
	}
}

func TestUndosFollowOneAnother(t *testing.T) {
	n := notebook{start(t, nil)}
	var added, pinned wire.Receipt
	n.call("wm/memory/add", map[string]any{"text": "Prices are cents"}, &added)
	n.call("wm/memory/update", map[string]any{"id": added.ID, "pinned": true}, &pinned)
	n.call("wm/memory/remove", map[string]any{"id": added.ID}, nil)
	n.call("wm/memory/restore", map[string]any{"id": added.ID}, nil)
	n.undo(pinned.Undo)
	var list wire.MemoryListResult
	n.call("wm/memory/list", nil, &list)
	require.Len(t, list.Entries, 1)
	assert.Equal(t, wire.StatusActive, list.Entries[0].Status)
	assert.False(t, list.Entries[0].Pinned)
	n.undo(added.Undo)
	n.call("wm/memory/list", nil, &list)
	assert.Empty(t, list.Entries)
}

func TestANoteIsNotRestoredFromATextOfAnotherOne(t *testing.T) {
	n := notebook{start(t, nil)}
	first := n.write("detail/a.md", "of a")
	n.write("detail/b.md", "of b")
	params := map[string]any{"path": "detail/b.md", "revision": first.Revision}
	assert.Equal(t, wire.RefusalNotFound, n.refusal("wm/notes/restore", params).Reason)
	assert.Equal(t, "of b", n.read("detail/b.md").Content)
	assert.Equal(t, wire.RefusalNotFound, n.refusal("wm/notes/read", params).Reason)

	n.write("detail/a.md", "of a, later")
	n.call("wm/notes/archive", map[string]any{"path": "detail/a.md"}, nil)
	n.write("detail/a.md", "another a")
	params["path"] = "detail/a.md"
	assert.Equal(t, wire.RefusalNotFound, n.refusal("wm/notes/restore", params).Reason, "it is another note")
	params["path"] = "archive/a.md"
	n.call("wm/notes/restore", params, nil)
	assert.Equal(t, "of a", n.read("archive/a.md").Content, "its texts have moved with it")
}

func TestANoteIsMovedOnlyIfItHasTheRevision(t *testing.T) {
	n := notebook{start(t, nil)}
	written := n.write("detail/a.md", "text")
	for method, path := range map[string]string{"wm/notes/archive": "detail/a.md", "wm/notes/restore": "archive/a.md"} {
		if method == "wm/notes/restore" {
			n.write("archive/a.md", "text")
		}
		params := map[string]any{"path": path, "ifRevision": "0123456789abcdef"}
		assert.Equal(t, wire.RefusalConflict, n.refusal(method, params).Reason)
		assert.Equal(t, written.Revision, n.refusal(method, params).Revision)
		assert.Equal(t, "text", n.read(path).Content)
	}
}

func TestAConflictAboutANoteThatIsGoneSaysSo(t *testing.T) {
	n := notebook{start(t, nil)}
	params := map[string]any{"path": "detail/a.md", "content": "text", "ifRevision": "0123456789abcdef"}
	message := n.fails("wm/notes/write", params).Message
	assert.Contains(t, message, "there is no note detail/a.md any more")
	assert.NotContains(t, message, "ifRevision ;")
	params["ifRevision"] = "absent"
	n.call("wm/notes/write", params, nil)
	assert.Equal(t, wire.RefusalConflict, n.refusal("wm/notes/write", params).Reason, "now there is one")
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

func TestAReceiptDoesNotCountWhatWasTakenOutBefore(t *testing.T) {
	const had = "The password: [redacted:secret] of region 7 is asked for"
	const text = had + " by bob@corp.example.org"
	ask := map[string]func(p *peer) wire.Receipt{
		"an addition": func(p *peer) (receipt wire.Receipt) {
			p.call("wm/memory/add", map[string]any{"text": text}, &receipt)
			return receipt
		},
		"an edit": func(p *peer) (receipt wire.Receipt) {
			p.call("wm/memory/add", map[string]any{"text": "Prices are cents"}, &receipt)
			p.call("wm/memory/update", map[string]any{"id": receipt.ID, "text": text}, &receipt)
			return receipt
		},
		"a request in a message": func(p *peer) wire.Receipt {
			var heard wire.MessageReceivedResult
			p.call("wm/message/received", map[string]any{"role": "user", "text": "Remember: " + text}, &heard)
			assert.Equal(t, []string{"email"}, heard.Redacted)
			require.Len(t, heard.Memories, 1)
			return heard.Memories[0]
		},
	}
	for name, ask := range ask {
		t.Run(name, func(t *testing.T) {
			p := start(t, nil)
			receipt := ask(p)
			assert.Equal(t, 1, receipt.Redactions)
			assert.Equal(t, []string{"email"}, receipt.Redacted)
			require.NotNil(t, receipt.Entry)
			assert.Contains(t, receipt.Entry.Text, "[redacted:secret]")
			var pinned wire.Receipt
			p.call("wm/memory/update", map[string]any{"id": receipt.ID, "pinned": true}, &pinned)
			assert.Equal(t, wire.ReceiptUpdated, pinned.Status)
			assert.Zero(t, pinned.Redactions, "no text was sent")
			assert.Empty(t, pinned.Redacted)
		})
	}
	p := start(t, nil)
	var note wire.NotesWriteResult
	p.call("wm/notes/write", map[string]any{"path": "detail/a.md", "content": text}, &note)
	assert.Equal(t, 1, note.Redactions)
	assert.Equal(t, []string{"email"}, note.Redacted)
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

func TestWhoAsksToRememberWhileRecordingIsPausedIsToldThatNothingWasKept(t *testing.T) {
	const text = "Prices are cents in every table; the password: hunter2hunter2 is asked for"
	for name, ask := range map[string]func(p *peer) wire.Receipt{
		"a message": func(p *peer) wire.Receipt {
			var heard wire.MessageReceivedResult
			p.call("wm/message/received", map[string]any{"role": "user", "text": "Remember: " + text}, &heard)
			require.Len(t, heard.Memories, 1)
			return heard.Memories[0]
		},
		"a summary": func(p *peer) wire.Receipt {
			var read wire.CompactionFinishedResult
			p.call("wm/compaction/finished", map[string]any{
				"summary": "<workspace_memory_candidates>\n- [project] " + text + "\n</workspace_memory_candidates>",
			}, &read)
			require.Len(t, read.Memories, 1)
			return read.Memories[0]
		},
		"an addition": func(p *peer) wire.Receipt {
			var receipt wire.Receipt
			p.call("wm/memory/add", map[string]any{"text": text}, &receipt)
			return receipt
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, nil)
			var paused wire.PauseResult
			p.call("wm/pause", nil, &paused)
			receipt := ask(p)
			assert.Equal(t, wire.ReceiptRejected, receipt.Status)
			assert.Equal(t, "paused", receipt.Reason)
			assert.Equal(t, paused.PausedUntil, receipt.PausedUntil)
			assert.Contains(t, receipt.Message, "recording is paused until")
			assert.Contains(t, receipt.Text, "Prices are cents")
			assert.NotContains(t, receipt.Text, "hunter2")
			var list wire.MemoryListResult
			p.call("wm/memory/list", map[string]any{"includeInactive": true}, &list)
			assert.Empty(t, list.Entries)
		})
	}
}
