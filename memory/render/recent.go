package render

import "sync"

// maxRecent is how many values are kept.
const maxRecent = 64

// Recent keeps what was made of the last keys. A value has to depend on its key
// alone. The zero value is empty and can be used. It is safe for concurrent use.
type Recent[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]V
}

// Of returns the value of a key, made if it is not there.
func (r *Recent[K, V]) Of(key K, make func() V) V {
	r.mu.Lock()
	value, there := r.values[key]
	r.mu.Unlock()
	if there {
		return value
	}
	value = make()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.values == nil || len(r.values) >= maxRecent {
		r.values = map[K]V{}
	}
	r.values[key] = value
	return value
}
