package memory

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
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
	s, err := w.options.Storage.Open(ctx, w.dir, w.options.Log)
	if errors.Is(err, store.ErrCorrupt) {
		s, err = w.setAside(ctx)
	}
	if err == nil {
		w.origin.find()
		w.store.Store(s)
		err = w.reload(ctx)
	}
	if errors.Is(err, store.ErrCorrupt) { // detected while the state was read
		w.store.Store(nil)
		_ = s.Close()
		if s, err = w.setAside(ctx); err == nil {
			w.store.Store(s)
			err = w.reload(ctx)
		}
	}
	if err != nil {
		if s := w.store.Swap(nil); s != nil {
			_ = s.Close()
		}
		w.problems.set(aboutStore, problemOf(err, w.dir))
		return
	}
	w.problems.clear(aboutStore)
	select {
	case w.opened <- struct{}{}: // watch it from now on
	default:
	}
	w.endExpired(ctx)
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
	err := errors.Join(files.ClearLeft(w.options.DataDir, false), files.ClearLeft(w.dir, true))
	if err != nil {
		w.log.Warn("clear what was left", "error", err)
	}
	if err := s.Check(ctx); errors.Is(err, store.ErrCorrupt) {
		w.queue.put(func() {
			if w.store.Load() == s {
				w.replaceDamaged(ctx, err)
			}
		})
	}
}

func problemOf(err error, dir string) Problem {
	if errors.Is(err, store.ErrNewer) {
		return room.Failure(err.Error(), "Install the newest wm-lsp. Nothing was changed in "+dir+".")
	}
	return room.Failure(err.Error(), "Check the folder "+dir+": is there space left, may it be read and written?")
}

// setAside sets a damaged database aside, opens a new one and fills it from the readable
// copy.
func (w *Workspace) setAside(ctx context.Context) (Store, error) {
	name, err := w.options.Storage.SetAside(ctx, w.dir, w.now(), w.options.Log)
	if err != nil {
		return nil, err
	}
	s, err := w.options.Storage.Open(ctx, w.dir, w.options.Log)
	if err != nil || name == "" {
		return s, err
	}
	doc, _, err := s.ReadCopy(ctx)
	if err != nil {
		doc = nil
	}
	w.rebuild(ctx, s, name, doc)
	return s, nil
}

// replaceDamaged replaces a damaged open database by a new one. It is filled from the state
// in memory, which is newer than the readable copy.
func (w *Workspace) replaceDamaged(ctx context.Context, cause error) {
	w.log.Error("the database is damaged", "error", cause)
	salvaged, salvageErr := w.salvage()
	if s := w.store.Swap(nil); s != nil {
		_ = s.Close()
	}
	name, err := w.options.Storage.SetAside(ctx, w.dir, w.now(), w.options.Log)
	if err == nil {
		var s Store
		if s, err = w.options.Storage.Open(ctx, w.dir, w.options.Log); err == nil {
			if name != "" && salvageErr == nil {
				w.rebuild(ctx, s, name, salvaged)
			}
			w.store.Store(s)
			err = w.reload(ctx)
		}
	}
	if err != nil {
		w.problems.set(aboutStore, problemOf(err, w.dir))
	}
}

// rebuild fills a new database from a readable copy, and reports it as a problem.
func (w *Workspace) rebuild(ctx context.Context, s Store, setAside string, copied []byte) {
	problem := room.Warning("The memory database was damaged. It was set aside as "+setAside+
		" and the memory was rebuilt from the readable copy.",
		"Hot state of before is gone. Delete the file once you do not need it any more.")
	defer func() { w.problems.set(aboutSaved, problem) }()
	fresh := w.rooms.fresh().list
	changes, err := rebuiltFrom(copied, fresh)
	if err != nil {
		problem.Message = "The memory database was damaged. It was set aside as " + setAside +
			"; there was no readable copy to rebuild it from."
		return
	}
	err = s.Update(ctx, store.Durable, func(tx store.Tx) error {
		if err := migrateTables(ctx, tx, fresh); err != nil {
			return err
		}
		return w.appendAll(ctx, tx, fresh, changes)
	})
	if err != nil {
		problem = room.Failure(
			"The memory database was damaged and set aside as "+setAside+", but could not be rebuilt: "+err.Error(),
			"The readable copy "+store.CopyName+" still holds the entries.")
	}
}

// rebuiltFrom returns the changes of rooms for what a readable copy holds and they do not.
func rebuiltFrom(copied []byte, rooms []room.Room) ([]change.Change, error) {
	var changes []change.Change
	for _, r := range rooms {
		rebuilder, can := r.(room.Rebuilder)
		if !can {
			continue
		}
		rebuilt, err := rebuilder.RebuildFrom(copied)
		if err != nil {
			return nil, err
		}
		changes = append(changes, rebuilt...)
	}
	return changes, nil
}

// salvage returns the readable copy of the state in memory.
func (w *Workspace) salvage() (copied []byte, err error) {
	each(w.rooms, func(s room.Salvager) { copied, err = s.Salvage() })
	return copied, err
}

// reload loads the state from the store and keeps the pending hot changes.
func (w *Workspace) reload(ctx context.Context) error {
	s, err := w.store.opened()
	if err != nil {
		return err
	}
	fresh, state, err := w.readState(ctx, s)
	if err != nil {
		return err
	}
	if err := w.tablesOf(ctx, s, fresh.list, state.Meta); err != nil {
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
	w.endExpired(ctx)
	each(w.rooms, func(p room.Poller) { p.Poll(ctx) })
	w.finishErasingIfDue(ctx)
	w.flushSoon(ctx)
}

func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
