package tokens

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tiktoken-go/tokenizer/codec"
)

var update = flag.Bool("update", false, "write the vocabulary of the pinned tokenizer anew")

// lastToken is the last of o200k_base that stands for text.
const lastToken = 199997

func TestTheVocabularyIsThatOfThePinnedTokenizer(t *testing.T) {
	tokenizer := codec.NewO200kBase()
	var hashes []uint64
	for id := range uint(lastToken + 1) {
		token, err := tokenizer.Decode([]uint{id})
		require.NoError(t, err)
		hashes = append(hashes, hashOf(token))
	}
	filter := xorFilter(hashes)
	if *update {
		require.NoError(t, os.WriteFile("vocabulary.xor", filter, 0o644))
		return
	}
	assert.True(t, string(filter) == vocabulary, "the tokenizer was updated; run go test ./extract/tokens -run Pinned -update")
	for _, hash := range hashes {
		require.True(t, isToken(hash))
	}
}

func TestOfWhatIsNoTokenOneIn256IsTakenForOne(t *testing.T) {
	const tried = 100_000
	found := 0
	for i := range uint64(tried) {
		if isToken(i * hashPrime) {
			found++
		}
	}
	assert.InDelta(t, tried/256, found, tried/256/4)
}

func hashOf(text string) uint64 {
	hash := hashOfNothing
	for i := range len(text) {
		hash = hashWith(hash, text[i])
	}
	return hash
}

// xorFilter makes the filter that vocabulary describes. A hash that is alone in
// one of its places is set aside, until none is left; then the places are
// written in the opposite order, so that nothing that was written is changed.
func xorFilter(hashes []uint64) []byte {
	block := (len(hashes)*123/100 + 32) / 3
	for seed := byte(0); ; seed++ {
		order, alone := peel(hashes, seed, block)
		if len(order) < len(hashes) {
			continue
		}
		filter := make([]byte, 3*block)
		for i := len(order) - 1; i >= 0; i-- {
			p := placesOf(order[i], seed, block)
			filter[alone[i]] = p.fingerprint ^ filter[p.first] ^ filter[p.second] ^ filter[p.third]
		}
		return append([]byte{seed}, filter...)
	}
}

// peel returns the hashes in the order in which they were set aside, and the
// place that each was alone in; fewer than all if some share all their places.
func peel(hashes []uint64, seed byte, block int) (order []uint64, alone []int) {
	type slot struct {
		count int
		xored uint64
	}
	table := make([]slot, 3*block)
	for _, hash := range hashes {
		p := placesOf(hash, seed, block)
		for _, at := range []int{p.first, p.second, p.third} {
			table[at].count++
			table[at].xored ^= hash
		}
	}
	var singles []int
	for at := range table {
		if table[at].count == 1 {
			singles = append(singles, at)
		}
	}
	for len(singles) > 0 {
		at := singles[len(singles)-1]
		singles = singles[:len(singles)-1]
		if table[at].count != 1 {
			continue
		}
		hash := table[at].xored
		order, alone = append(order, hash), append(alone, at)
		p := placesOf(hash, seed, block)
		for _, other := range []int{p.first, p.second, p.third} {
			table[other].count--
			table[other].xored ^= hash
			if table[other].count == 1 {
				singles = append(singles, other)
			}
		}
	}
	return order, alone
}
