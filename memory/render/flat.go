package render

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

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

// element is the beginning of what could begin or end an element of a context.
var element = pattern.Lazy(`(?i)<(\s*/?\s*(?:guide|workspace_memory|core_memory|goal|progress|context|overview|working_memory|session_state|recalled|pressure|context_meta)\b)`)

// Inert keeps a text of several lines from beginning or ending an element of the
// context.
func Inert(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	return element().ReplaceAllString(text, "‹$1")
}
