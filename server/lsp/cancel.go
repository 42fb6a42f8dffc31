package lsp

import (
	"context"
	"encoding/json"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

// cancels are the requests that are being answered, to be cancelled by their
// id, a number or a text.
type cancels struct {
	mu      sync.Mutex
	pending map[jsonrpc2.ID]context.CancelFunc
}

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

func (c *cancels) cancel(params []byte) error {
	var named struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(params, &named); err != nil {
		return paramsError(err)
	}
	var number int64
	var text string
	var id jsonrpc2.ID
	switch {
	case json.Unmarshal(named.ID, &number) == nil:
		id = jsonrpc2.NewNumberID(number)
	case json.Unmarshal(named.ID, &text) == nil:
		id = jsonrpc2.NewStringID(text)
	}
	c.mu.Lock()
	cancel := c.pending[id]
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	return nil
}
