package items

import (
	"bytes"
	"encoding/json"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
)

// orphaned is the retention of an item that was kept as long as its session: what is known of sessions is lost with
// a database.
const orphaned = "month"

// Rescue takes over the items that can still be recalled, if their checksums are right, and the records of episodes.
// Items whose rows are lost or damaged are taken from the log, which holds the newest twice. The other tables follow
// from them.
func (r *Room) Rescue(
	read func(room.Table, func([]any) error) error, yield func(change.Change) error,
) (room.Rescued, error) {
	rescued := room.Rescued{Name: "items"}
	log := r.readLog(read)
	var failed error // of yield
	pass := func(c change.Change) error {
		failed = yield(c.Because("read in a damaged database"))
		return failed
	}
	take := func(item Item) error {
		if item.Retention == asItsSession {
			item.Retention = orphaned
		}
		rescued.Read++
		return pass(change.New(Memorized, item.ID, item))
	}
	damaged := map[string]bool{} // ids
	columns := []string{"doc", "checksum", "deleted", "id"}
	itemsErr := read(room.Table{Name: "items_item", Key: "n", Columns: columns}, func(columns []any) error {
		id, _ := columns[3].(string)
		if deleted, _ := columns[2].(int64); deleted > 0 {
			delete(log.newest, id)
			return nil
		}
		doc, _ := columns[0].(string)
		sum, _ := columns[1].([]byte)
		var item Item
		err := (change.Row{Key: "item", Value: json.RawMessage(doc)}).Decode(&item)
		if own := checksum(item.Text, item.Content); err != nil || !bytes.Equal(own[:], sum) || item.ID == "" {
			damaged[id] = true
			return nil
		}
		delete(log.newest, id)
		return take(item)
	})
	if failed == nil && (itemsErr != nil || len(damaged) > 0) {
		_ = read(room.LogTable(), func(columns []any) error { // what cannot be read is told by itemsErr
			if item, is := log.item(loggedChange(columns)); is {
				delete(damaged, item.ID)
				return take(item)
			}
			return nil
		})
	}
	rescued.Damaged += len(damaged)
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

// A logged is what the log of a damaged database says of items.
type logged struct {
	// newest are the numbers of the newest changes of items by their ids.
	newest map[string]int64
	// forgotten are the kinds of the changes that ended sessions with their items, by session.
	forgotten map[string]change.Kind
}

// readLog reads what can be read of the log. Nothing depends on all of it.
func (r *Room) readLog(read func(room.Table, func([]any) error) error) logged {
	l := logged{map[string]int64{}, map[string]change.Kind{}}
	err := read(room.LogTable(), func(columns []any) error {
		switch c := loggedChange(columns); c.Kind {
		case sessions.Deleted, sessions.Swept:
			if l.forgotten[c.Subject] != sessions.Deleted {
				l.forgotten[c.Subject] = c.Kind
			}
		case Memorized, Updated, Restored, Evicted, Expired, Superseded, Removed:
			l.newest[c.Subject] = max(l.newest[c.Subject], c.Seq)
		}
		return nil
	})
	if err != nil {
		r.env.Log.Warn("not all of the log of a damaged database could be read", "error", err)
	}
	return l
}

// item returns the item that a change stored or updated, if nothing has happened to it since and its session has not
// been deleted.
func (l logged) item(c change.Change) (item Item, is bool) {
	switch c.Kind {
	case Memorized, Updated, Restored:
	default:
		return item, false
	}
	newest, there := l.newest[c.Subject]
	if !there || newest != c.Seq || c.Decode(&item) != nil || item.ID != c.Subject {
		return item, false
	}
	forgotten := l.forgotten[item.Session]
	return item, forgotten == "" || !item.Own && (forgotten != sessions.Deleted || item.Store != gating.Episodic)
}

func loggedChange(columns []any) (c change.Change) {
	c.Seq, _ = columns[0].(int64)
	kind, _ := columns[1].(string)
	c.Kind = change.Kind(kind)
	c.Subject, _ = columns[2].(string)
	after, _ := columns[3].(string)
	c.After = json.RawMessage(after)
	return c
}
