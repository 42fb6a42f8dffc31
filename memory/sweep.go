package memory

import (
	"cmp"
	"context"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/sweeps"
)

// Sweep deletes what has been kept for long enough (systems.md A12): outputs over
// their bounds, sessions that are over, and folders of sessions that nobody
// knows. What it did is in the log. It is called on the queue.
func (w *Workspace) Sweep(ctx context.Context, who change.Actor) (sweeps.Record, error) {
	_, err := w.Apply(ctx, who, func() ([]change.Change, error) { return w.sweepAll() })
	return RoomOf[*sweeps.Room](w).Latest(), err
}

// sweepSoon sweeps after what is on the queue, where so many events have passed.
// Whoever told the event has its answer by then.
func (w *Workspace) sweepSoon() {
	if w.sweepDue || !RoomOf[*sweeps.Room](w).Due() {
		return
	}
	w.sweepDue = w.queue.offer(func() {
		w.sweepDue = false
		w.sweepIfDue(context.Background())
	})
}

// sweepIfDue looks again whether a sweep is due, as the only writer of all
// processes: one of them does it.
func (w *Workspace) sweepIfDue(ctx context.Context) {
	_, err := w.Apply(ctx, change.Actor{}, func() ([]change.Change, error) {
		if !RoomOf[*sweeps.Room](w).Due() {
			return nil, nil
		}
		return w.sweepAll()
	})
	if err != nil {
		w.options.Log.Warn("sweep", "workspace", w.key, "error", err)
	}
}

// sweepAll sweeps the outputs and sessions. What is deleted stays so, also where
// the record of it cannot be written.
func (w *Workspace) sweepAll() ([]change.Change, error) {
	s := w.store.Load()
	swept, err := w.sweepOutputs(s)
	if err != nil {
		return nil, err
	}
	changes, folders, err := w.sweepSessions(s)
	if err != nil {
		return nil, err
	}
	return append(changes, RoomOf[*sweeps.Room](w).Done(sweeps.Record{
		Scanned: swept.Scanned, Deleted: swept.Deleted, Reclaimed: swept.Reclaimed,
		Failed: append(swept.Failed, folders.Failed...), Sessions: folders.Deleted,
	})), nil
}

func (w *Workspace) sweepOutputs(s *store.Store) (store.Sweep, error) {
	return outputs.Sweep(s, w.Settings().Outputs, w.now())
}

// sweepSessions answers which sessions are forgotten, and deletes their folders
// and those of sessions that nobody knows.
func (w *Workspace) sweepSessions(s *store.Store) ([]change.Change, store.Sweep, error) {
	before := w.now().AddDate(0, 0, -w.Settings().Session.KeepDays)
	changes := w.Sessions().Sweep(before)
	known := map[string]bool{}
	for _, session := range w.Sessions().List() {
		known[store.SessionKey(session.ID)] = !session.Deleted
	}
	for _, c := range changes {
		delete(known, store.SessionKey(c.Subject))
	}
	folders, err := s.SweepSessions(func(key string) bool { return known[key] }, before)
	return changes, folders, err
}

// sweepOld sweeps the sessions now and then, where little happens.
func (w *Workspace) sweepOld(ctx context.Context) {
	now := w.now()
	if now.Sub(w.lastSweep) < time.Hour {
		return
	}
	w.lastSweep = now
	changes, _, err := w.sweepSessions(w.store.Load())
	if err == nil && len(changes) > 0 {
		_, err = w.applyHot(ctx, change.Actor{}, changes)
	}
	if err != nil {
		w.options.Log.Warn("sweep the sessions", "workspace", w.key, "error", err)
	}
}

// removeUntouched removes the folder of a session that no process serves, if
// nothing was written into it but the template of the overview.
func (w *Workspace) removeUntouched(session string) {
	s := w.store.Load()
	if s == nil {
		return
	}
	templates := []string{cmp.Or(w.Settings().Notes.Template, overview.Template("en")), overview.Template("en"), overview.Template("zh")}
	if err := s.WhileUnserved(session, func(dir string) error { return notes.In(dir).RemoveUntouched(templates) }); err != nil {
		w.options.Log.Warn("remove the folder of a session that was not used", "workspace", w.key, "error", err)
	}
}
