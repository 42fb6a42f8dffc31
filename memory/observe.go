package memory

import (
	"context"
	"errors"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// Observe tells the rooms what happened and writes what they answer. It returns
// the changes that it caused. What only concerns the hot state is known at once
// and on the disk soon; anything else is on the disk when Observe returns. It
// is called on the queue.
func (w *Workspace) Observe(ctx context.Context, ev event.Event) ([]change.Change, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if w.ignores(ev) {
		return nil, nil
	}
	if start, ok := ev.Body.(event.SessionStarted); ok {
		return w.begin(ctx, ev, start)
	}
	if err := w.attend(ctx, ev); err != nil {
		return nil, err
	}
	if ran, ok := ev.Body.(event.ToolRan); ok {
		ev.Body = ran.Prepared(ev.Worktree, w.Settings().Errors)
	}
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
		return w.decide(ctx, who, func() ([]change.Change, error) { return w.told(ev) })
	}
	answers, version := w.ask(ev), w.version.Load()
	changes, err := joined(answers)
	if err != nil {
		w.options.Log.Error("ask the rooms", "workspace", w.key, "error", err)
	}
	if len(changes) == 0 {
		return nil, err
	}
	if !slices.ContainsFunc(answers, answer.durable) {
		return w.applyHot(ctx, who, changes)
	}
	// What is kept is decided on the newest state of all processes. If that is another
	// one than before, the rooms are asked again that keep something.
	return w.Apply(ctx, who, func() ([]change.Change, error) {
		if now := w.version.Load(); now != version {
			version = now
			for i, r := range w.rooms.Load().list {
				if answers[i].durable() || answers[i].err != nil {
					answers[i] = w.askRoom(r, ev)
				}
			}
		}
		return joined(answers)
	})
}

// ignores reports whether an event is not looked at: recording is paused, the
// session was deleted, or the event was told before.
func (w *Workspace) ignores(ev event.Event) bool {
	if w.nowhere != nil {
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

// Paused reports whether nothing is recorded now.
func (w *Workspace) Paused() bool { return w.now().Before(w.Sessions().PausedUntil()) }

// ApplyIn is Apply for what is kept of the session of an event, which it starts if
// need be. It is refused where the session was deleted.
func (w *Workspace) ApplyIn(
	ctx context.Context, ev event.Event, decide func() ([]change.Change, error),
) ([]change.Change, error) {
	if err := w.NotDeleted(ev.Session); err != nil {
		return nil, err
	}
	if err := w.attend(ctx, ev); err != nil {
		return nil, err
	}
	return w.Apply(ctx, change.Actor{Session: ev.Session, Agent: ev.Agent, At: ev.At}, func() ([]change.Change, error) {
		if err := w.NotDeleted(ev.Session); err != nil { // another process may just have done it
			return nil, err
		}
		return decide()
	})
}

// EndSession ends a session at the request of a client.
func (w *Workspace) EndSession(ctx context.Context, ev event.Event) error {
	ev.Body = event.SessionEnded{}
	_, err := w.Observe(ctx, ev)
	w.giveBack(ev.Session)
	w.removeUntouched(ctx, ev.Session)
	return err
}

// Known is a refusal with the reason NotFound if there is no such session.
func (w *Workspace) Known(session string) error {
	if _, known := w.Sessions().Get(session); !known {
		return fault.Missing(session,
			"no session %s is known here; check the id, or begin it with wm/session/start", session)
	}
	return w.NotDeleted(session)
}

// NotDeleted is a refusal with the reason NotFound if a session was deleted.
func (w *Workspace) NotDeleted(session string) error {
	if w.Sessions().Deleted(session) {
		return fault.Missing(session,
			"the session %s was deleted, nothing more is kept of it; begin it anew with wm/session/start", session)
	}
	return nil
}

// DeleteSession forgets everything of a session and returns the paths, relative
// to the workspace's folder, and the rows that were removed. Of a session that is
// not known there may still be files.
func (w *Workspace) DeleteSession(ctx context.Context, ev event.Event) ([]string, error) {
	ev.Body = event.SessionDeleted{}
	removed := []string{}
	if known, there := w.Sessions().Get(ev.Session); there && !known.Deleted {
		removed = append(removed, "session "+ev.Session)
	}
	if _, err := w.Observe(ctx, ev); err != nil {
		return nil, err
	}
	w.giveBack(ev.Session)
	s := w.store.Load()
	if s == nil {
		return nil, w.storeError()
	}
	files, err := s.RemoveSession(ev.Session)
	return append(removed, files...), err
}

// leave ends the sessions that only this process owns and writes everything.
func (w *Workspace) leave(ctx context.Context) {
	s := w.store.Load()
	w.leaveSessions(ctx)
	w.flush(ctx)
	if s == nil {
		return
	}
	each(w, func(l room.Leaver) { l.Leave(ctx) })
	w.store.Store(nil)
	if err := s.Close(); err != nil && !errors.Is(err, store.ErrReplaced) {
		w.options.Log.Warn("close the store", "workspace", w.key, "error", err)
	}
}
