package longterm

import (
	"context"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// documentPrefix begins the ids of the room's documents.
const documentPrefix = Noun + ":"

// DocumentID returns the id of the document of an entry.
func DocumentID(entry string) string { return documentPrefix + entry }

// Documents returns the document of the entry of a change, or its id if the entry is not to be
// found any more.
func (r *Room) Documents(c change.Change) (put []room.Document, removed []string) {
	if c.Kind.Noun() != Noun || c.Kind == Rejected {
		return nil, nil
	}
	var entry Entry
	if c.Kind != Erased && c.Kind != Swept && c.Decode(&entry) == nil && entry.isFound() {
		return []room.Document{entry.document()}, nil
	}
	return nil, []string{DocumentID(c.Subject)}
}

// Each yields the documents of all entries that search finds.
func (r *Room) Each(_ context.Context, _ room.Querier, yield func(room.Document) bool) error {
	if err := r.complete(); err != nil {
		return err
	}
	r.mu.RLock()
	found := r.state.all((*Entry).isFound)
	r.mu.RUnlock()
	for _, entry := range found { // entries do not change
		if !yield(entry.document()) {
			break
		}
	}
	return nil
}

// Find returns the documents of entries.
func (r *Room) Find(_ context.Context, _ room.Querier, ids []string) (found []room.Document, err error) {
	for _, id := range ids {
		id, isEntry := strings.CutPrefix(id, documentPrefix)
		if !isEntry {
			continue
		}
		entry, err := r.lookUp(id)
		if err != nil {
			return nil, err
		}
		if entry != nil && entry.isFound() {
			found = append(found, entry.document())
		}
	}
	return found, nil
}

// isFound reports whether search finds the entry: if it is active, stale or not, or was evicted
// or removed, but not if another one says the same, or if nobody has accepted it.
func (e *Entry) isFound() bool {
	switch e.Status {
	case StatusActive:
		return true
	case StatusEvicted, StatusRemoved:
		return e.Ended == nil || !e.Ended.Offered
	}
	return false
}

// state returns what a reader who finds the entry has to know.
func (e *Entry) state() room.State {
	switch {
	case e.Status == StatusEvicted:
		return room.Evicted
	case e.Status == StatusRemoved:
		return room.Removed
	case e.Stale != nil:
		return room.Stale
	}
	return ""
}

// WhyLabel stands before the rationale in the document of an entry.
const WhyLabel = "Why: "

// document returns the document of an entry.
func (e *Entry) document() room.Document {
	doc := room.Document{
		ID: DocumentID(e.ID), Store: room.StoreWorkspace, Type: e.Type, Text: e.Text, At: e.lastSaid(),
		Importance: e.importance(), State: e.state(),
	}
	if e.Rationale != "" {
		doc.Text += "\n" + WhyLabel + e.Rationale
	}
	if e.Origin != nil {
		doc.Session, doc.Agent = e.Origin.SessionID, e.Origin.Agent
	}
	return doc
}

// lastSaid returns when the entry was said last.
func (e *Entry) lastSaid() time.Time {
	if e.ReinforcedAt.After(e.CreatedAt) {
		return e.ReinforcedAt
	}
	return e.CreatedAt
}

// importance returns how important an entry is, from 0 to 1: that of a pinned one is 1, others
// follow their confidence, what was evicted or is stale is half as important, and what was
// removed a quarter.
func (e *Entry) importance() float64 {
	importance := 0.8 * min(max(e.Confidence, 0), 1)
	switch {
	case e.Status == StatusRemoved:
		return importance / 4
	case e.Pinned:
		return 1
	case e.Status != StatusActive || e.Stale != nil:
		return importance / 2
	}
	return importance
}
