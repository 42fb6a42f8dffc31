package quality

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Canonical is the text under which two entries are the same (systems.md B5):
// NFKC, lower case, punctuation stripped, white space collapsed. Punctuation
// between two digits stays, since 1.5 and 15 are not the same, and so does a #
// that ends a name, since C# is not C.
func Canonical(text string) string {
	runes := []rune(strings.ToLower(norm.NFKC.String(text)))
	var b strings.Builder
	b.Grow(len(text))
	space := false
	for i, r := range runes {
		switch {
		case unicode.IsSpace(r):
			space = true
		case isStripped(r) && !carriesMeaning(runes, i):
		default:
			if space && b.Len() > 0 {
				b.WriteByte(' ')
			}
			space = false
			b.WriteRune(r)
		}
	}
	return norm.NFKC.String(b.String())
}

func isStripped(r rune) bool {
	return unicode.IsPunct(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Sk, r)
}

func carriesMeaning(runes []rune, i int) bool {
	if i == 0 {
		return false
	}
	before, after := runes[i-1], ' '
	if i+1 < len(runes) {
		after = runes[i+1]
	}
	if runes[i] == '#' {
		return (before == 'c' || before == 'f') && !unicode.IsLetter(after) && !unicode.IsDigit(after)
	}
	return unicode.IsDigit(before) && unicode.IsDigit(after)
}
