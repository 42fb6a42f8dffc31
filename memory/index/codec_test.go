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
