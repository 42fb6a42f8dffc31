package pattern

import (
	"slices"
	"strings"
)

// A Wording is a pattern behind a cheap question: it is tried only on texts
// that hold one of its words. Most texts hold none, and cost no more than
// looking for these.
type Wording struct {
	// Words are in lower case. Every text that the pattern matches holds one.
	Words []string
	Says  *Pattern
}

// Words splits a list of words at "|".
func Words(list string) []string { return strings.Split(list, "|") }

// Holds reports whether a text in lower case holds one of the words.
func Holds(lower string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(lower, w) })
}

// Says tells whether one of the wordings matches a text.
func Says(text string, wordings []Wording) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc(wordings, func(w Wording) bool { return Holds(lower, w.Words) && w.Says.Match(text) })
}
