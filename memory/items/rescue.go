package items

import (
	"bytes"
	"encoding/json"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// orphaned is the retention of an item that was kept as long as its session: what is known of sessions is lost with
// a database.
const orphaned = "month"

// Rescue takes over the items that can still be recalled, if their checksums are right, and the records of
// episodes. The other tables follow from them.
func (r *Room) Rescue(
	read func(room.Table, func([]any) error) error, yield func(change.Change) error,
) (room.Rescued, error) {
	rescued := room.Rescued{Name: "items"}
	var failed error // of yield
	pass := func(c change.Change) error {
		failed = yield(c.Because("read in a damaged database"))
		return failed
	}
	columns := []string{"doc", "checksum", "deleted"}
	itemsErr := read(room.Table{Name: "items_item", Key: "n", Columns: columns}, func(columns []any) error {
		if deleted, _ := columns[2].(int64); deleted > 0 {
			return nil
		}
		doc, _ := columns[0].(string)
		sum, _ := columns[1].([]byte)
		var item Item
		err := (change.Row{Key: "item", Value: json.RawMessage(doc)}).Decode(&item)
		if own := checksum(item.Text, item.Content); err != nil || !bytes.Equal(own[:], sum) || item.ID == "" {
			rescued.Damaged++
			return nil
		}
		if item.Retention == asItsSession {
			item.Retention = orphaned
		}
		rescued.Read++
		return pass(change.New(Memorized, item.ID, item))
	})
	if failed != nil {
		return rescued, failed
	}
	err := read(room.Table{Name: "items_episode", Key: "number", Columns: []string{"id", "doc"}},
		func(columns []any) error {
			id, _ := columns[0].(string)
			doc, _ := columns[1].(string)
			var record Record
			err := (change.Row{Key: "episode", Value: json.RawMessage(doc)}).Decode(&record)
			if doc == "" || err != nil || record.ID != id {
				return nil
			}
			return pass(change.New(EpisodeTold, id, record))
		})
	if err != nil && failed == nil { // a line of an episode is less than an item
		r.env.Log.Warn("not all episodes of a damaged database could be read", "error", err)
	}
	rescued.Partly = itemsErr != nil
	return rescued, failed
}
