package items

import (
	"context"
	"errors"
	"fmt"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// Renew makes the counts of stores and the keys of near-duplicates anew. The keys are those of the newest items, as
// many as can have a place.
func (r *Room) Renew(ctx context.Context, tx room.Tx) error {
	for _, statement := range []string{
		"DELETE FROM items_count", "DELETE FROM items_key",
		`INSERT INTO items_count(store, session, items, tokens)
			SELECT store, session, count(*), sum(tokens) FROM items_item WHERE deleted = 0 GROUP BY store, session`,
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("count items anew: %w", err)
		}
	}
	rows, err := tx.QueryContext(ctx, "SELECT n, doc FROM (SELECT n, doc FROM items_item ORDER BY n DESC LIMIT ?) "+
		"ORDER BY n", places)
	if err != nil {
		return fmt.Errorf("read items: %w", err)
	}
	defer rows.Close()
	w := writer{ctx: ctx, tx: tx}
	for rows.Next() {
		var n int64
		var doc []byte
		if err := rows.Scan(&n, &doc); err != nil {
			return fmt.Errorf("read items: %w", err)
		}
		var item Item
		if err := (change.Row{Key: "item", Value: doc}).Decode(&item); err != nil {
			r.env.Log.Warn("an item is left out", "error", err)
			continue
		}
		for _, key := range keysOf(item.Store, gating.SketchOf(item.Text)) {
			w.keys = append(w.keys, keyRow{key, n})
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return fmt.Errorf("read items: %w", err)
	}
	return w.flushKeys()
}
