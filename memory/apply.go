package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// flushEvery is the minimum time between two writes of hot changes (architecture,
// "Durability and several processes").
const flushEvery = 40 * time.Millisecond

// The changes that the workspace itself writes.
const (
	// purged empties the workspace.
	purged change.Kind = WorkspaceNoun + ".purged"
	// erased means that the strings of an entry, the subject, were erased from the rows of
	// all rooms. The rows after it are in the snapshot.
	erased change.Kind = WorkspaceNoun + ".erased"
)

// Apply writes the changes that decide returns. decide is called on the newest state, as the
// only writer of all processes. Apply returns the changes as they passed the gate, when they
// are on the disk. If it fails, nothing is changed. It is called on the queue.
func (w *Workspace) Apply(
	ctx context.Context, who change.Actor, decide func() ([]change.Change, error),
) ([]change.Change, error) {
	return w.commit(ctx, who, store.Durable, withoutTables(decide), nil)
}

// A decider decides in a transaction which changes to write.
type decider func(tx store.Tx) ([]change.Change, error)

// withoutTables returns a decider that does not read the tables of rooms.
func withoutTables(decide func() ([]change.Change, error)) decider {
	return func(store.Tx) ([]change.Change, error) { return decide() }
}

// commit is Apply in a mode. also runs in the same transaction, after the changes were written; it may be nil.
func (w *Workspace) commit(
	ctx context.Context, who change.Actor, mode store.Mode, decide decider, also func(store.Tx) error,
) ([]change.Change, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	changes, err := w.write(ctx, who, mode, decide, also)
	if err != nil && w.recoverFrom(ctx, err) {
		changes, err = w.write(ctx, who, mode, decide, also)
	}
	return changes, err
}

// write is commit without a recovery.
func (w *Workspace) write(
	ctx context.Context, who change.Actor, mode store.Mode, decide decider, also func(store.Tx) error,
) ([]change.Change, error) {
	s, err := w.store.opened()
	if err != nil {
		return nil, err
	}
	var changes []change.Change
	var done []roomRow
	var decideErr error
	seq := w.reader.seq.Load()
	err = s.Update(context.WithoutCancel(ctx), mode, w.reader.ahead(s), func(tx store.Tx) (err error) {
		if seq, err = w.catchUp(ctx, tx); err != nil { // before decide reads the tables
			return err
		}
		if changes, decideErr = decide(tx); decideErr != nil {
			return decideErr
		}
		if done, err = w.writeTo(ctx, tx, who, changes); err != nil {
			return err
		}
		if len(changes) > 0 {
			seq = changes[len(changes)-1].Seq
		}
		if also != nil {
			if err := also(tx); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	if errors.Is(err, store.ErrUnsynced) { // it is committed, with what else the transaction wrote
		w.wrote(seq)
		w.notifier.notifyAll()
		return nil, w.failed(errors.Join(err, w.reload(ctx)))
	}
	if err != nil {
		w.rooms.undo(done)
		w.notifier.notifyAll()
		if decideErr != nil || ctx.Err() != nil {
			return nil, err
		}
		return nil, w.failed(err)
	}
	w.wrote(seq)
	w.notifier.notifyAll(changes...)
	return changes, nil
}

// writeTo stamps and redacts changes, folds them, and writes them with their rows and what the tables of rooms hold of
// them. It returns what it folded also with an error, after which that has to be undone.
func (w *Workspace) writeTo(
	ctx context.Context, tx store.Tx, who change.Actor, changes []change.Change,
) (done []roomRow, err error) {
	w.stamper.stamp(changes, who)
	w.options.Cores.While(len(changes), func() { gate.Changes(changes, w.spares) })
	rooms := w.rooms.Load().list
	analyse(rooms, changes)
	for i := range changes {
		rows, err := w.rooms.fold(changes[i])
		done = append(done, rows...)
		if err != nil {
			return done, err
		}
	}
	if err := appendTo(tx, changes); err != nil {
		return done, err
	}
	for _, row := range done {
		if err := tx.Put(row.room, row.Row); err != nil {
			return done, err
		}
	}
	w.eraser.overtakes(changes)
	return done, indexChanges(ctx, tx, rooms, changes)
}

// ApplyAsWritten is Apply for changes with strings that a person asked to keep as they were
// written, with their secrets.
func (w *Workspace) ApplyAsWritten(
	ctx context.Context, who change.Actor, texts []string, decide func() ([]change.Change, error),
) ([]change.Change, error) {
	w.spared = texts
	defer func() { w.spared = nil }()
	return w.Apply(ctx, who, decide)
}

// spares reports whether a person asked for a string to be kept as it was written.
func (w *Workspace) spares(text string) bool {
	if slices.Contains(w.spared, text) {
		return true
	}
	for _, r := range w.rooms.Load().list {
		if s, ok := r.(room.Sparer); ok && s.Spares(text) {
			return true
		}
	}
	return false
}

// failed reports an error of the store as a problem, and wraps it in ErrStore.
func (w *Workspace) failed(err error) error {
	// See recoverFrom and lockWait.
	other := []error{store.ErrReplaced, store.ErrRemade, store.ErrCorrupt, store.ErrBusy}
	if !slices.ContainsFunc(other, func(known error) bool { return errors.Is(err, known) }) {
		w.problems.set(aboutStore, room.Failure(fault.Plain(err), checkFolder(w.dir)))
	}
	return fmt.Errorf("%w: %w", ErrStore, err)
}

// wrote records that everything up to seq is on the disk.
func (w *Workspace) wrote(seq int64) {
	w.reader.seq.Store(seq)
	w.lastFlush = w.options.Now()
	w.watcher.wrote()
	w.pending.clear()
	w.eraser.written()
	w.problems.clear(aboutStore)
	w.limit.checkSoon()
}

// applyHot folds hot changes now and writes them soon.
func (w *Workspace) applyHot(ctx context.Context, who change.Actor, changes []change.Change) ([]change.Change, error) {
	applied := make([]change.Change, 0, len(changes))
	var errs []error
	w.stamper.stamp(changes, who)
	for _, c := range changes {
		c = gate.Redact(c, w.spares)
		rows, err := w.rooms.fold(c)
		if err != nil {
			w.rooms.undo(rows)
			errs = append(errs, err)
			continue
		}
		w.pending.add(c, rows)
		applied = append(applied, c)
	}
	w.notifier.notify(applied)
	w.flushSoon(ctx)
	return applied, errors.Join(errs...)
}

// catchUp takes over the changes of other processes, and writes the pending ones and what the tables of rooms hold of
// them. It returns the number of the last change.
func (w *Workspace) catchUp(ctx context.Context, tx store.Tx) (seq int64, err error) {
	if err := w.reader.catchUp(tx); err != nil {
		return 0, err
	}
	written, err := w.pending.writeTo(tx)
	if err != nil {
		return 0, err
	}
	seq = w.reader.seq.Load()
	if len(written) > 0 {
		seq = written[len(written)-1].Seq
	}
	return seq, indexChanges(ctx, tx, w.rooms.Load().list, written)
}

// flushSoon writes the pending changes: at once, or flushEvery after the last write.
func (w *Workspace) flushSoon(ctx context.Context) {
	if w.pending.isEmpty() || w.flushDue {
		return
	}
	wait := flushEvery - w.options.Now().Sub(w.lastFlush)
	if wait <= 0 {
		w.flush(ctx)
		return
	}
	w.flushDue = true
	time.AfterFunc(wait, func() {
		w.queue.put(func() {
			w.flushDue = false
			w.flush(ctx)
		})
	})
}

// flush writes the pending changes. If that fails, they stay pending.
func (w *Workspace) flush(ctx context.Context) {
	s := w.store.Load()
	if w.pending.isEmpty() || s == nil {
		return
	}
	ctx = context.WithoutCancel(ctx)
	var seq int64
	err := s.Update(ctx, store.Fast, w.reader.ahead(s), func(tx store.Tx) (err error) {
		seq, err = w.catchUp(ctx, tx)
		return err
	})
	w.notifier.notifyAll()
	switch {
	case err == nil:
		w.wrote(seq)
	case w.recoverFrom(ctx, err): // they are written with the next ones, or by the next poll
	default:
		w.lastFlush = w.options.Now() // do not try again with every event
		_ = w.failed(err)
	}
}
