package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// hover handles textDocument/hover.
func (s *Server) hover() handler {
	return handler{decode: func(_ *Server, doc []byte) (task, error) {
		var params struct {
			TextDocument struct {
				URI string `json:"uri"`
			} `json:"textDocument"`
			Position protocol.Position `json:"position"`
		}
		if err := json.Unmarshal(doc, &params); err != nil {
			return task{}, service.InvalidJSON(err)
		}
		place := s.documents.at(params.TextDocument.URI, params.Position)
		if place == nil {
			return task{run: func(context.Context) (any, error) { return nil, nil }}, nil
		}
		return ordered(func(ctx context.Context) func() (any, error) {
			return s.service.Order(ctx, wire.Reads, place.at,
				func(context.Context) (any, error) { return s.hoverAt(place), nil })
		}), nil
	}}
}

// A location is a place in an open document.
type location struct {
	at         *service.View
	path       string
	line       int    // from 1
	identifier string // "" if there is none
}

// at returns the location of a position, or nil if there is no such document or position.
func (d *documents) at(name string, position protocol.Position) *location {
	open, tracked := d.find(name)
	if !tracked {
		return nil
	}
	here := &location{at: open.at, path: open.path, line: int(position.Line) + 1}
	if text, known := d.known(open); known {
		from, err := offset(text, position)
		if err != nil {
			return nil
		}
		here.identifier = service.IdentifierAt(text, from)
	}
	return here
}

// hoverAt returns the Hover of LSP, or nil if there is nothing to show.
func (s *Server) hoverAt(place *location) any {
	text := s.service.Hover(place.at, place.path, place.line, place.identifier, s.client.markdown)
	if text == "" {
		return nil
	}
	kind := protocol.MarkupKindPlainText
	if s.client.markdown {
		kind = protocol.MarkupKindMarkdown
	}
	return map[string]any{"contents": map[string]string{"kind": string(kind), "value": text}}
}
