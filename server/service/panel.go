package service

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// panelReader returns the reader of the panel. A named session that is unknown or
// deleted is ignored.
func (v *View) panelReader() panelReader {
	reader := panelReader{
		workspace: v.Workspace, session: v.own, own: v.own, client: v.client, worktree: v.worktree(),
		problems: v.allProblems(), within: v.Settings().Session.Handover(),
	}
	if v.named && v.Sessions().Known(v.who.Session) == nil {
		reader.session, reader.named = v.who.Session, true
	}
	return reader
}

// Panel implements wm/panel.
func (s *Service) Panel(_ context.Context, at *View, params *wire.PanelParams) (wire.PanelResult, error) {
	reader := at.panelReader()
	reader.found = s.offers(at)
	known := reader.sectionIDs()
	for _, id := range params.Sections {
		if !slices.Contains(known, id) && id != importSection {
			return wire.PanelResult{}, fault.Invalid("sections", "must contain only %s, got %q",
				strings.Join(known, ", "), id)
		}
	}
	seq := s.notifier.current()
	if params.IfSeq != nil && *params.IfSeq == seq {
		return wire.PanelResult{Seq: seq, Unchanged: true}, nil
	}
	key := fmt.Sprintf("panel %s %s %s %t %q %d", at.Key(), at.worktree(), reader.session, reader.named,
		params.Sections, at.SettingsGeneration())
	return s.panels.get(key, seq, func() wire.PanelResult {
		built := reader.build(params.Sections)
		built.PausedUntil = at.pausedUntil()
		if p := memory.RoomOf[*pressure.Room](at.Workspace).Of(reader.active()); p.Limit > 0 {
			pressure := wirePressure(p, at.Settings())
			built.Pressure = &pressure
		}
		return wire.PanelResult{Seq: seq, Panel: &built}
	}), nil
}

// PanelText returns the panel as Markdown.
func (s *Service) PanelText(at *View) string {
	var text strings.Builder
	reader := at.panelReader()
	reader.found = s.offers(at)
	if until := at.pausedUntil(); until != "" {
		text.WriteString(PauseMessage(wire.PauseResult{PausedUntil: until}) + "\n\n")
	}
	for _, section := range reader.build(nil).Sections {
		if section.Show == panel.ShowNonEmpty && len(section.Items) == 0 {
			continue
		}
		fmt.Fprintf(&text, "# %s  %s\n\n", section.Title, section.Summary)
		if len(section.Items) == 0 {
			fmt.Fprintf(&text, "%s\n", section.Empty)
		}
		for _, item := range section.Items {
			fmt.Fprintf(&text, "- %s  (%s)\n", item.Label, item.Beside())
		}
		text.WriteString("\n")
	}
	return text.String()
}
