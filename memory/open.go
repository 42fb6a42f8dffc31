package memory

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/inventory"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// openStore opens the store and loads the state. It is the first task on the queue, and is
// called again as long as it fails.
func (w *Workspace) openStore(ctx context.Context) {
	s, err := w.repairer.open(ctx)
	if err == nil {
		if err := w.origin.find(); err != nil {
			w.problems.set(aboutOrigin, room.Warning("Changes are written without their origin: "+fault.Plain(err),
				"The memory works without it. Move the file away; it is written anew."))
		} else {
			w.problems.clear(aboutOrigin)
		}
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
	if err := inventory.Record(w.options.DataDir, w.key, w.root); err != nil {
		w.problems.set(aboutRecorded, room.Warning("Where the workspace is was not recorded: "+fault.Plain(err),
			"The memory works without it, but wm-lsp status --all does not name the folder."))
	} else {
		w.problems.clear(aboutRecorded)
	}
	if w.options.Brief {
		w.problems.clear(aboutStore)
		if !w.options.Unseen { // a person is not told that an agent is at work which is gone
			w.lifecycle.endExpired(ctx)
		}
		return
	}
	go each(w.rooms, func(r room.Warmer) { r.Warm() }) // on one processor; the queue needs the other one
	w.problems.clear(aboutStore)
	w.lockWait.loaded.Store(true)
	w.watcher.opened()
	w.lifecycle.endExpired(ctx)
	each(w.rooms, func(o room.Opener) { o.Opened(ctx) })
	if w.eraser.due() {
		w.eraser.finish(ctx)
	}
	w.limit.later()
}

// checkStore keeps the log within its limits and replaces an open database that is damaged. It is called some time
// after the database was opened, for which nothing waits. It is not called on the queue.
func (w *Workspace) checkStore(ctx context.Context, s Store) {
	w.queue.put(func() {
		if ctx.Err() == nil { // the workspace is not closed
			w.limit.keep(context.WithoutCancel(ctx)) // see poll
		}
	})
	var err error
	w.options.Cores.Beside(func() { err = w.repairer.check(ctx, s) })
	if errors.Is(err, store.ErrCorrupt) {
		w.queue.put(func() {
			if w.store.Load() == s {
				w.replaceDamaged(ctx, err)
			}
		})
	}
}

// Damage returns damage that a read or write of the open database has met, nil if there is none. The
// error is store.ErrCorrupt.
func (w *Workspace) Damage() error {
	if s := w.store.Load(); s != nil {
		return s.Damage()
	}
	return nil
}

// Mend replaces the open database if an error says that it is damaged. It is called on the queue.
func (w *Workspace) Mend(ctx context.Context, cause error) {
	if errors.Is(cause, store.ErrCorrupt) {
		w.replaceDamaged(ctx, cause)
	}
}

// MendSoon is Mend for a caller that is not on the queue. It returns when that is done, false if the workspace is
// closed. cause is called on the queue: somebody else may have mended the database by then.
func (w *Workspace) MendSoon(cause func() error) bool {
	err := w.queue.do(func() error {
		w.Mend(context.Background(), cause())
		return nil
	})
	return err == nil
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

// reopen opens the store again that another process has replaced, as every write does.
func (w *Workspace) reopen(ctx context.Context) error {
	_, err := w.Apply(ctx, change.Actor{}, func() ([]change.Change, error) { return nil, nil })
	return err
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
	w.reader.adopt(fresh, state)
	w.repairer.tell(ctx, s, state.Meta)
	return nil
}

// poll looks for changes without a notification. When the workspace is closed meanwhile, as ctx says, what has begun is
// finished, so that it is neither lost nor told as a fault, and nothing else is begun.
func (w *Workspace) poll(ctx context.Context) {
	if ctx.Err() != nil {
		return // the workspace is closed
	}
	if w.store.Load() == nil {
		w.openStore(ctx)
		return
	}
	w.Mend(ctx, w.Damage())
	begun := context.WithoutCancel(ctx)
	w.reader.refresh(begun)
	w.lifecycle.endExpired(begun)
	each(w.rooms, func(p room.Poller) {
		if ctx.Err() == nil {
			p.Poll(begun)
		}
	})
	if ctx.Err() == nil && w.eraser.due() {
		w.eraser.finish(begun)
	}
	w.flushSoon(begun)
	w.maintainer.maintain(ctx)
}

// Rebuild makes anew what the tables of rooms hold that follows from other tables and files, such as the index of
// search, and returns when it is complete. Other processes take it over. It is not called on the queue.
func (w *Workspace) Rebuild(ctx context.Context) error { return w.maintainer.rebuild(ctx) }

func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
