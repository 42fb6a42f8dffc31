// Command echo is a minimal server on the jsonrpc2 library. It is the reference of the
// benchmarks, and the harness of package test is tested against it. It responds to
// "initialize" with no capabilities, to "echo" with its params, and to "count" with
// the number of notifications so far; "keep" stores its params, and "give" returns
// them.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"go.lsp.dev/jsonrpc2"
)

func main() {
	conn := jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(stdio{os.Stdin, os.Stdout}))
	conn.Go(context.Background(), newServer().handle)
	<-conn.Done()
	if err := conn.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type stdio struct {
	io.ReadCloser
	io.Writer
}

type server struct {
	notifications atomic.Int64
	kept          jsonrpc2.RawMessage
}

func newServer() *server { return &server{kept: jsonrpc2.RawMessage("null")} }

// handle is called for one message after the other.
func (s *server) handle(_ context.Context, request *jsonrpc2.Request) (any, error) {
	if !request.IsCall() {
		s.notifications.Add(1)
		if request.Method() == "exit" {
			os.Exit(0)
		}
		return nil, nil // notifications have no response
	}
	switch request.Method() {
	case "initialize":
		return jsonrpc2.RawMessage(`{"capabilities":{}}`), nil
	case "echo":
		return request.Params(), nil
	case "keep":
		s.kept = bytes.Clone(request.Params())
		return nil, nil // null
	case "give":
		return s.kept, nil
	case "count":
		return s.notifications.Load(), nil
	case "shutdown":
		return nil, nil // null
	}
	return nil, jsonrpc2.ErrMethodNotFound
}
