package redact

import (
	"strings"
	"unicode/utf8"
)

// A view is a string without the characters that nobody sees: the codes by which terminals
// colour it, and characters of no width. Letters and digits of double width are those of
// ASCII in it, and blanks of any width are the one of ASCII. Secrets are looked for in the view, so that none
// of these hides one.
type view struct {
	text, original string
	// offsets say for each byte of the text, and for its end, where that stands in the
	// original; nil if the two are the same.
	offsets []int
}

// viewOf returns the view of a string.
func viewOf(s string) view {
	at := -1
	if mayHide(s) {
		at = nextHidden(s, 0)
	}
	if at < 0 {
		return view{text: s, original: s}
	}
	var b strings.Builder
	b.Grow(len(s))
	offsets := make([]int, 0, len(s)+1)
	from := 0
	for at >= 0 {
		b.WriteString(s[from:at])
		for i := from; i < at; i++ {
			offsets = append(offsets, i)
		}
		if c := narrow(s, at); c != 0 {
			b.WriteByte(c)
			offsets = append(offsets, at)
		}
		from = at + hiddenLength(s, at)
		at = nextHidden(s, from)
	}
	b.WriteString(s[from:])
	for i := from; i <= len(s); i++ {
		offsets = append(offsets, i)
	}
	return view{text: b.String(), original: s, offsets: offsets}
}

// spans returns where what was found in the view stands in the original.
func (v view) spans(found []span) []span {
	if v.offsets == nil {
		return found
	}
	for i, f := range found {
		found[i].start = v.offsets[f.start]
		found[i].end = v.offsets[f.end-1] + 1
		for found[i].end < len(v.original) && !utf8.RuneStart(v.original[found[i].end]) {
			found[i].end++
		}
	}
	return found
}

// isWide reports whether a character is a letter or a digit of ASCII in the width of Chinese ones.
func isWide(r rune) bool {
	return '０' <= r && r <= '９' || 'Ａ' <= r && r <= 'Ｚ' || 'ａ' <= r && r <= 'ｚ'
}

// isWideBlank reports whether a character is a blank that is not in ASCII: the one that does not break, as French has
// it before a colon, and those of other widths.
func isWideBlank(r rune) bool {
	return r == '\u00a0' || '\u2000' <= r && r <= '\u200a' || r == '\u202f' || r == '\u205f' || r == '\u3000'
}

// isHidden reports whether a character is one of no width, or of ASCII in another width.
func isHidden(r rune) bool {
	return r == '\u00ad' || isWideBlank(r) || '\u200b' <= r && r <= '\u200f' || '\u202a' <= r && r <= '\u202e' ||
		'\u2060' <= r && r <= '\u2069' || r == '\ufeff' || isWide(r) || '\ufe00' <= r && r <= '\ufe0f' ||
		0xe0000 <= r && r <= 0xe007f
}

// narrow returns the letter, digit or blank of ASCII that stands at at in another width, 0 if none does.
func narrow(s string, at int) byte {
	r, _ := utf8.DecodeRuneInString(s[at:])
	switch {
	case isWide(r):
		return byte(r - 'ａ' + 'a')
	case isWideBlank(r):
		return ' '
	}
	return 0
}

// leads are the first bytes of hidden characters.
const leads = "\x1b\xc2\xe2\xe3\xef\xf3"

// mayHide reports whether a string has a first byte of a hidden character.
func mayHide(s string) bool {
	for i := range len(leads) {
		if strings.IndexByte(s, leads[i]) >= 0 {
			return true
		}
	}
	return false
}

// nextHidden returns where the next hidden character stands from at on, -1 if there is
// none.
func nextHidden(s string, at int) int {
	for ; at < len(s); at++ {
		switch s[at] {
		case 0xe3: // as most characters of Japanese
			if strings.HasPrefix(s[at:], "\u3000") {
				return at
			}
		case 0x1b, 0xc2, 0xe2, 0xef, 0xf3:
			if hiddenLength(s, at) > 0 {
				return at
			}
		}
	}
	return -1
}

// hiddenLength returns the length of the hidden character at at, 0 if there is none.
func hiddenLength(s string, at int) int {
	if s[at] != 0x1b {
		if r, size := utf8.DecodeRuneInString(s[at:]); isHidden(r) {
			return size
		}
		return 0
	}
	if at+1 >= len(s) || s[at+1] != '[' {
		return 0
	}
	end := run(s, at+2, 32, func(c byte) bool { return c >= 0x20 && c <= 0x3f })
	if end >= len(s) || s[end] < 0x40 || s[end] > 0x7e {
		return 0
	}
	return end + 1 - at
}
