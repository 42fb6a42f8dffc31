package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// foldASCII returns the text with its ASCII letters in lower case.
func foldASCII(s string) string {
	if !hasUpper(s) { // which needs no copy
		return s
	}
	b := []byte(s)
	for i := range b {
		b[i] = lower(b[i])
	}
	return string(b)
}

// equalFoldASCII reports whether two strings are equal whatever the case of their ASCII letters.
func equalFoldASCII(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func hasUpper(s string) bool {
	for i := range len(s) {
		if isUpper(s[i]) {
			return true
		}
	}
	return false
}

// indexFold is strings.Index for a needle in lower case, whatever the case of s.
func indexFold(s, needle string) int { return strings.Index(foldASCII(s), needle) }

func hasDigit(s string) bool {
	for i := range len(s) {
		if isDigit(s[i]) {
			return true
		}
	}
	return false
}

func hasLetter(s string) bool {
	for i := range len(s) {
		if isAlpha(s[i]) {
			return true
		}
	}
	return false
}

// containsFold is strings.Contains for a needle in lower case, whatever the case
// of the ASCII letters of s.
func containsFold(s, needle string) bool {
	for at := 0; at+len(needle) <= len(s); at++ {
		if lower(s[at]) == needle[0] && hasPrefixFold(s[at:], needle) {
			return true
		}
	}
	return false
}

// lowered is strings.ToLower, which takes ten times as long for a string beyond ASCII.
func lowered(s string) string {
	at := 0
	for at < len(s) && s[at] < utf8.RuneSelf {
		at++
	}
	if at == len(s) {
		return strings.ToLower(s)
	}
	small := smallLetters.Get()
	b, copied := []byte(nil), 0
	for at = 0; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			b = append(append(b, s[copied:at]...), string(utf8.RuneError)...)
			copied = at + size
		case r >= rune(len(small)) && !isCaseless(r):
			return strings.ToLower(s)
		case r < rune(len(small)) && small[r] != r:
			b = utf8.AppendRune(append(b, s[copied:at]...), small[r])
			copied = at + size
		}
		at += size
	}
	if copied == 0 {
		return s
	}
	return string(append(b, s[copied:]...))
}

// isCaseless reports whether a character is of a block of Chinese, Japanese or Korean, which have no cases.
func isCaseless(r rune) bool { return r >= 0x3000 && r < 0xa000 || r >= 0xac00 && r <= 0xd7a3 }

// smallLetters are the characters of most alphabets in lower case.
var smallLetters = once.Value[*[0x1000]rune]{Make: func() *[0x1000]rune {
	var small [0x1000]rune
	for r := range rune(len(small)) {
		small[r] = unicode.ToLower(r)
	}
	return &small
}}
