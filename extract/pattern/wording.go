package pattern

import (
	"slices"
	"strings"
)

// A Wording is a pattern with a cheap precondition: it is tried only on texts that
// contain one of its words, which most do not.
type Wording struct {
	// Words are in lower case. Every text that the pattern matches contains one.
	Words   []string
	Pattern *Pattern
}

// Words splits a list of words at "|".
func Words(list string) []string { return strings.Split(list, "|") }

// Holds reports whether a text in lower case contains one of the words.
func Holds(lower string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(lower, w) })
}

// Match reports whether one of the wordings matches a text.
func Match(text string, wordings []Wording) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc(wordings, func(w Wording) bool { return Holds(lower, w.Words) && w.Pattern.Match(text) })
}
