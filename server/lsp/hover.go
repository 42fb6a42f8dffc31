package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// hover shows what the memory has on exactly the place of the cursor.
func (s *Server) hover() handler {
	return handler{decode: func(_ *Server, doc []byte) (task, error) {
		var params struct {
			TextDocument struct {
				URI string `json:"uri"`
			} `json:"textDocument"`
			Position protocol.Position `json:"position"`
		}
		if err := json.Unmarshal(doc, &params); err != nil {
			return task{}, paramsError(err)
		}
		open := s.documents.at(params.TextDocument.URI, params.Position)
		if open == nil {
			return task{run: func(context.Context) (any, error) { return nil, nil }}, nil
		}
		return ordered(func(ctx context.Context) func() (any, error) {
			return s.service.Order(ctx, wire.Reads, open.at, func(context.Context) (any, error) { return s.hoverAt(open), nil })
		}), nil
	}}
}

// A spot is a place in an open document.
type spot struct {
	at         *service.View
	path       string
	line       int    // from 1
	identifier string // "" where there is none
}

// at returns the spot of a position; nil where there is no such document or place.
func (d *documents) at(name string, position protocol.Position) *spot {
	d.mu.Lock()
	defer d.mu.Unlock()
	open := d.named(name)
	if open == nil || !open.tracked {
		return nil
	}
	from, err := offset(open.text, position)
	if err != nil {
		return nil
	}
	return &spot{open.at, open.path, int(position.Line) + 1, service.IdentifierAt(open.text, from)}
}

// hoverAt returns LSP's Hover, nil if there is nothing to show.
func (s *Server) hoverAt(place *spot) any {
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
