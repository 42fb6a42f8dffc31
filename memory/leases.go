package memory

import (
	"log/slog"
	"maps"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// leases holds the sessions that this process serves: those that it owns, whose folders it
// has locked, and those to which it is only attached. It is used on the queue only.
type leases struct {
	store *openedStore
	rooms *registry
	log   *slog.Logger

	owned    map[string]store.Lease
	attached map[string]bool
}

func newLeases(opened *openedStore, rooms *registry, log *slog.Logger) *leases {
	return &leases{
		store: opened, rooms: rooms, log: log, owned: map[string]store.Lease{}, attached: map[string]bool{},
	}
}

// owns reports whether this process owns a session.
func (l *leases) owns(session string) bool {
	_, owns := l.owned[session]
	return owns
}

// served returns the sessions that this process owns or is attached to.
func (l *leases) served() []string {
	return slices.AppendSeq(slices.Collect(maps.Keys(l.owned)), maps.Keys(l.attached))
}

// serves reports whether this process owns a session or is attached to it.
func (l *leases) serves(session string) bool { return l.owns(session) || l.attached[session] }

// alive reports whether a process owns a session. Without a store it returns true.
func (l *leases) alive(session string) bool {
	s := l.store.Load()
	return s == nil || s.Alive(session)
}

// attach attaches this process to a session.
func (l *leases) attach(session string) { l.attached[session] = true }

// take makes this process an owner of a session. If that fails, the session works, but other
// processes may end it.
func (l *leases) take(session string) {
	s := l.store.Load()
	if s == nil {
		return
	}
	lease, err := s.Lease(session)
	if err != nil {
		l.store.problems.set(aboutLease, room.Warning("A session cannot be locked: "+fault.Plain(err),
			"The session works, but other processes may end it. Move away what is named."))
		return
	}
	l.store.problems.clear(aboutLease)
	if former, held := l.owned[session]; held {
		_ = former.Release()
	}
	l.owned[session] = lease
	delete(l.attached, session)
}

// release stops serving a session, and reports whether this process was its owner.
func (l *leases) release(session string) bool {
	if !l.serves(session) {
		return false
	}
	lease, owns := l.owned[session]
	delete(l.owned, session)
	delete(l.attached, session)
	each(l.rooms, func(r room.Releaser) { r.Release(session) })
	if !owns {
		return false
	}
	if err := lease.Release(); err != nil {
		l.log.Warn("release the lease of a session", "error", err)
	}
	return true
}

// restore takes the leases again whose files were removed.
func (l *leases) restore() {
	s := l.store.Load()
	for session, former := range l.owned {
		if s.Alive(session) {
			continue
		}
		lease, err := s.Lease(session)
		if err != nil {
			l.log.Warn("take the lease of a session again", "error", err)
			continue
		}
		_ = former.Release()
		l.owned[session] = lease
	}
}

// drop releases all leases after a purge. The rooms, which are empty, are not notified.
func (l *leases) drop() {
	for _, lease := range l.owned {
		_ = lease.Release()
	}
	clear(l.owned)
	clear(l.attached)
}
