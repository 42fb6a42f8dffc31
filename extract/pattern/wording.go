package pattern

import (
	"slices"
	"strings"
	"sync"
)

// A Wording is a pattern with a cheap precondition: it is tried only on strings that
// contain one of its words. Most strings contain none.
type Wording struct {
	// Words are in lower case. Every string that the pattern matches contains one.
	Words   *WordList
	Pattern *Pattern
}

// A WordList is an ordered list of words. It is parsed on first use.
type WordList struct {
	list  string
	once  sync.Once
	words []string
}

// Words returns the list of the words in a string, in which "|" separates them.
func Words(list string) *WordList { return &WordList{list: list} }

// All returns the words, which must not be changed.
func (l *WordList) All() []string {
	l.once.Do(func() { l.words = strings.Split(l.list, "|") })
	return l.words
}

// In reports whether a string in lower case contains one of the words.
func (l *WordList) In(lower string) bool { return Holds(lower, l.All()) }

// Holds reports whether a string in lower case contains one of the words.
func Holds(lower string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(lower, w) })
}

// A Set is a set of words. It is built on first use.
type Set struct {
	list  string
	once  sync.Once
	words map[string]bool
}

// SetOf returns the set of the words in a string, which are separated by white space.
func SetOf(list string) *Set { return &Set{list: list} }

// Has reports whether a word is in the set.
func (s *Set) Has(word string) bool {
	s.once.Do(func() {
		s.words = map[string]bool{}
		for _, w := range strings.Fields(s.list) {
			s.words[w] = true
		}
	})
	return s.words[word]
}

// Match reports whether one of the wordings matches a string.
func Match(text string, wordings []Wording) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc(wordings, func(w Wording) bool { return w.Words.In(lower) && w.Pattern.Match(text) })
}
