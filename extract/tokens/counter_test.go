package tokens

import (
	"fmt"
	"hash/maphash"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestACounterCountsAsCountDoesAndKeepsABoundedNumber(t *testing.T) {
	counter := NewCounter()
	for i := range 5 * generation {
		text := strings.Repeat("word ", i%300) + fmt.Sprint(i)
		for range 2 {
			assert.Equal(t, Count(text), counter.Count(text))
		}
		assert.LessOrEqual(t, len(counter.young)+len(counter.old), 2*generation)
	}
}

func TestATextThatIsCountedAgainAndAgainStaysKnown(t *testing.T) {
	counter := NewCounter()
	counter.Count("the same")
	for i := range 3 * generation {
		counter.Count(fmt.Sprint(i))
		_, known := counter.recall(maphash.String(counter.seed, "the same"))
		assert.True(t, known, i)
	}
	_, known := counter.recall(maphash.String(counter.seed, "0"))
	assert.False(t, known)
}

func TestManyCountAtOnce(t *testing.T) {
	counter := NewCounter()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 2 * generation {
				assert.Equal(t, Count(fmt.Sprint(i)), counter.Count(fmt.Sprint(i)))
			}
		})
	}
	all.Wait()
}

func BenchmarkCountAgain(b *testing.B) {
	counter, text := NewCounter(), strings.Repeat("a few words ", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		counter.Count(text)
	}
}
