package request

import (
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// A Wording is a user-defined pattern for requests (systems.md B16).
type Wording struct {
	// Line matches a request in one line. Its first group, or the whole match if it
	// has no group, is the text.
	Line *pattern.Expression
	Type string
}

// maxOwn bounds the requests that the wordings find in one message.
const maxOwn = 50

// Own returns the requests of a user's message that match the wordings and are not
// in before, in the order of the wordings. Code and quotations are skipped, and
// lines do not include list markers.
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
