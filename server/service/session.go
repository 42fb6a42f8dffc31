package service

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/google/uuid"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// SessionStart implements wm/session/start.
func (s *Service) SessionStart(
	ctx context.Context, at *View, params *wire.SessionStartParams,
) (wire.SessionStartResult, error) {
	if err := requireSession(at, params.SessionID); err != nil {
		return wire.SessionStartResult{}, err
	}
	if err := checkID("agent", params.Agent); err != nil {
		return wire.SessionStartResult{}, err
	}
	known, ok := at.Sessions().Get(at.who.Session)
	ev := at.event(event.SessionStarted{Title: params.Title, Explicit: true})
	ev.Attached = at.attach // the process that starts a session owns it
	if params.Agent != "" {
		ev.Agent = params.Agent
	}
	if _, err := at.Observe(ctx, ev); err != nil {
		return wire.SessionStartResult{}, err
	}
	if params.History && !at.Paused() {
		if err := at.history().Keep(ctx, ev); err != nil {
			return wire.SessionStartResult{}, err
		}
	}
	return wire.SessionStartResult{
		SessionID: params.SessionID, Key: store.SessionKey(at.who.Session), Created: !ok || known.Deleted,
	}, nil
}

// SessionEnd implements wm/session/end.
func (s *Service) SessionEnd(
	ctx context.Context, at *View, params *wire.SessionEndParams,
) (wire.SessionEndResult, error) {
	result := wire.SessionEndResult{Offered: []wire.MemoryEntry{}}
	if err := requireSession(at, params.SessionID); err != nil {
		return result, err
	}
	if err := at.EndSession(ctx, at.event(nil)); err != nil {
		return result, err
	}
	result.Offered = memoryEntries(at.longterm().Offers(at.who.Session))
	return result, nil
}

// SessionDelete implements wm/session/delete.
func (s *Service) SessionDelete(
	ctx context.Context, at *View, params *wire.SessionDeleteParams,
) (wire.SessionDeleteResult, error) {
	if err := requireSession(at, params.SessionID); err != nil {
		return wire.SessionDeleteResult{}, err
	}
	removed, err := at.DeleteSession(ctx, at.written())
	return wire.SessionDeleteResult{Removed: removed}, err
}

// SessionList implements wm/session/list.
func (s *Service) SessionList(_ context.Context, at *View, _ *wire.SessionListParams) (wire.SessionListResult, error) {
	result := wire.SessionListResult{Sessions: []wire.Session{}, Shown: at.panelReader().active()}
	for _, known := range at.Sessions().List() {
		if !known.Deleted {
			result.Sessions = append(result.Sessions, wireSession(known))
		}
	}
	return result, nil
}

func wireSession(s sessions.Session) wire.Session {
	return wire.Session{
		SessionID: s.ID, Agent: s.Agent, Title: s.Title, Editor: s.Editor, Live: s.Live(),
		StartedAt: wire.At(s.StartedAt), UpdatedAt: wire.At(s.UpdatedAt), LeaseUntil: wire.At(s.LeaseUntil),
		Turn: s.Turn,
	}
}

// requireSession returns an error if there is no session id, or no workspace to store it.
func requireSession(at *View, id string) error {
	if id == "" {
		return fault.Invalid("sessionId", "is missing; must be the id of a session")
	}
	return at.NoWorkspace()
}

// NamedSession returns a refusal with the reason NotFound if the request names a session that is not known.
func (v *View) NamedSession() error {
	if !v.named {
		return nil
	}
	return v.Sessions().Known(v.who.Session)
}

// clientSessionID returns the session id of a client that sends none: a hash of values
// that stay the same when an editor restarts its server, and that differ between editor
// processes. It is random if the process is not known.
func clientSessionID(folder string, c Client) string {
	if c.Process == "" {
		return uuid.NewString()
	}
	sum := sha256.Sum256([]byte(folder + "\x00" + c.Name + "\x00" + c.Process))
	return hex.EncodeToString(sum[:16])
}

// maxID is the maximum length of the id of a session, of an agent and of a task that is kept, in bytes.
const maxID = 1000

// checkID returns an error if the id of an agent or a task, which is a parameter, is too long to be kept.
func checkID(field, id string) error {
	if len(id) > maxID {
		return fault.Invalid(field, "must have at most %d bytes, got %d", maxID, len(id))
	}
	return nil
}

// storedSessionID returns the id under which a session is stored: its own, or its key if the id is long or contains a
// secret.
func storedSessionID(id string) string {
	if len(id) <= maxID && gate.Text(id) == id {
		return id
	}
	return store.SessionKey(id)
}
