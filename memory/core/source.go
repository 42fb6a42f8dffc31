package core

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// documentPrefix begins the ids of the room's documents. The session, "/" and the name of the block
// follow.
const documentPrefix = "core:"

func documentID(session, block string) string {
	return documentPrefix + room.IDPart(session) + "/" + block
}

func (b Block) document(session, name string) room.Document {
	return room.Document{
		ID: documentID(session, name), Store: room.StoreCore, Type: name, Text: b.Content, At: b.UpdatedAt,
		Session: session, Importance: 0.6,
	}
}

// Documents returns the document of the block of a change, or its id if the block is empty.
func (r *Room) Documents(c change.Change) (put []room.Document, removed []string) {
	var now update
	if c.Kind != Updated || c.Decode(&now) != nil {
		return nil, nil
	}
	block := r.Get(c.Subject, now.Block)
	if block.Content == "" {
		return nil, []string{documentID(c.Subject, now.Block)}
	}
	return []room.Document{block.document(c.Subject, now.Block)}, nil
}

// Each yields the documents of all blocks.
func (r *Room) Each(_ context.Context, _ room.Querier, yield func(room.Document) bool) error {
	room.Yield(r.documents(), yield)
	return nil
}

// documents returns the documents of all blocks, in the order of their ids.
func (r *Room) documents() (docs []room.Document) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for session, blocks := range r.sessions {
		for name, block := range blocks {
			if block.Content != "" {
				docs = append(docs, block.document(session, name))
			}
		}
	}
	slices.SortFunc(docs, func(a, b room.Document) int { return strings.Compare(a.ID, b.ID) })
	return docs
}

// Find returns documents by their ids, in that order.
func (r *Room) Find(_ context.Context, _ room.Querier, ids []string) (found []room.Document, err error) {
	for _, id := range ids {
		rest, is := strings.CutPrefix(id, documentPrefix)
		part, name, _ := strings.Cut(rest, "/")
		session, err := url.PathUnescape(part)
		if !is || err != nil {
			continue
		}
		if block := r.Get(session, name); block.Content != "" {
			found = append(found, block.document(session, name))
		}
	}
	return found, nil
}

// Locate returns the row of a block in the panel of its session.
func (r *Room) Locate(_ string, doc room.Document) (room.Place, bool) {
	return room.Place{Item: itemPrefix + doc.Type, InSession: true}, strings.HasPrefix(doc.ID, documentPrefix)
}

var _ room.Locator = (*Room)(nil)
