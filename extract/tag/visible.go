package tag

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Visible returns a string as a person sees it: without the escape sequences of terminals and
// control characters but line ends and tabs, and without the characters of Unicode that
// have no width, that reorder what stands around them, or that are tags. They can hide a
// text from a person, or show another one. A line or paragraph separator becomes a space, for not all who read the
// text take it for a line end. Joiners stay where they make one picture of several, or
// a letter of an Indic script; so does the choice between text and picture. Behind a byte
// that is not valid a space takes the place of what is removed, so that bytes do not become
// a character together.
func Visible(text string) string {
	at := firstHidden(text)
	if at < 0 {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	out.WriteString(text[:at])
	before := ' '
	if at > 0 {
		before, _ = utf8.DecodeLastRuneInString(text[:at])
	}
	for i := at; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		if escaped := escape(text[i:]); escaped > 0 {
			size = escaped
		}
		switch {
		case isSeparator(c):
			out.WriteByte(' ')
		case !isHidden(c):
			out.WriteString(text[i : i+size])
		case isJoiner(c) && joins(before, text[i+size:]):
			out.WriteRune(c)
			c = before
		case before == utf8.RuneError:
			out.WriteByte(' ')
			c = ' '
		default:
			c = before
		}
		before = c
		i += size
	}
	return out.String()
}

// WithoutEscapes returns a string without the escape sequences of terminals.
func WithoutEscapes(text string) string {
	if strings.IndexByte(text, '\x1b') < 0 && !strings.Contains(text, "\u009b") && !strings.Contains(text, "\u009d") {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); {
		if escaped := escape(text[i:]); escaped > 0 {
			i += escaped
			continue
		}
		out.WriteByte(text[i])
		i++
	}
	return out.String()
}

// longestEscape is the length of the longest escape sequence, so that one without an end hides little.
const longestEscape = 256

// escape returns the length of the escape sequence that a string begins with, such as that of a colour, a title or a
// link, or 0 if it begins with none that is complete.
func escape(text string) int {
	rest, is := strings.CutPrefix(text[:min(len(text), longestEscape)], "\x1b")
	switch {
	case is && rest == "":
		return 0
	case is && rest[0] == '[':
		return controlEnd(len("\x1b["), rest[1:])
	case is && strings.IndexByte("]PX^_", rest[0]) >= 0:
		return stringEnd(len("\x1b]"), rest[1:])
	case is && (rest[0] == '(' || rest[0] == ')'): // a character set, ESC ( B
		if len(rest) < 2 || rest[1] < '0' || rest[1] > '~' {
			return 0
		}
		return len("\x1b(B")
	case strings.HasPrefix(rest, "\u009b"):
		return controlEnd(len("\u009b"), rest[len("\u009b"):])
	case strings.HasPrefix(rest, "\u009d"):
		return stringEnd(len("\u009d"), rest[len("\u009d"):])
	}
	return 0
}

// controlEnd returns the length of a sequence with parameters, such as a colour, that begins with begin bytes before
// rest.
func controlEnd(begin int, rest string) int {
	end := 0
	for end < len(rest) && '0' <= rest[end] && rest[end] <= '?' {
		end++
	}
	for end < len(rest) && ' ' <= rest[end] && rest[end] <= '/' {
		end++
	}
	if end == len(rest) || rest[end] < '@' || rest[end] > '~' {
		return 0
	}
	return begin + end + 1
}

// stringEnd returns the length of a sequence with a string in one line, such as a title, that begins with begin bytes
// before rest.
func stringEnd(begin int, rest string) int {
	end, size := len(rest), 0
	for _, stop := range []string{"\n", "\r", "\a", "\x1b\\", "\u009c"} {
		if at := strings.Index(rest[:end], stop); at >= 0 {
			end, size = at, len(stop)
		}
	}
	if end == len(rest) || rest[end] == '\n' || rest[end] == '\r' || !utf8.ValidString(rest[:end]) {
		return 0
	}
	return begin + end + size
}

// firstHidden returns the index of the first character that may be replaced, or -1.
func firstHidden(text string) int {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c >= ' ' && c < 0x7f || c == '\n' || c == '\t' || c == '\r' {
			continue
		}
		c, size := utf8.DecodeRuneInString(text[i:])
		if isHidden(c) || isSeparator(c) {
			return i
		}
		i += size - 1
	}
	return -1
}

// isSeparator reports whether a character ends a line for some readers and not for others.
func isSeparator(c rune) bool {
	return c == '\u2028' || c == '\u2029' || c == '\u0085' || c == '\v' || c == '\f'
}

// isHidden reports whether a character is neither visible nor a space.
func isHidden(c rune) bool {
	switch {
	case c == '\n' || c == '\t' || c == '\r':
		return false
	case c < 0x7f:
		return c < ' '
	case c == '\ufe0e' || c == '\ufe0f': // text or picture
		return false
	case c >= 0x4e00 && c <= 0x9fff, c >= 0xac00 && c <= 0xd7a3: // the most frequent
		return false
	}
	return unicode.In(c, unicode.Cf, unicode.Cc, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

func isJoiner(c rune) bool { return c == '\u200d' || c == '\u200c' }

// joins reports whether a joiner has a meaning between a character and a string: between
// two pictures, and behind the sign of an Indic script that takes the vowel away.
func joins(before rune, text string) bool {
	const virama = 9 // its combining class
	if norm.NFC.PropertiesString(string(before)).CCC() == virama {
		return true
	}
	after, _ := utf8.DecodeRuneInString(text)
	return isPicture(before) && isPicture(after)
}

func isPicture(c rune) bool { return unicode.In(c, unicode.So, unicode.Sk) || c == '\ufe0f' }
