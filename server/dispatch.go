package server

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
	"github.com/wm-lsp/wm-lsp/server/wire"
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

// A task is a decoded message.
type task struct {
	when when
	at   *view // the workspace, for changing and reading
	run  func(ctx context.Context) (any, error)
}

// when says in which order a task runs.
type when int

const (
	// now is on the read loop: what the next message depends on.
	now when = iota
	// changing is on the queue of the workspace, in the order of arrival.
	changing
	// reading is concurrent, after everything that arrived before is done.
	reading
)

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
		if t.run == nil {
			return nil, nil
		}
		result, err = s.perform(ctx, req, t)
		return result, wireError(err)
	}
}

// prepare finds and decodes what a message asks for. A task without run is to
// be ignored.
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
	if t.when == now {
		return t.run(ctx)
	}
	background := jsonrpc2.DetachContext(ctx)
	if !req.IsCall() {
		t.at.Do(func() {
			if _, err := t.run(background); err != nil {
				s.log.Warn("an event was not recorded", "error", err)
			}
		})
		return nil, nil
	}
	id := req.ID()
	requestCtx, done := s.cancels.begin(background, id)
	defer done()
	s.inFlight <- struct{}{}
	defer func() { <-s.inFlight }()
	if t.when == reading {
		settled := t.at.Settled()
		jsonrpc2.Async(ctx)
		if settled != nil {
			select {
			case <-settled:
			case <-requestCtx.Done():
				return nil, requestCtx.Err()
			}
		}
		return t.run(requestCtx)
	}
	var result any
	var err error = errClosing
	finished := make(chan struct{})
	t.at.Do(func() {
		defer close(finished)
		err = errPanicked
		result, err = t.run(requestCtx)
	})
	jsonrpc2.Async(ctx)
	<-finished
	return result, err
}

var (
	errClosing  = jsonrpc2.NewError(wire.CodeRequestFailed, "the server is ending; nothing was changed")
	errPanicked = jsonrpc2.NewError(jsonrpc2.InternalError, "the request failed inside the server; nothing was changed, see its log")
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

// common is what all wm/* params are.
type common interface{ Common() *wire.Params }

// wmParams are the params P of a wm/* method, by pointer.
type wmParams[P any] interface {
	*P
	common
}

// mutation registers a method that changes something.
func mutation[P any, PP wmParams[P], R any](run func(ctx context.Context, at *view, params PP) (R, error)) handler {
	return handler{decode: decoder(changing, run)}
}

// happening registers a method that tells what happened: a call or a notification.
func happening[P any, PP wmParams[P], R any](run func(ctx context.Context, at *view, params PP) (R, error)) handler {
	return handler{decode: decoder(changing, run), notify: true}
}

// query registers a method that only reads.
func query[P any, PP wmParams[P], R any](run func(ctx context.Context, at *view, params PP) (R, error)) handler {
	return handler{decode: decoder(reading, run)}
}

// queryOfSession registers a method that reads what is kept of one session. Of one that
// was deleted that is nothing, and not an empty memory.
func queryOfSession[P any, PP wmParams[P], R any](run func(ctx context.Context, at *view, params PP) (R, error)) handler {
	return query(func(ctx context.Context, at *view, params PP) (result R, err error) {
		if err := at.NotDeleted(at.who.Session); err != nil {
			return result, err
		}
		return run(ctx, at, params)
	})
}

func decoder[P any, PP wmParams[P], R any](order when, run func(ctx context.Context, at *view, params PP) (R, error)) func(*Server, []byte) (task, error) {
	return func(s *Server, doc []byte) (task, error) {
		params := PP(new(P))
		if err := json.Unmarshal(doc, params); err != nil {
			return task{}, paramsError(err)
		}
		if err := missing(params, doc); err != nil {
			return task{}, err
		}
		at, err := s.folders.view(params.Common(), fileOf(params))
		if err != nil {
			return task{}, err
		}
		return task{when: order, at: at, run: func(ctx context.Context) (any, error) {
			result, err := run(ctx, at, params)
			if err != nil {
				return nil, err
			}
			return encoded(result)
		}}, nil
	}
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

// fileOf is the member uri of params that have one.
func fileOf(params any) string {
	if p, ok := params.(*wire.DiagnosticsChangedParams); ok {
		return p.URI
	}
	return ""
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

// encoded encodes a result of ours, unless it is already.
func encoded(result any) (any, error) {
	if doc, ok := result.(jsonrpc2.RawMessage); ok {
		return doc, nil
	}
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
