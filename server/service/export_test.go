package service

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestEntriesAreExportedAsListsOfTheirTypes(t *testing.T) {
	assert.Equal(t, beginMarker+`
## What is remembered of this workspace

### decision

- Amounts are integers (floats round)
- \<!-- wm-lsp:end --> is no end

### feedback

- run `+"\\`make check\\`"+`
`+endMarker+"\n", Markdown([]wire.MemoryEntry{
		{Type: "decision", Text: "Amounts are\nintegers", Rationale: "floats round"},
		{Type: "feedback", Text: "run `make check`"},
		{Type: "decision", Text: "<!-- wm-lsp:end --> is no end"},
	}))
}

func TestAnExportReplacesWhatStandsBetweenItsMarkers(t *testing.T) {
	const block = beginMarker + "\n- new\n" + endMarker + "\n"
	old := strings.Replace(block, "new", "old", 1)
	windows := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	for _, c := range []struct{ name, before, after string }{
		{"an empty file", "", block},
		{"a file without markers", "# Rules\n", "# Rules\n\n" + block},
		{"a file without a line end", "# Rules", "# Rules\n\n" + block},
		{"a file with markers", "# Rules\n" + old + "more\n", "# Rules\n" + block + "more\n"},
		{"a file with markers at its end", "# Rules\n" + strings.TrimSuffix(old, "\n"), "# Rules\n" + block},
		{"the same once more", "# Rules\n\n" + block, "# Rules\n\n" + block},
		{"line ends of Windows", windows("# Rules\n" + old + "more\n"), windows("# Rules\n" + block + "more\n")},
		{"bytes that are not text", "\xff\x00\n" + old, "\xff\x00\n" + block},
	} {
		t.Run(c.name, func(t *testing.T) {
			after, err := WithMarkdown(c.before, block)
			require.NoError(t, err)
			assert.Equal(t, c.after, after)
		})
	}
	for _, broken := range []string{beginMarker, endMarker, endMarker + "\n" + beginMarker, old + old} {
		_, err := WithMarkdown(broken, block)
		assert.ErrorIs(t, err, errMarkers, broken)
	}
}

func FuzzAnExportKeepsTheRestOfAFile(f *testing.F) {
	f.Add("# Rules\n", "more\n")
	f.Add("a\r\n", "b")
	f.Fuzz(func(t *testing.T, before, after string) {
		if strings.Contains(before+after, "<!-- wm-lsp:") {
			return
		}
		if before != "" && !strings.HasSuffix(before, "\n") {
			before += "\n"
		}
		block := Markdown(nil)
		once, err := WithMarkdown(before+block+after, block)
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(once, before))
		assert.True(t, strings.HasSuffix(once, after))
		twice, err := WithMarkdown(once, block)
		require.NoError(t, err)
		assert.Equal(t, once, twice)
	})
}
