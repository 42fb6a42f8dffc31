package pattern

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// HasWord reports whether a string contains a word that is not a part of a longer one. In scripts
// that don't separate words, such as Chinese, any part of the text counts. An empty word is in
// no string.
func HasWord(text, word string) bool {
	if word == "" {
		return false
	}
	first, _ := utf8.DecodeRuneInString(word)
	last, _ := utf8.DecodeLastRuneInString(word)
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(word):])
		if !(inWord(before) && inWord(first)) && !(inWord(last) && inWord(after)) {
			return true
		}
		from = at + 1
	}
}

// inWord reports whether a character belongs to a word in a script that separates words with
// spaces.
func inWord(c rune) bool {
	return c == '_' || c != utf8.RuneError && c < 0x2e80 && (unicode.IsLetter(c) || unicode.IsDigit(c))
}
