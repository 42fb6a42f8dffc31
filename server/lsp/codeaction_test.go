package lsp

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func span(fromLine, from, toLine, to int) map[string]any {
	return map[string]any{
		"start": map[string]any{"line": fromLine, "character": from},
		"end":   map[string]any{"line": toLine, "character": to},
	}
}

func (p *peer) actions(uri string, at, asked map[string]any) []codeAction {
	p.t.Helper()
	var actions []codeAction
	p.call("textDocument/codeAction",
		map[string]any{"textDocument": map[string]any{"uri": uri}, "range": at, "context": asked}, &actions)
	require.NotNil(p.t, actions, "a list without actions is a list")
	return actions
}

func (p *peer) do(action codeAction) wire.Receipt {
	p.t.Helper()
	var receipt wire.Receipt
	p.call("workspace/executeCommand",
		map[string]any{"command": action.Command.Command, "arguments": action.Command.Arguments}, &receipt)
	return receipt
}

const (
	invoked   = 1
	automatic = 2
)

func asked(trigger int, diagnostics ...any) map[string]any {
	context := map[string]any{"diagnostics": append([]any{}, diagnostics...)}
	if trigger != 0 {
		context["triggerKind"] = trigger
	}
	return context
}

func TestASelectionIsRememberedWhenAPersonAsks(t *testing.T) {
	p := start(t, nil)
	uri := p.write("pkg/a.go", "")
	p.open(uri, "package a\n\n// The parser 😀 is written by hand.\n")
	actions := p.actions(uri, span(2, 3, 2, 35), asked(invoked))
	require.Len(t, actions, 1)
	assert.Equal(t, "Remember the selection", actions[0].Title)
	assert.Equal(t, kindSelection, actions[0].Kind)

	receipt := p.do(actions[0])
	require.Equal(t, wire.ReceiptAdded, receipt.Status)
	assert.Equal(t, "The parser 😀 is written by hand", receipt.Entry.Text)
	assert.Equal(t, []string{"pkg/a.go"}, receipt.Entry.Files)
	assert.Equal(t, "project", receipt.Entry.Type)
	assert.Len(t, p.actions(uri, span(2, 3, 2, 34), asked(0)), 1, "a client that does not say why it asks was asked")
}

func TestThereIsNoLightbulbWithoutAnError(t *testing.T) {
	p := start(t, nil)
	uri := p.write("a.go", "")
	p.open(uri, "package a\n   \n")
	p.open(p.write(".env", ""), "KEY=value\n")
	p.open("untitled:Untitled-1", "package a\n")
	only := asked(invoked)
	only["only"] = []string{"source.organizeImports", "quickfix"}
	for name, c := range map[string]struct {
		uri string
		at  map[string]any
		why map[string]any
	}{
		"the client asks by itself":          {uri, span(0, 0, 0, 9), asked(automatic)},
		"nothing is selected":                {uri, span(0, 3, 0, 3), asked(invoked)},
		"only space is selected":             {uri, span(1, 0, 1, 3), asked(invoked)},
		"the selection is outside":           {uri, span(90, 0, 91, 0), asked(invoked)},
		"the selection ends before it began": {uri, span(0, 9, 0, 0), asked(invoked)},
		"other kinds are asked for":          {uri, span(0, 0, 0, 9), only},
		"the document is not open":           {p.write("b.go", "package b\n"), span(0, 0, 0, 9), asked(invoked)},
		"the document is in no folder": {
			fileURI(filepath.Join(t.TempDir(), "c.go")), span(0, 0, 0, 9), asked(invoked),
		},
		"the document is not a file": {"untitled:Untitled-1", span(0, 0, 0, 9), asked(invoked)},
		"the file is not tracked": {
			fileURI(filepath.Join(p.root, ".env")), span(0, 0, 0, 9), asked(invoked),
		},
		"there is no document": {"", span(0, 0, 0, 9), asked(invoked)},
		"the diagnostic is a hint": {
			uri, span(0, 0, 0, 0),
			asked(automatic, map[string]any{"range": span(0, 0, 0, 1), "severity": 4, "message": "m"}),
		},
	} {
		assert.Empty(t, p.actions(c.uri, c.at, c.why), name)
	}
	p.call("wm/pause", map[string]any{"minutes": 5}, nil)
	assert.Empty(t, p.actions(uri, span(0, 0, 0, 9), asked(invoked)), "nothing is recorded meanwhile")
}

func TestAnErrorIsRememberedWithItsFix(t *testing.T) {
	p := start(t, nil)
	uri := p.write("a.go", "")
	p.open(uri, "package a\n\nvar x = y\n")
	at := span(2, 8, 2, 9)
	found := map[string]any{
		"range": at, "severity": 1, "source": "compiler", "code": "UndeclaredName", "message": "undefined:\n y",
	}
	for _, trigger := range []int{invoked, automatic} {
		actions := p.actions(uri, span(2, 8, 2, 8), asked(trigger, found))
		require.Len(t, actions, 1)
		assert.Equal(t, "Remember this error and its fix", actions[0].Title)
		assert.EqualValues(t, "quickfix", actions[0].Kind)
	}
	action := p.actions(uri, at, asked(automatic, found))[0]
	require.NotNil(t, action.Command.Arguments[0].Fix, "a client that can asks for the fix")

	receipt := p.do(action)
	assert.Equal(t, "Error in a.go: undefined: y (compiler UndeclaredName)", receipt.Entry.Text)
	fix := "declare y in b.go"
	action.Command.Arguments[0].Fix = &fix
	receipt = p.do(action)
	assert.Equal(t, "Error in a.go: undefined: y (compiler UndeclaredName). Fix: declare y in b.go", receipt.Entry.Text)
	assert.Equal(t, []string{"a.go"}, receipt.Entry.Files)
}

func TestAnErrorThatWasForwardedNeedNotBeNamedAgain(t *testing.T) {
	p := start(t, nil)
	uri := p.write("a.go", "")
	p.open(uri, "package a\n\nvar x = y\nvar z = 1\n")
	found := map[string]any{
		"range": span(2, 8, 2, 9), "severity": 1, "source": "compiler", "code": "UndeclaredName",
		"message": "undefined: y",
	}
	p.call("wm/diagnostics/changed", map[string]any{"uri": uri, "diagnostics": []any{found}}, nil)
	p.call("wm/tool/executed", map[string]any{
		"tool": "bash", "input": map[string]any{"command": "go vet ."}, "exitCode": 1,
		"output": "./a.go:4:1: of an agent\n",
	}, nil)
	named := p.actions(uri, span(2, 0, 2, 0), asked(invoked, found))
	require.Len(t, named, 1)
	for _, trigger := range []int{invoked, 0} {
		assert.Equal(t, named, p.actions(uri, span(2, 0, 2, 0), asked(trigger)))
	}
	assert.Len(t, p.actions(uri, span(1, 0, 3, 0), asked(invoked)), 2, "the error and the selection")
	assert.Empty(t, p.actions(uri, span(2, 0, 2, 0), asked(automatic)),
		"a client that asks by itself names what it shows")
	assert.Empty(t, p.actions(uri, span(1, 0, 1, 0), asked(invoked)))
	assert.Empty(t, p.actions(uri, span(3, 0, 3, 0), asked(invoked)), "what a command printed is not a diagnostic")
}

func TestSeveralErrorsAreOfferedOnceEachAndNotWithoutEnd(t *testing.T) {
	p := start(t, nil)
	uri := p.write("a.go", "")
	p.open(uri, "package a\n")
	found := []any{diagnostic(0, "same"), diagnostic(0, "same")}
	for _, message := range []string{"b", "c", "d", "e", "f", "g"} {
		found = append(found, diagnostic(0, message))
	}
	actions := p.actions(uri, span(0, 0, 0, 0), asked(automatic, found...))
	require.Len(t, actions, service.MaxErrorOffers)
	assert.Equal(t, "Remember this error and its fix: same", actions[0].Title)
	assert.Equal(t, "Remember this error and its fix: b", actions[1].Title)
}

func TestClientsThatKnowNoCodeActionsGetCommands(t *testing.T) {
	text := ""
	doc, err := json.Marshal((&Server{}).supported([]codeAction{
		rememberAction("T", kindError, rememberParams{Text: "x", Fix: &text}),
	}))
	require.NoError(t, err)
	assert.JSONEq(t, `[{"title": "T", "command": "wm.remember", "arguments": [{"text": "x", "fix": ""}]}]`, string(doc))
}

func TestBadCodeActionParamsAreAnError(t *testing.T) {
	p := start(t, nil)
	uri := p.write("a.go", "")
	p.open(uri, "package a\n")
	for _, params := range []any{
		map[string]any{"textDocument": "a.go"},
		map[string]any{"textDocument": map[string]any{"uri": uri}, "range": span(-1, 0, 0, 0)},
		map[string]any{"textDocument": map[string]any{"uri": uri}, "context": map[string]any{"only": "quickfix"}},
	} {
		assert.EqualValues(t, wire.CodeInvalidParams, p.fails("textDocument/codeAction", params).Code)
	}
	p.call("wm/status", nil, nil)
}
