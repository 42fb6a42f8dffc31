package memory

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// boundEvery is after how many commits the length of the log is looked at.
const boundEvery = 500

// bound folds the oldest changes into the snapshot when the log is longer than
// the settings allow. The first look is at the start.
func (w *Workspace) bound(ctx context.Context) {
	s := w.store.Load()
	if s == nil || w.sinceBound < boundEvery && w.bounded {
		return
	}
	w.sinceBound, w.bounded = 0, true
	limits := w.Settings().Log
	over, err := s.OverLimit(ctx, limits.MaxChanges, w.now().AddDate(0, 0, -limits.MaxDays))
	if err == nil && over > 0 {
		err = w.foldLog(ctx, over)
	}
	if err != nil {
		w.options.Log.Warn("fold the oldest changes into the snapshot", "workspace", w.key, "error", err)
	}
}

// foldLog folds the changes up to and with seq into the snapshot.
func (w *Workspace) foldLog(ctx context.Context, seq int64) error {
	return w.store.Load().Update(ctx, store.Durable, func(tx *store.Tx) error {
		snapshot, err := tx.Snapshot()
		if err != nil {
			return err
		}
		changes, err := tx.Until(seq)
		if err != nil {
			return err
		}
		rows, err := w.replay(snapshot, changes)
		if err != nil {
			return err
		}
		return tx.FoldInto(rows, seq)
	})
}

// replay folds changes over rows in rooms of their own and returns what comes out.
func (w *Workspace) replay(rows map[string][]change.Row, changes []change.Change) (map[string][]change.Row, error) {
	all := w.newRooms().all()
	values := map[rowID]change.Row{}
	for _, room := range all {
		if err := room.Load(rows[room.Name()]); err != nil {
			return nil, err
		}
		for _, row := range rows[room.Name()] {
			values[rowID{room.Name(), row.Key}] = row
		}
	}
	for _, c := range changes {
		touched, err := foldInto(all, c)
		if err != nil {
			return nil, err
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
	return result, nil
}
