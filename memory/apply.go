package memory

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// flushEvery is how often hot changes are written at most: the first of a quiet
// time at once, then in batches (architecture, "Durability").
const flushEvery = 40 * time.Millisecond

// maxPending bounds the hot changes that wait for a store that cannot be written.
const maxPending = 10_000

// The changes that the workspace itself writes.
const (
	// purged empties the workspace.
	purged change.Kind = WorkspaceNoun + ".purged"
	// rewritten says that a text was erased from the rows of all rooms.
	rewritten change.Kind = WorkspaceNoun + ".rewritten"
)

// Apply decides and writes: decide is asked on the newest state, as the only
// writer of all processes, and its changes are on the disk when Apply returns
// them, as they passed the gate. When it fails nothing is changed. It is called
// on the queue.
func (w *Workspace) Apply(
	ctx context.Context, who change.Actor, decide func() ([]change.Change, error),
) ([]change.Change, error) {
	return w.apply(ctx, who, decide, nil)
}

// apply is Apply with something more to do in the same transaction.
func (w *Workspace) apply(
	ctx context.Context, who change.Actor, decide func() ([]change.Change, error), also func(store.Tx) error,
) ([]change.Change, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	changes, err := w.write(ctx, who, decide, also)
	switch {
	case errors.Is(err, store.ErrReplaced):
		if err = w.reload(ctx); err == nil {
			changes, err = w.write(ctx, who, decide, also)
		}
	case errors.Is(err, store.ErrCorrupt):
		w.replaceDamaged(ctx, err)
		changes, err = w.write(ctx, who, decide, also)
	}
	return changes, err
}

func (w *Workspace) write(
	ctx context.Context, who change.Actor, decide func() ([]change.Change, error), also func(store.Tx) error,
) ([]change.Change, error) {
	s := w.store.Load()
	if s == nil {
		return nil, w.storeError()
	}
	var changes []change.Change
	var done folded
	var decideErr error
	seq := w.seq
	err := s.Update(context.WithoutCancel(ctx), store.Durable, func(tx store.Tx) error {
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
			changes[i] = gate.Redact(w.stamp(changes[i], who))
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
	if err != nil {
		w.undo(done)
		if decideErr != nil || ctx.Err() != nil {
			return nil, err
		}
		return nil, w.failed(err)
	}
	w.wrote(seq)
	w.tell(changes)
	return changes, nil
}

// failed makes a problem of an error of the store.
func (w *Workspace) failed(err error) error {
	if !errors.Is(err, store.ErrReplaced) && !errors.Is(err, store.ErrCorrupt) {
		fix := "Check the folder " + w.dir + ": is there space left, may it be written?"
		w.setProblem(aboutStore, room.Failure(err.Error(), fix))
	}
	return fmt.Errorf("%w: %w", ErrStore, err)
}

// wrote notes that everything up to seq is on the disk.
func (w *Workspace) wrote(seq int64) {
	w.seq, w.lastFlush = seq, w.options.Now()
	w.pending = nil
	clear(w.dirty)
	w.clearProblem(aboutStore)
	w.boundSoon()
}

// applyHot folds hot changes now and writes them soon.
func (w *Workspace) applyHot(ctx context.Context, who change.Actor, changes []change.Change) ([]change.Change, error) {
	applied := make([]change.Change, 0, len(changes))
	var errs []error
	for _, c := range changes {
		c = gate.Redact(w.stamp(c, who))
		rows, err := w.fold(c)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, row := range rows {
			w.dirty[rowID{row.room, row.Key}] = row.Row
		}
		applied = append(applied, c)
	}
	w.pending = append(w.pending, applied...)
	if over := len(w.pending) - maxPending; over > 0 {
		w.pending = append([]change.Change{}, w.pending[over:]...)
	}
	w.tell(applied)
	w.flushSoon(ctx)
	return applied, errors.Join(errs...)
}

// flushSoon writes the hot changes: now, if that was not done just before.
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

// flush writes the hot changes that wait. When that fails they go on waiting.
func (w *Workspace) flush(ctx context.Context) {
	s := w.store.Load()
	if len(w.pending) == 0 || s == nil {
		return
	}
	ctx = context.WithoutCancel(ctx)
	var seq int64
	err := s.Update(ctx, store.Fast, func(tx store.Tx) error {
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
	case errors.Is(err, store.ErrReplaced):
		if err := w.reload(ctx); err != nil {
			_ = w.failed(err)
		}
	case errors.Is(err, store.ErrCorrupt):
		w.replaceDamaged(ctx, err)
	default:
		w.lastFlush = w.options.Now() // do not try again with every event
		_ = w.failed(err)
	}
}

// writePending writes the hot changes that wait and returns them as they are in
// the log.
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

type querier interface {
	Since(seq int64) ([]change.Change, error)
}

// catchUp folds what other processes have written since the last look. Where
// they touched a row that waits to be written, the row of both waits.
func (w *Workspace) catchUp(log querier) error {
	changes, err := log.Since(w.seq)
	if err != nil || len(changes) == 0 {
		return err
	}
	for _, c := range changes {
		w.seq = c.Seq
		if c.Kind == purged {
			w.empty()
			w.reloadSoon() // which makes the tables of rooms that the other does not have
			continue
		}
		if c.Kind == rewritten {
			w.reloadSoon()
		}
		rows, err := w.fold(c)
		if err != nil {
			// One change that cannot be read must not hide those after it.
			w.options.Log.Error("fold a change of another process", "workspace", w.key, "seq", c.Seq, "kind", c.Kind, "error", err)
		}
		if c.Kind == sessions.Deleted {
			w.deletedElsewhere(c.Subject)
		}
		for _, row := range rows {
			id := rowID{row.room, row.Key}
			if _, waits := w.dirty[id]; waits {
				w.dirty[id] = row.Row
			}
		}
	}
	w.tell(changes)
	return nil
}

// reloadSoon takes over what another process has rewritten.
func (w *Workspace) reloadSoon() {
	w.queue.offer(func() {
		if err := w.reload(context.Background()); err != nil {
			w.options.Log.Warn("take over what another process rewrote", "workspace", w.key, "error", err)
		}
	})
}

// deletedElsewhere drops what waits to be written of a session that another
// process has deleted, so that nothing brings it back.
func (w *Workspace) deletedElsewhere(session string) {
	w.pending = slices.DeleteFunc(w.pending, func(c change.Change) bool { return c.Session == session || c.Subject == session })
	w.giveBack(session)
}

// refresh looks for changes of other processes.
func (w *Workspace) refresh(ctx context.Context) {
	s := w.store.Load()
	if s == nil {
		return
	}
	if err := w.catchUp(sinceFunc(func(seq int64) ([]change.Change, error) { return s.Since(ctx, seq) })); err != nil && ctx.Err() == nil {
		w.options.Log.Warn("look for changes of other processes", "workspace", w.key, "error", err)
	}
}

type sinceFunc func(seq int64) ([]change.Change, error)

func (f sinceFunc) Since(seq int64) ([]change.Change, error) { return f(seq) }

// stamp completes a change with who did it and when, from where, and where it may
// go.
func (w *Workspace) stamp(c change.Change, who change.Actor) change.Change {
	if c.At.IsZero() {
		c.At = who.At
	}
	now := w.now()
	if c.At.IsZero() || c.At.After(now) {
		c.At = now
	}
	if who.At.IsZero() { // our own clock, which never runs backwards
		if c.At.Before(w.lastAt) {
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
	c.Origin = w.origin
	if w.nouns[c.Kind.Noun()].Shared {
		c.Scope = change.Shared
	}
	return c
}

type roomRow struct {
	room string
	change.Row
}

// folded are the rows that changes have touched, in order.
type folded []roomRow

func (f *folded) add(rows []roomRow) { *f = append(*f, rows...) }

// fold lets every room apply a change.
func (w *Workspace) fold(c change.Change) ([]roomRow, error) {
	return foldInto(w.rooms.Load().list, c)
}

// foldInto lets rooms apply a change. When it says that a session was deleted or
// swept, they forget that session.
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

// undo takes back rows whose transaction failed.
func (w *Workspace) undo(done folded) {
	byName := map[string]room.Room{}
	for _, r := range w.rooms.Load().list {
		byName[r.Name()] = r
	}
	for i := len(done) - 1; i >= 0; i-- {
		row := change.Row{Key: done[i].Key, Value: done[i].Old}
		if err := byName[done[i].room].Load([]change.Row{row}); err != nil {
			w.options.Log.Error("take a change back", "workspace", w.key, "error", err)
		}
	}
	if len(done) > 0 {
		w.version.Add(1)
	}
}

// tell says that something changed.
func (w *Workspace) tell(changes []change.Change) {
	if len(changes) == 0 {
		return
	}
	w.version.Add(1)
	nouns := map[string]bool{}
	for _, c := range changes {
		nouns[c.Kind.Noun()] = true
	}
	each(w, func(f room.Follower) { f.Committed(changes) })
	if w.options.Changed != nil {
		w.options.Changed(w, sorted(nouns))
	}
}

// An answer is what one room says about an event.
type answer struct {
	changes []change.Change
	err     error
}

func (a answer) durable() bool {
	return slices.ContainsFunc(a.changes, func(c change.Change) bool { return !c.Hot })
}

// ask returns what every room says about an event, in the order of the rooms.
func (w *Workspace) ask(ev event.Event) []answer {
	all := w.rooms.Load().list
	answers := make([]answer, len(all))
	for i, r := range all {
		answers[i] = w.askRoom(r, ev)
	}
	return answers
}

func (w *Workspace) askRoom(r room.Room, ev event.Event) answer {
	changes, err := r.Observe(ev)
	if err != nil {
		return answer{err: fmt.Errorf("ask the room %s: %w", r.Name(), err)}
	}
	keeper, keeps := r.(room.SessionKeeper)
	_, ended := ev.Body.(event.SessionEnded)
	if keeps && ended && !w.Sessions().Deleted(ev.Session) { // nothing more is kept of a deleted one
		changes = append(changes, keeper.EndSession(ev.Session)...)
	}
	return answer{changes: changes}
}

// joined returns the changes of all answers. A room that fails does not keep the
// others from answering.
func joined(answers []answer) ([]change.Change, error) {
	var changes []change.Change
	var errs []error
	for _, a := range answers {
		changes, errs = append(changes, a.changes...), append(errs, a.err)
	}
	return changes, errors.Join(errs...)
}

func mapKeys[K comparable, V any](m map[K]V) iter.Seq[K] { return maps.Keys(m) }
