package redact

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// Phone numbers are redacted only in shapes that nothing else has: with a
// country code and its plus sign, in the North American grouping, or after a
// word such as "phone". Dates, versions, ids and positions have none of these.

var (
	northAmerican = pattern.New(`(?-i)^(?:1[ .-])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[ .-])[2-9]\d\d[ .-]\d{4}$`)
	international = pattern.New(`(?-i)^[1-9]\d{0,3}(?:[ -]?\(?\d{1,5}\)?|\.\d{2,5}){1,6}$`)
	phoneWord     = pattern.New(
		`(?:\b(?:phone|telephone|tel|mobile|cell|fax|call|whatsapp|sms|telefon|fon|handy` +
			`|teléfono|téléphone|telefone|celular)(?: (?:me|us|number|no\.?|nummer|at|on|is))*` +
			`|电话|電話|手机|手機|전화|휴대폰)[^\d\n]{0,12}$`,
	)
)

// behindAreaCode returns the end of a number behind a word such as "phone" that begins with the code of an area up to
// at, and a slash, as it is written in Germany. It is at for any other number.
func behindAreaCode(s string, start, at int) int {
	slash := run(s, at, 1, isBlank)
	next := run(s, slash+1, 1, isBlank)
	if at-start < 3 || at-start > 6 || s[start] != '0' || byteAt(s, slash) != '/' || next >= len(s) ||
		!isDigit(s[next]) || !hasPhoneWord(s, start) {
		return at
	}
	return numberEnd(s, next)
}

func findPhone(s string, start, end int) (from int, ok bool) {
	text := s[start:end]
	digits := countDigits(text)
	if digits < 8 || digits > 15 {
		return 0, false
	}
	if start > 0 && s[start-1] == '(' && strings.Contains(text, ")") {
		start--
		text = s[start:end]
	}
	if start > 0 && s[start-1] == '+' {
		return start - 1, (digits == 11 || digits >= 9 && text[0] != '1') && international.Match(text) &&
			!isSum(s, start-1, text)
	}
	if !northAmerican.Match(text) {
		return start, digits >= 9 && strings.Count(text, ".") != 1 && hasPhoneWord(s, start)
	}
	bounded := start == 0 || strings.IndexByte(".-/:#@=&%,", s[start-1]) < 0
	bounded = bounded && !(strings.Contains(text, ".") && strings.Contains(text, "-")) // a clause of a law
	return start, bounded && strings.ContainsAny(text, "-(") || hasPhoneWord(s, start)
}

// isSum reports whether a plus sign belongs to something else than a phone number:
// an addition, an offset of time, or a line that a diff adds.
func isSum(s string, plus int, text string) bool {
	if plus == 0 {
		return false
	}
	before := s[plus-1]
	if before == '\n' {
		return countDigits(text) == len(text)
	}
	return strings.IndexByte(" \t(\"':,;<[", before) < 0 && before < 0x80 && !isVariableBefore(s, plus)
}

func hasPhoneWord(s string, at int) bool {
	return phoneWord.Match(s[max(0, at-40):at])
}

func countDigits(s string) int {
	n := 0
	for i := range len(s) {
		if isDigit(s[i]) {
			n++
		}
	}
	return n
}
