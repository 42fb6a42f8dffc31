package overview

import "strings"

// A cursor is a place in a line of a text.
type cursor struct {
	text       string
	start, end int // of the line
	at, column int // the place
	padding    int // columns that are left of a tab before the place
}

func (c *cursor) nextLine() bool {
	c.start, c.at, c.column, c.padding = c.end, c.end, 0, 0
	if length := strings.IndexByte(c.text[c.start:], '\n') + 1; length > 0 {
		c.end = c.start + length
	} else {
		c.end = len(c.text)
	}
	return c.start < c.end
}

// atEnd reports whether nothing more comes, not even a line end.
func (c *cursor) atEnd() bool { return c.at == len(c.text) }

// rest returns what is left of the line, with its line end.
func (c *cursor) rest() string {
	if c.padding == 0 || c.atEnd() {
		return c.text[c.at:c.end]
	}
	return strings.Repeat(" ", c.padding) + c.text[c.at:c.end]
}

// restColumn returns the column at which the rest begins.
func (c *cursor) restColumn() int { return c.column - c.padding }

// skip goes on by so many bytes of the rest. padding is what is left of a tab then.
func (c *cursor) skip(bytes, padding int) {
	padded := min(bytes, c.padding)
	for range bytes - padded {
		c.column += width(c.text[c.at], c.column)
		c.at++
	}
	c.padding = max(c.padding-padded, padding)
}

// skipAll goes to the line end, where no column matters.
func (c *cursor) skipAll() {
	c.at, c.padding = c.end, 0
	if c.text[c.end-1] == '\n' {
		c.at--
	}
}

const tabStop = 4

// width is how many columns a byte takes at a column.
func width(b byte, column int) int {
	if b == '\t' {
		return tabStop - column%tabStop
	}
	return 1
}

// indentOf returns how far a text is indented that begins at a column, and in how
// many bytes.
func indentOf(text string, column int) (indent, bytes int) {
	for bytes < len(text) && (text[bytes] == ' ' || text[bytes] == '\t') {
		indent += width(text[bytes], column+indent)
		bytes++
	}
	return indent, bytes
}

// outdent returns how many bytes an indent of some columns takes in a text that
// begins at a column and is indented that far, and how many more columns those take.
func outdent(text string, column, columns int) (bytes, more int) {
	indent := 0
	for bytes < len(text) && indent < columns && (text[bytes] == ' ' || text[bytes] == '\t') {
		indent += width(text[bytes], column+indent)
		bytes++
	}
	return bytes, max(indent-columns, 0)
}

// space is what CommonMark takes as space here.
const space = " \t\r\n"

func isBlank(text string) bool { return strings.Trim(text, space) == "" }

// runOf returns how many bytes of a kind a text begins with.
func runOf(text string, b byte) int { return len(text) - len(strings.TrimLeft(text, string(rune(b)))) }
