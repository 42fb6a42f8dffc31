package service

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/assembly"
	"github.com/wm-lsp/wm-lsp/memory/briefing"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Wrote records that an agent knows what a call of its own has written, so that its hooks do not tell it
// as news. agent is the name that they report if the host does not tell its session, otherwise "". A
// session that was told nothing yet is left as it is.
func (s *Service) Wrote(ctx context.Context, at *View, agent string, params Params, result any) {
	is := writtenBy(params, result)
	if is == nil || !at.Healthy() || at.Paused() {
		return
	}
	for _, session := range s.toldSessions(at, agent) {
		told := s.told(ctx, at, session)
		if told == nil {
			continue
		}
		of := *at
		of.who = change.Actor{Session: session}
		report := s.contexts.Compose(at.Workspace, assembly.Request{Reader: of.contextReader()}).Written(told, is)
		if report == nil {
			continue
		}
		_, err := s.Order(ctx, wire.Mutates, &of, func(ctx context.Context) (any, error) {
			return nil, memory.ServiceOf[*briefing.Service](at.Workspace).Record(ctx, of.event(nil), *report)
		})()
		if err != nil {
			s.log.Warn("an agent will be told what it wrote itself", "error", err)
		}
	}
}

// writtenBy returns which items of a context a call has written, nil if it has written none.
func writtenBy(params Params, result any) func(section, id string) bool {
	item := func(section, id string) func(string, string) bool {
		return func(s, i string) bool { return s == section && i == id }
	}
	entry := func(id string) func(string, string) bool {
		return func(s, i string) bool {
			return (s == longterm.ContextSection || s == assembly.RecalledSection) && i == id
		}
	}
	switch result := result.(type) {
	case wire.Receipt:
		return entry(result.ID)
	case wire.MemoryRemoveResult:
		return entry(result.Entry.ID)
	}
	switch params := params.(type) {
	case *wire.CoreUpdateParams:
		return item(core.ContextSection, string(params.Block))
	case *wire.NotesWriteParams:
		return inOverview(params.Path)
	case *wire.NotesArchiveParams:
		return inOverview(params.Path)
	}
	return nil
}

// inOverview returns the items that a call to a note has written: those of the overview, which is
// written whole, or the index of the others.
func inOverview(path string) func(section, id string) bool {
	return func(section, id string) bool {
		return section == notes.ContextSection && (path == notes.Overview || notes.IsIndex(id))
	}
}
