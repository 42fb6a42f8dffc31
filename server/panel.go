package server

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/server/panel"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (v *view) reader() panel.Reader {
	return panel.Reader{Workspace: v.Workspace, Session: v.who.Session, Worktree: v.worktree()}
}

// readerOf is the reader of params, which may name another session than the client's.
func (v *view) readerOf(params wire.Params) panel.Reader {
	reader := v.reader()
	reader.Named = params.SessionID != ""
	return reader
}

// panelFor gives what an editor paints.
func (s *Server) panelFor(_ context.Context, at *view, params *wire.PanelParams) (any, error) {
	for _, id := range params.Sections {
		if !slices.Contains(panel.SectionIDs(), id) {
			return nil, badParam("sections", "%q is no section; there are %s", id, strings.Join(panel.SectionIDs(), ", "))
		}
	}
	seq := s.notifier.current()
	if params.IfSeq != nil && *params.IfSeq == seq {
		return wire.PanelResult{Seq: seq, Unchanged: true}, nil
	}
	reader := at.readerOf(params.Params)
	question := fmt.Sprintf("panel %s %s %s %t %q", at.Key(), at.worktree(), at.who.Session, reader.Named, params.Sections)
	return s.renders.get(question, seq, func() (any, error) {
		built := panel.Build(reader, params.Sections)
		if p := at.Pressure().Of(panel.Agent(reader)); p.Limit > 0 {
			pressure := wirePressure(p, at.Settings())
			built.Pressure = &pressure
		}
		return wire.PanelResult{Seq: seq, Panel: &built}, nil
	})
}

func (s *Server) panelResolve(_ context.Context, at *view, params *wire.PanelResolveParams) (wire.PanelResolveResult, error) {
	markdown, there := panel.Markdown(at.readerOf(params.Params), params.ID)
	if !there {
		return wire.PanelResolveResult{}, notFound(params.ID)
	}
	return wire.PanelResolveResult{Markdown: markdown}, nil
}
