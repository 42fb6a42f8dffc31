package memory

import (
	"context"
	"errors"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// A session lives in one of two ways. An owner holds the lock of its folder, and
// the session ends with the last process that does. A session without an owner,
// which processes only attach to, lives until its lease is over.

// decide is Apply for what decides about the life of a session, so that all
// processes see the same. What cannot be written holds in memory.
func (w *Workspace) decide(
	ctx context.Context, who change.Actor, decide func() ([]change.Change, error),
) ([]change.Change, error) {
	changes, err := w.Apply(ctx, who, decide)
	if !errors.Is(err, ErrStore) {
		return changes, err
	}
	if changes, err = decide(); err != nil || len(changes) == 0 {
		return nil, err
	}
	return w.applyHot(ctx, who, changes)
}

// told asks the rooms about the life of a session. One that fails keeps the others
// from nothing.
func (w *Workspace) told(ev event.Event) ([]change.Change, error) {
	changes, err := joined(w.ask(ev))
	if err != nil && len(changes) > 0 {
		w.options.Log.Error("ask the rooms", "workspace", w.key, "error", err)
		err = nil
	}
	return changes, err
}

// attend keeps the session of an event alive, and starts or resumes it where
// need be. What somebody else writes into a session is no sign of its life: one
// that has ended stays so, one that lives is served by others.
func (w *Workspace) attend(ctx context.Context, ev event.Event) error {
	switch body := ev.Body.(type) {
	case event.SessionEnded, event.SessionDeleted:
		return nil
	case event.Written:
		if _, begun := w.Sessions().Get(ev.Session); begun && !body.Own {
			return nil
		}
	}
	if ev.Session == "" {
		return nil
	}
	known, _ := w.Sessions().Get(ev.Session)
	_, owns := w.leases[ev.Session]
	switch {
	case owns && known.Owned():
		return nil
	case owns || !ev.Attached:
	case known.Owned():
		if w.alive(ev.Session) {
			w.attached[ev.Session] = true
			return nil
		}
	case known.Leased(w.now()) && !known.RenewalDue(w.leaseUntil()):
		w.attached[ev.Session] = true
		return nil
	}
	ev.ID = ""
	_, err := w.begin(ctx, ev, event.SessionStarted{})
	return err
}

// begin starts or resumes the session of an event, or goes on with it, as its
// owner unless the event comes from a process that is only attached.
func (w *Workspace) begin(ctx context.Context, ev event.Event, start event.SessionStarted) ([]change.Change, error) {
	if ev.Session == "" {
		return nil, nil
	}
	s := w.store.Load()
	_, owns := w.leases[ev.Session]
	alive := owns || w.alive(ev.Session)
	attaches := ev.Attached && !owns
	switch {
	case attaches:
		start.LeaseUntil = w.leaseUntil()
		w.attached[ev.Session] = true
	case s != nil && !owns:
		lease, err := s.Lease(ev.Session)
		if err != nil {
			// The session is not kept alive for others, but works.
			w.options.Log.Warn("take the lease of a session", "workspace", w.key, "error", err)
		} else {
			w.leases[ev.Session] = lease
			delete(w.attached, ev.Session)
		}
	}
	who := change.Actor{Session: ev.Session, Agent: ev.Agent, At: ev.At}
	if ev.At.IsZero() {
		ev.At = w.now()
	}
	return w.decide(ctx, who, func() ([]change.Change, error) {
		known, _ := w.Sessions().Get(ev.Session)
		if attaches { // an owner may have come meanwhile
			alive = w.alive(ev.Session)
		}
		start.Resumed = !alive && !known.Leased(w.now())
		ev.Body = start
		return w.told(ev)
	})
}

// alive reports whether a process owns a session, as far as that can be known.
func (w *Workspace) alive(session string) bool {
	s := w.store.Load()
	return s == nil || s.Alive(session)
}

// leaseUntil is when a session without an owner is over that gives a sign of life now.
func (w *Workspace) leaseUntil() time.Time {
	return w.now().Add(w.Settings().Session.Lease() + sessions.ActiveEvery)
}

// giveBack ends that this process serves a session, and reports whether it was
// its owner.
func (w *Workspace) giveBack(session string) bool {
	lease, owns := w.leases[session]
	if !owns && !w.attached[session] {
		return false
	}
	delete(w.leases, session)
	delete(w.attached, session)
	each(w, func(r room.Releaser) { r.Release(session) })
	if !owns {
		return false
	}
	if err := lease.Release(); err != nil {
		w.options.Log.Warn("give back the lease of a session", "workspace", w.key, "error", err)
	}
	return true
}

// endLost ends the sessions whose owner's process is gone, and those without an
// owner whose lease is over, so that what belongs to a live session leaves with
// it (architecture, "Durability, and several processes").
func (w *Workspace) endLost(ctx context.Context) {
	for _, session := range w.Sessions().List() {
		if !session.Live() {
			break // those that live come first
		}
		if _, over := w.over(session); !over {
			continue
		}
		if err := w.endIfOver(ctx, session.ID, w.over); err != nil {
			w.options.Log.Warn("end a session that nothing keeps alive", "workspace", w.key, "error", err)
		}
	}
	for id := range w.attached {
		if !w.Sessions().Live(id) { // another process has ended it
			w.giveBack(id)
		}
	}
}

// over reports whether nothing keeps a live session alive, and why.
func (w *Workspace) over(session sessions.Session) (event.SessionEnded, bool) {
	if !session.Owned() {
		return event.SessionEnded{Expired: true}, !session.Leased(w.now())
	}
	_, owns := w.leases[session.ID]
	return event.SessionEnded{Lost: true}, !owns && !w.alive(session.ID)
}

// endIfOver ends a session that lives if it is over, as the only writer of all
// processes: none has meanwhile begun to keep it alive.
func (w *Workspace) endIfOver(
	ctx context.Context, id string, over func(sessions.Session) (event.SessionEnded, bool),
) error {
	session, _ := w.Sessions().Get(id)
	_, err := w.decide(ctx, change.Actor{Session: id, Agent: session.Agent}, func() ([]change.Change, error) {
		session, _ := w.Sessions().Get(id)
		if !session.Live() {
			return nil, nil
		}
		body, is := over(session)
		if !is {
			return nil, nil
		}
		return w.told(event.Event{
			At: w.now(), Session: id, Agent: session.Agent, Worktree: session.Worktree, Body: body,
		})
	})
	if w.Sessions().Live(id) {
		return err
	}
	w.giveBack(id)
	w.removeUntouched(ctx, id)
	return err
}

// removeUntouched removes the folder of a session that is over and that no process
// serves, if nobody has written anything into it. It does so as the only writer of
// all processes: none can begin the session meanwhile.
func (w *Workspace) removeUntouched(ctx context.Context, session string) {
	s := w.store.Load()
	if s == nil {
		return
	}
	err := s.Update(ctx, store.Fast, func(tx store.Tx) error { // for its lock: it writes nothing
		if err := w.catchUp(tx); err != nil || w.Sessions().Live(session) {
			return err
		}
		return s.WhileUnserved(session, func(dir string) error {
			var errs []error
			each(w, func(t room.Tidier) { errs = append(errs, t.Tidy(dir)) })
			return errors.Join(errs...)
		})
	})
	if err != nil {
		w.options.Log.Warn("remove the folder of a session that was not used", "workspace", w.key, "error", err)
	}
}

// leaveSessions ends the sessions that only this process owns. Those that it is
// attached to go on.
func (w *Workspace) leaveSessions(ctx context.Context) {
	for id := range w.attached {
		w.giveBack(id)
	}
	for id := range w.leases {
		w.giveBack(id)
		err := w.endIfOver(ctx, id, func(session sessions.Session) (event.SessionEnded, bool) {
			why, over := w.over(session)
			if session.Owned() {
				why = event.SessionEnded{}
			}
			return why, over
		})
		if err != nil {
			w.options.Log.Warn("end a session", "workspace", w.key, "error", err)
		}
	}
}
