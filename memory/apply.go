package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// flushEvery is the minimum time between two writes of hot changes (architecture,
// "Durability and several processes").
const flushEvery = 40 * time.Millisecond

// maxPending is the maximum number of pending hot changes.
const maxPending = 10_000

// The changes that the workspace itself writes.
const (
	// purged empties the workspace.
	purged change.Kind = WorkspaceNoun + ".purged"
	// erased says that the texts of an entry, its subject, were erased from the rows
	// of all rooms. The rows of after it are those of the snapshot.
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

// apply is Apply with a function that runs in the same transaction, or nil.
func (w *Workspace) apply(
	ctx context.Context, who change.Actor, decide func() ([]change.Change, error), also func(store.Tx) error,
) ([]change.Change, error) {
	return w.commit(ctx, who, store.Durable, decide, also)
}

// commit is apply in a mode.
func (w *Workspace) commit(
	ctx context.Context, who change.Actor, mode store.Mode, decide func() ([]change.Change, error),
	also func(store.Tx) error,
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
	ctx context.Context, who change.Actor, mode store.Mode, decide func() ([]change.Change, error),
	also func(store.Tx) error,
) ([]change.Change, error) {
	s, err := w.store.opened()
	if err != nil {
		return nil, err
	}
	var changes []change.Change
	var done folded
	var decideErr error
	seq := w.seq
	err = s.Update(context.WithoutCancel(ctx), mode, w.ahead(s), func(tx store.Tx) error {
		if err := w.catchUp(tx); err != nil {
			return err
		}
		seq = w.seq
		written, err := w.writePending(tx, &seq)
		if err != nil {
			return err
		}
		if changes, decideErr = decide(); decideErr != nil {
			return decideErr
		}
		for i := range changes {
			changes[i] = gate.Redact(w.stamp(changes[i], who), w.spares)
			rows, err := w.fold(changes[i])
			done.add(rows)
			if err != nil {
				return err
			}
			if err := tx.Append(&changes[i]); err != nil {
				return err
			}
			seq = changes[i].Seq
			for _, row := range rows {
				if err := tx.Put(row.room, row.Row); err != nil {
					return err
				}
			}
		}
		all := w.rooms.Load().list
		if err := index(ctx, tx, all, append(written, changes...)); err != nil {
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
		return nil, w.failed(errors.Join(err, w.reload(ctx)))
	}
	if err != nil {
		w.undo(done)
		if decideErr != nil || ctx.Err() != nil {
			return nil, err
		}
		return nil, w.failed(err)
	}
	w.wrote(seq)
	w.notify(changes)
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
	recoverable := []error{store.ErrReplaced, store.ErrRemade, store.ErrCorrupt}
	if !slices.ContainsFunc(recoverable, func(known error) bool { return errors.Is(err, known) }) {
		fix := "Check the folder " + w.dir + ": is there space left, may it be written?"
		w.problems.set(aboutStore, room.Failure(err.Error(), fix))
	}
	return fmt.Errorf("%w: %w", ErrStore, err)
}

// wrote records that everything up to seq is on the disk.
func (w *Workspace) wrote(seq int64) {
	w.seq, w.lastFlush = seq, w.options.Now()
	w.pending = nil
	clear(w.dirty)
	w.problems.clear(aboutStore)
	w.boundSoon()
}

// applyHot folds hot changes now and writes them soon.
func (w *Workspace) applyHot(ctx context.Context, who change.Actor, changes []change.Change) ([]change.Change, error) {
	applied := make([]change.Change, 0, len(changes))
	var errs []error
	for _, c := range changes {
		c = gate.Redact(w.stamp(c, who), w.spares)
		rows, err := w.fold(c)
		if err != nil {
			w.undo(rows)
			errs = append(errs, err)
			continue
		}
		w.noteDirty(rows)
		applied = append(applied, c)
	}
	w.pending = append(w.pending, applied...)
	if over := len(w.pending) - maxPending; over > 0 {
		w.pending = append([]change.Change{}, w.pending[over:]...)
	}
	w.notify(applied)
	w.flushSoon(ctx)
	return applied, errors.Join(errs...)
}

// flushSoon writes the pending changes: at once, or flushEvery after the last write.
func (w *Workspace) flushSoon(ctx context.Context) {
	if len(w.pending) == 0 || w.flushDue {
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
	if len(w.pending) == 0 || s == nil {
		return
	}
	ctx = context.WithoutCancel(ctx)
	var seq int64
	err := s.Update(ctx, store.Fast, w.ahead(s), func(tx store.Tx) error {
		if err := w.catchUp(tx); err != nil {
			return err
		}
		seq = w.seq
		written, err := w.writePending(tx, &seq)
		if err != nil {
			return err
		}
		return index(ctx, tx, w.rooms.Load().list, written)
	})
	switch {
	case err == nil:
		w.wrote(seq)
	case w.regain(ctx, err): // they are written with the next ones, or by the next poll
	default:
		w.lastFlush = w.options.Now() // do not try again with every event
		_ = w.failed(err)
	}
}

// writePending writes the pending changes and returns them as they are in the log.
func (w *Workspace) writePending(tx store.Tx, seq *int64) ([]change.Change, error) {
	written := slices.Clone(w.pending)
	for i := range written {
		if err := tx.Append(&written[i]); err != nil {
			return nil, err
		}
		*seq = written[i].Seq
	}
	for id, row := range w.dirty {
		if err := tx.Put(id.room, row); err != nil {
			return nil, err
		}
	}
	return written, nil
}

// noteDirty notes rows that wait to be written, with the values that are written.
func (w *Workspace) noteDirty(rows []roomRow) {
	for _, row := range rows {
		id := rowID{row.room, row.Key}
		if waiting, waits := w.dirty[id]; waits {
			row.Old = waiting.Old
		}
		w.dirty[id] = row.Row
	}
}

// A source is what was committed, as a transaction or the open store shows it.
type source interface {
	Since(seq int64) ([]change.Change, error)
	Load() (store.State, error)
}

// catchUp folds the changes that other processes have written since the last call. The
// pending changes are folded after that, as they will be in the log.
func (w *Workspace) catchUp(from source) error {
	began := time.Now()
	changes, err := from.Since(w.seq)
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
	waiting := w.putOff() // also what touched no row yet: it may touch one now
	for _, c := range changes {
		w.seq = c.Seq
		if _, err := w.fold(c); err != nil {
			// A change that cannot be read must not hide the changes after it.
			w.options.Log.Error("fold a change of another process",
				"workspace", w.key, "seq", c.Seq, "kind", c.Kind, "error", err)
		}
		if c.Kind == sessions.Deleted {
			w.deletedElsewhere(c.Subject)
		}
		w.rebasePending(c)
	}
	if waiting {
		w.foldPending()
	}
	w.notify(changes)
	return nil
}

// putOff takes back what waits to be written, so that the rooms are as the log is.
// It reports whether anything waits.
func (w *Workspace) putOff() bool {
	if len(w.pending) == 0 {
		return false
	}
	var rows folded
	for id, row := range w.dirty {
		rows = append(rows, roomRow{id.room, row})
	}
	w.undo(rows)
	return true
}

// rebasePending adapts the pending changes to a change of another process.
func (w *Workspace) rebasePending(other change.Change) {
	each(w.rooms, func(r room.Rebaser) {
		var kept []change.Change
		for _, c := range w.pending {
			if c, stays := r.Rebase(c, other); stays {
				kept = append(kept, c)
			}
		}
		w.pending = kept
	})
}

// foldPending folds what waits to be written once more.
func (w *Workspace) foldPending() {
	clear(w.dirty)
	for _, c := range w.pending {
		rows, err := w.fold(c)
		if err != nil {
			w.options.Log.Error("fold a change that waits to be written",
				"workspace", w.key, "kind", c.Kind, "error", err)
		}
		w.noteDirty(rows)
	}
}

// takeOver loads the rows that another process has rewritten. It drops the pending changes
// that would bring back what was erased.
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
			w.pending, wasPurged = nil, true
		case longterm.Erased:
			w.dropPending(c.Subject, erasing)
		}
		w.rebasePending(c)
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
	w.notify(changes)
	return nil
}

// dropPending drops the pending changes that hold a text of an entry that another process
// has erased. Also former texts of the entry count, which are known only as long as that
// process works on the files. Later, no pending change is known to be free of them, and all
// are dropped.
func (w *Workspace) dropPending(id string, erasing []string) {
	texts := textsIn(RoomOf[*longterm.Room](w), id)
	isErasing := func(text string) bool { return slices.Contains(erasing, text) }
	if len(texts) == 0 || !slices.ContainsFunc(texts, isErasing) {
		w.pending = nil
		return
	}
	forms := formsOf(erasing)
	w.pending = slices.DeleteFunc(w.pending, func(c change.Change) bool { return holdsForm(c, erasing, forms) })
}

// followPurge takes the files from before a purge away if the other process has not done it,
// before this one writes new ones. It loads the state anew, which creates the tables of rooms
// that the other process does not have.
func (w *Workspace) followPurge() {
	w.queue.offer(func() {
		ctx := context.Background()
		_, _, err := w.eraser.discardPurged(ctx)
		if err := errors.Join(err, w.reload(ctx)); err != nil {
			w.options.Log.Warn("take over what another process has purged", "workspace", w.key, "error", err)
		}
	})
}

// deletedElsewhere drops the pending changes of a session that another process has deleted,
// so that they do not start the session again.
func (w *Workspace) deletedElsewhere(session string) {
	w.pending = slices.DeleteFunc(w.pending, func(c change.Change) bool {
		return c.Session == session || c.Subject == session
	})
	w.leases.release(session)
}

// refreshAfter folds changes of other processes if the last ones were folded before a notice.
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
	if errors.Is(err, store.ErrReplaced) { // the next write opens the new one
		_, err = w.Apply(ctx, change.Actor{}, func() ([]change.Change, error) { return nil, nil })
	}
	if err != nil && ctx.Err() == nil {
		w.options.Log.Warn("read changes of other processes", "workspace", w.key, "error", err)
	}
}

// ahead folds what other processes have committed while this one waits to be the next writer,
// so that little is left to fold while they wait for it.
func (w *Workspace) ahead(s Store) func() {
	return func() {
		ctx := context.Background()
		if err := w.catchUp(committed{ctx, s}); err != nil && !errors.Is(err, store.ErrReplaced) {
			w.options.Log.Warn("read changes of other processes", "workspace", w.key, "error", err)
		}
	}
}

// committed is what the open store shows.
type committed struct {
	ctx   context.Context
	store Store
}

func (c committed) Since(seq int64) ([]change.Change, error) { return c.store.Since(c.ctx, seq) }

func (c committed) Load() (store.State, error) { return c.store.Load(c.ctx, nil) }

// maxSetBack is how far the clock may go back for a while and the times of changes do not.
const maxSetBack = time.Minute

// stamp sets the time, session, agent, origin and scope of a change.
func (w *Workspace) stamp(c change.Change, who change.Actor) change.Change {
	if c.At.IsZero() {
		c.At = who.At
	}
	now := w.now()
	if c.At.IsZero() || c.At.After(now) {
		c.At = now
	}
	if who.At.IsZero() { // times of our own clock do not decrease, unless it was set back
		if back := w.lastAt.Sub(c.At); 0 < back && back <= maxSetBack {
			c.At = w.lastAt
		}
		w.lastAt = c.At
	}
	c.At = c.At.UTC().Truncate(time.Millisecond)
	if c.Session == "" {
		c.Session = who.Session
	}
	if c.By == "" {
		c.By = who.Agent
	}
	c.Origin = w.origin.name
	if w.rooms.nouns[c.Kind.Noun()].Shared {
		c.Scope = change.Shared
	}
	return c
}

type roomRow struct {
	room string
	change.Row
}

// folded holds the rows that changes have touched, in order.
type folded []roomRow

func (f *folded) add(rows []roomRow) { *f = append(*f, rows...) }

// fold applies a change to all rooms.
func (w *Workspace) fold(c change.Change) ([]roomRow, error) {
	return foldInto(w.rooms.Load().list, c)
}

// foldInto applies a change to rooms. If a session was deleted or swept, the rooms forget
// that session.
func foldInto(all []room.Room, c change.Change) ([]roomRow, error) {
	forgotten := c.Kind == sessions.Deleted || c.Kind == sessions.Swept
	var rows []roomRow
	for _, r := range all {
		touched, err := r.Fold(c)
		if keeper, keeps := r.(room.SessionKeeper); keeps && forgotten {
			touched = append(touched, keeper.ForgetSession(c.Subject)...)
		}
		for _, row := range touched {
			rows = append(rows, roomRow{r.Name(), row})
		}
		if err != nil {
			return rows, fmt.Errorf("fold into the room %s: %w", r.Name(), err)
		}
	}
	return rows, nil
}

// undo restores rows whose transaction failed.
func (w *Workspace) undo(done folded) {
	byName := map[string]room.Room{}
	for _, r := range w.rooms.Load().list {
		byName[r.Name()] = r
	}
	for i := len(done) - 1; i >= 0; i-- {
		row := change.Row{Key: done[i].Key}
		if done[i].Old != nil {
			row.Value = done[i].Old()
		}
		if err := byName[done[i].room].Load([]change.Row{row}); err != nil {
			w.options.Log.Error("undo a change", "workspace", w.key, "error", err)
		}
	}
	if len(done) > 0 {
		w.version.Add(1)
	}
}

// notify notifies the followers and the caller's Changed of changes.
func (w *Workspace) notify(changes []change.Change) {
	if len(changes) == 0 {
		return
	}
	w.version.Add(1)
	nouns := map[string]bool{}
	for _, c := range changes {
		nouns[c.Kind.Noun()] = true
	}
	each(w.rooms, func(f room.Follower) { f.Committed(changes) })
	if w.options.Changed != nil {
		w.options.Changed(w, sorted(nouns))
	}
}
