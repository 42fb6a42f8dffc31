// Package words turns text into the terms by which it is found. It is pure: the same text gives
// the same terms, in time that is linear in its length.
package words

import (
	"strings"
	"unicode"
)

// An Analysis is what a text consists of.
type Analysis struct {
	Terms  []Term // each once, in the order in which they were found
	Length int    // words, each as often as it is there
}

// A Term is a form of a word that all its inflections share.
type Term struct {
	Text  string
	Count int
}

// Analyze returns the terms of a text.
func Analyze(text string) Analysis {
	var analysis Analysis
	at := map[string]int{}
	for _, word := range strings.FieldsFunc(strings.ToLower(strings.ToValidUTF8(text, " ")), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		analysis.Length++
		if i, is := at[word]; is {
			analysis.Terms[i].Count++
			continue
		}
		at[word] = len(analysis.Terms)
		analysis.Terms = append(analysis.Terms, Term{Text: word, Count: 1})
	}
	return analysis
}
