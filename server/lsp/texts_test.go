package lsp

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// crowd opens so many documents that no string of an earlier one is held.
func (p *peer) crowd() {
	for i := range maxTexts>>20 + 1 {
		p.open(fmt.Sprintf("file://%s/crowd%d.go", p.root, i), strings.Repeat("a", 1<<20))
	}
	p.call("wm/status", nil, nil)
}

// holds reports whether the text of a document is held.
func (p *peer) holds(uri string) bool {
	p.server.documents.mu.Lock()
	defer p.server.documents.mu.Unlock()
	return p.server.documents.named(uri).holds != nil
}

// replace replaces the first characters of a document.
func (p *peer) replace(uri string, length int, text string) {
	p.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": uri, "version": 2},
		"contentChanges": []any{map[string]any{"text": text, "range": span(0, 0, 0, length)}},
	})
}

func TestATextThatIsNotHeldIsReadFromItsFile(t *testing.T) {
	p := start(t, nil)
	uri := p.write("a.go", "package a\n")
	p.open(uri, "package a\n")
	p.crowd()
	require.False(t, p.holds(uri))
	p.replace(uri, 7, "package")
	assert.Equal(t, wire.FileAction("read"), p.files()["a.go"].Action, "it is the content on the disk")
	p.replace(uri, 7, "library")
	assert.Equal(t, wire.FileAction("edit"), p.files()["a.go"].Action)
	assert.Equal(t, "a", p.selected(uri, 8, 9))
	assert.Equal(t, "library", p.selected(uri, 0, 7), "the text in the editor, not that of the file")
}

func TestATextThatIsNotKnownIsEditedAllTheSame(t *testing.T) {
	p := start(t, nil)
	uri := p.write("a.go", "package a\n")
	p.open(uri, "package a\n")
	before := p.files()["a.go"].Hash
	p.crowd()
	p.write("a.go", "package other\n") // another program changed the file
	p.replace(uri, 7, "library")
	assert.Equal(t, wire.FileAction("edit"), p.files()["a.go"].Action)
	failed := p.fails("workspace/executeCommand", remembering(uri, 0, 7))
	assert.Contains(t, failed.Message, "save it")

	p.write("a.go", "library a\n")
	p.save(uri)
	assert.NotEqual(t, before, p.files()["a.go"].Hash)
	assert.Equal(t, "library", p.selected(uri, 0, 7))

	p.crowd()
	p.write("a.go", "package other\n")
	p.change(uri, "the whole text")
	assert.Equal(t, "the whole", p.selected(uri, 0, 9))
}

func TestAReloadOfATextThatIsNotHeldIsNoEdit(t *testing.T) {
	p := start(t, nil)
	uri := p.write("a.go", "package a\n\nvar a = 1\n")
	p.open(uri, "package a\n\nvar a = 1\n")
	p.crowd()
	require.False(t, p.holds(uri))
	p.write("a.go", "package other\n\nvar a = 22\n") // another program changed the file
	p.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": uri, "version": 2},
		"contentChanges": []any{
			map[string]any{"text": "22", "range": span(2, 8, 2, 9)},
			map[string]any{"text": "other", "range": span(0, 8, 0, 9)},
		},
	})
	assert.Equal(t, wire.FileAction("read"), p.files()["a.go"].Action)
	assert.Equal(t, "other", p.selected(uri, 8, 13), "the text is known again")
	p.replace(uri, 7, "library")
	assert.Equal(t, wire.FileAction("edit"), p.files()["a.go"].Action)
}

func TestEditsOfATextThatIsNotKnownLeadToAContent(t *testing.T) {
	edit := func(text string, line, from, toLine, to uint32) protocol.TextDocumentContentChangeEvent {
		return &protocol.TextDocumentContentChangePartial{Text: text, Range: protocol.Range{
			Start: protocol.Position{Line: line, Character: from}, End: protocol.Position{Line: toLine, Character: to},
		}}
	}
	type edits = []protocol.TextDocumentContentChangeEvent
	for _, c := range []struct {
		name, content string
		edits         edits
		want          bool
	}{
		{"what is inserted is there", "one two", edits{edit("two", 0, 4, 0, 5)}, true},
		{"it is not", "one two", edits{edit("three", 0, 4, 0, 5)}, false},
		{"it is elsewhere", "one two", edits{edit("two", 0, 0, 0, 5)}, false},
		{"below a line that is longer now", "a\nb\nc", edits{edit("c", 1, 0, 1, 1), edit("a\nb", 0, 0, 0, 1)}, true},
		{"below lines that are gone", "a\nc", edits{edit("c", 3, 0, 3, 1), edit("a", 0, 0, 2, 1)}, true},
		{"on the same line", "😀 x, y", edits{edit("y", 0, 2, 0, 3), edit("😀 x", 0, 0, 0, 0)}, true},
		{"elsewhere on the line", "😀 x, y", edits{edit("y", 0, 1, 0, 2), edit("😀 x", 0, 0, 0, 0)}, false},
		{"on the same line, moved", "😀 x, y", edits{edit("y", 0, 3, 0, 4), edit("😀 x", 0, 0, 0, 1)}, true},
		{"only deleted", "one", edits{edit("", 0, 3, 0, 9)}, false},
		{"upwards", "ab", edits{edit("a", 0, 0, 0, 0), edit("b", 0, 1, 0, 1)}, false},
		{"beyond the end", "ab", edits{edit("a", 7, 0, 7, 0)}, false},
		{"the whole text", "ab", edits{&protocol.TextDocumentContentChangeWholeDocument{Text: "ab"}}, false},
		{"no edits", "ab", nil, false},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, leadsTo(c.content, c.edits)) })
	}
}

// remembering returns the params of the command that remembers a selection.
func remembering(uri string, from, to int) map[string]any {
	return map[string]any{"command": "wm.remember", "arguments": []any{map[string]any{
		"uri": uri, "range": span(0, from, 0, to),
	}}}
}

// selected returns the text of a selection, as it is remembered.
func (p *peer) selected(uri string, from, to int) string {
	p.t.Helper()
	var receipt wire.Receipt
	p.call("workspace/executeCommand", remembering(uri, from, to), &receipt)
	require.NotNil(p.t, receipt.Entry)
	return strings.TrimSuffix(receipt.Entry.Text, " (a.go)")
}

// A string is held once: not with the message that it came with, and not if there are many.
func TestWhatOpenDocumentsHoldIsBounded(t *testing.T) {
	slow.Test(t)
	p := start(t, nil)
	const (
		documents = 2_500
		each      = 4_000 // bytes without the text, of which some are those of buffers
	)
	text := strings.Repeat("a line of a text of 8 KB\n", 320)
	heap := func() int64 {
		p.call("wm/status", nil, nil)
		runtime.GC()
		runtime.GC() // what pools hold is freed by the second one
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		return int64(now.HeapAlloc)
	}
	before := heap()
	for i := range documents {
		p.open(fmt.Sprintf("file://%s/a/long/way/down/file%d.go", p.root, i), text)
	}
	assert.Eventually(t, func() bool { // what still works on the last documents holds their texts, too
		return heap()-before < int64(maxTexts+documents*each)
	}, patience, 10*time.Millisecond)
	for i := range documents {
		p.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{
			"uri": fmt.Sprintf("file://%s/a/long/way/down/file%d.go", p.root, i),
		}})
	}
	p.call("wm/status", nil, nil)
	assert.Zero(t, p.server.documents.texts.size)
	assert.Zero(t, p.server.documents.texts.latest.Len())
}
