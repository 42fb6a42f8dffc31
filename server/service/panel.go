package service

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/server/panel"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// reader is who looks at the panel. A session that is named and not known, or was
// deleted, has nothing to show: it is as if none was named.
func (v *View) reader() panel.Reader {
	reader := panel.Reader{Workspace: v.Workspace, Session: v.own, Worktree: v.worktree()}
	if v.named && v.Known(v.who.Session) == nil {
		reader.Session, reader.Named = v.who.Session, true
	}
	return reader
}

// Panel gives what an editor paints.
func (s *Service) Panel(_ context.Context, at *View, params *wire.PanelParams) (wire.PanelResult, error) {
	known := panel.SectionIDs(at.Workspace)
	for _, id := range params.Sections {
		if !slices.Contains(known, id) {
			return wire.PanelResult{}, fault.Invalid("sections", "must hold sections of %s, got %q",
				strings.Join(known, ", "), id)
		}
	}
	seq := s.notifier.current()
	if params.IfSeq != nil && *params.IfSeq == seq {
		return wire.PanelResult{Seq: seq, Unchanged: true}, nil
	}
	reader := at.reader()
	question := fmt.Sprintf("panel %s %s %s %t %q", at.Key(), at.worktree(), reader.Session, reader.Named, params.Sections)
	return s.panels.get(question, seq, func() wire.PanelResult {
		built := panel.Build(reader, params.Sections)
		if p := memory.RoomOf[*pressure.Room](at.Workspace).Of(panel.Agent(reader)); p.Limit > 0 {
			pressure := wirePressure(p, at.Settings())
			built.Pressure = &pressure
		}
		return wire.PanelResult{Seq: seq, Panel: &built}
	}), nil
}

// PanelResolve does wm/panel/resolve.
func (s *Service) PanelResolve(_ context.Context, at *View, params *wire.PanelResolveParams) (wire.PanelResolveResult, error) {
	markdown, there := panel.Markdown(at.reader(), params.ID)
	if !there {
		return wire.PanelResolveResult{}, fault.Missing(params.ID, "there is nothing with the id %q any more", params.ID)
	}
	return wire.PanelResolveResult{Markdown: markdown}, nil
}
