package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
	"github.com/stretchr/testify/assert"
)

func TestALineIsBrokenBetweenWordsToFitTheWidth(t *testing.T) {
	long := strings.Repeat("b", 30)
	for _, c := range []struct {
		name  string
		width int
		text  string
		want  string
	}{
		{"without a width", 0, "one two  three", "  one two three\n"},
		{"a terminal too narrow to break lines", 10, "one two three four", "  one two three four\n"},
		{"a line that fits", 20, "one two three four", "  one two three four\n"},
		{"a line that does not", 20, "one two three fours", "  one two three\n  fours\n"},
		{"characters of two columns", 20, "金額は 整数です です", "  金額は 整数です\n  です\n"},
		{"a word longer than the line", 20, "a " + long + " c", "  a\n  " + long + "\n  c\n"},
		{"several lines", 20, "one\n\ntwo\n", "  one\n\n  two\n"},
		{"nothing", 20, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, terminal{width: c.width}.indented(2, c.text))
		})
	}
}

func FuzzABrokenTextHasTheSameWordsAndFits(f *testing.F) {
	f.Add("one two three", 24, 2)
	f.Add("\x00 0", 20, 0) // a word without a width
	f.Add("金額は整数です é\tx\r\ny", 40, 4)
	f.Add("\x18_\x9c\xb2d\x94\x83ë\x85\xe2\x00\x00\x02\x00\xbb\xbc\xe5\a\xb7\x1f\x90\x98\xd6I\xc6\v\x83Ztǀ", 38, 2)
	f.Fuzz(func(t *testing.T, text string, width, indent int) {
		indent = indent & 7
		got := terminal{width: width}.indented(indent, text)
		assert.Equal(t, strings.Fields(text), strings.Fields(got))
		for line := range strings.Lines(got) {
			if width >= minColumns && len(strings.Fields(line)) > 1 {
				assert.LessOrEqual(t, displaywidth.String(strings.TrimSuffix(line, "\n")), width, "%q", line)
			}
		}
	})
}

// A file and a pipe are not terminals.
func TestOnlyATerminalHasColours(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	assert.NoError(t, err)
	defer func() { _ = null.Close() }()
	env := func(string) string { return "xterm" }
	assert.Equal(t, terminal{}, terminalOf(null, env))
	assert.Equal(t, terminal{}, terminalOf(&bytes.Buffer{}, env))
	assert.Equal(t, "text", terminal{}.paint(bold, terminal{}.link("file:///a", "text")))
}
