package lsp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// hover returns the hover at a position, or "".
func (p *peer) hover(uri string, line, character int) string {
	p.t.Helper()
	var result *struct {
		Contents struct{ Kind, Value string }
	}
	p.call("textDocument/hover", map[string]any{
		"textDocument": map[string]any{"uri": uri}, "position": map[string]any{"line": line, "character": character},
	}, &result)
	if result == nil {
		return ""
	}
	assert.Equal(p.t, "markdown", result.Contents.Kind)
	return result.Contents.Value
}

func TestHoverShowsTheErrorsOfTheLineAndNothingBeside(t *testing.T) {
	p := start(t, nil)
	uri := p.write("a.go", "")
	p.open(uri, "package a\n\nvar x = y\nvar z = 1\n")
	assert.Empty(t, p.hover(uri, 2, 8))
	p.call("wm/diagnostics/changed", map[string]any{"uri": uri, "diagnostics": []any{diagnostic(2, "undefined: y")}},
		nil)
	assert.Regexp(t, `^\*\*Open error\*\* \(typecheck, 1×, since .*\): undefined: y\n$`, p.hover(uri, 2, 0))
	for _, line := range []int{0, 1, 3} {
		assert.Empty(t, p.hover(uri, line, 0), "line %d", line)
	}
	p.call("wm/diagnostics/changed", map[string]any{"uri": uri, "diagnostics": []any{}}, nil)
	assert.Empty(t, p.hover(uri, 2, 0))
}

func TestHoverShowsMemoriesThatNameTheErrorOrTheIdentifier(t *testing.T) {
	p := start(t, nil)
	uri := p.write("a.go", "")
	p.open(uri, "package a\n\nvar x = y\nfunc parseExpr() {}\nfunc file() {}\n")
	remember := func(text, file string) {
		var receipt wire.Receipt
		p.call("wm/memory/add",
			map[string]any{"text": text, "type": "decision", "rationale": "because", "files": []string{file}}, &receipt)
		require.Equal(t, wire.ReceiptAdded, receipt.Status)
	}
	remember("Error in a.go: undefined: y (compiler). Fix: declare it in b.go", "a.go")
	remember("parseExpr is written by hand, the file stays small", "a.go")
	remember("parseExpr of another file", "b.go")
	assert.Empty(t, p.hover(uri, 2, 8), "the error is not open")
	said := "**Remembered** (decision): parseExpr is written by hand, the file stays small – because\n"
	for _, character := range []int{5, 9, 14} {
		assert.Equal(t, said, p.hover(uri, 3, character))
	}
	assert.Empty(t, p.hover(uri, 3, 2), "func")
	assert.Empty(t, p.hover(uri, 4, 6), "file is a word of the text and no name")
	p.call("wm/diagnostics/changed", map[string]any{"uri": uri, "diagnostics": []any{diagnostic(2, "undefined: y")}},
		nil)
	assert.Contains(t, p.hover(uri, 2, 8), "Fix: declare it in b.go")
}

func TestHoverIsSilentWhereThereIsNoPlace(t *testing.T) {
	p := start(t, nil)
	uri := p.write("a.go", "")
	p.open(uri, "package a\n")
	p.open("untitled:Untitled-1", "package a\n")
	p.call("wm/diagnostics/changed", map[string]any{"uri": uri, "diagnostics": []any{diagnostic(900, "far away")}}, nil)
	assert.Empty(t, p.hover(uri, 900, 0))
	assert.Empty(t, p.hover(uri, 0, 4_000_000_000))
	assert.Empty(t, p.hover("untitled:Untitled-1", 0, 0))
	assert.Empty(t, p.hover(p.write("b.go", "package b\n"), 0, 0))
	assert.Empty(t, p.hover("", 0, 0))
	p.call("textDocument/hover", nil, nil)
	assert.EqualValues(t, wire.CodeInvalidParams, p.fails("textDocument/hover", map[string]any{"position": "top"}).Code)
	assert.EqualValues(t, wire.CodeInvalidParams,
		p.fails("textDocument/hover", map[string]any{"position": map[string]any{"line": -1}}).Code)
}

func TestAClientIsTakenAtItsWordAndNotMore(t *testing.T) {
	for doc, want := range map[string]client{
		``:          {},
		`null`:      {},
		`["hover"]`: {},
		`{"hover": {"contentFormat": "markdown"}, "codeAction": 1}`:                             {},
		`{"hover": {"contentFormat": ["plaintext"]}, "codeAction": {}}`:                         {},
		`{"hover": {"contentFormat": ["markdown"]}}`:                                            {markdown: true},
		`{"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["x"]}}}}`: {codeActions: true},
	} {
		var c client
		c.setTextDocument([]byte(doc))
		assert.Equal(t, want, c, doc)
	}
}

func benchServer(b *testing.B) (*peer, string) {
	b.Helper()
	p := start(b, nil)
	uri := p.write("a.go", "")
	text := strings.Repeat("\tcallSomething(withArguments, andMore) // a line of usual length\n", 1000)
	p.open(uri, text)
	found := []any{}
	for i := range 300 {
		found = append(found, diagnostic(i, fmt.Sprintf("undefined: name%c%c", 'a'+i%26, 'a'+i/26)))
	}
	p.call("wm/diagnostics/changed", map[string]any{"uri": uri, "diagnostics": found}, nil)
	for i := range 28 {
		p.call("wm/memory/add", map[string]any{
			"text": fmt.Sprintf("callSomething number %d has a reason of its own", i), "files": []string{"a.go"},
		}, nil)
	}
	return p, uri
}

// BenchmarkHover measures hovers with and without a result.
func BenchmarkHover(b *testing.B) {
	p, uri := benchServer(b)
	for name, at := range map[string]protocol.Position{
		"silent": {Line: 999}, "error": {Line: 200}, "memory": {Line: 900, Character: 4},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, err := encoded(p.server.hoverAt(p.server.documents.at(uri, at)))
				require.NoError(b, err)
			}
		})
	}
}

func BenchmarkCodeActions(b *testing.B) {
	p, uri := benchServer(b)
	for name, found := range map[string][]any{"named": {diagnostic(200, "undefined: y")}, "forwarded": nil} {
		doc, err := json.Marshal(map[string]any{
			"textDocument": map[string]any{
				"uri": uri,
			}, "range": span(200, 0, 210, 0), "context": asked(invoked, found...),
		})
		require.NoError(b, err)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				task, err := p.server.codeActions().decode(p.server, doc)
				require.NoError(b, err)
				_, err = task.start(b.Context())()
				require.NoError(b, err)
			}
		})
	}
}
