package service

import "sync"

// maxCached is the number of results that a cache keeps. Few clients ask, and they
// repeat the same requests.
const maxCached = 32

// A cache keeps results until the memory changes. A cached result must not be
// modified.
type cache[R any] struct {
	mu      sync.Mutex
	results map[string]cached[R]
}

type cached[R any] struct {
	version int64
	result  R
}

// get returns the result for a key. It calls make if there is none for the version.
func (c *cache[R]) get(key string, version int64, make func() R) R {
	c.mu.Lock()
	known, ok := c.results[key]
	c.mu.Unlock()
	if ok && known.version == version {
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
