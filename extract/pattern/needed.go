package pattern

import (
	"math"
	"math/bits"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// needed is bytes of which every match of an expression contains one, so that most strings are ruled out by a look at
// their bytes, and most expressions are never compiled. It is nil if there are none that rule out much.
type needed struct {
	has [256]bool
	one byte // the only one, if there is no other
	n   int
}

// neededBy returns the bytes that the matches of an expression need.
func neededBy(re *syntax.Regexp) *needed {
	set, some := bytesOf(re)
	if !some || set.has('e') { // nearly every string has it
		return nil
	}
	found := new(needed)
	for b := range found.has {
		if set.has(byte(b)) {
			found.has[b], found.one = true, byte(b)
			found.n++
		}
	}
	return found
}

// mayBeIn reports whether a string contains one of the bytes.
func (n *needed) mayBeIn(text string) bool {
	switch {
	case n == nil:
		return true
	case n.n == 1:
		return strings.IndexByte(text, n.one) >= 0
	}
	for i := range len(text) {
		if n.has[text[i]] {
			return true
		}
	}
	return false
}

// A byteSet is a set of bytes, a bit for each.
type byteSet [4]uint64

func (s *byteSet) has(b byte) bool { return s[b/64]&(1<<(b%64)) != 0 }

// bytesOf returns bytes of which every match of an expression contains one, false if there are none to rely on.
func bytesOf(re *syntax.Regexp) (byteSet, bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return rarest(re.Rune, func(r rune) (set byteSet, some bool) {
			set.add(r, r)
			if re.Flags&syntax.FoldCase != 0 {
				for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
					set.add(other, other)
				}
			}
			return set, true
		})
	case syntax.OpCharClass:
		var set byteSet
		for i := 0; i+1 < len(re.Rune); i += 2 {
			set.add(re.Rune[i], re.Rune[i+1])
		}
		return set, true
	case syntax.OpCapture, syntax.OpPlus:
		return bytesOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return bytesOf(re.Sub[0])
		}
	case syntax.OpConcat:
		return rarest(re.Sub, bytesOf)
	case syntax.OpAlternate:
		var all byteSet
		for _, sub := range re.Sub {
			one, some := bytesOf(sub)
			if !some {
				return byteSet{}, false
			}
			for i := range all {
				all[i] |= one[i]
			}
		}
		return all, true
	}
	return byteSet{}, false
}

// add adds the first bytes of characters from one to another. What is not UTF-8 matches as a character beyond ASCII.
func (s *byteSet) add(from, to rune) {
	for r := from; r <= min(to, utf8.RuneSelf-1); r++ {
		s[r/64] |= 1 << (r % 64)
	}
	if to >= utf8.RuneSelf {
		s[2], s[3] = math.MaxUint64, math.MaxUint64
	}
}

// rarest returns the bytes of the part of an expression that the fewest strings have.
func rarest[P any](parts []P, of func(P) (byteSet, bool)) (best byteSet, some bool) {
	least := math.MaxInt
	for _, part := range parts {
		if found, is := of(part); is && found.often() < least {
			best, some, least = found, true, found.often()
		}
	}
	return best, some
}

// lowerCase are the letters of ASCII in lower case, as bits of the second part of a set.
const lowerCase = (1<<26 - 1) << ('a' - 64)

// often returns how often a string has one of the bytes, by a rough measure.
func (s *byteSet) often() (often int) {
	often = bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) + 3*bits.OnesCount64(s[1]&lowerCase)
	if s.has(' ') {
		often += 19
	}
	if s.has('e') {
		often += 16
	}
	return often
}
