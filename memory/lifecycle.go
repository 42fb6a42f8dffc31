package memory

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// A session either has owners or a lease. An owner holds the lock of the session's folder,
// and the session ends with the last owner. A session without an owner, to which processes
// are only attached, ends when its lease expires, or when the process of its agent is known to have ended.

// A lifecycle starts, continues and ends sessions. It is used on the queue only.
type lifecycle struct {
	leases   *leases
	store    *openedStore
	rooms    *registry
	reader   *logReader
	settings func() *settings.Settings
	now      func() time.Time
	log      *slog.Logger
	// abandoned is true if the client is gone without having ended its sessions.
	abandoned atomic.Bool

	// write writes what decide returns, decided on the newest state as the only writer of all
	// processes. If it cannot be written, it is applied in memory.
	write func(
		ctx context.Context, who change.Actor, mode store.Mode, decide func() ([]change.Change, error),
	) ([]change.Change, error)
}

func (lc *lifecycle) sessions() *sessions.Room { return lc.rooms.Load().sessions }

// observe passes the start or end of a session to the rooms. It ignores errors of
// rooms if others return changes.
func (lc *lifecycle) observe(ev event.Event) ([]change.Change, error) {
	changes, err := joined(lc.rooms.Load().observe(ev))
	if err != nil && len(changes) > 0 {
		lc.log.Error("pass an event to the rooms", "error", err)
		err = nil
	}
	return changes, err
}

// ensure starts or resumes the session of an event if necessary, and renews its
// lease. What others write into a session does not keep it alive.
func (lc *lifecycle) ensure(ctx context.Context, ev event.Event) error {
	switch body := ev.Body.(type) {
	case event.SessionEnded, event.SessionDeleted:
		return nil
	case event.Written:
		if _, begun := lc.sessions().Get(ev.Session); begun && !body.Own {
			return nil
		}
	}
	if ev.Session == "" {
		return nil
	}
	known, _ := lc.sessions().Get(ev.Session)
	owns := lc.leases.owns(ev.Session)
	switch {
	case owns && known.Owned():
		return nil
	case owns || !ev.Attached:
	case known.Owned():
		if lc.leases.alive(ev.Session) {
			lc.leases.attach(ev.Session)
			return nil
		}
	case known.Leased(lc.now()) && !known.RenewalDue(lc.leaseUntil()) && !lc.moved(known, ev):
		lc.leases.attach(ev.Session)
		return nil
	}
	ev.ID = ""
	_, err := lc.begin(ctx, ev, event.SessionStarted{})
	return err
}

// begin starts, resumes or continues the session of an event. This process becomes its
// owner, unless the event is from a client that is only attached.
func (lc *lifecycle) begin(ctx context.Context, ev event.Event, start event.SessionStarted) ([]change.Change, error) {
	if ev.Session == "" {
		return nil, nil
	}
	owns, alive := lc.leases.owns(ev.Session), lc.leases.alive(ev.Session)
	attaches := ev.Attached && !owns
	switch {
	case attaches:
		start.LeaseUntil = lc.leaseUntil()
		lc.leases.attach(ev.Session)
	case !owns || !alive: // the file of its lease may have been purged
		lc.leases.take(ev.Session)
	}
	who := ev.Actor()
	if ev.At.IsZero() {
		ev.At = lc.now()
	}
	mode := store.Fast
	if start.Explicit {
		mode = store.Durable
	}
	return lc.write(ctx, who, mode, func() ([]change.Change, error) {
		known, _ := lc.sessions().Get(ev.Session)
		if attaches { // an owner may have come meanwhile
			alive = lc.leases.alive(ev.Session)
		}
		start.Resumed = !alive && (!known.Leased(lc.now()) || lc.moved(known, ev))
		ev.Body = start
		return lc.observe(ev)
	})
}

// moved reports whether another process of the agent goes on with a session whose former one has ended. The last events
// of the former one may arrive after its end.
func (lc *lifecycle) moved(session sessions.Session, ev event.Event) bool {
	return ev.Host != "" && session.HostEnded() && session.Host.Process != ev.Host
}

// leaseUntil returns the end of a lease that is renewed now.
func (lc *lifecycle) leaseUntil() time.Time {
	return lc.now().Add(lc.settings().Session.Lease() + sessions.ActiveEvery)
}

// endExpired ends the sessions whose owners' processes are gone, and those without an owner
// whose lease has expired or whose agent's process is gone (architecture, "Durability and several processes").
func (lc *lifecycle) endExpired(ctx context.Context) {
	for _, session := range lc.sessions().List() {
		if !session.Live() {
			break // live sessions come first
		}
		if _, expired := lc.expired(session); !expired {
			continue
		}
		if err := lc.endIf(ctx, session.ID, lc.expired); err != nil {
			lc.log.Warn("end an expired session", "error", err)
		}
	}
	for id := range lc.leases.attached {
		if !lc.sessions().Live(id) { // another process has ended it
			lc.leases.release(id)
		}
	}
}

// expired reports whether a live session has neither an owner nor a valid lease, with the
// event that ends it.
func (lc *lifecycle) expired(session sessions.Session) (event.SessionEnded, bool) {
	if session.HostEnded() {
		return event.SessionEnded{Lost: true}, true
	}
	if !session.Owned() {
		return event.SessionEnded{Expired: true}, !session.Leased(lc.now())
	}
	served := lc.leases.owns(session.ID) || lc.leases.alive(session.ID)
	return event.SessionEnded{Lost: true}, !served
}

// endIf ends a live session if expired returns true. It does so as the only writer of all
// processes, so that none can begin to serve the session meanwhile.
func (lc *lifecycle) endIf(
	ctx context.Context, id string, expired func(sessions.Session) (event.SessionEnded, bool),
) error {
	session, _ := lc.sessions().Get(id)
	who := change.Actor{Session: id, Agent: session.Agent}
	_, err := lc.write(ctx, who, store.Fast, func() ([]change.Change, error) {
		session, _ := lc.sessions().Get(id)
		if !session.Live() {
			return nil, nil
		}
		body, is := expired(session)
		if !is {
			return nil, nil
		}
		return lc.observe(event.Event{
			At: lc.now(), Session: id, Agent: session.Agent, Worktree: session.Worktree, Body: body,
		})
	})
	if lc.sessions().Live(id) {
		return err
	}
	lc.leases.release(id)
	lc.removeUnused(ctx, id)
	return err
}

// removeUnused removes the folder of an ended session that no process serves, if nothing was
// written into it. It does so as the only writer of all processes, so that none can begin the
// session meanwhile.
func (lc *lifecycle) removeUnused(ctx context.Context, session string) {
	s := lc.store.Load()
	if s == nil {
		return
	}
	err := lc.reader.update(ctx, store.Fast, func(store.Tx) error { // for its lock
		if lc.sessions().Live(session) {
			return nil
		}
		return s.WhileUnserved(session, func(dir string) error {
			var errs []error
			each(lc.rooms, func(t room.Tidier) { errs = append(errs, t.Tidy(dir)) })
			return errors.Join(errs...)
		})
	})
	if err != nil {
		lc.log.Warn("remove the folder of a session that was not used", "error", err)
	}
}

// endAll ends the sessions that only this process owns, and detaches from the
// others.
func (lc *lifecycle) endAll(ctx context.Context) {
	for id := range lc.leases.attached {
		lc.leases.release(id)
	}
	for id := range lc.leases.owned {
		lc.leases.release(id)
		err := lc.endIf(ctx, id, func(session sessions.Session) (event.SessionEnded, bool) {
			why, expired := lc.expired(session)
			if session.Owned() {
				why = event.SessionEnded{Abandoned: lc.abandoned.Load()}
			}
			return why, expired
		})
		if err != nil {
			lc.log.Warn("end a session", "error", err)
		}
	}
}
