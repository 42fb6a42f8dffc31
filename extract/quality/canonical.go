package quality

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Canonical returns the form in which equal entries are equal strings (systems.md
// B5): NFKC, lower case, punctuation stripped, white space collapsed. Punctuation
// between two digits stays, since 1.5 is not 15, and so does a # that ends a name,
// since C# is not C. Of a string of more than 64 KB, which is longer than an entry may be,
// it is the form of the beginning.
func Canonical(text string) string {
	text = cut(text, maxJudged)
	if isASCII(text) { // the same without conversions
		return strings.TrimSpace(string(collapse([]byte(strings.ToLower(text)))))
	}
	return norm.NFKC.String(strings.TrimSpace(string(collapse([]rune(strings.ToLower(norm.NFKC.String(text)))))))
}

// collapse returns chars without stripped punctuation and with white space collapsed. It uses
// their memory.
func collapse[C byte | rune](chars []C) []C {
	kept := len(chars) // those from here on are the result
	for i, c := range slices.Backward(chars) {
		next := ' '
		if kept < len(chars) {
			next = rune(chars[kept])
		}
		r := rune(c)
		switch {
		case isStripped(r) && !carriesMeaning(chars[:i], r, next):
			continue
		case unicode.IsSpace(r):
			c = ' '
			if next == ' ' {
				continue
			}
		}
		kept--
		chars[kept] = c
	}
	return chars[kept:]
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isStripped(r rune) bool {
	if r < utf8.RuneSelf { // the same, faster
		return isStrippedASCII(r)
	}
	return !unicode.IsSpace(r) &&
		(unicode.IsPunct(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Sk, r))
}

// isStrippedASCII is isStripped for the characters of ASCII.
func isStrippedASCII(r rune) bool {
	switch r {
	case '!', '"', '#', '%', '&', '\'', '(', ')', '*', ',', '-', '.', '/', ':', ';', '?', '@', '[', '\\', ']', '_', '{',
		'}', '^', '`':
		return true
	}
	return unicode.IsControl(r) && !unicode.IsSpace(r)
}

// carriesMeaning reports whether the punctuation r, between the text before it and
// the next kept character, distinguishes two entries.
func carriesMeaning[C byte | rune](before []C, r, next rune) bool {
	if len(before) == 0 || !unicode.IsPunct(r) {
		return false
	}
	last := rune(before[len(before)-1])
	if r == '#' {
		return (last == 'c' || last == 'f') && next == ' '
	}
	return unicode.IsDigit(last) && unicode.IsDigit(next)
}
