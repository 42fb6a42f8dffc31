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
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// flushEvery is the minimum time between two writes of hot changes (architecture,
// "Durability and several processes").
const flushEvery = 40 * time.Millisecond

// The changes that the workspace itself writes.
const (
	// purged empties the workspace.
	purged change.Kind = WorkspaceNoun + ".purged"
	// erased means that the texts of an entry, the subject, were erased from the rows of
	// all rooms. The rows after it are in the snapshot.
	erased change.Kind = WorkspaceNoun + ".erased"
)

// Apply writes the changes that decide returns. decide is called on the newest state, as the
// only writer of all processes. Apply returns the changes as they passed the gate, when they
// are on the disk. If it fails, nothing is changed. It is called on the queue.
func (w *Workspace) Apply(
	ctx context.Context, who change.Actor, decide func() ([]change.Change, error),
) ([]change.Change, error) {
	return w.apply(ctx, who, decide, nil)
}

// A decider decides in a transaction which changes to write.
type decider func(tx store.Tx) ([]change.Change, error)

// without returns a decider that does not read the tables of rooms.
func without(decide func() ([]change.Change, error)) decider {
	return func(store.Tx) ([]change.Change, error) { return decide() }
}

// apply is Apply with a function that runs in the same transaction, or nil.
func (w *Workspace) apply(
	ctx context.Context, who change.Actor, decide func() ([]change.Change, error), also func(store.Tx) error,
) ([]change.Change, error) {
	return w.commit(ctx, who, store.Durable, without(decide), also)
}

// commit is apply in a mode.
func (w *Workspace) commit(
	ctx context.Context, who change.Actor, mode store.Mode, decide decider, also func(store.Tx) error,
) ([]change.Change, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	changes, err := w.write(ctx, who, mode, decide, also)
	if err != nil && w.regain(ctx, err) {
		changes, err = w.write(ctx, who, mode, decide, also)
	}
	return changes, err
}

func (w *Workspace) write(
	ctx context.Context, who change.Actor, mode store.Mode, decide decider, also func(store.Tx) error,
) ([]change.Change, error) {
	s, err := w.store.opened()
	if err != nil {
		return nil, err
	}
	var changes []change.Change
	var done folded
	var decideErr error
	seq := w.seq.Load()
	err = s.Update(context.WithoutCancel(ctx), mode, w.ahead(s), func(tx store.Tx) error {
		if err := w.catchUp(tx); err != nil {
			return err
		}
		seq = w.seq.Load()
		written, err := w.pending.writeTo(tx, &seq)
		if err != nil {
			return err
		}
		all := w.rooms.Load().list
		if err := indexChanges(ctx, tx, all, written); err != nil { // before decide reads the tables
			return err
		}
		if changes, decideErr = decide(tx); decideErr != nil {
			return decideErr
		}
		for i := range changes {
			changes[i] = w.stamper.stamp(changes[i], who)
		}
		gate.Changes(changes, w.spares)
		analyse(all, changes)
		var touched []roomRow
		for i := range changes {
			rows, err := w.rooms.fold(changes[i])
			done.add(rows)
			if err != nil {
				return err
			}
			touched = append(touched, rows...)
		}
		if err := appendTo(tx, changes); err != nil {
			return err
		}
		if len(changes) > 0 {
			seq = changes[len(changes)-1].Seq
		}
		for _, row := range touched {
			if err := tx.Put(row.room, row.Row); err != nil {
				return err
			}
		}
		if err := indexChanges(ctx, tx, all, changes); err != nil {
			return err
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
		w.notifyAll()
		return nil, w.failed(errors.Join(err, w.reload(ctx)))
	}
	if err != nil {
		w.rooms.undo(done)
		w.notifyAll()
		if decideErr != nil || ctx.Err() != nil {
			return nil, err
		}
		return nil, w.failed(err)
	}
	w.wrote(seq)
	w.notifyAll(changes...)
	return changes, nil
}

// ApplyAsWritten is Apply for changes with texts that a person asked to keep as they were
// written, with their secrets.
func (w *Workspace) ApplyAsWritten(
	ctx context.Context, who change.Actor, texts []string, decide func() ([]change.Change, error),
) ([]change.Change, error) {
	w.spared = texts
	defer func() { w.spared = nil }()
	return w.Apply(ctx, who, decide)
}

// spares reports whether a person asked for a text to be kept as it was written.
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
	other := []error{store.ErrReplaced, store.ErrRemade, store.ErrCorrupt, store.ErrBusy} // see regain and hold
	if !slices.ContainsFunc(other, func(known error) bool { return errors.Is(err, known) }) {
		w.problems.set(aboutStore, room.Failure(fault.Plain(err), checkFolder(w.dir)))
	}
	return fmt.Errorf("%w: %w", ErrStore, err)
}

// wrote records that everything up to seq is on the disk.
func (w *Workspace) wrote(seq int64) {
	w.seq.Store(seq)
	w.lastFlush = w.options.Now()
	w.watcher.wrote()
	w.pending.clear()
	w.problems.clear(aboutStore)
	w.boundSoon()
}

// applyHot folds hot changes now and writes them soon.
func (w *Workspace) applyHot(ctx context.Context, who change.Actor, changes []change.Change) ([]change.Change, error) {
	applied := make([]change.Change, 0, len(changes))
	var errs []error
	for _, c := range changes {
		c = gate.Redact(w.stamper.stamp(c, who), w.spares)
		rows, err := w.rooms.fold(c)
		if err != nil {
			w.rooms.undo(rows)
			errs = append(errs, err)
			continue
		}
		w.pending.add(c, rows)
		applied = append(applied, c)
	}
	w.notify(applied)
	w.flushSoon(ctx)
	return applied, errors.Join(errs...)
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
	err := s.Update(ctx, store.Fast, w.ahead(s), func(tx store.Tx) error {
		if err := w.catchUp(tx); err != nil {
			return err
		}
		seq = w.seq.Load()
		written, err := w.pending.writeTo(tx, &seq)
		if err != nil {
			return err
		}
		return indexChanges(ctx, tx, w.rooms.Load().list, written)
	})
	w.notifyAll()
	switch {
	case err == nil:
		w.wrote(seq)
	case w.regain(ctx, err): // they are written with the next ones, or by the next poll
	default:
		w.lastFlush = w.options.Now() // do not try again with every event
		_ = w.failed(err)
	}
}

// A source returns committed data: a transaction or the open store.
type source interface {
	Since(seq int64) ([]change.Change, error)
	Load() (store.State, error)
}

// catchUp folds the changes that other processes have written since the last call. The
// pending changes are folded after that, as they will be in the log. The caller calls
// notifyAll afterwards, once for all that a write has folded.
func (w *Workspace) catchUp(from source) error {
	began := time.Now()
	changes, err := from.Since(w.seq.Load())
	if err != nil {
		return err
	}
	w.caughtUp = began
	if len(changes) == 0 {
		return nil
	}
	if slices.ContainsFunc(changes, func(c change.Change) bool { return c.Kind == purged || c.Kind == erased }) {
		return w.takeOver(from, changes)
	}
	waiting := w.pending.unfold() // also those that touched no row: they may touch one now
	for _, c := range changes {
		w.seq.Store(c.Seq)
		if _, err := w.rooms.fold(c); err != nil {
			// A change that cannot be read must not hide the changes after it.
			w.log.Error("fold a change of another process", "seq", c.Seq, "kind", c.Kind, "error", err)
		}
		if c.Kind == sessions.Deleted {
			w.deletedElsewhere(c.Subject)
		}
		w.pending.rebase(c)
	}
	if waiting {
		w.pending.fold()
	}
	w.rooms.version.Add(1)
	w.unnotified = append(w.unnotified, changes...)
	return nil
}

// takeOver loads the rows that another process has rewritten. It drops the pending changes that
// contain what was erased.
func (w *Workspace) takeOver(from source, changes []change.Change) error {
	state, err := from.Load()
	if err != nil {
		return err
	}
	newer, err := from.Since(changes[len(changes)-1].Seq)
	if err != nil {
		return err
	}
	changes = append(changes, slices.DeleteFunc(newer, func(c change.Change) bool { return c.Seq > state.Seq })...)
	fresh := w.rooms.holding(state)
	attach(w.store.Load(), fresh.list)
	erasing, err := erasingIn(state.Meta[erasingKey])
	if err != nil {
		return err
	}
	wasPurged := false
	for _, c := range changes {
		switch c.Kind {
		case purged:
			w.pending.clear()
			wasPurged = true
		case longterm.Erased:
			w.pending.dropErased(textsIn(RoomOf[*longterm.Room](w), c.Subject), erasing)
		}
		w.pending.rebase(c)
	}
	w.adopt(fresh, state)
	for _, c := range changes {
		if c.Kind == sessions.Deleted {
			w.deletedElsewhere(c.Subject)
		}
	}
	w.eraser.leaveToOther()
	if wasPurged {
		w.followPurge()
	}
	w.unnotified = append(w.unnotified, changes...)
	return nil
}

// followPurge deletes the files from before a purge by another process, if that process has not
// done so, before this one writes new ones. It reloads the state, which creates the tables of
// rooms that the other process does not have.
func (w *Workspace) followPurge() {
	w.queue.offer(func() {
		ctx := context.Background()
		_, _, err := w.eraser.discardPurged(ctx)
		if err := errors.Join(err, w.reload(ctx)); err != nil {
			w.log.Warn("take over what another process has purged", "error", err)
		}
	})
}

// deletedElsewhere drops the pending changes of a session that another process has deleted,
// so that they do not start the session again.
func (w *Workspace) deletedElsewhere(session string) {
	w.pending.dropSession(session)
	w.leases.release(session)
}

// refreshAfter folds changes of other processes, unless this was done after a notice.
func (w *Workspace) refreshAfter(ctx context.Context, notice time.Time) {
	if w.caughtUp.Before(notice) {
		w.refresh(ctx)
	}
}

// refresh folds changes of other processes.
func (w *Workspace) refresh(ctx context.Context) {
	s := w.store.Load()
	if s == nil {
		return
	}
	err := w.catchUp(committed{ctx, s})
	w.notifyAll()
	if errors.Is(err, store.ErrReplaced) { // the next write opens the new one
		_, err = w.Apply(ctx, change.Actor{}, func() ([]change.Change, error) { return nil, nil })
	}
	if err != nil && ctx.Err() == nil {
		w.log.Warn("read changes of other processes", "error", err)
	}
}

// ahead folds what other processes have committed while this one waits to be the next writer,
// so that little is left to fold while they wait for it.
func (w *Workspace) ahead(s Store) func() {
	return func() {
		ctx := context.Background()
		if err := w.catchUp(committed{ctx, s}); err != nil && !errors.Is(err, store.ErrReplaced) {
			w.log.Warn("read changes of other processes", "error", err)
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

// notifyAll notifies of the changes that catchUp has folded, and of further ones after them.
func (w *Workspace) notifyAll(further ...change.Change) {
	changes := append(w.unnotified, further...)
	w.unnotified = nil
	w.notify(changes)
}

// notify notifies the followers and the caller's Changed of changes.
func (w *Workspace) notify(changes []change.Change) {
	if len(changes) == 0 {
		return
	}
	w.rooms.version.Add(1)
	nouns := map[string]bool{}
	for _, c := range changes {
		nouns[c.Kind.Noun()] = true
	}
	each(w.rooms, func(f room.Follower) { f.Committed(changes) })
	if w.options.Changed != nil {
		w.options.Changed(w, sorted(nouns))
	}
}
