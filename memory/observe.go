package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// Observe passes an event to the rooms, writes the changes that they return, and returns
// them. Hot changes are folded at once and written soon. If there are other changes, all are
// on the disk when Observe returns. The event is redacted before any room receives it.
// Observe is called on the queue.
func (w *Workspace) Observe(ctx context.Context, ev event.Event) ([]change.Change, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// An event whose changes are all hot is decided on this state, so it has to be the newest.
	if w.reader.behind() {
		w.reader.refresh(ctx)
	}
	if w.ignores(ev) {
		return nil, nil
	}
	ev = w.events.Redact(ev)
	if start, ok := ev.Body.(event.SessionStarted); ok {
		return w.lifecycle.begin(ctx, ev, start)
	}
	if err := w.lifecycle.ensure(ctx, ev); err != nil {
		return nil, err
	}
	switch body := ev.Body.(type) {
	case event.ToolRan:
		ev.Body = body.Prepared(ev.Worktree, w.Settings().Errors)
	case event.TerminalRan:
		ev.Body = event.TerminalRan{ToolRan: body.Prepared(ev.Worktree, w.Settings().Errors)}
	case event.MessageReceived:
		ev.Body = body.Prepared(RoomOf[*hot.Room](w).Before(ev.Session))
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// record writes files, so the event cannot be cancelled from here on.
	ctx = context.WithoutCancel(ctx)
	if err := w.rooms.record(ctx, ev); err != nil {
		return nil, err
	}
	return w.observe(ctx, ev)
}

// SaidLast returns redact.Tail of the last message of a session that was observed, "" if none is known. It is called on
// the queue.
func (w *Workspace) SaidLast(session string) string { return w.events.Tail(session) }

func (w *Workspace) observe(ctx context.Context, ev event.Event) ([]change.Change, error) {
	who := ev.Actor()
	if ev.At.IsZero() {
		ev.At = w.Now()
	}
	if _, ok := ev.Body.(event.SessionEnded); ok {
		return w.decide(ctx, who, store.Durable, func() ([]change.Change, error) { return w.lifecycle.observe(ev) })
	}
	results, version := w.rooms.Load().observe(ev), w.rooms.version.Load()
	changes, err := joined(results)
	if err != nil {
		w.log.Error("pass an event to the rooms", "error", err)
	}
	if len(changes) == 0 {
		return nil, err
	}
	if !slices.ContainsFunc(results, observed.durable) {
		return w.applyHot(ctx, who, changes)
	}
	// Durable changes are decided on the newest state of all processes. If the state has
	// changed, the rooms with durable changes observe the event again.
	return w.Apply(ctx, who, func() ([]change.Change, error) {
		if now := w.rooms.version.Load(); now != version {
			version = now
			all := w.rooms.Load()
			for i, r := range all.list {
				if results[i].durable() || results[i].err != nil {
					results[i] = all.observeIn(r, ev)
				}
			}
		}
		return joined(results)
	})
}

// decide is Apply for changes of the sessions themselves, such as their start and end. If they cannot be
// written, they are applied in memory. The mode is Durable if a client requested the start or end. A start or end
// that the server decides may be lost in a power cut, because the next process decides again.
func (w *Workspace) decide(
	ctx context.Context, who change.Actor, mode store.Mode, decide func() ([]change.Change, error),
) ([]change.Change, error) {
	changes, err := w.commit(ctx, who, mode, withoutTables(decide), nil)
	if !errors.Is(err, ErrStore) {
		return changes, err
	}
	if changes, err = decide(); err != nil || len(changes) == 0 {
		return nil, err
	}
	return w.applyHot(ctx, who, changes)
}

// ignores reports whether an event is ignored: the workspace is disabled, recording is
// paused, the session was deleted, or the event was seen before.
func (w *Workspace) ignores(ev event.Event) bool {
	if w.NoWorkspace() != nil {
		return true
	}
	known := w.rooms.Load().sessions
	switch body := ev.Body.(type) {
	case event.SessionEnded, event.SessionDeleted:
		return false
	case event.SessionStarted:
		return w.Paused() || known.Deleted(ev.Session) && !body.Explicit
	}
	return w.Paused() || known.Deleted(ev.Session) || ev.ID != "" && known.Seen(ev.Session, ev.ID)
}

// Paused reports whether recording is paused.
func (w *Workspace) Paused() bool { return w.Now().Before(w.Sessions().PausedUntil()) }

// ApplyIn is Apply for changes of the session of an event, which it starts if necessary. The
// error is a refusal if the session was deleted.
func (w *Workspace) ApplyIn(
	ctx context.Context, ev event.Event, decide func() ([]change.Change, error),
) ([]change.Change, error) {
	return w.ApplyReading(ctx, ev, func(room.Querier) ([]change.Change, error) { return decide() })
}

// ApplyReading is ApplyIn for changes that depend on what is in the tables of rooms, which decide
// reads in the transaction.
func (w *Workspace) ApplyReading(
	ctx context.Context, ev event.Event, decide func(tables room.Querier) ([]change.Change, error),
) ([]change.Change, error) {
	if err := w.Sessions().NotDeleted(ev.Session); err != nil {
		return nil, err
	}
	if err := w.lifecycle.ensure(ctx, ev); err != nil {
		return nil, err
	}
	return w.commit(ctx, ev.Actor(), store.Durable,
		func(tx store.Tx) ([]change.Change, error) {
			if err := w.Sessions().NotDeleted(ev.Session); err != nil { // another process may have deleted it
				return nil, err
			}
			return decide(tx)
		}, nil)
}

// EndSession ends a session at the request of a client.
func (w *Workspace) EndSession(ctx context.Context, ev event.Event) error {
	ev.Body = event.SessionEnded{}
	if _, err := w.Observe(ctx, ev); err != nil {
		return err
	}
	w.leases.release(ev.Session)
	w.lifecycle.removeUnused(ctx, ev.Session)
	return nil
}

// DeleteSession deletes a session and returns what was removed: the session, and the paths
// of files relative to the workspace's folder. An unknown session may still have files.
func (w *Workspace) DeleteSession(ctx context.Context, ev event.Event) ([]string, error) {
	ev.Body = event.SessionDeleted{}
	removed := []string{}
	if known, there := w.Sessions().Get(ev.Session); there && !known.Deleted {
		removed = append(removed, "session "+ev.Session)
	}
	if _, err := w.Observe(ctx, ev); err != nil {
		return nil, err
	}
	w.leases.release(ev.Session)
	s, err := w.store.opened()
	if err != nil {
		return nil, err
	}
	files, err := s.RemoveSession(ev.Session)
	return append(removed, files...), err
}

// shutDown ends the sessions that only this process owns, writes everything and closes the
// store.
func (w *Workspace) shutDown(ctx context.Context) {
	w.Mend(ctx, w.Damage())
	w.lifecycle.endAll(ctx)
	w.flush(ctx)
	if w.store.Load() == nil {
		return
	}
	each(w.rooms, func(f room.Flusher) { f.Flush(ctx) })
	s := w.store.Swap(nil)
	if err := s.Close(); err != nil && !errors.Is(err, store.ErrReplaced) {
		w.log.Warn("close the store", "error", err)
	}
}

// An observed is the result of Observe of a room.
type observed struct {
	changes []change.Change
	err     error
}

// durable reports whether there are changes that are not hot.
func (o observed) durable() bool {
	return slices.ContainsFunc(o.changes, func(c change.Change) bool { return !c.Hot })
}

// observe passes an event to all rooms and returns their results in order.
func (all *rooms) observe(ev event.Event) []observed {
	results := make([]observed, len(all.list))
	for i, r := range all.list {
		results[i] = all.observeIn(r, ev)
	}
	return results
}

// observeIn passes an event to one room.
func (all *rooms) observeIn(r room.Room, ev event.Event) observed {
	changes, err := r.Observe(ev)
	if err != nil {
		return observed{err: fmt.Errorf("pass an event to the room %s: %w", r.Name(), err)}
	}
	keeper, keeps := r.(room.SessionKeeper)
	_, ended := ev.Body.(event.SessionEnded)
	if keeps && ended && !all.sessions.Deleted(ev.Session) {
		changes = append(changes, keeper.EndSession(ev.Session)...)
	}
	return observed{changes: changes}
}

// joined returns the changes and the errors of all results.
func joined(results []observed) ([]change.Change, error) {
	var changes []change.Change
	var errs []error
	for _, o := range results {
		changes, errs = append(changes, o.changes...), append(errs, o.err)
	}
	return changes, errors.Join(errs...)
}
