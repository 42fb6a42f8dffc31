package index

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/recall"
)

// maxScanned is how many documents a search reads if there is no index.
const maxScanned = 5000

// all returns the documents of all rooms, at most maxScanned, and those beside the index.
func (r *Room) all(ctx context.Context, query Query) (docs []room.Document, err error) {
	for _, source := range r.env.Sources() {
		if !r.attached.Load() {
			break
		}
		err := source.Each(ctx, r.db, func(doc room.Document) bool {
			docs = append(docs, doc)
			return len(docs) < maxScanned
		})
		if err != nil {
			return nil, fmt.Errorf("read what is remembered: %w", err)
		}
	}
	return append(docs, query.Also...), nil
}

// scan ranks the documents of all rooms.
func (r *Room) scan(ctx context.Context, query Query) (Result, error) {
	docs, err := r.all(ctx, query)
	if err != nil {
		return Result{}, err
	}
	ranked, err := r.rankCollection(query, collectionOf(docs))
	if err != nil {
		return Result{}, err
	}
	ranked.dropWeak(recall.Doc(len(docs) - len(query.Also)))
	pools := r.pools(query)
	result := r.rate(query, ranked, pools.newest(pools.take(ranked.ids, docs)), Scan)
	return r.orLiteral(ctx, query, result)
}

// A collection is an index of some documents in memory, whose places are their numbers from 1.
type collection struct {
	docs  []room.Document
	index recall.InMemory
}

func collectionOf(docs []room.Document) *collection {
	found := &collection{docs: docs}
	for _, doc := range docs {
		found.index.Add(entryOf(doc), doc.Thread)
	}
	return found
}

// collectionBeside returns the documents beside the index. They are analysed again only if they are not those of the
// query before.
func (r *Room) collectionBeside(docs []room.Document) *collection {
	kept := r.aside.Load()
	if kept == nil || !reflect.DeepEqual(kept.docs, docs) {
		kept = collectionOf(slices.Clone(docs))
		r.aside.Store(kept)
	}
	return kept
}

// rankCollection ranks documents by their words.
func (r *Room) rankCollection(query Query, among *collection) (ranked found, err error) {
	if ranked, err = r.rank(&among.index, filterOf(among.docs, &among.index), query); err != nil {
		return ranked, err
	}
	for _, hit := range ranked.hits {
		ranked.ids = append(ranked.ids, among.docs[hit.Doc-1].ID)
	}
	return ranked, nil
}

// leastBeside is the score of the weakest document beside the index that is found. In a few short documents weak
// relations of words count too much.
const leastBeside = 0.2

// dropWeak drops what was found weakly of the documents after one, which are beside the index.
func (f *found) dropWeak(after recall.Doc) {
	hits, ids := f.hits[:0], f.ids[:0]
	for i, hit := range f.hits {
		if hit.Doc <= after || hit.Score >= leastBeside {
			hits, ids = append(hits, hit), append(ids, f.ids[i])
		}
	}
	f.hits, f.ids = hits, ids
}

// beside adds to what the index has found what fits of the documents beside it.
func (r *Room) beside(query Query, ranked *found, docs []*room.Document) ([]*room.Document, error) {
	if len(query.Also) == 0 {
		return docs, nil
	}
	query.elsewhere = len(ranked.hits) > 0
	also, err := r.rankCollection(query, r.collectionBeside(query.Also))
	if err != nil {
		return nil, err
	}
	also.dropWeak(0)
	ranked.hits, ranked.ids = append(ranked.hits, also.hits...), append(ranked.ids, also.ids...)
	for i := range query.Also {
		docs = append(docs, &query.Also[i])
	}
	return docs, nil
}
