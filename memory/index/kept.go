package index

import (
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/recall"
)

const (
	// mostKept is how many documents an index has at most of which a process keeps what it has read. Among more, a
	// search seldom finds what another one has found.
	mostKept = 10_000
	// longestKept is how many bytes the text of a kept document has at most.
	longestKept = 1 << 10
)

// keptDocuments are documents by their numbers, as they are in one version of the index.
type keptDocuments map[recall.Doc]*room.Document

// take takes over what is kept of the hits, with their ids.
func (k keptDocuments) take(ranked *found) {
	for i, hit := range ranked.hits {
		if doc := k[hit.Doc]; doc != nil {
			ranked.read[i], ranked.ids[i] = reading{true, doc}, doc.ID
		}
	}
}

// keep keeps documents of hits, whose places are by their ids. If the index has changed since the ranking, it is not
// known of which version they are.
func (r *Room) keep(ranked *found, docs []room.Document, at map[string]int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cache == nil || r.cache.epoch != ranked.state.epoch || r.cache.version != ranked.state.version {
		return
	}
	for i := range docs {
		if doc := &docs[i]; len(doc.Text) <= longestKept {
			r.cache.documents[ranked.hits[at[doc.ID]].Doc] = doc
		}
	}
}
