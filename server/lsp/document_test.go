package lsp

import (
	"math/rand/v2"
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

func TestManyEditsMakeWhatEachOfThemMakesByItself(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"", "a", "\n", "\r\n", "\r", "ü", "😀", "one\ntwo", "x\r\ny\r\n"}
	for range 300 {
		var start strings.Builder
		for range random.IntN(30) {
			start.WriteString(pieces[random.IntN(len(pieces))])
		}
		want, valid := start.String(), true
		b := newBuffer(want, 0)
		var edits []protocol.TextDocumentContentChangeEvent
		for range 1 + random.IntN(40) {
			from := at(random.Uint32N(uint32(strings.Count(want, "\n")+2)), random.Uint32N(8))
			span := protocol.Range{Start: from, End: from}
			switch random.IntN(3) {
			case 0:
				span.End.Character += random.Uint32N(4)
			case 1:
				span.End = at(from.Line+random.Uint32N(2), random.Uint32N(8))
			}
			insert := pieces[random.IntN(len(pieces))]
			edit := &protocol.TextDocumentContentChangePartial{Range: span, Text: insert}
			edits = append(edits, edit)
			next, err := splice(want, edit)
			assert.Equal(t, err == nil, b.replace(span, insert) == nil, "%q: %v", want, edit)
			if valid = err == nil; !valid {
				break
			}
			want = next
			require.Equal(t, want, b.String(), "%q after %v", start.String(), edits)
		}
		got, known, err := apply(start.String(), true, edits)
		if !valid {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err)
		require.True(t, known)
		require.Equal(t, want, got, "%q after %v", start.String(), edits)
	}
}

// everyLine are edits of one character on every line, from the last line to the first as editors send a replacement of
// all, or the other way.
func everyLine(lines int, down bool) []protocol.TextDocumentContentChangeEvent {
	var edits []protocol.TextDocumentContentChangeEvent
	for i := range lines {
		line := uint32(lines - 1 - i)
		if down {
			line = uint32(i)
		}
		edits = append(edits, &protocol.TextDocumentContentChangePartial{
			Range: protocol.Range{Start: at(line, 0), End: at(line, 1)}, Text: "xyz",
		})
	}
	return edits
}

func TestEditsThroughATextMoveItOnce(t *testing.T) {
	const lines = 20_000
	text := strings.Repeat("abcdefghij\n", lines)
	for name, edits := range map[string][]protocol.TextDocumentContentChangeEvent{
		"up": everyLine(lines, false), "down": everyLine(lines, true),
	} {
		t.Run(name, func(t *testing.T) {
			b := newBuffer(text, inserted(edits))
			for _, edit := range edits {
				part := edit.(*protocol.TextDocumentContentChangePartial)
				require.NoError(t, b.replace(part.Range, part.Text))
			}
			assert.Equal(t, strings.Repeat("xyzbcdefghij\n", lines), b.String())
			assert.Less(t, b.moved, 4*len(text))
		})
	}
}

func TestATextIsNotKnownAfterEditsThatJumpTooFarInIt(t *testing.T) {
	text := strings.Repeat(strings.Repeat("a", 1<<10)+"\n", 1<<10)
	var edits []protocol.TextDocumentContentChangeEvent
	for range maxMoved>>20 + 10 {
		for _, line := range []uint32{0, 1 << 10} {
			edits = append(edits, &protocol.TextDocumentContentChangePartial{
				Range: protocol.Range{Start: at(line, 0), End: at(line, 0)}, Text: "x",
			})
		}
	}
	_, known, err := apply(text, true, edits)
	require.NoError(t, err)
	assert.False(t, known)
	_, known, err = apply(text, true, append(edits, &protocol.TextDocumentContentChangeWholeDocument{Text: "one"}))
	require.NoError(t, err)
	assert.True(t, known)
}

func TestAThousandEditsAreNoReload(t *testing.T) {
	content := strings.Repeat("xyz\n", 1000)
	assert.True(t, leadsTo(content, everyLine(maxReloading, false)))
	assert.False(t, leadsTo(content, everyLine(maxReloading+1, false)))
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

func BenchmarkEdits(b *testing.B) {
	one := func(line, from, to uint32, text string) protocol.TextDocumentContentChangeEvent {
		return &protocol.TextDocumentContentChangePartial{
			Range: protocol.Range{Start: at(line, from), End: at(line, to)}, Text: text,
		}
	}
	for _, each := range []struct {
		name  string
		lines int
		edits []protocol.TextDocumentContentChangeEvent
	}{
		{"a key in 4 KB", 372, []protocol.TextDocumentContentChangeEvent{one(180, 3, 3, "x")}},
		{"two keys in 4 KB", 372, []protocol.TextDocumentContentChangeEvent{one(180, 3, 3, "x"), one(90, 3, 3, "x")}},
		{"20,000 edits up 220 KB", 20_000, everyLine(20_000, false)},
		{"20,000 edits down 220 KB", 20_000, everyLine(20_000, true)},
	} {
		text := strings.Repeat("abcdefghij\n", each.lines)
		b.Run(each.name, func(b *testing.B) {
			for b.Loop() {
				_, _, err := apply(text, true, each.edits)
				require.NoError(b, err)
			}
		})
	}
}
