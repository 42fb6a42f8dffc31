package tag_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/tag"
)

func TestVisibleTextHasNothingThatAPersonDoesNotSee(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"plain text stays":                    {"a b\tc\r\nd – „é“ 日本 한국\n", "a b\tc\r\nd – „é“ 日本 한국\n"},
		"bidirectional overrides":             {"user\u202e exe\u202c \u2066x\u2069 \u200f\u061c", "user exe x "},
		"characters without width":            {"pass\u200bwo\u2060rd\ufeff so\u00adft", "password soft"},
		"joiners without a meaning":           {"a\u200db\u200cc", "abc"},
		"tag characters":                      {"hi\U000e0001\U000e0068\U000e0069\U000e007f!", "hi!"},
		"variation selectors that hold bytes": {"x\U000e0100\U000e01ef\ufe00y", "xy"},
		"fillers that are letters":            {"a\u3164b\u115fc", "abc"},
		"line and paragraph separators":       {"a\u2028b\u2029c\u0085d\ve\ff", "a b c d e f"},
		"control characters":                  {"a\x00b\x1bc\x7fd\u0080e", "abcde"},
		"colours of a terminal":               {"a \x1b[1;31mred\x1b[0m one, \u009b4mso\x1b[m", "a red one, so"},
		"titles of a terminal":                {"\x1b]0;evil\aa b\u009dx\u009c", "a b"},
		"links of a terminal":                 {"\x1b]8;;http://x\x1b\\link\x1b]8;;\a b", "link b"},
		"a character set of a terminal":       {"a\x1b(Bb", "ab"},
		"a sequence without an end":           {"a\x1b]0;title\nb\x1b[31\x1b", "a]0;title\nb[31"},
		"a family stays one picture":          {"👩\u200d👩\u200d👧 ❤\ufe0f\u200d🔥", "👩\u200d👩\u200d👧 ❤\ufe0f\u200d🔥"},
		"a skin tone too":                     {"👩🏽\u200d💻", "👩🏽\u200d💻"},
		"an Indic conjunct keeps its form":    {"क्\u200dष", "क्\u200dष"},
		"a second joiner goes":                {"👩\u200d\u200d👧", "👩\u200d👧"},
		"bytes that are not text stay":        {"a\xffb", "a\xffb"},
		"bytes do not become a character":     {"\xd8\u200b\x80", "\xd8 \x80"},
		"nothing is put at the beginning":     {"\u200bgoal", "goal"},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, tag.Visible(c.text)) })
	}
}

func FuzzVisible(f *testing.F) {
	for _, text := range []string{"a\u202eb", "\u200d", "👩\u200d👧", "\xff\u2028", "<\u200bgoal>",
		"\x1b[31m\x1b]0;x\x1b\\\u009b\x1b(\x1b\x1b[["} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := tag.Visible(text)
		if again := tag.Visible(once); again != once {
			t.Fatalf("%q, then %q", once, again)
		}
		if strings.ContainsAny(once, "\u202e\u2066\u200b\u2028\U000e0041\x00") ||
			utf8.ValidString(text) != utf8.ValidString(once) {
			t.Fatalf("%q of %q", once, text)
		}
	})
}
