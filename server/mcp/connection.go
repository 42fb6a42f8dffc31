package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wm-lsp/wm-lsp/server/frame"
)

// methodListen is a request that is answered when the host cancels it.
const methodListen = "subscriptions/listen"

// A connection passes messages between a stream and the library, which would end the session
// at a line that is not a message. It hands over one request after the other, and the end of
// the input only when the requests before it are answered.
type connection struct {
	stream *frame.Stream
	log    *slog.Logger

	mu      sync.Mutex
	handing *handing              // the request that was handed over last
	open    map[jsonrpc.ID]func() // requests without a response, with what releases their message
	settled chan struct{}         // closed when there are none; nil if nobody waits
	closed  chan struct{}
	once    sync.Once
}

// A handing is a request on its way from the connection to its handler.
type handing struct {
	id   jsonrpc.ID
	done chan struct{} // closed when the handler has it, or when it was answered without one
}

func newConnection(stream *frame.Stream, log *slog.Logger) *connection {
	return &connection{stream: stream, log: log, open: map[jsonrpc.ID]func(){}, closed: make(chan struct{})}
}

// Connect implements sdk.Transport.
func (c *connection) Connect(context.Context) (sdk.Connection, error) { return c, nil }

// SessionID implements sdk.Connection. It is empty, as there is one session.
func (c *connection) SessionID() string { return "" }

// Read returns the next message.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	c.awaitHandler()
	for {
		body, _, err := c.stream.ReadFrame(ctx)
		if err != nil {
			if err == io.EOF {
				c.awaitAnswers()
			}
			return nil, err
		}
		message, err := jsonrpc.DecodeMessage(bytes.Clone(body)) // body is valid until the next read
		if err != nil {
			c.log.Warn("a message was ignored", "error", err)
			c.refuse(ctx, body, err)
			continue
		}
		if request, is := message.(*jsonrpc.Request); is && request.IsCall() {
			c.mu.Lock()
			c.handing = &handing{request.ID, make(chan struct{})}
			if request.Method != methodListen {
				c.release(request.ID) // a host may use an id twice
				c.open[request.ID] = c.stream.Hold(len(body))
			}
			c.mu.Unlock()
		}
		return message, nil
	}
}

// Write writes a message. An error of the library without a code, with which it refuses a request
// before any handler has it, is that of a request that is not valid now.
func (c *connection) Write(ctx context.Context, message jsonrpc.Message) error {
	if response, is := message.(*jsonrpc.Response); is && response.Error != nil {
		var coded *jsonrpc.Error
		if !errors.As(response.Error, &coded) || coded.Code == 0 {
			response.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: response.Error.Error()}
		}
	}
	doc, err := jsonrpc.EncodeMessage(message)
	if err == nil {
		_, err = c.stream.WriteFrame(context.WithoutCancel(ctx), doc)
	}
	if response, is := message.(*jsonrpc.Response); is {
		c.answered(response.ID)
	}
	return err
}

// Close implements sdk.Connection.
func (c *connection) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.stream.Close()
}

// handled records that the last request has reached its handler.
func (c *connection) handled() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.handOver()
}

// handOver ends the handing. The lock must be held.
func (c *connection) handOver() {
	if c.handing != nil {
		close(c.handing.done)
		c.handing = nil
	}
}

func (c *connection) answered(id jsonrpc.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.handing != nil && (c.handing.id == id || !id.IsValid()) {
		c.handOver()
	}
	c.release(id)
	if len(c.open) == 0 && c.settled != nil {
		close(c.settled)
		c.settled = nil
	}
}

// release forgets a request. The lock must be held.
func (c *connection) release(id jsonrpc.ID) {
	if release, is := c.open[id]; is {
		release()
		delete(c.open, id)
	}
}

// awaitHandler waits until the last request has reached its handler.
func (c *connection) awaitHandler() {
	c.mu.Lock()
	last := c.handing
	c.mu.Unlock()
	if last == nil {
		return
	}
	select {
	case <-last.done:
	case <-c.closed:
	case <-c.stream.Dead():
	}
}

// awaitAnswers waits until all requests are answered.
func (c *connection) awaitAnswers() {
	c.mu.Lock()
	if len(c.open) == 0 {
		c.mu.Unlock()
		return
	}
	settled := make(chan struct{})
	c.settled = settled
	c.mu.Unlock()
	select {
	case <-settled:
	case <-c.closed:
	case <-c.stream.Dead():
	}
}

// refuse answers a message that the library cannot decode, such as one with too many levels.
func (c *connection) refuse(ctx context.Context, body []byte, cause error) {
	var envelope struct{ ID, Method any }
	if err := json.Unmarshal(body, &envelope); err != nil || envelope.Method == nil {
		return // a response
	}
	id, err := jsonrpc.MakeID(envelope.ID)
	if err != nil || !id.IsValid() {
		return // a notification
	}
	_ = c.Write(ctx, &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{
		Code: jsonrpc.CodeInvalidRequest, Message: "The message cannot be read: " + cause.Error() + ".",
	}})
}
