package lsp

import (
	"context"
	"runtime/debug"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/sourcegraph/conc/panics"

	"github.com/wm-lsp/wm-lsp/server/service"
)

// A handler handles one method. decode runs on the read loop.
type handler struct {
	decode func(s *Server, params []byte) (task, error)
	// notify reports whether the method may be sent as a notification.
	notify bool
	// decodeNotice decodes the notification, if it is handled in another way than the
	// request.
	decodeNotice func(s *Server, params []byte) (task, error)
}

// A task is a decoded message. It has one of run and start, or none if the message is
// ignored.
type task struct {
	// run is called on the read loop, before the next message is read.
	run func(ctx context.Context) (any, error)
	// start starts a request in the order of a workspace and returns a function that
	// waits for its result.
	start func(ctx context.Context) (wait func() (any, error))
}

// handler returns the function that the connection calls for every message, on its read
// loop. It returns no error for a notification and recovers from panics, because either
// would end the connection.
func (s *Server) handler(methods func() map[string]handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (result any, err error) {
		method, call, began := strings.Clone(req.Method()), req.IsCall(), time.Now()
		defer s.hold(len(req.Params()), call)()
		defer func() {
			if caught := recover(); caught != nil {
				s.log.Error("a handler panicked", "method", method, "panic", caught, "stack", string(debug.Stack()))
				result, err = nil, jsonrpc2.Errorf(jsonrpc2.InternalError,
					"internal error in the server during %s; nothing was changed, see its log", method)
			}
			s.traced(method, began)
			if !call {
				if err != nil {
					s.log.Warn("a notification failed", "method", method, "error", err)
				}
				result, err = nil, nil
			}
		}()
		t, err := s.prepare(methods, method, call, req.Params())
		if err != nil {
			return nil, wireError(err)
		}
		if t.run == nil && t.start == nil {
			return nil, nil
		}
		result, err = s.perform(ctx, req, t)
		return result, wireError(err)
	}
}

// large is the length of a message, in bytes, from which on it is counted until it is done. The number of
// those that are smaller is bounded by the queue.
const large = 32 << 10

// hold counts a message of n bytes. The function that it returns is called when the handler has returned: a request is
// done then, a notification may be on a queue.
func (s *Server) hold(n int, call bool) (handled func()) {
	if n < large {
		return func() {}
	}
	release := s.stream.Hold(n)
	if call {
		return release
	}
	return func() { s.service.Done(release) }
}

// prepare finds the handler of a message and decodes it. The response to initialize, which is the
// first message, does not wait for the handlers of the other methods.
func (s *Server) prepare(
	methods func() map[string]handler, method string, call bool, params []byte,
) (task, error) {
	if method == protocol.MethodCancelRequest {
		return task{run: func(context.Context) (any, error) { return nil, s.cancels.cancel(params) }}, nil
	}
	if err := s.lifecycle.allow(method); err != nil {
		return task{}, err
	}
	s.begun()
	h, known := s.initializing(), true
	if method != protocol.MethodInitialize {
		h, known = methods()[method]
	}
	switch {
	case !known && call:
		return task{}, jsonrpc2.Errorf(jsonrpc2.MethodNotFound,
			"unknown method %q; the result of initialize lists the wm/ methods in experimental.workingMemory", method)
	case !known:
		if !strings.HasPrefix(method, "$/") {
			s.log.Debug("an unknown notification was ignored", "method", method)
		}
		return task{}, nil
	case !call && !h.notify:
		s.log.Warn("a request was sent as a notification and was ignored", "method", method)
		return task{}, nil
	}
	if len(params) == 0 || string(params) == "null" {
		params = []byte("{}")
	}
	if !call && h.decodeNotice != nil {
		return h.decodeNotice(s, params)
	}
	return h.decode(s, params)
}

// perform runs a task. While a request of a workspace is in progress, the next message is
// read.
func (s *Server) perform(ctx context.Context, req *jsonrpc2.Request, t task) (any, error) {
	if t.run != nil {
		return t.run(ctx)
	}
	requestCtx, done := s.cancels.begin(lasting(ctx), req.ID())
	defer done()
	s.inFlight <- struct{}{}
	s.unwritten.Store(ctx, true)
	wait := t.start(requestCtx)
	jsonrpc2.Async(ctx)
	return wait()
}

// written makes room for another request when the response of one was written. The
// connection writes a response with the context of its handler.
func (s *Server) written(ctx context.Context) {
	_ = panics.Try(s.begun) // the next message reports a panic
	if _, held := s.unwritten.LoadAndDelete(ctx); held {
		<-s.inFlight
	}
}

// lasting returns the context of an operation. It does not end with the connection: what
// arrived before the client left is done. $/cancelRequest cancels it.
func lasting(ctx context.Context) context.Context {
	return context.WithoutCancel(jsonrpc2.DetachContext(ctx))
}

// operation returns the handler of an operation of the service. An event may also be a
// notification.
func operation(op service.Operation) handler {
	h := handler{notify: op.Event, decode: func(s *Server, doc []byte) (task, error) {
		at, params, err := s.decodeParams(op, doc)
		if err != nil {
			return task{}, err
		}
		return s.started(op, at, params), nil
	}}
	if op.Event {
		h.decodeNotice = func(s *Server, doc []byte) (task, error) {
			at, params, err := s.decodeParams(op, doc)
			return task{run: func(ctx context.Context) (any, error) {
				s.service.Post(lasting(ctx), op, at, params)
				return nil, nil
			}}, err
		}
	}
	return h
}

// started returns the task that starts an operation.
func (s *Server) started(op service.Operation, at *service.View, params service.Params) task {
	return ordered(func(ctx context.Context) func() (any, error) { return s.service.Start(ctx, op, at, params) })
}

// ordered returns the task for a request in the order of a workspace. It encodes the
// result.
func ordered(start func(ctx context.Context) (wait func() (any, error))) task {
	return task{start: func(ctx context.Context) func() (any, error) {
		wait := start(ctx)
		return func() (any, error) {
			result, err := wait()
			if err != nil || result == nil {
				return nil, err
			}
			return encoded(result)
		}
	}}
}

// standard returns the handler of a request of LSP that runs on the read loop.
func standard[P any](run func(ctx context.Context, params *P) (any, error)) handler {
	return handler{decode: func(_ *Server, doc []byte) (task, error) {
		params, err := decodeStandard[P](doc)
		return task{run: func(ctx context.Context) (any, error) { return encodedStandard(run(ctx, params)) }}, err
	}}
}

// notice returns the handler of a notification of LSP.
func notice[P any](run func(ctx context.Context, params *P)) handler {
	return handler{notify: true, decode: func(_ *Server, doc []byte) (task, error) {
		params, err := decodeStandard[P](doc)
		return task{run: func(ctx context.Context) (any, error) {
			run(ctx, params)
			return nil, nil
		}}, err
	}}
}
