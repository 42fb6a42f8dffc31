package memory

import (
	"context"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// boundEvery is the number of changes, of all processes, after which the length of the log is
// checked. A short log is checked more often.
const boundEvery = 1000

func (w *Workspace) boundEvery() int { return min(boundEvery, w.Settings().Log.MaxChanges/8) }

// boundSoon puts a check of the length of the log on the queue if the log has grown enough.
func (w *Workspace) boundSoon() {
	grown := w.seq - w.boundedAt
	if w.boundDue || grown >= 0 && grown < int64(w.boundEvery()) {
		return
	}
	w.boundDue = w.queue.offer(func() {
		w.boundDue = false
		w.bound(context.Background())
	})
}

// bound folds the oldest changes into the snapshot if the log is longer than the settings
// allow, or may become so before the next check.
func (w *Workspace) bound(ctx context.Context) {
	s := w.store.Load()
	if s == nil {
		return
	}
	w.boundedAt = w.seq
	limits := w.Settings().Log
	// This leaves room for the changes until the next check, and for as many that are
	// written at once then.
	over, err := s.OverLimit(ctx, limits.MaxChanges-2*w.boundEvery(), w.now().AddDate(0, 0, -limits.MaxDays))
	if err == nil && over > 0 {
		err = w.foldLog(ctx, over)
	}
	if err != nil && !w.regain(ctx, err) {
		w.log.Warn("fold the oldest changes into the snapshot", "error", err)
	}
}

// foldLog folds the changes up to and with seq into the snapshot.
func (w *Workspace) foldLog(ctx context.Context, seq int64) error {
	return w.store.Load().Update(ctx, store.Durable, func(tx store.Tx) error {
		snapshot, err := tx.Snapshot()
		if err != nil {
			return err
		}
		changes, err := tx.Until(seq)
		if err != nil {
			return err
		}
		changes = slices.DeleteFunc(changes, func(c change.Change) bool { return c.Seq <= snapshot.Seq })
		return tx.FoldInto(snapshot.Rows, w.replay(snapshot.Rows, changes), seq)
	})
}

// replay folds changes over rows in new rooms, and returns the resulting rows. A row
// that cannot be read stays as it is; a change that cannot be read is left out.
func (w *Workspace) replay(rows map[string][]change.Row, changes []change.Change) map[string][]change.Row {
	all := w.rooms.fresh().list
	values := map[rowID]change.Row{}
	for _, r := range all {
		room.LoadReadable(r, rows[r.Name()])
		for _, row := range rows[r.Name()] {
			values[rowID{r.Name(), row.Key}] = row
		}
	}
	for _, c := range changes {
		touched, err := foldInto(all, c)
		if err != nil {
			w.log.Error("replay a change", "seq", c.Seq, "kind", c.Kind, "error", err)
		}
		for _, row := range touched {
			id := rowID{row.room, row.Key}
			values[id] = row.Row
			if row.Value == nil {
				delete(values, id)
			}
		}
	}
	result := map[string][]change.Row{}
	for id, row := range values {
		result[id.room] = append(result[id.room], row)
	}
	return result
}
