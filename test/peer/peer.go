// Package peer implements a client with its own server process for programs that are
// not tests: the demo and the benchmarks.
package peer

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"
)

// patience is the timeout of a call. It is long, because a test must not depend on how busy the
// machine is.
const patience = 5 * time.Minute

// Object is a JSON object.
type Object = map[string]any

// A Client is a connection to its own server process.
type Client struct {
	name    string
	process *exec.Cmd
	conn    jsonrpc2.Conn
	pipes   []io.Closer

	mu     sync.Mutex
	heard  map[string]int // notifications by method
	change chan struct{}  // closed at the next notification
}

type pipes struct {
	io.Reader
	io.WriteCloser
}

// Start starts a server that stores its memory below data, and initializes it for a
// folder with the name of an editor and a session.
func Start(server, data, folder, name, session string) (*Client, error) {
	return start(server, data, folder, name, Object{"sessionId": session})
}

// StartAgent is Start for an agent.
func StartAgent(server, data, folder, name, session string) (*Client, error) {
	return start(server, data, folder, name, Object{"sessionId": session, "agent": name})
}

func start(server, data, folder, name string, options Object) (*Client, error) {
	process := exec.Command(server)
	process.Env = append(os.Environ(), "XDG_DATA_HOME="+data, "XDG_CONFIG_HOME="+data, "XDG_STATE_HOME="+data)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return Open(ctx, name, process, Object{
		"processId":             os.Getpid(),
		"clientInfo":            Object{"name": name},
		"initializationOptions": options,
		"workspaceFolders":      []Object{{"uri": string(uri.File(folder)), "name": "wm-lsp"}},
		"capabilities":          Object{"experimental": Object{"workingMemory": Object{"notifications": true}}},
	})
}

// Open starts a process and initializes it. If it returns a client and an error, the process
// was started and may still run.
func Open(ctx context.Context, name string, process *exec.Cmd, initialize Object) (*Client, error) {
	c := &Client{name: name, process: process, heard: map[string]int{}, change: make(chan struct{})}
	in, err := c.process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.process.Start(); err != nil {
		return nil, fmt.Errorf("start wm-lsp for the %s: %w", name, err)
	}
	c.pipes = []io.Closer{in, out}
	c.conn = jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(pipes{out, in}))
	c.conn.Go(context.Background(), c.hear)
	err = c.CallContext(ctx, "initialize", initialize, nil)
	c.Notify("initialized", Object{})
	return c, err
}

// HangUp closes the pipes to and from the server, as the death of a client does.
func (c *Client) HangUp() {
	for _, pipe := range c.pipes {
		_ = pipe.Close() // the server may have ended already
	}
}

func (c *Client) hear(_ context.Context, req *jsonrpc2.Request) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard[string([]byte(req.Method()))]++
	close(c.change)
	c.change = make(chan struct{})
	return nil, nil
}

// Call sends a request and waits for the response, up to patience.
func (c *Client) Call(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return c.CallContext(ctx, method, params, result)
}

// CallContext sends a request and waits for the response. An error of the server wraps a
// *jsonrpc2.Error.
func (c *Client) CallContext(ctx context.Context, method string, params, result any) error {
	var answer jsonrpc2.RawMessage
	if _, err := c.conn.Call(ctx, method, params, &answer); err != nil {
		return fmt.Errorf("%s calls %s: %w", c.name, method, err)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(answer, result)
}

// Notify sends a notification.
func (c *Client) Notify(method string, params any) {
	// If sending fails, the next call fails too.
	_ = c.conn.Notify(context.Background(), method, params)
}

// Forget discards the notifications of a method received so far.
func (c *Client) Forget(method string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.heard, method)
}

// Await waits for a notification of a method and discards it.
func (c *Client) Await(method string) error {
	late := time.After(patience)
	for {
		c.mu.Lock()
		came, change := c.heard[method] > 0, c.change
		delete(c.heard, method)
		c.mu.Unlock()
		if came {
			return nil
		}
		select {
		case <-change:
		case <-late:
			return fmt.Errorf("%s received no %s", c.name, method)
		}
	}
}

// End shuts the server down as the protocol requires.
func (c *Client) End() error {
	if err := c.Call("shutdown", nil, nil); err != nil {
		return err
	}
	c.Notify("exit", nil)
	if err := c.process.Wait(); err != nil {
		return fmt.Errorf("the server of %s failed: %w", c.name, err)
	}
	return nil
}

// Process returns the server process.
func (c *Client) Process() *os.Process { return c.process.Process }
