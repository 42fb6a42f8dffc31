package service

import "sync"

// maxCached is how many results are kept; there are few who ask, and they ask
// the same again and again.
const maxCached = 32

// A cache keeps results for as long as the memory does not change. Nobody may
// change a result.
type cache[R any] struct {
	mu      sync.Mutex
	results map[string]cached[R]
}

type cached[R any] struct {
	version int64
	result  R
}

// get returns the result for a key, made anew if the memory has changed.
func (c *cache[R]) get(key string, version int64, make func() R) R {
	c.mu.Lock()
	known, there := c.results[key]
	c.mu.Unlock()
	if there && known.version == version {
		return known.result
	}
	result := make()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.results == nil || len(c.results) >= maxCached {
		c.results = map[string]cached[R]{}
	}
	c.results[key] = cached[R]{version, result}
	return result
}
