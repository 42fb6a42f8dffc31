package xorfilter

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAFilterHoldsWhatItWasMadeOf(t *testing.T) {
	for _, count := range []int{0, 1, 2, 100, 50_000} {
		hashes := make([]Hash, count)
		for i := range hashes {
			hashes[i] = Of(strconv.Itoa(i))
		}
		filter := string(Make(hashes))
		for i, hash := range hashes {
			if !Holds(filter, hash) {
				t.Fatalf("%d of %d is missing", i, count)
			}
		}
	}
}

func TestOfWhatIsNotInAFilterOneIn256SeemsToBe(t *testing.T) {
	const tried = 100_000
	hashes := make([]Hash, 10_000)
	for i := range hashes {
		hashes[i] = Of(strconv.Itoa(i))
	}
	filter, found := string(Make(hashes)), 0
	for i := range tried {
		if Holds(filter, Of("x"+strconv.Itoa(i))) {
			found++
		}
	}
	assert.InDelta(t, tried/256, found, tried/256/4)
}

func TestAHashGrowsWithItsText(t *testing.T) {
	assert.Equal(t, Nothing, Of(""))
	assert.Equal(t, Of("ab"), Of("a").With('b'))
	assert.Equal(t, Hash(0xaf63dc4c8601ec8c), Of("a"), "FNV-1a")
}
