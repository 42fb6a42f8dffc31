package redact

import "strings"

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

// equalFoldASCII reports whether two texts are equal whatever the case of their ASCII letters.
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

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

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
