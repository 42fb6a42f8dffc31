package tokens

import (
	"unicode"
	"unicode/utf8"
)

// A class is what the pattern of o200k_base tells apart in a character.
type class uint8

const (
	upper   class = 1 << iota // \p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}, what a word begins with
	lower                     // \p{Ll}\p{Lm}\p{Lo}\p{M}, what a word goes on with
	mark                      // \p{M}
	number                    // \p{N}
	space                     // \s
	newline                   // \r\n
	sign    class = 0         // everything else
)

// ascii are the classes of the characters that most texts are made of.
var ascii = func() (table [utf8.RuneSelf]class) {
	for c := range table {
		table[c] = classOf(rune(c))
	}
	return table
}()

// at is the class and the length of the character at i; 0 and 0 at the end.
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

// piece is the length of the first piece of a text, of which no token crosses
// the end. It finds what the pattern of o200k_base does, whose alternatives are,
// in this order: a word with one sign or space before it and a contraction
// behind it, up to three digits, signs with a space before and newlines or
// slashes behind them, white space to its last newline, and white space but for
// what belongs to the piece that follows.
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

// word is the length of the word that a text begins with, 0 if it does with none.
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

// letters is where the word ends whose first letter is at i; i if there is none.
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

// contraction is the length of the 's, 't, 'm, 'd, 're, 've or 'll that a text begins with.
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

// numbers is where at most three digits end, of which one stands before i.
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

// signs is where the run of signs ends that goes on at i, with the newlines and slashes behind it.
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

// spaces is the length of the white space that a text begins with: to its last
// newline, else all but the last character, which belongs to what follows.
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
