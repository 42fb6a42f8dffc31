package tokens

import (
	"hash/maphash"
	"sync"
)

// generation is how many counts are kept before the oldest are let go.
const generation = 512

// A Counter counts as Count does and keeps the counts of the last texts, between
// 512 and 1024, so that what did not change is not counted again. It keeps a
// hash of 64 bits for each, not the text. It may be used by many at once.
type Counter struct {
	seed maphash.Seed

	mu         sync.Mutex
	young, old map[uint64]int
}

// NewCounter returns a counter that has counted nothing.
func NewCounter() *Counter {
	return &Counter{seed: maphash.MakeSeed(), young: map[uint64]int{}}
}

// Count says how many tokens a text is, as tokens.Count does.
func (c *Counter) Count(text string) int {
	key := maphash.String(c.seed, text)
	if count, known := c.recall(key); known {
		return count
	}
	count := Count(text)
	c.keep(key, count)
	return count
}

// recall also makes an old count a young one.
func (c *Counter) recall(key uint64) (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if count, known := c.young[key]; known {
		return count, true
	}
	count, known := c.old[key]
	if known {
		c.put(key, count)
	}
	return count, known
}

func (c *Counter) keep(key uint64, count int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(key, count)
}

func (c *Counter) put(key uint64, count int) {
	if len(c.young) == generation {
		c.old, c.young = c.young, map[uint64]int{}
	}
	c.young[key] = count
}
