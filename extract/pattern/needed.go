package pattern

import (
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// needed is bytes of which every match of an expression contains one, so that most texts are ruled out by a look at
// their bytes, and most expressions are never compiled. It is nil if there are none that rule out much.
type needed struct {
	has [256]bool
	one byte // the only one, if there is no other
	n   int
}

// neededBy returns the bytes that the matches of an expression need.
func neededBy(re *syntax.Regexp) *needed {
	set := bytesOf(re)
	if set == nil || set.has['e'] { // nearly every text has it
		return nil
	}
	for b, has := range set.has {
		if has {
			set.one = byte(b)
			set.n++
		}
	}
	return set
}

// mayBeIn reports whether a text contains one of the bytes.
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

// bytesOf returns bytes of which every match of an expression contains one, nil if there are none to rely on.
func bytesOf(re *syntax.Regexp) *needed {
	switch re.Op {
	case syntax.OpLiteral:
		return rarest(re.Rune, func(r rune) *needed {
			set := new(needed)
			set.add(r, r)
			if re.Flags&syntax.FoldCase != 0 {
				for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
					set.add(other, other)
				}
			}
			return set
		})
	case syntax.OpCharClass:
		set := new(needed)
		for i := 0; i+1 < len(re.Rune); i += 2 {
			set.add(re.Rune[i], re.Rune[i+1])
		}
		return set
	case syntax.OpCapture, syntax.OpPlus:
		return bytesOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return bytesOf(re.Sub[0])
		}
	case syntax.OpConcat:
		return rarest(re.Sub, bytesOf)
	case syntax.OpAlternate:
		all := new(needed)
		for _, sub := range re.Sub {
			one := bytesOf(sub)
			if one == nil {
				return nil
			}
			for b, has := range one.has {
				all.has[b] = all.has[b] || has
			}
		}
		return all
	}
	return nil
}

// add adds the first bytes of characters from one to another. What is no UTF-8 matches as a character beyond ASCII.
func (n *needed) add(from, to rune) {
	for r := from; r <= min(to, utf8.RuneSelf-1); r++ {
		n.has[r] = true
	}
	if to >= utf8.RuneSelf {
		for b := utf8.RuneSelf; b < len(n.has); b++ {
			n.has[b] = true
		}
	}
}

// rarest returns the bytes of the part of an expression that the fewest texts have.
func rarest[P any](parts []P, of func(P) *needed) (best *needed) {
	for _, part := range parts {
		if found := of(part); found != nil && (best == nil || found.often() < best.often()) {
			best = found
		}
	}
	return best
}

// often says how often a text has one of the bytes, by a rough measure.
func (n *needed) often() (often int) {
	for b, has := range n.has {
		switch {
		case !has:
		case b == ' ' || b == 'e':
			often += 20
		case 'a' <= b && b <= 'z':
			often += 4
		case b < utf8.RuneSelf:
			often++
		}
	}
	return often
}
