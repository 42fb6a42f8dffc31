package render

import "strings"

// Flat keeps a text on its line and from closing the element it stands in: what
// files, tools and people say is data, never markup.
func Flat(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\n' || c == '\r' || c == '\t':
			return ' '
		case c < 0x20 || c == 0x7f:
			return -1
		case c == '<':
			return '‹'
		case c == '>':
			return '›'
		}
		return c
	}, text)
}
