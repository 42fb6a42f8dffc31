package memory

import (
	"fmt"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
)

type rowID struct{ room, key string }

type roomRow struct {
	room string
	change.Row
}

// fold applies a change to the current rooms.
func (r *registry) fold(c change.Change) ([]roomRow, error) { return foldInto(r.Load().list, c) }

// foldInto applies a change to rooms. If a session was deleted or swept, the rooms forget
// that session; if it has ended, they bundle its rows.
func foldInto(all []room.Room, c change.Change) ([]roomRow, error) {
	forgotten := c.Kind == sessions.Deleted || c.Kind == sessions.Swept
	var rows []roomRow
	for _, r := range all {
		touched, err := r.Fold(c)
		if keeper, keeps := r.(room.SessionKeeper); keeps && forgotten {
			touched = append(touched, keeper.ForgetSession(c.Subject)...)
		}
		if bundler, bundles := r.(room.Bundler); bundles && c.Kind == sessions.Ended {
			touched = append(touched, bundler.BundleSession(c.Subject)...)
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

// undo restores rows that changes have touched, in the order in which they were touched.
func (r *registry) undo(done []roomRow) {
	byName := map[string]room.Room{}
	for _, one := range r.Load().list {
		byName[one.Name()] = one
	}
	for i := len(done) - 1; i >= 0; i-- {
		row := change.Row{Key: done[i].Key}
		if done[i].Old != nil {
			row.Value = done[i].Old()
		}
		if err := byName[done[i].room].Load([]change.Row{row}); err != nil {
			r.env.Log.Error("undo a change", "error", err)
		}
	}
	if len(done) > 0 {
		r.version.Add(1)
	}
}

// replay folds changes over rows in new rooms, and returns the resulting rows. A row
// that cannot be read stays as it is; a change that cannot be read is left out.
func (r *registry) replay(rows map[string][]change.Row, changes []change.Change) map[string][]change.Row {
	all := r.fresh().list
	values := map[rowID]change.Row{}
	for _, kept := range all {
		room.LoadReadable(kept, rows[kept.Name()])
		for _, row := range rows[kept.Name()] {
			values[rowID{kept.Name(), row.Key}] = row
		}
	}
	for _, c := range changes {
		touched, err := foldInto(all, c)
		if err != nil {
			r.env.Log.Error("replay a change", "seq", c.Seq, "kind", c.Kind, "error", err)
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
