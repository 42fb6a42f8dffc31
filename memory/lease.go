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

// A session either has owners or a lease. An owner holds the lock of the session's folder,
// and the session ends with the last owner. A session without an owner, to which processes
// are only attached, ends when its lease expires.

// decide is Apply for changes that start or end a session, so that all processes see the
// same state. If they cannot be written, they are applied in memory. The mode is Durable if
// a client waits for just that. If a start or end of the server's own is lost with the power,
// so is the process that owned the session, and the next one starts or ends it again.
func (w *Workspace) decide(
	ctx context.Context, who change.Actor, mode store.Mode, decide func() ([]change.Change, error),
) ([]change.Change, error) {
	changes, err := w.commit(ctx, who, mode, decide, nil)
	if !errors.Is(err, ErrStore) {
		return changes, err
	}
	if changes, err = decide(); err != nil || len(changes) == 0 {
		return nil, err
	}
	return w.applyHot(ctx, who, changes)
}

// observeLifecycle passes the start or end of a session to the rooms. It ignores errors of
// rooms if others return changes.
func (w *Workspace) observeLifecycle(ev event.Event) ([]change.Change, error) {
	changes, err := joined(w.observeRooms(ev))
	if err != nil && len(changes) > 0 {
		w.log.Error("pass an event to the rooms", "error", err)
		err = nil
	}
	return changes, err
}

// ensureSession starts or resumes the session of an event if necessary, and renews its
// lease. What others write into a session does not keep it alive.
func (w *Workspace) ensureSession(ctx context.Context, ev event.Event) error {
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

// begin starts, resumes or continues the session of an event. This process becomes its
// owner, unless the event is from a client that is only attached.
func (w *Workspace) begin(ctx context.Context, ev event.Event, start event.SessionStarted) ([]change.Change, error) {
	if ev.Session == "" {
		return nil, nil
	}
	s := w.store.Load()
	_, owns := w.leases[ev.Session]
	alive := w.alive(ev.Session)
	attaches := ev.Attached && !owns
	switch {
	case attaches:
		start.LeaseUntil = w.leaseUntil()
		w.attached[ev.Session] = true
	case s != nil && (!owns || !alive): // the file of its lease may have been purged
		lease, err := s.Lease(ev.Session)
		if err != nil {
			// The session works, but other processes may end it.
			w.log.Warn("take the lease of a session", "error", err)
		} else {
			if former, held := w.leases[ev.Session]; held {
				_ = former.Release()
			}
			w.leases[ev.Session] = lease
			delete(w.attached, ev.Session)
		}
	}
	who := change.Actor{Session: ev.Session, Agent: ev.Agent, At: ev.At}
	if ev.At.IsZero() {
		ev.At = w.now()
	}
	mode := store.Fast
	if start.Explicit {
		mode = store.Durable
	}
	return w.decide(ctx, who, mode, func() ([]change.Change, error) {
		known, _ := w.Sessions().Get(ev.Session)
		if attaches { // an owner may have come meanwhile
			alive = w.alive(ev.Session)
		}
		start.Resumed = !alive && !known.Leased(w.now())
		ev.Body = start
		return w.observeLifecycle(ev)
	})
}

// alive reports whether a process owns a session. Without a store it returns true.
func (w *Workspace) alive(session string) bool {
	s := w.store.Load()
	return s == nil || s.Alive(session)
}

// leaseUntil returns the end of a lease that is renewed now.
func (w *Workspace) leaseUntil() time.Time {
	return w.now().Add(w.Settings().Session.Lease() + sessions.ActiveEvery)
}

// release stops serving a session, and reports whether this process was its owner.
func (w *Workspace) release(session string) bool {
	lease, owns := w.leases[session]
	if !owns && !w.attached[session] {
		return false
	}
	delete(w.leases, session)
	delete(w.attached, session)
	each(w.rooms, func(r room.Releaser) { r.Release(session) })
	if !owns {
		return false
	}
	if err := lease.Release(); err != nil {
		w.log.Warn("release the lease of a session", "error", err)
	}
	return true
}

// endExpired ends the sessions whose owners' processes are gone, and those without an owner
// whose lease has expired (architecture, "Durability and several processes").
func (w *Workspace) endExpired(ctx context.Context) {
	for _, session := range w.Sessions().List() {
		if !session.Live() {
			break // live sessions come first
		}
		if _, expired := w.expired(session); !expired {
			continue
		}
		if err := w.endIf(ctx, session.ID, w.expired); err != nil {
			w.log.Warn("end an expired session", "error", err)
		}
	}
	for id := range w.attached {
		if !w.Sessions().Live(id) { // another process has ended it
			w.release(id)
		}
	}
}

// expired reports whether a live session has neither an owner nor a valid lease, with the
// event that ends it.
func (w *Workspace) expired(session sessions.Session) (event.SessionEnded, bool) {
	if !session.Owned() {
		return event.SessionEnded{Expired: true}, !session.Leased(w.now())
	}
	_, owns := w.leases[session.ID]
	return event.SessionEnded{Lost: true}, !owns && !w.alive(session.ID)
}

// endIf ends a live session if expired returns true. It does so as the only writer of all
// processes, so that none can begin to serve the session meanwhile.
func (w *Workspace) endIf(
	ctx context.Context, id string, expired func(sessions.Session) (event.SessionEnded, bool),
) error {
	session, _ := w.Sessions().Get(id)
	who := change.Actor{Session: id, Agent: session.Agent}
	_, err := w.decide(ctx, who, store.Fast, func() ([]change.Change, error) {
		session, _ := w.Sessions().Get(id)
		if !session.Live() {
			return nil, nil
		}
		body, is := expired(session)
		if !is {
			return nil, nil
		}
		return w.observeLifecycle(event.Event{
			At: w.now(), Session: id, Agent: session.Agent, Worktree: session.Worktree, Body: body,
		})
	})
	if w.Sessions().Live(id) {
		return err
	}
	w.release(id)
	w.removeUnused(ctx, id)
	return err
}

// removeUnused removes the folder of an ended session that no process serves, if nothing was
// written into it. It does so as the only writer of all processes, so that none can begin the
// session meanwhile.
func (w *Workspace) removeUnused(ctx context.Context, session string) {
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
			each(w.rooms, func(t room.Tidier) { errs = append(errs, t.Tidy(dir)) })
			return errors.Join(errs...)
		})
	})
	if err != nil {
		w.log.Warn("remove the folder of a session that was not used", "error", err)
	}
}

// releaseSessions ends the sessions that only this process owns, and detaches from the
// others.
func (w *Workspace) releaseSessions(ctx context.Context) {
	for id := range w.attached {
		w.release(id)
	}
	for id := range w.leases {
		w.release(id)
		err := w.endIf(ctx, id, func(session sessions.Session) (event.SessionEnded, bool) {
			why, expired := w.expired(session)
			if session.Owned() {
				why = event.SessionEnded{}
			}
			return why, expired
		})
		if err != nil {
			w.log.Warn("end a session", "error", err)
		}
	}
}
