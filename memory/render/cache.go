package render

import "sync"

// maxCached is how many values a Cache holds.
const maxCached = 64

// A Cache holds computed values by key. A value must depend on its key alone. A full
// cache is emptied. The zero value is an empty cache. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]V
}

// Of returns the value of a key. It calls compute if the value is not cached.
func (c *Cache[K, V]) Of(key K, compute func() V) V {
	c.mu.Lock()
	value, ok := c.values[key]
	c.mu.Unlock()
	if ok {
		return value
	}
	value = compute()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.values == nil || len(c.values) >= maxCached {
		c.values = map[K]V{}
	}
	c.values[key] = value
	return value
}
