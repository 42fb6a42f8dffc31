package mcp

import (
	"context"
	"sync"
)

// turns keep the order of requests that use the memory. The library handles them concurrently.
type turns struct {
	mu   sync.Mutex
	last chan struct{} // closed when the turn of the last request is over; nil at first
}

// A turn of a request begins when those of all requests before it are over.
type turn struct {
	before <-chan struct{}
	over   chan struct{}
	once   sync.Once
}

type turnKey struct{}

// take returns the turn of the next request, and a context with it.
func (t *turns) take(ctx context.Context) (context.Context, *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	mine := &turn{before: t.last, over: make(chan struct{})}
	t.last = mine.over
	return context.WithValue(ctx, turnKey{}, mine), mine
}

// turnOf returns the turn of a request, whose context has one.
func turnOf(ctx context.Context) *turn { return ctx.Value(turnKey{}).(*turn) }

// begin waits for the turn.
func (t *turn) begin(ctx context.Context) error {
	if t.before == nil {
		return nil
	}
	select {
	case <-t.before:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end ends the turn, in time or not. The turns behind it still wait for those before it.
func (t *turn) end() {
	t.once.Do(func() {
		if t.before == nil {
			close(t.over)
			return
		}
		select {
		case <-t.before:
			close(t.over)
		default:
			go func() {
				<-t.before
				close(t.over)
			}()
		}
	})
}
