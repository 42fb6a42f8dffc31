package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestATermOfAChunkIsFoundWhateverWasSoughtBefore(t *testing.T) {
	var terms []string
	for i := range 300 {
		terms = append(terms, fmt.Sprintf("term%03d", 2*i))
	}
	var held chunk
	w := chunkWriter{done: func(_ string, sealed []byte) (err error) {
		held.content, err = unsealed(sealed)
		return err
	}}
	for i, term := range terms {
		require.NoError(t, w.add(term, []byte{byte(i)}))
	}
	require.NoError(t, w.flush())
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var sought []int
		for range 1 + random.IntN(5) {
			sought = append(sought, random.IntN(2*len(terms)+2))
		}
		slices.Sort(sought)
		in := held.seeker()
		for _, number := range sought {
			more, err := in.seek(fmt.Sprintf("term%03d", number))
			require.NoError(t, err)
			place := (number + 1) / 2 // of the first term that is not before it
			require.Equal(t, place < len(terms), more, "%d of %v", number, sought)
			if more {
				assert.Equal(t, terms[place], string(in.term))
				assert.Equal(t, []byte{byte(place)}, in.postings)
			}
		}
	}
	assert.Greater(t, len(held.landmarks), 5)
	assert.Less(t, len(held.landmarks), 20)
}

// randomStrings returns at most n strings of few different bytes, in their order: many begin alike or with all of
// another.
func randomStrings(random *rand.Rand, n int) (found []string) {
	for range n {
		bytes := make([]byte, random.IntN(8))
		for i := range bytes {
			bytes[i] = "\x00ab\xff"[random.IntN(4)]
		}
		found = append(found, string(bytes))
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func TestAnyStringIsSoughtInAnyChunk(t *testing.T) {
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 3))
		var held chunk
		w := chunkWriter{done: func(_ string, sealed []byte) (err error) {
			held.content, err = unsealed(sealed)
			return err
		}}
		terms := randomStrings(random, 1+random.IntN(300))
		for _, term := range terms {
			require.NoError(t, w.add(term, []byte(term)))
		}
		require.NoError(t, w.flush())
		for range 20 {
			in := held.seeker()
			for _, term := range randomStrings(random, 5) {
				more, err := in.seek(term)
				require.NoError(t, err)
				place, _ := slices.BinarySearch(terms, term)
				require.Equal(t, place < len(terms), more, "%q", term)
				if more {
					require.Equal(t, terms[place], string(in.term), "%q", term)
					require.Equal(t, terms[place], string(in.postings), "%q", term)
				}
			}
		}
		damaged := chunk{content: slices.Clone(held.content)}
		for range 20 {
			damaged.content[random.IntN(len(damaged.content))] = byte(random.Uint32())
			in := damaged.seeker()
			for _, term := range randomStrings(random, 5) {
				if _, err := in.seek(term); err != nil {
					require.ErrorIs(t, err, errDamaged, "%q", term)
					break
				}
			}
		}
	}
}
