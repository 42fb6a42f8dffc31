package memory

import (
	"context"
	"errors"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// Observe passes an event to the rooms, writes the changes that they return, and returns
// them. Hot changes are folded at once and written soon. If there are other changes, all are
// on the disk when Observe returns. No room sees a secret: the event is redacted first. It is
// called on the queue.
func (w *Workspace) Observe(ctx context.Context, ev event.Event) ([]change.Change, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if w.ignores(ev) {
		return nil, nil
	}
	ev = w.events.Redact(ev)
	if start, ok := ev.Body.(event.SessionStarted); ok {
		return w.begin(ctx, ev, start)
	}
	if err := w.ensureSession(ctx, ev); err != nil {
		return nil, err
	}
	switch body := ev.Body.(type) {
	case event.ToolRan:
		ev.Body = body.Prepared(ev.Worktree, w.Settings().Errors)
	case event.MessageReceived:
		ev.Body = body.Prepared(RoomOf[*hot.Room](w).Before(ev.Session))
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// What is recorded is in a file, so the event cannot be cancelled from here on.
	ctx = context.WithoutCancel(ctx)
	if err := w.record(ctx, ev); err != nil {
		return nil, err
	}
	return w.observe(ctx, ev)
}

func (w *Workspace) observe(ctx context.Context, ev event.Event) ([]change.Change, error) {
	who := change.Actor{Session: ev.Session, Agent: ev.Agent, At: ev.At}
	if ev.At.IsZero() {
		ev.At = w.now()
	}
	if _, ok := ev.Body.(event.SessionEnded); ok {
		return w.decide(ctx, who, store.Durable, func() ([]change.Change, error) { return w.observeLifecycle(ev) })
	}
	results, version := w.observeRooms(ev), w.version.Load()
	changes, err := joined(results)
	if err != nil {
		w.log.Error("pass an event to the rooms", "error", err)
	}
	if len(changes) == 0 {
		return nil, err
	}
	if !slices.ContainsFunc(results, observed.durable) {
		return w.applyHot(ctx, who, changes)
	}
	// Durable changes are decided on the newest state of all processes. If the state has
	// changed, the rooms with durable changes observe the event again.
	return w.Apply(ctx, who, func() ([]change.Change, error) {
		if now := w.version.Load(); now != version {
			version = now
			for i, r := range w.rooms.Load().list {
				if results[i].durable() || results[i].err != nil {
					results[i] = w.observeRoom(r, ev)
				}
			}
		}
		return joined(results)
	})
}

// ignores reports whether an event is ignored: the workspace is disabled, recording is
// paused, the session was deleted, or the event was seen before.
func (w *Workspace) ignores(ev event.Event) bool {
	if w.NoWorkspace() != nil {
		return true
	}
	known := w.rooms.Load().sessions
	switch body := ev.Body.(type) {
	case event.SessionEnded, event.SessionDeleted:
		return false
	case event.SessionStarted:
		return w.Paused() || known.Deleted(ev.Session) && !body.Explicit
	}
	return w.Paused() || known.Deleted(ev.Session) || ev.ID != "" && known.Seen(ev.Session, ev.ID)
}

// Paused reports whether recording is paused.
func (w *Workspace) Paused() bool { return w.now().Before(w.Sessions().PausedUntil()) }

// ApplyIn is Apply for changes of the session of an event, which it starts if necessary. The
// error is a refusal if the session was deleted.
func (w *Workspace) ApplyIn(
	ctx context.Context, ev event.Event, decide func() ([]change.Change, error),
) ([]change.Change, error) {
	if err := w.NotDeleted(ev.Session); err != nil {
		return nil, err
	}
	if err := w.ensureSession(ctx, ev); err != nil {
		return nil, err
	}
	return w.Apply(ctx, change.Actor{Session: ev.Session, Agent: ev.Agent, At: ev.At}, func() ([]change.Change, error) {
		if err := w.NotDeleted(ev.Session); err != nil { // another process may have deleted it
			return nil, err
		}
		return decide()
	})
}

// EndSession ends a session at the request of a client.
func (w *Workspace) EndSession(ctx context.Context, ev event.Event) error {
	ev.Body = event.SessionEnded{}
	if _, err := w.Observe(ctx, ev); err != nil {
		return err
	}
	w.release(ev.Session)
	w.removeUnused(ctx, ev.Session)
	return nil
}

// Known returns a refusal with the reason NotFound if a session is not known.
func (w *Workspace) Known(session string) error {
	if _, known := w.Sessions().Get(session); !known {
		return fault.Missing(session,
			"no session %s is known here; check the id, or begin it with wm/session/start", session)
	}
	return w.NotDeleted(session)
}

// NotDeleted returns a refusal with the reason NotFound if a session was deleted.
func (w *Workspace) NotDeleted(session string) error {
	if w.Sessions().Deleted(session) {
		return fault.Missing(session,
			"the session %s was deleted, nothing more is kept of it; begin it anew with wm/session/start", session)
	}
	return nil
}

// DeleteSession deletes a session and returns what was removed: the session, and the paths
// of files relative to the workspace's folder. An unknown session may still have files.
func (w *Workspace) DeleteSession(ctx context.Context, ev event.Event) ([]string, error) {
	ev.Body = event.SessionDeleted{}
	removed := []string{}
	if known, there := w.Sessions().Get(ev.Session); there && !known.Deleted {
		removed = append(removed, "session "+ev.Session)
	}
	if _, err := w.Observe(ctx, ev); err != nil {
		return nil, err
	}
	w.release(ev.Session)
	s, err := w.store.opened()
	if err != nil {
		return nil, err
	}
	files, err := s.RemoveSession(ev.Session)
	return append(removed, files...), err
}

// shutDown ends the sessions that only this process owns, writes everything and closes the
// store.
func (w *Workspace) shutDown(ctx context.Context) {
	s := w.store.Load()
	w.releaseSessions(ctx)
	w.flush(ctx)
	if s == nil {
		return
	}
	each(w.rooms, func(f room.Flusher) { f.Flush(ctx) })
	w.store.Store(nil)
	if err := s.Close(); err != nil && !errors.Is(err, store.ErrReplaced) {
		w.log.Warn("close the store", "error", err)
	}
}
