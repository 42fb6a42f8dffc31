package lsp

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// decodeParams decodes the params of an operation and returns them with their workspace.
func (s *Server) decodeParams(op service.Operation, doc []byte) (*service.View, service.Params, error) {
	params, unknown, err := op.Decode(doc)
	if err := s.checkUnknown(op.Name, unknown); err != nil {
		return nil, nil, err
	}
	if err != nil {
		return nil, nil, err
	}
	at, err := s.service.View(params)
	if err == nil {
		at.Ignores(unknown)
	}
	return at, params, err
}

// checkUnknown refuses members of params that a method does not know, if the client wants
// that. Otherwise they are ignored, and each is logged once.
func (s *Server) checkUnknown(method string, unknown []wire.UnknownMember) error {
	for _, member := range unknown {
		if s.service.Strict() {
			return fault.Invalid(member.Name, "is not a parameter of %s; the nearest is %s", method, member.Nearest)
		}
		if s.ignored.isNew(method + " " + member.Name) {
			s.log.Warn("an unknown parameter is ignored", "method", method, "parameter", member.Name,
				"nearest", member.Nearest)
		}
	}
	return nil
}

// maxIgnored is how many ignored parameters are logged.
const maxIgnored = 100

// ignored are the ignored parameters that were logged. It is safe for concurrent use.
type ignored struct {
	mu   sync.Mutex
	seen map[string]bool
}

// isNew reports whether a parameter has to be logged.
func (i *ignored) isNew(name string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.seen[name] || len(i.seen) >= maxIgnored {
		return false
	}
	if i.seen == nil {
		i.seen = map[string]bool{}
	}
	i.seen[name] = true
	return true
}

// decodeStandard decodes params of LSP. It uses the decoder of the protocol package for
// the types of that package, because it knows the unions of LSP.
func decodeStandard[P any](doc []byte) (*P, error) {
	params := new(P)
	decode := json.Unmarshal
	if strings.HasSuffix(reflect.TypeFor[P]().PkgPath(), "go.lsp.dev/protocol") {
		decode = protocol.Unmarshal
	}
	if err := decode(doc, params); err != nil {
		return nil, service.InvalidJSON(err)
	}
	return params, nil
}

// encoded encodes a type of package wire.
func encoded(result any) (any, error) {
	doc, err := wire.Encode(result)
	if err != nil {
		return nil, err
	}
	return jsonrpc2.RawMessage(doc), nil
}

// encodedStandard encodes a type of the protocol package.
func encodedStandard(result any, err error) (any, error) {
	if err != nil || result == nil {
		return nil, err
	}
	doc, err := protocol.Marshal(result)
	return jsonrpc2.RawMessage(doc), err
}
