package terminal

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestEscapeSequencesAreTakenOutAndTextStays(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no sequence":                         {"plain ✓ text\r\n\t", "plain ✓ text\r\n\t"},
		"colours":                             {"\x1b[1;31merror\x1b[0m: it's broken", "error: it's broken"},
		"24-bit colours with colons":          {"\x1b[38:2::255:0:0mred\x1b[m", "red"},
		"a title, ended by a bell":            {"\x1b]0;title ✓\x07done", "done"},
		"a link, ended by a string end":       {"\x1b]8;;https://example.com\x1b\\here\x1b]8;;\x1b\\", "here"},
		"other scripts beside sequences":      {"\x1b[32m✓ 测试\x1b[0m ok", "✓ 测试 ok"},
		"cursor movement and erasing":         {"10%\x1b[2K\x1b[1G20%", "10%20%"},
		"text within a sequence":              {"\x1b[3é", "é"},
		"a sequence that is cut off":          {"done\x1b[3", "done"},
		"bytes that are not UTF-8 beside one": {"a\xff\x1b[1mb", "a\xffb"},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, Strip(c.text)) })
	}
}

func TestALineHoldsNothingThatControlsATerminal(t *testing.T) {
	assert.Equal(t, "red and wide: 金額", Line(" \x1b[31mred\x1b[2J\u202e\r\nand\t\u200bwide:\a 金額 \x1b]0;t\x07"))
}

func FuzzStrip(f *testing.F) {
	f.Add("\x1b[1;31merror\x1b[0m")
	f.Add("\x1b]0;t\x07é\x1b[3\xff")
	f.Fuzz(func(t *testing.T, text string) {
		plain := Strip(text)
		assert.LessOrEqual(t, len(plain), len(text))
		if !strings.ContainsRune(text, 0x1b) {
			assert.Equal(t, text, plain)
		}
		if utf8.ValidString(text) {
			assert.True(t, utf8.ValidString(plain))
		}
	})
}
