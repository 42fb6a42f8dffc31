package lsp

import (
	"context"
	"fmt"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// state is where a connection is in its life.
type state int

const (
	created     state = iota // nothing but initialize is answered
	initialized              // initialize was answered
	down                     // shutdown was answered: nothing but exit is expected
)

func (s state) String() string {
	return [...]string{"created", "initialized", "shut down"}[s]
}

// A StateError says that a message came at the wrong time of the connection's life.
type StateError struct {
	Method   string
	Expected state
	Current  state
}

func (e *StateError) Error() string {
	switch e.Current {
	case created:
		return fmt.Sprintf("%s came before initialize; send initialize first", e.Method)
	case down:
		return fmt.Sprintf("%s came after shutdown; only exit may follow it", e.Method)
	}
	return fmt.Sprintf("%s came while the server was %s, not %s", e.Method, e.Current, e.Expected)
}

// code is -32002 before initialize and -32600 otherwise, as LSP has it.
func (e *StateError) code() jsonrpc2.Code {
	if e.Current == created {
		return wire.CodeServerNotInitialized
	}
	return wire.CodeInvalidRequest
}

// lifecycle is the state of a connection.
type lifecycle struct {
	mu    sync.Mutex
	state state
}

func (l *lifecycle) is(s state) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state == s
}

// allow reports whether a message may come now.
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
		return &StateError{method, expected, l.state}
	}
	return nil
}

// enter changes the state.
func (l *lifecycle) enter(next state) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = next
}

func (s *Server) shutdown(context.Context, *struct{}) (any, error) {
	s.lifecycle.enter(down)
	return nil, nil
}

// exitNotice ends the process: with 0 only after shutdown.
func (s *Server) exitNotice(context.Context, *struct{}) {
	if s.lifecycle.is(down) {
		s.leave(ExitOK)
		return
	}
	s.leave(ExitUnasked)
}
