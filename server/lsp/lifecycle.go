package lsp

import (
	"context"
	"fmt"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// state is the state of a connection.
type state int

const (
	created     state = iota // only initialize is accepted
	initialized              // after initialize
	down                     // after shutdown: only exit is accepted
)

// A stateError reports a message that is not accepted in the state of the connection.
type stateError struct {
	method string
	state  state
}

func (e *stateError) Error() string {
	switch e.state {
	case created:
		return fmt.Sprintf("%s was sent before initialize; send initialize first", e.method)
	case down:
		return fmt.Sprintf("%s was sent after shutdown; only exit is accepted", e.method)
	}
	return fmt.Sprintf("%s was sent twice; a connection is initialized once", e.method)
}

// code returns -32002 before initialize and -32600 otherwise, as LSP requires.
func (e *stateError) code() jsonrpc2.Code {
	if e.state == created {
		return wire.CodeServerNotInitialized
	}
	return wire.CodeInvalidRequest
}

// A lifecycle holds the state of a connection.
type lifecycle struct {
	mu    sync.Mutex
	state state
}

func (l *lifecycle) is(s state) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state == s
}

// allow returns an error if a message is not accepted in the current state.
func (l *lifecycle) allow(method string) error {
	expected := initialized
	switch method {
	case protocol.MethodInitialize:
		expected = created
	case protocol.MethodExit:
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state != expected {
		return &stateError{method, l.state}
	}
	return nil
}

// enter sets the state.
func (l *lifecycle) enter(next state) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = next
}

// shutdown handles shutdown.
func (s *Server) shutdown(context.Context, *struct{}) (any, error) {
	s.lifecycle.enter(down)
	return nil, nil
}

// exitNotice handles exit. The exit code is 0 only after shutdown.
func (s *Server) exitNotice(context.Context, *struct{}) {
	if s.lifecycle.is(down) {
		s.leave(ExitOK)
		return
	}
	s.leave(ExitNoShutdown)
}
