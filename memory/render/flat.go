package render

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/tag"
)

// Flat returns a visible text as one line without angle brackets. Text from files, tools
// and people is data, never markup.
func Flat(text string) string {
	return Inert(strings.Map(func(c rune) rune {
		switch {
		case c == '\n' || c == '\r' || c == '\t':
			return ' '
		case c == '<':
			return '‹'
		case c == '>':
			return '›'
		}
		return c
	}, tag.Visible(text)))
}

// Inert returns a string of several lines without tags that begin or end an element of
// the context.
func Inert(text string) string { return tag.Inert(text) }
