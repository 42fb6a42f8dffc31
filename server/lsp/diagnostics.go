package lsp

import (
	"context"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// diagnostics returns the handler of wm/diagnostics/changed, whose notification has another effect than its request.
// Both are handled on the read loop first, where the order of keystrokes is known.
func (s *Server) diagnostics(op service.Operation) handler {
	h := operation(op)
	h.decode = func(s *Server, doc []byte) (task, error) {
		at, decoded, err := s.decodeParams(op, doc)
		if err != nil {
			return task{}, err
		}
		params := decoded.(*wire.DiagnosticsChangedParams)
		if open := s.documents.file(params.URI); open != nil {
			open.Superseded()
		}
		return s.started(op, at, params), nil
	}
	h.decodeNotice = func(s *Server, doc []byte) (task, error) {
		at, decoded, err := s.decodeParams(op, doc)
		if err != nil {
			return task{}, err
		}
		params := decoded.(*wire.DiagnosticsChangedParams)
		return task{run: func(context.Context) (any, error) {
			return nil, s.service.DiagnosticsNotified(at, params, s.documents.file(params.URI))
		}}, nil
	}
	return h
}

// file returns the file of an open document, or nil.
func (d *documents) file(name string) *service.OpenFile {
	if open, _ := d.find(name); open != nil {
		return open.file
	}
	return nil
}
