package mcp

import (
	"context"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
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

// inTurn starts what a request asks for when the folders are open and the requests before it have
// started, and waits for its result. If ask is true, the host has to be asked for its roots, in the
// result of the request.
func inTurn[T any](
	ctx context.Context, s *Server, session *sdk.ServerSession, given input, start func() (func() (T, error), error),
) (result T, ask bool, err error) {
	turn := ctx.Value(turnKey{}).(*turn)
	if ask, err = s.workspace.await(ctx, session, given); ask || err != nil {
		return result, ask, err
	}
	if err = turn.begin(ctx); err != nil {
		return result, false, err
	}
	wait, err := start()
	turn.end()
	if err == nil {
		result, err = wait()
	}
	return result, false, err
}

// take returns the turn of the next request, and a context with it.
func (t *turns) take(ctx context.Context) (context.Context, *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	mine := &turn{before: t.last, over: make(chan struct{})}
	t.last = mine.over
	return context.WithValue(ctx, turnKey{}, mine), mine
}

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
