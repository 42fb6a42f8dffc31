package index

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/recall"
	"github.com/wm-lsp/wm-lsp/recall/words"
)

// maxCompletions is how many words complete the last one of a query.
const maxCompletions = 8

// completed returns a query with the words that its last one may become, if it is not a word of
// the index or of a time. A query is searched while it is written.
func completed(index recall.Index, query Query) (string, error) {
	text := query.Text
	last := text
	between := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if i := strings.LastIndexFunc(text, between); i >= 0 {
		_, size := utf8.DecodeRuneInString(text[i:])
		last = text[i+size:]
	}
	if utf8.RuneCountInString(last) < 2 {
		return text, nil
	}
	var terms []string
	for _, term := range words.Analyze(last).Terms {
		terms = append(terms, term.Text)
	}
	lists, err := index.Lists(terms)
	if err != nil || len(terms) == 0 { // a stop word is complete
		return text, err
	}
	for _, list := range lists {
		if len(list.Docs) > 0 {
			return text, nil
		}
	}
	if query.reading.EndsInTime(recall.Day(query.At)) {
		return text, nil
	}
	family, err := index.Family(strings.ToLower(last), maxCompletions)
	if err != nil || len(family) == 0 {
		return text, err
	}
	return text + " " + strings.Join(family, " "), nil
}
