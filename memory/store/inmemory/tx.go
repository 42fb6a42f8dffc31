package inmemory

import (
	"maps"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// A transaction works on a content of its own.
type transaction struct{ content }

func (tx *transaction) Append(c *change.Change) error {
	c.Seq = 1
	if len(tx.log) > 0 {
		c.Seq = tx.log[len(tx.log)-1].Seq + 1
	}
	tx.log = append(tx.log, kept(*c))
	return nil
}

// kept returns a change as it is read again.
func kept(c change.Change) change.Change {
	c.At = time.UnixMilli(c.At.UnixMilli()).UTC()
	c.Before, c.After = slices.Clone(c.Before), slices.Clone(c.After)
	c.Hot, c.Redactions = false, 0
	return c
}

func (tx *transaction) Since(seq int64) ([]change.Change, error) { return tx.since(seq), nil }

func (tx *transaction) Until(seq int64) ([]change.Change, error) { return tx.until(seq), nil }

func (c content) since(seq int64) []change.Change {
	return c.matching(func(c change.Change) bool { return c.Seq > seq })
}

func (c content) until(seq int64) []change.Change {
	return c.matching(func(c change.Change) bool { return c.Seq <= seq })
}

func (c content) matching(match func(change.Change) bool) []change.Change {
	var found []change.Change
	for _, c := range c.log {
		if match(c) {
			found = append(found, kept(c))
		}
	}
	return found
}

func (tx *transaction) Put(room string, row change.Row) error {
	tx.state.put(room, row)
	return nil
}

func (tx *transaction) Rewrite(edit func(room string, row change.Row) (change.Row, bool)) (map[string][]change.Row, error) {
	written := map[string][]change.Row{}
	for room, list := range tx.state.byRoom() {
		for _, row := range list {
			if changed, is := edit(room, row); is {
				tx.state.put(room, changed)
				written[room] = append(written[room], changed)
			}
		}
	}
	return written, nil
}

func (tx *transaction) Snapshot() (map[string][]change.Row, error) { return tx.snapshot.byRoom(), nil }

func (tx *transaction) FoldInto(_, after map[string][]change.Row, seq int64) error {
	tx.snapshot = rows{}
	for room, list := range after {
		for _, row := range list {
			tx.snapshot.put(room, row)
		}
	}
	tx.log = slices.DeleteFunc(tx.log, func(c change.Change) bool { return c.Seq <= seq })
	return nil
}

func (tx *transaction) Blank(matches func(c change.Change) bool, matchesRow func(room string, row change.Row) bool) error {
	for i, c := range tx.log {
		if matches(kept(c)) {
			tx.log[i] = change.Change{Seq: c.Seq, At: c.At, Kind: store.KindBlank, Reason: "erased"}
		}
	}
	maps.DeleteFunc(tx.snapshot, func(id rowID, value string) bool {
		return matchesRow(id.room, change.Row{Key: id.key, Value: []byte(value)})
	})
	return nil
}

func (tx *transaction) Clear(seq int64) error {
	tx.log = slices.DeleteFunc(tx.log, func(c change.Change) bool { return c.Seq < seq })
	tx.state, tx.snapshot, tx.meta = rows{}, rows{}, map[string]string{}
	return nil
}

func (tx *transaction) Meta(key string) (string, error) { return tx.meta[key], nil }

func (tx *transaction) SetMeta(key, value string) error {
	tx.meta[key] = value
	return nil
}
