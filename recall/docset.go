package recall

import "math/bits"

// A docSet is a set of documents, one bit for each. Its documents come in ascending order, so what is
// known of them is read from memory in that order.
type docSet []uint64

const wordBits = 64

// docSetFor returns an empty set for documents below n.
func docSetFor(n int) docSet { return make(docSet, (n+wordBits-1)/wordBits) }

func (s docSet) add(doc Doc) { s[doc/wordBits] |= 1 << (doc % wordBits) }

// each calls do with each document.
func (s docSet) each(do func(Doc) bool) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			if !do(Doc(i*wordBits + bits.TrailingZeros64(word))) {
				return
			}
		}
	}
}
