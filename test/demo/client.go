package main

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

// patience is how long an answer may take.
const patience = 20 * time.Second

type object = map[string]any

// A client is one side of a connection to a wm-lsp process of its own.
type client struct {
	name    string
	process *exec.Cmd
	conn    jsonrpc2.Conn

	mu     sync.Mutex
	heard  map[string]int // notifications by method
	change chan struct{}  // closed at the next notification
}

type pipes struct {
	io.Reader
	io.WriteCloser
}

func startClient(binary, data, folder, name, session string) (*client, error) {
	c := &client{name: name, process: exec.Command(binary, "--log-level", "error"), heard: map[string]int{}, change: make(chan struct{})}
	c.process.Env = append(os.Environ(), "XDG_DATA_HOME="+data, "XDG_CONFIG_HOME="+data)
	c.process.Stderr = os.Stderr
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
	c.conn = jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(pipes{out, in}))
	c.conn.Go(context.Background(), c.hear)
	err = c.call("initialize", object{
		"processId": os.Getpid(), "clientInfo": object{"name": name}, "initializationOptions": object{"sessionId": session},
		"workspaceFolders": []object{{"uri": string(uri.File(folder)), "name": "wm-lsp"}},
		"capabilities":     object{"experimental": object{"workingMemory": object{"notifications": true}}},
	}, nil)
	c.notify("initialized", object{})
	return c, err
}

func (c *client) hear(_ context.Context, req *jsonrpc2.Request) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard[string([]byte(req.Method()))]++
	close(c.change)
	c.change = make(chan struct{})
	return nil, nil
}

func (c *client) call(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var answer jsonrpc2.RawMessage
	if _, err := c.conn.Call(ctx, method, params, &answer); err != nil {
		return fmt.Errorf("%s calls %s: %w", c.name, method, err)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(answer, result)
}

func (c *client) notify(method string, params any) {
	// What cannot be sent shows in the next call.
	_ = c.conn.Notify(context.Background(), method, params)
}

// forget forgets the notifications of a method that came so far.
func (c *client) forget(method string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.heard, method)
}

// await waits for a notification of a method, and forgets it.
func (c *client) await(method string) error {
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
			return fmt.Errorf("the %s was not sent %s", c.name, method)
		}
	}
}

func (c *client) end() error {
	if err := c.call("shutdown", nil, nil); err != nil {
		return err
	}
	c.notify("exit", nil)
	if err := c.process.Wait(); err != nil {
		return fmt.Errorf("the server of the %s did not end well: %w", c.name, err)
	}
	return nil
}
