// Package gating decides what becomes of a new item: how important it is, how new, and in which
// store it belongs (systems.md E5, E9). Its functions are pure.
package gating

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"
)

// A Sketch represents the words of a string, to find and compare near-duplicates. Case, white space
// and punctuation do not matter.
type Sketch struct {
	whole    uint64   // hash of all words in order
	features []uint64 // hashes of the words and of each two words in a row, ascending, distinct
}

// maxWords bounds the words of a string that are compared.
const maxWords = 2000

// SketchOf returns the sketch of a string.
func SketchOf(text string) Sketch {
	const usual = 5 // bytes of a string for two features
	s := Sketch{whole: offset, features: make([]uint64, 0, min(2*(len(text)/usual+1), 2*maxWords))}
	last, words := uint64(0), 0
	eachWord(text, func(hash uint64) bool {
		s.whole = mix(s.whole, hash)
		s.features = append(s.features, hash)
		if words > 0 {
			s.features = append(s.features, mix(last, hash))
		}
		last = hash
		words++
		return words < maxWords
	})
	sortHashes(s.features)
	s.features = slices.Compact(s.features)
	return s
}

// sortHashes sorts hashes. They are spread evenly, so that those of a string of usual length are nearly sorted once
// they are in the order of their first bits, which takes a third of the time of comparing them.
func sortHashes(hashes []uint64) {
	const fewest, most, firstBits = 16, 512, 7
	if len(hashes) < fewest || len(hashes) > most {
		slices.Sort(hashes)
		return
	}
	var sorted [most]uint64
	var next [1<<firstBits + 1]uint16 // place of the next hash with some first bits
	for _, hash := range hashes {
		next[hash>>(64-firstBits)+1]++
	}
	for i := 1; i < len(next); i++ {
		next[i] += next[i-1]
	}
	for _, hash := range hashes {
		at := &next[hash>>(64-firstBits)]
		sorted[*at] = hash
		*at++
	}
	for i, hash := range sorted[:len(hashes)] {
		at := i
		for ; at > 0 && hashes[at-1] > hash; at-- {
			hashes[at] = hashes[at-1]
		}
		hashes[at] = hash
	}
}

// Empty reports whether the text has no words.
func (s Sketch) Empty() bool { return len(s.features) == 0 }

// Keys returns the keys under which a string is looked up: one of the whole text, and the two
// smallest hashes of its features. Strings with the same words in the same order have the same keys;
// two strings that share nine tenths of their features share a key with a probability of 99 %.
func (s Sketch) Keys() []uint64 {
	return append([]uint64{s.whole}, s.features[:min(2, len(s.features))]...)
}

// Similarity returns the share of the features of two strings that both have, from 0 to 1. Strings
// without words have no similarity.
func (s Sketch) Similarity(other Sketch) float64 {
	common, i, j := 0, 0, 0
	for i < len(s.features) && j < len(other.features) {
		switch cmp.Compare(s.features[i], other.features[j]) {
		case -1:
			i++
		case 1:
			j++
		default:
			common, i, j = common+1, i+1, j+1
		}
	}
	all := len(s.features) + len(other.features) - common
	if all == 0 {
		return 0
	}
	return float64(common) / float64(all)
}

// Same reports whether two strings have the same words in the same order.
func (s Sketch) Same(other Sketch) bool { return s.whole == other.whole && s.Similarity(other) == 1 }

// The constants of FNV-1a with 64 bits.
const (
	offset = 14695981039346656037
	prime  = 1099511628211
)

// mix returns a hash of two hashes, in order.
func mix(a, b uint64) uint64 {
	h := (a ^ b>>32) * prime
	h = (h ^ b) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// eachWord calls yield with the hashes of the words of a string, until it returns false. A word is a
// run of letters, digits and underscores; in scripts without spaces every character is one.
func eachWord(text string, yield func(hash uint64) bool) {
	hash, inside := uint64(offset), false
	end := func() bool {
		if !inside {
			return true
		}
		word := mix(offset, hash)
		hash, inside = offset, false
		return yield(word)
	}
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case 'A' <= c && c <= 'Z':
				c += 'a' - 'A'
				fallthrough
			case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '_':
				hash, inside = (hash^uint64(c))*prime, true
			default:
				if !end() {
					return
				}
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		wide := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
		if wide || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			if !end() {
				return
			}
		}
		if wide || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			hash, inside = (hash^uint64(unicode.ToLower(r)))*prime, true
		}
		if wide && !end() {
			return
		}
	}
	end()
}
