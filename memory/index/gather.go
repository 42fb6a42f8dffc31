package index

import (
	"context"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/recall"
)

// spareHits is how many times as many hits are ranked as there are candidates, for those that the
// pools leave out.
const spareHits = 2

// A pools takes the candidates of a query from what was found, the best first: a number of each
// memory.
type pools struct {
	query Query
	now   time.Time
	room  int // for how many more documents
	work  int // how many of working memory are kept
	// episodic and semantic are how many more there may be of these memories. Of others there may be as many as there
	// is room for.
	episodic, semantic int
}

func (r *Room) pools(query Query) *pools {
	set := r.env.Settings().Recall
	return &pools{
		query: query, now: query.At, room: r.candidates(query), work: max(set.Working, query.Limit),
		episodic: max(set.Episodic, query.Limit), semantic: max(set.Semantic, query.Limit),
	}
}

// admits reports whether a document is a candidate, and counts it if it is. The filter of the index has whole seconds.
func (p *pools) admits(doc *room.Document) bool {
	isOver := !doc.Until.IsZero() && !p.now.Before(doc.Until) ||
		!doc.SessionEnd.IsZero() && doc.Session != p.query.Asker
	return !doc.From.After(p.now) && !isOver && p.query.isWithin(doc.At) && p.count(doc.Store)
}

// count counts a candidate of a store, and reports whether there is room for it.
func (p *pools) count(store string) bool {
	left := &p.room
	switch store {
	case gating.Episodic:
		left = &p.episodic
	case gating.Semantic:
		left = &p.semantic
	}
	if p.room == 0 || *left == 0 {
		return false
	}
	p.room--
	if left != &p.room {
		*left--
	}
	return true
}

// take returns the documents with some ids that are candidates.
func (p *pools) take(ids []string, docs []room.Document) (taken []*room.Document) {
	known := make(map[string]*room.Document, len(docs))
	for i := range docs {
		known[docs[i].ID] = &docs[i]
	}
	for _, id := range ids {
		if doc := known[id]; doc != nil && p.admits(doc) {
			taken = append(taken, doc)
		}
	}
	return taken
}

// newest returns candidates without those of working memory that are older than as many as are kept.
func (p *pools) newest(docs []*room.Document) []*room.Document {
	var times []time.Time
	for _, doc := range docs {
		if doc.Store == gating.Working {
			times = append(times, doc.At)
		}
	}
	if len(times) <= p.work {
		return docs
	}
	slices.SortFunc(times, func(a, b time.Time) int { return b.Compare(a) })
	oldest := times[p.work-1]
	return slices.DeleteFunc(docs, func(doc *room.Document) bool {
		return doc.Store == gating.Working && doc.At.Before(oldest)
	})
}

// A reading is what was read of a hit.
type reading struct {
	done bool
	doc  *room.Document // nil if it is gone
}

// choose returns the places of the hits that are candidates, and of those that have to be read to know all of them.
func (p *pools) choose(ranked *found) (chosen, unread []int) {
	for i, read := range ranked.read {
		switch {
		case p.room == 0:
			return chosen, unread
		case !read.done && p.count(ranked.pools[i].store()):
			unread = append(unread, i)
		case read.doc != nil && p.admits(read.doc):
			chosen = append(chosen, i)
		}
	}
	return chosen, unread
}

// gather reads the documents of the candidates. More than the candidates are read only if some are gone. It ranks again
// then, because documents may have other numbers by now than the ranking found.
func (r *Room) gather(ctx context.Context, ranked *found, query Query) ([]*room.Document, error) {
	for {
		pools := r.pools(query)
		chosen, unread := pools.choose(ranked)
		if len(unread) == 0 {
			taken := make([]*room.Document, len(chosen), len(chosen)+len(query.Also)) // which are appended, see beside
			for k, i := range chosen {
				taken[k] = ranked.read[i].doc
			}
			return pools.newest(taken), nil
		}
		if !query.allIDs && slices.ContainsFunc(unread, func(i int) bool { return ranked.ids[i] == "" }) {
			query.allIDs = true
			again, err := r.lookUp(ctx, query)
			if err == nil {
				*ranked = again
				continue
			}
			if ctx.Err() != nil {
				return nil, err
			}
		}
		if err := r.read(ctx, ranked, unread); err != nil {
			return nil, err
		}
	}
}

// read reads the documents of some hits.
func (r *Room) read(ctx context.Context, ranked *found, hits []int) error {
	ids, at := make([]string, len(hits)), make(map[string]int, len(hits))
	for k, i := range hits {
		ranked.read[i].done = true
		ids[k], at[ranked.ids[i]] = ranked.ids[i], i
	}
	for _, source := range r.env.Sources() {
		docs, err := source.Find(ctx, r.db, ids)
		if err != nil {
			return err
		}
		for i := range docs {
			ranked.read[at[docs[i].ID]].doc = &docs[i]
		}
		if _, is := source.(room.Tabled); is && ranked.state.stats.Documents <= mostKept {
			r.keep(ranked, docs, at)
		}
	}
	return nil
}

// readIDs reads the ids of some hits.
func (f *found) readIDs(index *reader, hits []int) error {
	if len(hits) == 0 {
		return nil
	}
	docs := make([]recall.Doc, len(hits))
	for k, i := range hits {
		docs[k] = f.hits[i].Doc
	}
	ids, err := idsOf(index.ctx, index.db, docs)
	if err != nil {
		return err
	}
	for k, i := range hits {
		f.ids[i] = ids[k]
	}
	return nil
}
