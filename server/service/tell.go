package service

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/assembly"
	"github.com/wm-lsp/wm-lsp/memory/briefing"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// told returns what a session was told, nil if nothing is known.
func (s *Service) told(ctx context.Context, at *View, session string) *briefing.State {
	at.WritePending(ctx)
	s.Settle(ctx, at)
	state, err := memory.RoomOf[*briefing.Room](at.Workspace).Of(ctx, session)
	if err != nil {
		s.log.Warn("a session is told anew what it was told", "error", err)
	}
	return state
}

// tell returns what the session of a view is told that was told something before, and records it.
func (s *Service) tell(
	ctx context.Context, at *View, params *wire.ContextParams, request assembly.Request, former *briefing.State,
) (wire.ContextResult, error) {
	tell := params.Tell
	if tell != wire.TellWhole && tell != wire.TellNews {
		return wire.ContextResult{}, fault.Invalid("tell", "must be whole or news, got %q", tell)
	}
	records := at.Healthy() && !at.Paused()
	c := s.contexts.Compose(at.Workspace, request)
	if tell == wire.TellNews && !records { // the same would be told with every prompt
		return at.contextResult(params, c, assembly.Answer{Unchanged: true, Revision: c.Answer("").Revision}), nil
	}
	answer, report := c.Tell(former, tell == wire.TellWhole)
	at.traceContext(readOf(answer))
	if report == nil || !records {
		return at.contextResult(params, c, answer), nil
	}
	recorded := s.Order(ctx, wire.Mutates, at, func(ctx context.Context) (any, error) {
		return nil, memory.ServiceOf[*briefing.Service](at.Workspace).Record(ctx, at.event(nil), *report)
	})
	if _, err := recorded(); err != nil {
		return wire.ContextResult{}, err
	}
	return at.contextResult(params, c, answer), nil
}

// First reports whether the session of a view sends an event with an id for the first time, and
// none with one of the others before, and remembers the id. If about is not "", the ids begin with it, and
// only the latest one that does counts. A host may run a hook several times for one event, at the same time.
func (s *Service) First(ctx context.Context, at *View, about, id string, others ...string) (bool, error) {
	first, err := s.Order(ctx, wire.Mutates, at, func(ctx context.Context) (any, error) {
		ev := at.event(nil)
		ev.ID = id
		return memory.ServiceOf[*sessions.Service](at.Workspace).First(ctx, ev, about, others...)
	})()
	if err != nil {
		return false, err
	}
	return first == true, nil
}
