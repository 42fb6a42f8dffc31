package items

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/recall"
)

// maxConsidered is the number of the oldest items of a store that are considered for eviction,
// besides as many as have to go.
const maxConsidered = 512

// A shelf is a store of one session, or of all, while a batch is decided.
type shelf struct {
	store  Store
	items  int
	oldest []held // those that may be evicted, oldest first; the items of the batch are at the end
}

// A held is an item that may be evicted.
type held struct {
	id         string
	importance float64
	tokens     int
	at         time.Time
}

// fill returns how full the store is, from 0.
func (s *shelf) fill() float64 {
	if s.store.Max == 0 {
		return 0
	}
	return float64(s.items) / float64(s.store.Max)
}

func (s *shelf) add(h held) {
	s.items++
	s.oldest = append(s.oldest, h)
}

func (s *shelf) over() bool { return s.store.Max > 0 && s.items > s.store.Max && len(s.oldest) > 0 }

// evict takes the item out that has to make room, and says why. The newest item is not evicted.
func (s *shelf) evict(now time.Time, decay float64) (id, why string) {
	others := s.oldest[:max(1, len(s.oldest)-1)]
	i := -1
	if s.store.First {
		i = slices.IndexFunc(others, func(h held) bool { return s.store.Guard == 0 || h.importance < s.store.Guard })
		why = "the oldest"
		if i < 0 {
			i, why = leastBy(others, func(h held) float64 { return h.importance }), "all are important, the least so"
		}
	} else {
		considered := others[:min(len(others), maxConsidered)]
		i = leastBy(considered, func(h held) float64 { return h.density(now, decay) })
		why = "the least useful for its size"
	}
	victim := s.oldest[i]
	s.oldest = slices.Delete(s.oldest, i, i+1)
	s.items--
	return victim.id, fmt.Sprintf("over the limit of %d items of %s; %s", s.store.Max, s.store.Name, why)
}

// density returns the usefulness of an item per token: importance × recency.
func (h held) density(now time.Time, decay float64) float64 {
	return h.importance * recall.Recency(h.at, now, decay) / float64(max(1, h.tokens))
}

// leastBy returns the index of the first item with the least value.
func leastBy(items []held, value func(held) float64) int {
	least := 0
	for i := range items {
		if cmp.Compare(value(items[i]), value(items[least])) < 0 {
			least = i
		}
	}
	return least
}
