package lsp

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/protocol"
)

func at(line, character uint32) protocol.Position {
	return protocol.Position{Line: line, Character: character}
}

func TestAPositionIsALineAndUTF16CodeUnits(t *testing.T) {
	const text = "a😀b\r\nzwei\n"
	for name, c := range map[string]struct {
		position protocol.Position
		want     int
	}{
		"the start":                    {at(0, 0), 0},
		"after a character":            {at(0, 1), 1},
		"after a surrogate pair":       {at(0, 3), 5},
		"within a surrogate pair":      {at(0, 2), 1},
		"beyond the end of a line":     {at(0, 99), 6},
		"the second line":              {at(1, 2), 10},
		"the line after the last":      {at(2, 0), len(text)},
		"one line more than there are": {at(3, 0), len(text)},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := offset(text, c.position)
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
	_, err := offset(text, at(9, 0))
	assert.Error(t, err)
}

func TestEditsOfOneNotificationAreMadeInTheirOrder(t *testing.T) {
	text, known, err := apply("one\ntwo\n", true, []protocol.TextDocumentContentChangeEvent{
		&protocol.TextDocumentContentChangePartial{Range: protocol.Range{Start: at(0, 0), End: at(0, 3)}, Text: "1"},
		&protocol.TextDocumentContentChangePartial{Range: protocol.Range{Start: at(1, 3), End: at(2, 0)}, Text: "!"},
	})
	require.NoError(t, err)
	assert.True(t, known)
	assert.Equal(t, "1\ntwo!", text)
	_, _, err = apply(text, known, []protocol.TextDocumentContentChangeEvent{
		&protocol.TextDocumentContentChangePartial{Range: protocol.Range{Start: at(1, 0), End: at(0, 0)}, Text: "x"},
	})
	assert.Error(t, err)
}

func TestATextThatIsNotKnownIsKnownAfterAnEditOfTheWhole(t *testing.T) {
	part := &protocol.TextDocumentContentChangePartial{Range: protocol.Range{Start: at(7, 0), End: at(7, 1)}, Text: "x"}
	_, known, err := apply("", false, []protocol.TextDocumentContentChangeEvent{part})
	require.NoError(t, err)
	assert.False(t, known)
	text, known, err := apply("", false, []protocol.TextDocumentContentChangeEvent{
		part, &protocol.TextDocumentContentChangeWholeDocument{Text: "one"},
	})
	require.NoError(t, err)
	assert.True(t, known)
	assert.Equal(t, "one", text)
}

func FuzzOffset(f *testing.F) {
	f.Add("a😀b\r\nzwei\n", uint32(1), uint32(2))
	f.Fuzz(func(t *testing.T, text string, line, character uint32) {
		got, err := offset(text, at(line, character))
		if err != nil {
			return
		}
		require.LessOrEqual(t, got, len(text))
		if utf8.ValidString(text) {
			assert.True(t, utf8.ValidString(text[:got]), "an edit never splits a character")
		}
	})
}

func TestADocumentIsTheSameHoweverItsURIIsEncoded(t *testing.T) {
	p := start(t, nil)
	uri := p.write("ü ñ/a.go", "")
	folder := strings.TrimSuffix(uri, "%C3%BC%20%C3%B1/a.go")
	require.NotEqual(t, uri, folder)
	p.open(uri, "package a\n\nvar x = y\n")
	p.call("wm/diagnostics/changed", map[string]any{"uri": uri, "diagnostics": []any{diagnostic(2, "undefined: y")}},
		nil)
	for _, same := range []string{
		uri, folder + "%c3%bc%20%c3%b1/a.go", folder + "ü%20ñ/a.go", folder + "%C3%BC%20%C3%B1/%61.go",
	} {
		assert.Contains(t, p.hover(same, 2, 8), "undefined: y", same)
		actions := p.actions(same, span(2, 4, 2, 9), asked(invoked, diagnostic(2, "undefined: y")))
		require.Len(t, actions, 2, same)
		p.open(uri, "package a\n\nvar x = y // not saved\n")
		actions = p.actions(same, span(2, 4, 2, 22), asked(invoked))
		receipt := p.do(actions[len(actions)-1])
		require.NotNil(t, receipt.Entry, same)
		assert.Contains(t, receipt.Entry.Text, "not saved", "the text of the editor")
	}
}
