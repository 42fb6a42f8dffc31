package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/service"
)

// A handler does one method. decode runs on the read loop and does nothing
// else; what it returns runs where the method says.
type handler struct {
	decode func(s *Server, params []byte) (task, error)
	// notify is true for methods that may be sent as a notification.
	notify bool
	// decodeNotice decodes the notification where it is done in another way
	// than the request.
	decodeNotice func(s *Server, params []byte) (task, error)
}

// A task is a decoded message. It has one of run and start, or none if the
// message is to be ignored.
type task struct {
	// run is on the read loop: what the next message depends on.
	run func(ctx context.Context) (any, error)
	// start gives a call its place in the order of a workspace. It returns a function
	// that waits for the result.
	start func(ctx context.Context) (wait func() (any, error))
}

// handler is what the connection calls for every message, on its read loop and
// in wire order. It never returns the error of a notification, because that
// would end the connection, and it lets no panic through for the same reason.
func (s *Server) handler(methods map[string]handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (result any, err error) {
		method, call, began := strings.Clone(req.Method()), req.IsCall(), time.Now()
		defer func() {
			if caught := recover(); caught != nil {
				s.log.Error("a handler panicked", "method", method, "panic", caught, "stack", string(debug.Stack()))
				result, err = nil, jsonrpc2.Errorf(jsonrpc2.InternalError, "%s failed inside the server; nothing was changed, see its log", method)
			}
			s.traced(method, began)
			if !call {
				if err != nil {
					s.log.Warn("a notification was not followed", "method", method, "error", err)
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

// prepare finds and decodes what a message asks for.
func (s *Server) prepare(methods map[string]handler, method string, call bool, params []byte) (task, error) {
	if method == protocol.MethodCancelRequest {
		return task{run: func(context.Context) (any, error) { return nil, s.cancels.cancel(params) }}, nil
	}
	if err := s.lifecycle.allow(method); err != nil {
		return task{}, err
	}
	h, known := methods[method]
	switch {
	case !known && call:
		return task{}, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "there is no method %q; initialize lists those of wm/ under experimental.workingMemory", method)
	case !known:
		if !strings.HasPrefix(method, "$/") {
			s.log.Debug("an unknown notification was ignored", "method", method)
		}
		return task{}, nil
	case !call && !h.notify:
		s.log.Warn("a request came as a notification and was ignored", "method", method)
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

// perform runs a task where it belongs. A call that does not run on the read
// loop lets the next message be read meanwhile.
func (s *Server) perform(ctx context.Context, req *jsonrpc2.Request, t task) (any, error) {
	if t.run != nil {
		return t.run(ctx)
	}
	requestCtx, done := s.cancels.begin(jsonrpc2.DetachContext(ctx), req.ID())
	defer done()
	s.inFlight <- struct{}{}
	defer func() { <-s.inFlight }()
	wait := t.start(requestCtx)
	jsonrpc2.Async(ctx)
	return wait()
}

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

// operation registers an operation of the service. One that tells what happened may
// be a notification too.
func operation(op service.Operation) handler {
	h := handler{notify: op.Event, decode: func(s *Server, doc []byte) (task, error) {
		at, params, err := s.decodeParams(op, doc)
		if err != nil {
			return task{}, err
		}
		return ordered(func(ctx context.Context) func() (any, error) { return s.service.Start(ctx, op, at, params) }), nil
	}}
	if op.Event {
		h.decodeNotice = func(s *Server, doc []byte) (task, error) {
			at, params, err := s.decodeParams(op, doc)
			return task{run: func(ctx context.Context) (any, error) {
				s.service.Post(jsonrpc2.DetachContext(ctx), op, at, params)
				return nil, nil
			}}, err
		}
	}
	return h
}

// decodeParams reads the params of an operation and finds the workspace that they
// mean.
func (s *Server) decodeParams(op service.Operation, doc []byte) (*service.View, service.Params, error) {
	params := op.NewParams()
	if err := json.Unmarshal(doc, params); err != nil {
		return nil, nil, paramsError(err)
	}
	if err := missing(params, doc); err != nil {
		return nil, nil, err
	}
	at, err := s.service.View(params)
	return at, params, err
}

// ordered is the task of what is started in the order of a workspace. Its result is
// encoded.
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

// missing is an error if a member that the protocol demands is absent. Only
// members that are empty after decoding are looked for.
func missing(params any, doc []byte) error {
	value := reflect.ValueOf(params).Elem()
	var members map[string]json.RawMessage
	for i := range value.NumField() {
		field := value.Type().Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || options != "" || !value.Field(i).IsZero() {
			continue
		}
		if members == nil {
			if err := json.Unmarshal(doc, &members); err != nil {
				return paramsError(err)
			}
		}
		if _, there := members[name]; !there {
			return fault.Invalid(name, "is missing; must be %s", typeName(field.Type))
		}
	}
	return nil
}

// standard registers a method of LSP that runs on the read loop.
func standard[P any](run func(ctx context.Context, params *P) (any, error)) handler {
	return handler{decode: func(_ *Server, doc []byte) (task, error) {
		params, err := decodeStandard[P](doc)
		return task{run: func(ctx context.Context) (any, error) { return encodedStandard(run(ctx, params)) }}, err
	}}
}

// notice registers a notification of LSP.
func notice[P any](run func(ctx context.Context, params *P)) handler {
	return handler{notify: true, decode: func(_ *Server, doc []byte) (task, error) {
		params, err := decodeStandard[P](doc)
		return task{run: func(ctx context.Context) (any, error) {
			run(ctx, params)
			return nil, nil
		}}, err
	}}
}

// decodeStandard decodes types of the protocol package with its own decoder,
// which knows LSP's unions, and ours with the usual one.
func decodeStandard[P any](doc []byte) (*P, error) {
	params := new(P)
	decode := json.Unmarshal
	if strings.HasSuffix(reflect.TypeFor[P]().PkgPath(), "go.lsp.dev/protocol") {
		decode = protocol.Unmarshal
	}
	if err := decode(doc, params); err != nil {
		return nil, paramsError(err)
	}
	return params, nil
}

func encodedStandard(result any, err error) (any, error) {
	if err != nil || result == nil {
		return nil, err
	}
	doc, err := protocol.Marshal(result)
	return jsonrpc2.RawMessage(doc), err
}

// encoded encodes a result of ours.
func encoded(result any) (any, error) {
	var doc strings.Builder
	encoder := json.NewEncoder(&doc)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(result); err != nil {
		return nil, err
	}
	return jsonrpc2.RawMessage(strings.TrimSuffix(doc.String(), "\n")), nil
}

// paramsError is -32602 with the member that is wrong.
func paramsError(err error) error {
	var typeError *json.UnmarshalTypeError
	if errors.As(err, &typeError) {
		return fault.Invalid(strings.TrimPrefix(typeError.Field, "Params."), "must be %s, got %s",
			typeName(typeError.Type), typeError.Value)
	}
	return fault.Invalid("", "the params cannot be read: %s", err)
}

func typeName(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "a number"
}
