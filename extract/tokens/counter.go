package tokens

import (
	"hash/maphash"
	"sync"
)

// generation is the number of counts in a generation. Two generations are kept.
const generation = 512

// A Counter counts tokens and caches the counts of the latest 512 to 1024 strings. It
// stores a 64-bit hash of each string. It is safe for concurrent use.
type Counter struct {
	seed maphash.Seed

	mu         sync.Mutex
	young, old map[uint64]int
}

// NewCounter returns a counter with an empty cache.
func NewCounter() *Counter {
	return &Counter{seed: maphash.MakeSeed(), young: map[uint64]int{}}
}

// Count returns the number of tokens of a string, as tokens.Count does.
func (c *Counter) Count(text string) int {
	key := maphash.String(c.seed, text)
	if count, known := c.recall(key); known {
		return count
	}
	count := Count(text)
	c.keep(key, count)
	return count
}

// recall returns a cached count. It moves a count of the old generation to the young one.
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
