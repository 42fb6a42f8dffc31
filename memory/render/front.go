package render

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Query is what a reader is about to do, such as its prompt. "" names nothing.
type Query string

const (
	// maxQuery is how much of a query is looked at, in bytes.
	maxQuery = 4 << 10
	// minWord is the length of the shortest word that names something, in characters.
	// Words with a Han, kana or Hangul letter may have minWideWord.
	minWord, minWideWord = 4, 2
)

// Front moves the items that a query names to the front: by the path or the base name of
// their file, or by half of the words of their text. Otherwise the items stay in order.
func Front[T any](q Query, items []T, about func(item T) (file, text string)) []T {
	if q == "" || len(items) < 2 {
		return items
	}
	asked := strings.ToLower(string(q[:min(len(q), maxQuery)]))
	words := map[string]bool{}
	for _, word := range wordsOf(asked) {
		words[word] = true
	}
	var first, rest []T
	for _, item := range items {
		file, text := about(item)
		if named(asked, words, strings.ToLower(file), strings.ToLower(text)) {
			first = append(first, item)
		} else {
			rest = append(rest, item)
		}
	}
	return append(first, rest...)
}

// named reports whether a query with some words names a file or a string.
func named(asked string, words map[string]bool, file, text string) bool {
	if base := path.Base(file); len(base) >= minWord && hasName(asked, base) {
		return true
	}
	own, said := wordsOf(text), 0
	for _, word := range own {
		if words[word] {
			said++
		}
	}
	return said > 0 && 2*said >= len(own)
}

// hasName reports whether a string has a name that is not the end of a longer one.
func hasName(text, name string) bool {
	for {
		at := strings.Index(text, name)
		if at < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		if at == 0 || !unicode.IsLetter(before) && !unicode.IsDigit(before) && !strings.ContainsRune("_-.", before) {
			return true
		}
		text = text[at+1:]
	}
}

// wordsOf returns the words of a string that can name something.
func wordsOf(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
	})
	return slices.DeleteFunc(words, func(word string) bool {
		letters := utf8.RuneCountInString(word)
		return letters < minWord && (letters < minWideWord || !strings.ContainsFunc(word, isWide))
	})
}

func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}
