package request

import (
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// A Wording is one of somebody's own in which something is asked to be remembered
// (systems.md B16).
type Wording struct {
	// Line finds the wish in one line; its first group is the text, or all that
	// matches where it has none.
	Line *pattern.Expression
	Type string
}

// maxOwn is how many wishes of one message the wordings find.
const maxOwn = 50

// Own returns the wishes of a user's message that the wordings find and that are
// not among those found before, in the order of the wordings. Code and what is
// quoted asks for nothing, and the mark of a list is no part of its line.
func Own(message string, wordings []Wording, before []Request) []Request {
	if len(wordings) == 0 {
		return nil
	}
	var search pattern.Search
	var found []Request
	lines := prose(message)
	for _, w := range wordings {
		for _, l := range lines {
			text := strings.TrimSpace(search.Find(w.Line, l.text))
			same := func(r Request) bool { return r.Text == text }
			if text == "" || slices.ContainsFunc(before, same) || slices.ContainsFunc(found, same) {
				continue
			}
			if found = append(found, Request{Type: w.Type, Text: text}); len(found) == maxOwn {
				return found
			}
		}
	}
	return found
}
