package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
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
	if err := w.attend(ctx, &ev); err != nil {
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

// attend starts or resumes the session of an event, if this process does not
// serve it yet, and takes its lease. What somebody else writes into a session is
// no life of it: one that has ended stays so, one that lives is served by others.
func (w *Workspace) attend(ctx context.Context, ev *event.Event) error {
	known := w.rooms.Load().sessions
	start := event.SessionStarted{}
	switch body := ev.Body.(type) {
	case event.SessionEnded, event.SessionDeleted:
		return nil
	case event.SessionStarted:
		start = body
	case event.Written:
		if _, begun := known.Get(ev.Session); begun && !body.Own {
			return nil
		}
	}
	_, held := w.leases[ev.Session]
	if ev.Session == "" || held && known.Live(ev.Session) && start == (event.SessionStarted{}) {
		return nil
	}
	if s := w.store.Load(); s != nil && !held {
		start.Resumed = !s.Alive(ev.Session)
		lease, err := s.Lease(ev.Session)
		if err != nil {
			// The session is not kept alive for others, but works.
			w.options.Log.Warn("take the lease of a session", "workspace", w.key, "error", err)
		} else {
			w.leases[ev.Session] = lease
		}
	}
	if _, asked := ev.Body.(event.SessionStarted); asked {
		ev.Body = start
		return nil
	}
	begin := *ev
	begin.ID, begin.Body = "", start
	_, err := w.observe(ctx, begin)
	return err
}

// ApplyIn is Apply for what is kept of the session of an event, which it starts if
// need be. The error is a *DeletedError where the session was deleted.
func (w *Workspace) ApplyIn(ctx context.Context, ev event.Event, decide func() ([]change.Change, error)) ([]change.Change, error) {
	if err := w.NotDeleted(ev.Session); err != nil {
		return nil, err
	}
	if err := w.attend(ctx, &ev); err != nil {
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
	w.release(ev.Session)
	return err
}

// A DeletedError says that something is to be kept of a session that was deleted.
type DeletedError struct{ Session string }

func (e *DeletedError) Error() string {
	return fmt.Sprintf("the session %s was deleted, nothing more is kept of it; begin it anew with wm/session/start", e.Session)
}

// An UnknownError says that a session has never begun here, or is long forgotten.
type UnknownError struct{ Session string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("no session %s is known here; check the id, or begin it with wm/session/start", e.Session)
}

// Known is an *UnknownError or a *DeletedError if there is no such session.
func (w *Workspace) Known(session string) error {
	if _, known := w.Sessions().Get(session); !known {
		return &UnknownError{session}
	}
	return w.NotDeleted(session)
}

// NotDeleted is a *DeletedError if a session was deleted.
func (w *Workspace) NotDeleted(session string) error {
	if w.Sessions().Deleted(session) {
		return &DeletedError{session}
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

// giveBack releases the lease of a session, and reports whether it was held.
func (w *Workspace) giveBack(session string) bool {
	lease, held := w.leases[session]
	if !held {
		return false
	}
	delete(w.leases, session)
	each(w, func(r room.Releaser) { r.Release(session) })
	if err := lease.Release(); err != nil {
		w.options.Log.Warn("give back the lease of a session", "workspace", w.key, "error", err)
	}
	return true
}

// release gives the lease of a session back and leaves no folder where nothing
// was written into it.
func (w *Workspace) release(session string) {
	if w.giveBack(session) {
		w.removeUntouched(session)
	}
}

// endLost ends the sessions whose process is gone, so that what belongs to a
// live session leaves with it (architecture, "Liveness").
func (w *Workspace) endLost(ctx context.Context) {
	s := w.store.Load()
	if s == nil {
		return
	}
	for _, session := range w.Sessions().List() {
		if !session.Live() {
			break // those that live come first
		}
		if _, held := w.leases[session.ID]; held || s.Alive(session.ID) {
			continue
		}
		lost := event.Event{Session: session.ID, Agent: session.Agent, Worktree: session.Worktree, Body: event.SessionEnded{Lost: true}}
		if _, err := w.observe(ctx, lost); err != nil {
			w.options.Log.Warn("end a session whose process is gone", "workspace", w.key, "error", err)
		}
		w.removeUntouched(session.ID)
	}
}

// removeUntouched removes the folder of a session that no process serves, if
// nobody has written anything into it.
func (w *Workspace) removeUntouched(session string) {
	s := w.store.Load()
	if s == nil {
		return
	}
	err := s.WhileUnserved(session, func(dir string) error {
		var errs []error
		each(w, func(t room.Tidier) { errs = append(errs, t.Tidy(dir)) })
		return errors.Join(errs...)
	})
	if err != nil {
		w.options.Log.Warn("remove the folder of a session that was not used", "workspace", w.key, "error", err)
	}
}

// leave ends the sessions that only this process serves and writes everything.
func (w *Workspace) leave(ctx context.Context) {
	s := w.store.Load()
	for id := range w.leases {
		w.release(id)
		if s == nil || s.Alive(id) {
			continue
		}
		session, _ := w.Sessions().Get(id)
		over := event.Event{Session: id, Agent: session.Agent, Worktree: session.Worktree, Body: event.SessionEnded{}}
		if _, err := w.observe(ctx, over); err != nil {
			w.options.Log.Warn("end a session", "workspace", w.key, "error", err)
		}
	}
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
