package prune

import "strings"

// 64-bit FNV-1a.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// minWords is the minimum number of words of near-identical lines. In shorter
// lines, such as the names of a listing, the numbers are the content.
const minWords = 3

// shapeOf returns a hash of the line that is equal for near-identical lines: those
// that differ only in numbers, hex digits and the number of repetitions of a
// character. The hash of an error line is that of its exact text.
func (l line) shapeOf() uint64 {
	switch {
	case l.fault > places:
		return exact(l.text)
	case isBase64(l.text, wrappedBase64):
		return exact("base64")
	case !hasWords(l.text, minWords):
		return exact(l.text)
	}
	hash := uint64(fnvOffset)
	var last byte
	for rest := l.text[:min(len(l.text), longLine)]; rest != ""; {
		size := wordLength(rest)
		if size == 0 {
			if c := rest[0]; c != last {
				hash, last = (hash^uint64(c))*fnvPrime, c
			}
			rest = rest[1:]
			continue
		}
		word := rest[:size]
		rest, last = rest[size:], 0
		if isHex(word) {
			hash = (hash ^ 'h') * fnvPrime
			continue
		}
		for i := range len(word) {
			c := word[i]
			if isDigit(c) {
				if c = '0'; last == '0' {
					continue
				}
			}
			hash, last = (hash^uint64(c))*fnvPrime, c
		}
	}
	return hash
}

func exact(text string) uint64 {
	hash := uint64(fnvOffset)
	for i := range len(text) {
		hash = (hash ^ uint64(text[i])) * fnvPrime
	}
	return hash
}

// hasWords reports whether a string has at least n words.
func hasWords(text string, n int) bool {
	for range strings.FieldsSeq(text) {
		if n--; n == 0 {
			return true
		}
	}
	return false
}

// wordLength returns the length of the letters and digits at the beginning of a string.
func wordLength(text string) int {
	for i := range len(text) {
		if c := text[i]; !isDigit(c) && !isLetter(c) {
			return i
		}
	}
	return len(text)
}

// isHex reports whether a word is an address, a hash or an id: at least six hex
// digits, at least one of them decimal.
func isHex(word string) bool {
	if len(word) < 6 {
		return false
	}
	number := false
	for i := range len(word) {
		c := word[i] | 0x20
		if c < 'a' && isDigit(word[i]) {
			number = true
		} else if c < 'a' || c > 'f' {
			return false
		}
	}
	return number
}

func isLower(c byte) bool  { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { c |= 0x20; return c >= 'a' && c <= 'z' || c >= 0x80 }
