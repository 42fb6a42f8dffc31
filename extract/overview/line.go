package overview

import "strings"

// A cursor is a position in a line of a string.
type cursor struct {
	text       string
	start, end int // of the line
	at, column int // the position
	padding    int // remaining columns of a tab before the position
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

// atEnd reports whether the cursor is at the end of the text.
func (c *cursor) atEnd() bool { return c.at == len(c.text) }

// rest returns the rest of the line with its line end.
func (c *cursor) rest() string {
	if c.padding == 0 || c.atEnd() {
		return c.text[c.at:c.end]
	}
	return strings.Repeat(" ", c.padding) + c.text[c.at:c.end]
}

// restColumn returns the column at which the rest begins.
func (c *cursor) restColumn() int { return c.column - c.padding }

// skip advances by a number of bytes. padding is then what is left of a tab.
func (c *cursor) skip(bytes, padding int) {
	padded := min(bytes, c.padding)
	for range bytes - padded {
		c.column += width(c.text[c.at], c.column)
		c.at++
	}
	c.padding = max(c.padding-padded, padding)
}

// skipAll advances to the line end, where no column matters.
func (c *cursor) skipAll() {
	c.at, c.padding = c.end, 0
	if c.text[c.end-1] == '\n' {
		c.at--
	}
}

const tabStop = 4

// width returns the number of columns of a byte at a column.
func width(b byte, column int) int {
	if b == '\t' {
		return tabStop - column%tabStop
	}
	return 1
}

// indentOf returns the indentation of a string at a column, in columns and bytes.
func indentOf(text string, column int) (indent, bytes int) {
	for bytes < len(text) && (text[bytes] == ' ' || text[bytes] == '\t') {
		indent += width(text[bytes], column+indent)
		bytes++
	}
	return indent, bytes
}

// outdent returns the number of bytes of an indentation in a string at a column, and the
// number of columns that these bytes have in excess.
func outdent(text string, column, columns int) (bytes, more int) {
	indent := 0
	for bytes < len(text) && indent < columns && (text[bytes] == ' ' || text[bytes] == '\t') {
		indent += width(text[bytes], column+indent)
		bytes++
	}
	return bytes, max(indent-columns, 0)
}

// space is the white space of CommonMark.
const space = " \t\r\n"

func isBlank(text string) bool {
	for i := range len(text) {
		if c := text[i]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// runOf returns the number of bytes b at the beginning of a string.
func runOf(text string, b byte) int {
	length := 0
	for length < len(text) && text[length] == b {
		length++
	}
	return length
}
