package memory

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// pollEvery is how often the workspace looks for changes without a notification: sessions
// whose process is gone, hand edits, commits whose notice was missed.
const pollEvery = time.Second

// refreshShare is how many times as long as a refresh takes, with its waiting, the next one
// waits after it. So many processes that write do not keep each other busy with refreshes;
// whoever writes catches up anyway.
const refreshShare = 8

// refreshMost is the longest time between two refreshes while there are notices, so that one
// slow refresh does not delay the next one for long.
const refreshMost = 25 * time.Millisecond

// openStore opens the store and loads the state. It is the first task on the queue, and is
// called again as long as it fails.
func (w *Workspace) openStore(ctx context.Context) {
	s, err := w.repairer.open(ctx)
	if err == nil {
		w.origin.find()
		w.store.Store(s)
		err = w.reload(ctx)
		if errors.Is(err, store.ErrCorrupt) { // detected while the state was read
			w.store.Store(nil)
			_ = s.Close()
			if s, err = w.repairer.setAside(ctx); err == nil {
				w.store.Store(s)
				err = w.reload(ctx)
			}
		}
	}
	if err != nil {
		if s := w.store.Swap(nil); s != nil {
			_ = s.Close()
		}
		w.problems.set(aboutStore, w.repairer.problemOf(err))
		return
	}
	w.problems.clear(aboutStore)
	select {
	case w.opened <- struct{}{}: // watch it from now on
	default:
	}
	w.lifecycle.endExpired(ctx)
	each(w.rooms, func(p room.Poller) { p.Poll(ctx) })
	w.finishErasingIfDue(ctx)
	w.bound(ctx)
}

// checkStore looks some time after the start for damage, and for temporary files of processes
// that were killed.
func (w *Workspace) checkStore(ctx context.Context, s Store) {
	select {
	case <-ctx.Done():
		return
	case <-time.After(pollEvery):
	}
	if err := w.repairer.check(ctx, s); errors.Is(err, store.ErrCorrupt) {
		w.queue.put(func() {
			if w.store.Load() == s {
				w.replaceDamaged(ctx, err)
			}
		})
	}
}

// replaceDamaged replaces a damaged open database by a new one. It is filled from the state
// in memory, which is newer than the readable copy.
func (w *Workspace) replaceDamaged(ctx context.Context, cause error) {
	w.log.Error("the database is damaged", "error", cause)
	copied, salvageErr := w.repairer.salvage()
	if s := w.store.Swap(nil); s != nil {
		_ = s.Close()
	}
	s, err := w.repairer.replace(ctx, copied, salvageErr == nil)
	if err == nil {
		w.store.Store(s)
		err = w.reload(ctx)
	}
	if err != nil {
		w.problems.set(aboutStore, w.repairer.problemOf(err))
	}
}

// reload loads the state from the store and keeps the pending hot changes.
func (w *Workspace) reload(ctx context.Context) error {
	s, err := w.store.opened()
	if err != nil {
		return err
	}
	fresh, state, err := w.repairer.load(ctx, s)
	if err != nil {
		return err
	}
	if err := attachTables(ctx, s, fresh.list, state.Meta); err != nil {
		return err
	}
	w.adopt(fresh, state)
	return nil
}

// roomsOf returns rooms that hold a state. Rows that cannot be read are set aside later.
func (w *Workspace) roomsOf(state store.State) *rooms {
	fresh := w.rooms.fresh()
	for _, r := range fresh.list {
		if bad := room.LoadReadable(r, state.Rows[r.Name()]); len(bad) > 0 {
			w.unreadable(r.Name(), bad)
		}
	}
	return fresh
}

// adopt makes rooms and the state that they hold those of the workspace, with the
// hot changes that wait to be written.
func (w *Workspace) adopt(fresh *rooms, state store.State) {
	w.rooms.Store(fresh)
	w.seq, w.unfinished = state.Seq, state.Meta[erasingKey] != "" // which a purge sets too
	w.foldPending()
	w.everythingChanged()
}

// empty drops the state in memory.
func (w *Workspace) empty() {
	fresh := w.rooms.fresh()
	if s := w.store.Load(); s != nil {
		attach(s, fresh.list)
	}
	w.rooms.Store(fresh)
	w.pending = nil
	clear(w.dirty)
	w.everythingChanged()
}

func (w *Workspace) everythingChanged() {
	w.version.Add(1)
	if w.options.Changed != nil {
		w.options.Changed(w, []string{WorkspaceNoun})
	}
}

// watch folds changes of other processes, on notices and at intervals.
func (w *Workspace) watch(ctx context.Context) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	var notices <-chan struct{}
	var refreshing atomic.Bool
	var refreshAt atomic.Int64 // not before, in nanoseconds
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.opened:
			if s := w.store.Load(); s != nil {
				w.watchers.Go(func() { w.checkStore(ctx, s) })
			}
		case _, open := <-notices:
			if !open {
				notices = nil
			} else if refreshing.CompareAndSwap(false, true) {
				wait := time.Duration(refreshAt.Load() - time.Now().UnixNano())
				time.AfterFunc(wait, func() {
					began := time.Now()
					w.queue.put(func() {
						refreshing.Store(false)
						w.refresh(ctx)
						took := time.Since(began)
						refreshAt.Store(time.Now().Add(min(refreshShare*took, refreshMost)).UnixNano())
					})
				})
			}
		case <-ticker.C:
			w.queue.offer(func() { w.poll(ctx) })
		}
		if s := w.store.Load(); s != nil && notices == nil {
			watched, err := s.Notices(ctx)
			if err != nil {
				w.log.Warn("watch for changes of other processes; polling instead", "error", err)
			}
			notices = watched
			w.queue.put(func() { w.refresh(ctx) }) // commits before the watch
		}
	}
}

func (w *Workspace) poll(ctx context.Context) {
	if ctx.Err() != nil {
		return // the workspace is closed
	}
	if w.store.Load() == nil {
		w.openStore(ctx)
		return
	}
	w.refresh(ctx)
	w.lifecycle.endExpired(ctx)
	each(w.rooms, func(p room.Poller) { p.Poll(ctx) })
	w.finishErasingIfDue(ctx)
	w.flushSoon(ctx)
}

func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
