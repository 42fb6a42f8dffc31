package server

import (
	"sync"

	"go.lsp.dev/jsonrpc2"
)

// maxCached is how many answers are kept; there are few who ask, and they ask
// the same again and again.
const maxCached = 32

// A cache keeps encoded answers for as long as the memory does not change.
type cache struct {
	mu      sync.Mutex
	answers map[string]cached
}

type cached struct {
	version int64
	doc     jsonrpc2.RawMessage
}

// get returns the answer to a question, made anew if the memory has changed.
func (c *cache) get(question string, version int64, answer func() (any, error)) (jsonrpc2.RawMessage, error) {
	c.mu.Lock()
	known, there := c.answers[question]
	c.mu.Unlock()
	if there && known.version == version {
		return known.doc, nil
	}
	value, err := answer()
	if err != nil {
		return nil, err
	}
	doc, err := encoded(value)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answers == nil || len(c.answers) >= maxCached {
		c.answers = map[string]cached{}
	}
	c.answers[question] = cached{version, doc.(jsonrpc2.RawMessage)}
	return doc.(jsonrpc2.RawMessage), nil
}
