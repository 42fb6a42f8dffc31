package redact

import (
	"html"
	"strconv"
	"strings"
)

// maxStretch bounds how much text is unescaped at once, in bytes.
const maxStretch = 1 << 16

// escaped appends the secrets of a string that are seen only when %40, \u0040, \x40, \/,
// &#64; and &commat; are read as what they stand for.
func escaped(s string, found []span) []span {
	var e effort
	for at := 0; at < len(s); {
		next := nextEscape(s, at)
		if next < 0 {
			return found
		}
		start := max(at, next-maxQuoted)
		start += strings.LastIndexByte(s[start:next], '\n') + 1
		end := min(len(s), start+maxStretch)
		if line := strings.IndexByte(s[next:end], '\n'); line >= 0 {
			end = next + line
		}
		plain, offsets := unescape(s[start:end])
		for _, f := range findPlain(plain, &e) {
			found = append(found, span{start: start + offsets[f.start], end: start + offsets[f.end], rule: f.rule})
		}
		e.allowed += len(plain) / bytesPerPlace
		at = end
	}
	return found
}

// nextEscape returns where the first escape stands from at on, -1 if there is none.
func nextEscape(s string, at int) int {
	for at < len(s) {
		i := strings.IndexAny(s[at:], `%\&`)
		if i < 0 {
			return -1
		}
		at += i
		if _, length := escape(s[at:]); length > 0 {
			return at
		}
		at++
	}
	return -1
}

// unescape returns a string with its escapes read, and for each byte of it, and for
// its end, where that stands in the text.
func unescape(s string) (plain string, offsets []int) {
	var b strings.Builder
	offsets = make([]int, 0, len(s)+1)
	form, word := false, 0 // whether the text up to word is of a form, where + is a blank
	for at := 0; at < len(s); {
		offsets = append(offsets, at)
		if at >= word {
			word = run(s, at+1, len(s), func(c byte) bool { return c > ' ' })
			form = strings.IndexByte(s[at:word], '%') >= 0
		}
		c, length := escape(s[at:])
		if length == 0 {
			c, length = s[at], 1
		}
		if s[at] == '+' && form {
			c = ' '
		}
		b.WriteByte(c)
		at += length
	}
	return b.String(), append(offsets, len(s))
}

// escape returns the ASCII character that an escape at the start of a string stands
// for, and the length of the escape, 0 if there is none.
func escape(s string) (c byte, length int) {
	digits := ""
	switch {
	case len(s) >= 3 && s[0] == '%':
		digits, length = s[1:3], 3
	case len(s) >= 6 && s[0] == '\\' && s[1] == 'u':
		digits, length = s[2:6], 6
	case len(s) >= 4 && s[0] == '\\' && s[1] == 'x':
		digits, length = s[2:4], 4
	case strings.HasPrefix(s, `\/`):
		return '/', 2
	case s[0] == '&':
		return entity(s)
	}
	code, err := strconv.ParseUint(digits, 16, 8)
	if length == 0 || err != nil || code < ' ' || code >= 0x7f {
		return 0, 0
	}
	return byte(code), length
}

// maxEntity is the length of the longest entity that is read.
const maxEntity = len("&#x00040;")

// entity returns the ASCII character that an entity of HTML at the start of a string stands for, and its length, 0 if
// there is none.
func entity(s string) (c byte, length int) {
	end := strings.IndexByte(s[:min(len(s), maxEntity)], ';')
	if end < 0 {
		return 0, 0
	}
	plain := html.UnescapeString(s[:end+1])
	if plain == "\u00a0" {
		plain = " "
	}
	if len(plain) != 1 || plain[0] < ' ' || plain[0] >= 0x7f {
		return 0, 0
	}
	return plain[0], end + 1
}
