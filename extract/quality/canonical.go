package quality

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Canonical returns the form in which equal entries have equal texts (systems.md
// B5): NFKC, lower case, punctuation stripped, white space collapsed. Punctuation
// between two digits stays, since 1.5 is not 15, and so does a # that ends a name,
// since C# is not C. Of a text of more than 64 KB, which is longer than an entry may be,
// it is the form of the beginning.
func Canonical(text string) string {
	runes := []rune(strings.ToLower(norm.NFKC.String(cut(text, maxJudged))))
	kept := runes[len(runes):]
	for i, r := range slices.Backward(runes) {
		next := ' '
		if at := len(runes) - len(kept); at < len(runes) {
			next = runes[at]
		}
		switch {
		case isStripped(r) && !carriesMeaning(runes[:i], r, next):
			continue
		case unicode.IsSpace(r):
			r = ' '
			if next == ' ' {
				continue
			}
		}
		kept = runes[len(runes)-len(kept)-1:]
		kept[0] = r
	}
	return norm.NFKC.String(strings.TrimSpace(string(kept)))
}

func isStripped(r rune) bool {
	if r < unicode.MaxASCII { // the same result without table lookups
		return r < ' ' && !unicode.IsSpace(r) || strings.IndexByte("!\"#%&'()*,-./:;?@[\\]_{}^`", byte(r)) >= 0
	}
	return !unicode.IsSpace(r) &&
		(unicode.IsPunct(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Sk, r))
}

// carriesMeaning reports whether the punctuation r, between the text before it and
// the next kept character, distinguishes two entries.
func carriesMeaning(before []rune, r, next rune) bool {
	if len(before) == 0 || !unicode.IsPunct(r) {
		return false
	}
	last := before[len(before)-1]
	if r == '#' {
		return (last == 'c' || last == 'f') && next == ' '
	}
	return unicode.IsDigit(last) && unicode.IsDigit(next)
}
