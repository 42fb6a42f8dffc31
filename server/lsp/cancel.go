package lsp

import (
	"context"
	"encoding/json"
	"sync"

	"go.lsp.dev/jsonrpc2"

	"github.com/wm-lsp/wm-lsp/server/service"
)

// cancels holds the cancel functions of the requests in progress, by id.
type cancels struct {
	mu      sync.Mutex
	pending map[jsonrpc2.ID]context.CancelFunc
}

// begin returns a context for a request and a function that must be called at its end.
func (c *cancels) begin(ctx context.Context, id jsonrpc2.ID) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending == nil {
		c.pending = map[jsonrpc2.ID]context.CancelFunc{}
	}
	c.pending[id] = cancel
	return ctx, func() {
		c.mu.Lock()
		delete(c.pending, id)
		c.mu.Unlock()
		cancel()
	}
}

// cancel handles $/cancelRequest.
func (c *cancels) cancel(params []byte) error {
	var request struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(params, &request); err != nil {
		return service.InvalidJSON(err)
	}
	var number int64
	var name string
	var id jsonrpc2.ID
	switch {
	case json.Unmarshal(request.ID, &number) == nil:
		id = jsonrpc2.NewNumberID(number)
	case json.Unmarshal(request.ID, &name) == nil:
		id = jsonrpc2.NewStringID(name)
	}
	c.mu.Lock()
	cancel := c.pending[id]
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	return nil
}
