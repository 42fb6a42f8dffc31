package memory

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// A logReader folds the changes that other processes have written. It is used on the queue only,
// except behind.
type logReader struct {
	store    *openedStore
	rooms    *registry
	pending  *pending
	leases   *leases
	eraser   *eraser
	notifier *notifier
	queue    *queue
	log      *slog.Logger
	// reload loads the state from the store. reopen opens the store again that another process
	// has replaced.
	reload, reopen func(ctx context.Context) error

	seq      atomic.Int64 // the latest folded change
	caughtUp time.Time    // when the changes of other processes were read last
	writers  writers
}

// behind reports whether another process has acknowledged a change that is not folded. It may be
// called at any time.
func (r *logReader) behind() bool {
	s := r.store.Load()
	return s != nil && s.Newest() > r.seq.Load()
}

// update runs f in a transaction, on the newest state. The error is ErrStore if there is no store.
func (r *logReader) update(ctx context.Context, mode store.Mode, f func(store.Tx) error) error {
	s, err := r.store.opened()
	if err != nil {
		return err
	}
	defer r.notifier.notifyAll()
	return s.Update(ctx, mode, r.ahead(s), func(tx store.Tx) error {
		if err := r.catchUp(tx); err != nil {
			return err
		}
		return f(tx)
	})
}

// A source returns committed data: a transaction or the open store.
type source interface {
	Since(seq int64) ([]change.Change, error)
	Load() (store.State, error)
}

// catchUp folds the changes that other processes have written since the last call. The
// pending changes are folded after that, as they will be in the log. The caller calls
// notifier.notifyAll afterwards, once for all that a write has folded.
func (r *logReader) catchUp(from source) error {
	began := time.Now()
	changes, err := from.Since(r.seq.Load())
	if err != nil {
		return err
	}
	r.caughtUp = began
	if len(changes) == 0 {
		return nil
	}
	r.writers.note(changes, began)
	if r.hasMissed(changes) || slices.ContainsFunc(changes, isErasure) {
		return r.takeOver(from, changes)
	}
	waiting := r.pending.unfold() // also those that touched no row: they may touch one now
	for _, c := range changes {
		r.seq.Store(c.Seq)
		if _, err := r.rooms.fold(c); err != nil {
			// A change that cannot be read must not hide the changes after it.
			r.log.Error("fold a change of another process", "seq", c.Seq, "kind", c.Kind, "error", err)
		}
		if c.Kind == sessions.Deleted {
			r.deletedElsewhere(c.Subject)
		}
		r.pending.rebase(c)
	}
	if waiting {
		r.pending.fold()
	}
	r.rooms.version.Add(1)
	r.notifier.later(changes)
	return nil
}

// hasMissed reports whether changes before the given ones were folded into the snapshot before this
// process has folded them, as after it was stopped for long.
func (r *logReader) hasMissed(changes []change.Change) bool { return changes[0].Seq > r.seq.Load()+1 }

// takeOver loads the rows that another process has rewritten, or whose changes this one has missed. It
// drops the pending changes that contain what was erased.
func (r *logReader) takeOver(from source, changes []change.Change) error {
	missed := r.hasMissed(changes)
	state, err := from.Load()
	if err != nil {
		return err
	}
	newer, err := from.Since(changes[len(changes)-1].Seq)
	if err != nil {
		return err
	}
	changes = append(changes, slices.DeleteFunc(newer, func(c change.Change) bool { return c.Seq > state.Seq })...)
	fresh := r.rooms.holding(state)
	attach(r.store.Load(), fresh.list)
	erasing, err := erasingIn(state.Meta[erasingKey])
	if err != nil {
		return err
	}
	if missed { // nobody knows what was erased meanwhile
		r.pending.clear()
	}
	unwritten := slices.Clone(r.pending.changes)
	wasPurged := false
	for _, c := range changes {
		switch c.Kind {
		case purged:
			r.pending.clear()
			wasPurged = true
		case longterm.Erased:
			texts := textsIn(roomIn[*longterm.Room](r.rooms), c.Subject)
			r.eraser.late = append(append(r.eraser.late, formsOf(texts)...), erasing...)
			r.pending.dropErased(texts, erasing)
		}
		r.pending.rebase(c)
	}
	r.adopt(fresh, state)
	for _, c := range changes {
		if c.Kind == sessions.Deleted {
			r.deletedElsewhere(c.Subject)
		}
	}
	for _, session := range r.leases.served() {
		if fresh.sessions.Deleted(session) { // by a change that was missed
			r.deletedElsewhere(session)
		}
	}
	r.eraser.leaveToOther()
	r.eraser.overtakes(unwritten)
	if wasPurged {
		r.followPurge()
	}
	r.notifier.later(changes)
	return nil
}

// followPurge deletes the files from before a purge by another process, if that process has not
// done so, before this one writes new ones. It reloads the state, which creates the tables of
// rooms that the other process does not have.
func (r *logReader) followPurge() {
	r.queue.offer(func() {
		ctx := context.Background()
		_, _, err := r.eraser.discardPurged(ctx)
		if err := errors.Join(err, r.reload(ctx)); err != nil {
			r.log.Warn("take over what another process has purged", "error", err)
		}
	})
}

// deletedElsewhere drops the pending changes of a session that another process has deleted,
// so that they do not start the session again.
func (r *logReader) deletedElsewhere(session string) {
	r.pending.dropSession(session)
	r.leases.release(session)
}

// refreshAfter folds changes of other processes, unless this was done after a notice.
func (r *logReader) refreshAfter(ctx context.Context, notice time.Time) {
	if r.caughtUp.Before(notice) {
		r.refresh(ctx)
	}
}

// refresh folds changes of other processes.
func (r *logReader) refresh(ctx context.Context) {
	s := r.store.Load()
	if s == nil {
		return
	}
	err := r.catchUp(committed{ctx, s})
	r.notifier.notifyAll()
	if r.pending.isEmpty() { // what is written from now on is newer
		r.eraser.written()
	}
	if errors.Is(err, store.ErrReplaced) { // the next write opens the new one
		err = r.reopen(ctx)
	}
	if err != nil && ctx.Err() == nil {
		r.log.Warn("read changes of other processes", "error", err)
	}
}

// ahead folds what other processes have committed while this one waits to be the next writer,
// so that little is left to fold while they wait for it.
func (r *logReader) ahead(s Store) func() {
	return func() {
		ctx := context.Background()
		if err := r.catchUp(committed{ctx, s}); err != nil && !errors.Is(err, store.ErrReplaced) {
			r.log.Warn("read changes of other processes", "error", err)
		}
	}
}

// committed is the open store as a source.
type committed struct {
	ctx   context.Context
	store Store
}

func (c committed) Since(seq int64) ([]change.Change, error) { return c.store.Since(c.ctx, seq) }

func (c committed) Load() (store.State, error) { return c.store.Load(c.ctx, nil) }

// adopt replaces the rooms by ones that hold a state, and folds the pending hot changes into
// them.
func (r *logReader) adopt(fresh *rooms, state store.State) {
	r.rooms.Store(fresh)
	r.seq.Store(state.Seq)
	r.eraser.unfinished = state.Meta[erasingKey] != "" // a purge sets it too
	r.pending.fold()
	r.notifier.everythingChanged()
}

// empty drops the state in memory.
func (r *logReader) empty() {
	fresh := r.rooms.fresh()
	if s := r.store.Load(); s != nil {
		attach(s, fresh.list)
	}
	r.rooms.Store(fresh)
	r.pending.clear()
	r.notifier.everythingChanged()
}
