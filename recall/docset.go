package recall

// A docSet is a set of documents, one bit for each. Its documents come in ascending order, so what is
// known of them is read from memory in that order.
type docSet []uint64

const wordBits = 64

// docSetFor returns an empty set for documents below n.
func docSetFor(n int) docSet { return make(docSet, (n+wordBits-1)/wordBits) }

func (s docSet) add(doc Doc) { s[doc/wordBits] |= 1 << (doc % wordBits) }

// clearOf makes the set empty and the numbers of its documents zero, those of a word of the set at once.
func (s docSet) clearOf(numbers []float32) {
	for i, word := range s {
		if word != 0 {
			clear(numbers[i*wordBits : min((i+1)*wordBits, len(numbers))])
			s[i] = 0
		}
	}
}
