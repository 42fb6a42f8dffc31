package items

import (
	"context"
	"errors"
	"fmt"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// itsEpisode is the episode of an item that can be read, NULL if it has none.
const itsEpisode = "CASE WHEN json_valid(items_item.doc) THEN json_extract(items_item.doc, '$.episode') END"

// Renew makes the counts of stores, the items of episodes and the keys of near-duplicates anew. The keys are those of
// the newest items, as many as can have a place; one that is gone has them only if no other one has.
func (r *Room) Renew(ctx context.Context, tx room.Tx) error {
	for _, statement := range []string{
		"DELETE FROM items_count", "DELETE FROM items_key", "DELETE FROM items_newkey", "DELETE FROM items_in",
		`INSERT INTO items_count(store, session, items, tokens)
			SELECT store, session, count(*), sum(tokens) FROM items_item WHERE deleted = 0 GROUP BY store, session`,
		`INSERT OR IGNORE INTO items_episode(id) SELECT DISTINCT ` + itsEpisode + ` FROM items_item
			WHERE ` + itsEpisode + ` IS NOT NULL`,
		`INSERT INTO items_in(episode, n) SELECT e.number, items_item.n FROM items_item
			JOIN items_episode e ON e.id = ` + itsEpisode,
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("count items anew: %w", err)
		}
	}
	rows, err := tx.QueryContext(ctx, "SELECT n, id, doc, deleted > 0 FROM items_item ORDER BY n DESC LIMIT ?", places)
	if err != nil {
		return fmt.Errorf("read items: %w", err)
	}
	defer rows.Close()
	var gone, live []keyRow
	for rows.Next() {
		var n int64
		var id string
		var doc []byte
		var isGone bool
		if err := rows.Scan(&n, &id, &doc, &isGone); err != nil {
			return fmt.Errorf("read items: %w", err)
		}
		var item Item
		if err := (change.Row{Key: "item", Value: doc}).Decode(&item); err != nil {
			r.leaveOut(id, err)
			continue
		}
		keys := &live
		if isGone {
			keys = &gone
		}
		*keys = appendRows(*keys, keysOf(&item, gating.SketchOf(item.Text)), n)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return fmt.Errorf("read items: %w", err)
	}
	return errors.Join(putKeys(ctx, tx, gone), putKeys(ctx, tx, live))
}
