package tokens

import (
	"unicode"
	"unicode/utf8"
)

// A class is a class of characters that the pattern of o200k_base distinguishes.
type class uint8

const (
	upper   class = 1 << iota // \p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}, the beginning of a word
	lower                     // \p{Ll}\p{Lm}\p{Lo}\p{M}, the rest of a word
	mark                      // \p{M}
	number                    // \p{N}
	space                     // \s
	newline                   // \r\n
	sign    class = 0         // everything else
)

// ascii has the classes of the ASCII characters, so that most strings need no search.
var ascii = func() (table [utf8.RuneSelf]class) {
	for c := range table {
		table[c] = classOf(rune(c))
	}
	return table
}()

// at returns the class and the length of the character at i, 0 and 0 at the end.
func at(text string, i int) (class, int) {
	if i < len(text) && text[i] < utf8.RuneSelf {
		return ascii[text[i]], 1
	}
	return wideAt(text, i)
}

func wideAt(text string, i int) (class, int) {
	if i >= len(text) {
		return sign, 0
	}
	c, size := utf8.DecodeRuneInString(text[i:])
	return classOf(c), size
}

func classOf(c rune) class {
	switch {
	case c == '\r' || c == '\n':
		return space | newline
	case c >= 0x4E00 && c <= 0x9FFF, c >= 0xAC00 && c <= 0xD7A3, c >= 0x3041 && c <= 0x3096, c >= 0x30A1 && c <= 0x30FA:
		return upper | lower // Han, Hangul and Kana, without a search in the tables
	case unicode.IsLower(c):
		return lower
	case unicode.IsUpper(c), unicode.IsTitle(c):
		return upper
	case unicode.IsSpace(c):
		return space
	case unicode.IsNumber(c):
		return number
	case unicode.IsLetter(c):
		return upper | lower
	case unicode.IsMark(c):
		return upper | lower | mark
	}
	return sign
}

// piece returns the length of the first piece of a string. No token extends beyond the end
// of a piece. The pieces are those of the pattern of o200k_base. Its alternatives are, in
// this order: a word, with an optional sign or space before it and an optional
// contraction after it; up to three digits; signs, with an optional space before them and
// newlines or slashes after them; white space up to its last newline; and white space
// without the character that belongs to the next piece.
func piece(text string) int {
	if end := word(text); end > 0 {
		return end
	}
	c, size := at(text, 0)
	switch {
	case c&number != 0:
		return numbers(text, size)
	case c&space == 0:
		return signs(text, size)
	case text[0] == ' ':
		if after, more := at(text, size); more > 0 && after&(space|number) == 0 {
			return signs(text, size+more)
		}
	}
	return spaces(text)
}

// word returns the length of the word at the beginning of a string, or 0.
func word(text string) int {
	c, size := at(text, 0)
	if c&(newline|number) != 0 {
		return 0
	}
	if c&mark != 0 || c&(upper|lower) == 0 {
		if end := letters(text, size); end > size {
			return end
		}
		if c&mark == 0 {
			return 0
		}
	}
	return letters(text, 0)
}

// letters returns the end of the word that begins at i, or i if there is none.
func letters(text string, i int) int {
	start, lowerEnd := i, i
	c, size := at(text, i)
	for ; c&upper != 0; c, size = at(text, i) {
		i += size
		if c&lower != 0 {
			lowerEnd = i
		}
	}
	switch {
	case c&lower != 0:
		for ; c&lower != 0; c, size = at(text, i) {
			i += size
		}
	case lowerEnd > start:
		i = lowerEnd
	}
	if i == start {
		return i
	}
	return i + contraction(text[i:])
}

// contraction returns the length of the 's, 't, 'm, 'd, 're, 've or 'll at the beginning of a
// text, or 0.
func contraction(text string) int {
	if len(text) < 2 || text[0] != '\'' {
		return 0
	}
	first := text[1] | 0x20
	switch first {
	case 's', 't', 'm', 'd':
		return 2
	}
	if len(text) < 3 {
		return 0
	}
	switch second := text[2] | 0x20; {
	case second == 'e' && (first == 'r' || first == 'v'), second == 'l' && first == 'l':
		return 3
	}
	return 0
}

// numbers returns the end of at most three digits, the first of which is before i.
func numbers(text string, i int) int {
	for range 2 {
		c, size := at(text, i)
		if c&number == 0 {
			break
		}
		i += size
	}
	return i
}

// signs returns the end of the signs that continue at i and of the newlines and slashes after them.
func signs(text string, i int) int {
	for {
		c, size := at(text, i)
		if size == 0 || c != sign && c&mark == 0 {
			break
		}
		i += size
	}
	for i < len(text) && (text[i] == '\n' || text[i] == '\r' || text[i] == '/') {
		i++
	}
	return i
}

// spaces returns the length of the white space at the beginning of a string: up to its last
// newline, or else without its last character if text follows.
func spaces(text string) int {
	end, last, newlines := 0, 0, 0
	for {
		c, size := at(text, end)
		if c&space == 0 {
			break
		}
		last, end = end, end+size
		if c&newline != 0 {
			newlines = end
		}
	}
	switch {
	case newlines > 0:
		return newlines
	case end < len(text) && last > 0:
		return last
	}
	return end
}
