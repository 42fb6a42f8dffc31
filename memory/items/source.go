package items

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

const documentPrefix = Noun + ":"

// Tabled implements room.Tabled.
func (r *Room) Tabled() {}

// Documents returns the document of the item that a change stores, updates or restores, and the id of the
// one that it ends or hides.
func (r *Room) Documents(c change.Change) (put []room.Document, removed []string) {
	switch c.Kind {
	case Memorized, Updated, Restored:
		held, err := stored(c)
		switch {
		case err != nil:
		case !held.item.Hidden:
			doc := r.document(held.item)
			doc.Inserted = c.Kind == Restored // where it was before
			put = append(put, doc)
		case c.Kind != Memorized:
			removed = append(removed, documentPrefix+c.Subject)
		}
	case Evicted, Expired, Superseded, Removed:
		removed = append(removed, documentPrefix+c.Subject)
	}
	return put, removed
}

// SessionEnd returns when the session of an item ended, if the item is kept as long as that, otherwise the zero time.
func (r *Room) SessionEnd(i *Item) time.Time {
	if i.Retention != asItsSession || i.Session == "" {
		return time.Time{}
	}
	return r.env.EndedAt(i.Session)
}

func (r *Room) document(i *Item) room.Document {
	return room.Document{
		ID: documentPrefix + i.ID, Store: i.Store, Type: i.Type, Text: i.Text, At: i.At,
		Thread: i.thread(), Speaker: cmp.Or(i.Agent, i.Source), Session: i.Session, Agent: i.Agent,
		Task: i.Task, Episode: i.Episode, Tags: i.Tags, Words: i.Terms, Importance: i.Importance,
		From: i.From, Until: i.Until(), SessionEnd: r.SessionEnd(i),
	}
}

// turns are the types of items that follow each other in a session: what is said, thought and done.
var turns = once.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{
		"user_message": true, "assistant_message": true, "system_message": true, "tool_result": true, "thought": true,
		"action": true,
	}
}}

// thread returns the thread in which the item has neighbours: its channel, or its session if it is a
// turn of it. What holds by itself, such as a fact, has nothing to do with what was memorized before.
func (i *Item) thread() string {
	if i.Thread == "" && turns.Get()[i.Type] {
		return i.Session
	}
	return i.Thread
}

// Each yields the documents of all items that can be recalled.
func (r *Room) Each(ctx context.Context, db room.Querier, yield func(room.Document) bool) error {
	return r.each(ctx, db, "WHERE deleted = 0 ORDER BY n", nil, func(item *Item) bool {
		return item.Hidden || yield(r.document(item))
	})
}

// Ordered returns the ids of documents in the order in which their items were stored.
func (r *Room) Ordered(ctx context.Context, db room.Querier, ids []string) ([]string, error) {
	order, err := store.Strings(ctx, db, `SELECT items_item.id FROM json_each(?) AS wanted
		CROSS JOIN items_item ON items_item.id = wanted.value ORDER BY n`, room.Values(own(ids)))
	for i, id := range order {
		order[i] = documentPrefix + id
	}
	return order, err
}

// own returns the ids of the items of documents, without those of other rooms.
func own(ids []string) (own []string) {
	for _, id := range ids {
		if id, is := strings.CutPrefix(id, documentPrefix); is {
			own = append(own, id)
		}
	}
	return own
}

// Find returns documents by their ids, in that order. Items that are gone or have ended are left
// out.
func (r *Room) Find(ctx context.Context, db room.Querier, ids []string) ([]room.Document, error) {
	wanted := own(ids)
	if len(wanted) == 0 {
		return nil, nil
	}
	places := make(map[string]int, len(wanted))
	for i, id := range wanted {
		places[id] = i
	}
	now := r.env.Now()
	documents := make([]room.Document, len(wanted))
	err := r.read(ctx, db, selectByID, []any{room.Values(wanted)}, func(item *Item) bool {
		if item.DeletedAt.IsZero() && !item.Hidden && !item.IsOver(now) {
			documents[places[item.ID]] = r.document(item)
		}
		return true
	})
	return slices.DeleteFunc(documents, func(doc room.Document) bool { return doc.ID == "" }), err
}

// OfSession returns the documents of the items that are kept as long as a session.
func (r *Room) OfSession(ctx context.Context, db room.Querier, session string) (docs []room.Document, err error) {
	err = r.each(ctx, db, "WHERE session = ? AND own = 1 AND deleted = 0 AND "+itsRetention+" = ?",
		[]any{session, asItsSession}, func(item *Item) bool {
			if !item.Hidden {
				docs = append(docs, r.document(item))
			}
			return true
		})
	return docs, err
}

// itsRetention is the retention of an item that can be read.
const itsRetention = "CASE WHEN json_valid(doc) THEN json_extract(doc, '$.retention') END"

var (
	_ room.Orderer      = (*Room)(nil)
	_ room.SessionBound = (*Room)(nil)
)
