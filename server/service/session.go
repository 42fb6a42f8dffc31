package service

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/server/panel"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// SessionStart does wm/session/start.
func (s *Service) SessionStart(ctx context.Context, at *View, params *wire.SessionStartParams) (wire.SessionStartResult, error) {
	if err := sessionNamed(at, params.SessionID); err != nil {
		return wire.SessionStartResult{}, err
	}
	known, there := at.Sessions().Get(at.who.Session)
	ev := at.event(event.SessionStarted{Title: params.Title, Explicit: true})
	ev.Attached = at.attach // whoever starts a session owns it
	if params.Agent != "" {
		ev.Agent = params.Agent
	}
	if _, err := at.Observe(ctx, ev); err != nil {
		return wire.SessionStartResult{}, err
	}
	if params.History && !at.Paused() {
		if err := memory.ServiceOf[*history.Service](at.Workspace).Keep(ctx, ev); err != nil {
			return wire.SessionStartResult{}, err
		}
	}
	return wire.SessionStartResult{
		SessionID: params.SessionID, Key: store.SessionKey(at.who.Session), Created: !there || known.Deleted,
	}, nil
}

// SessionEnd does wm/session/end.
func (s *Service) SessionEnd(ctx context.Context, at *View, params *wire.SessionEndParams) (wire.Empty, error) {
	if err := sessionNamed(at, params.SessionID); err != nil {
		return wire.Empty{}, err
	}
	return wire.Empty{}, at.EndSession(ctx, at.event(nil))
}

// SessionDelete does wm/session/delete.
func (s *Service) SessionDelete(ctx context.Context, at *View, params *wire.SessionDeleteParams) (wire.SessionDeleteResult, error) {
	if err := sessionNamed(at, params.SessionID); err != nil {
		return wire.SessionDeleteResult{}, err
	}
	removed, err := at.DeleteSession(ctx, at.event(nil))
	return wire.SessionDeleteResult{Removed: removed}, err
}

// SessionList does wm/session/list.
func (s *Service) SessionList(_ context.Context, at *View, _ *wire.SessionListParams) (wire.SessionListResult, error) {
	result := wire.SessionListResult{Sessions: []wire.Session{}, Shown: panel.Agent(at.reader())}
	for _, known := range at.Sessions().List() {
		if !known.Deleted {
			result.Sessions = append(result.Sessions, session(known))
		}
	}
	return result, nil
}

func session(s sessions.Session) wire.Session {
	return wire.Session{
		SessionID: s.ID, Agent: s.Agent, Title: s.Title, Live: s.Live(),
		StartedAt: wire.At(s.StartedAt), UpdatedAt: wire.At(s.UpdatedAt), LeaseUntil: wire.At(s.LeaseUntil),
		Turn: s.Turn,
	}
}

// sessionNamed demands a session id, and a workspace to keep it in.
func sessionNamed(at *View, id string) error {
	if id == "" {
		return fault.Invalid("sessionId", "is missing; name the session")
	}
	return at.NoWorkspace()
}
