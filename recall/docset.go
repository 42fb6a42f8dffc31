package recall

// A docSet is a set of places of documents, one bit for each. They come in ascending order, so what is
// known of the documents is read from memory in that order.
type docSet []uint64

const wordBits = 64

// docSetFor returns an empty set for places below n.
func docSetFor(n int) docSet { return make(docSet, (n+wordBits-1)/wordBits) }

func (s docSet) add(place Doc) { s[place/wordBits] |= 1 << (place % wordBits) }

// clearOf makes the set empty and the numbers at its places zero, those of a word of the set at once.
func (s docSet) clearOf(numbers []float32) {
	for i, word := range s {
		if word != 0 {
			clear(numbers[i*wordBits : min((i+1)*wordBits, len(numbers))])
			s[i] = 0
		}
	}
}
