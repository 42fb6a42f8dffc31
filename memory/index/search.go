package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/endpoint"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/recall"
)

// A Query is what is searched for, and a filter. A zero member of the filter matches all
// documents. Of a list, one has to match.
type Query struct {
	Text string
	// At is when it is asked, from which times such as "last Tuesday" and ages are seen; now if it is zero.
	At time.Time
	// Limit is the maximum number of hits.
	Limit                         int
	Stores, Types, Tags           []string
	Session, Agent, Task, Episode string
	// Since and Until are the times between which a document was written, both included.
	Since, Until time.Time
	// MinImportance is from 0 to 1.
	MinImportance float64
	// Asker is the session that asks, "" if none does. It finds what only it recalls.
	Asker string
	// Explain asks for the reasons of hits.
	Explain bool
	// Prompt is true if the text is what an agent was told rather than what is typed into a
	// search: its last word is complete, and the result says what it seeks.
	Prompt bool
	// Beside are further documents that say what a prompt is about. They count less.
	Beside string
	// Also are documents that are not in the index. They are found as those in it are.
	Also []room.Document

	// asEnded is true if the asker has ended.
	asEnded bool
	// vector is that of the text, nil if there is none.
	vector []float32
	// reading is that of the text, which is looked for in the index and beside it.
	reading *recall.Reading
	// elsewhere is true if something was found among other documents.
	elsewhere bool
	// allIDs is true if the ids of all hits are read with the ranking, and not only those of the first candidates.
	allIDs bool
}

// isWithin reports whether a document of a time, as clients are told it, was written between those of the query.
func (q *Query) isWithin(at time.Time) bool {
	if q.Since.IsZero() && q.Until.IsZero() {
		return true
	}
	at = at.Truncate(time.Millisecond)
	return !at.Before(q.Since) && (q.Until.IsZero() || !at.After(q.Until))
}

// A Hit is a document that was found.
type Hit struct {
	room.Document
	Score  float64
	Rating recall.Rating
	// Reasons say what made the document similar to the query, if the query asked for them.
	Reasons []recall.Part
}

// A Rated document is a candidate for a query, with what its rating depends on.
type Rated struct {
	ID, Text                            string
	Similarity, Importance, Duplication float64
	At                                  time.Time
}

// A Result is what was found, the best first.
type Result struct {
	Hits []Hit
	// Rated are all candidates, the best first. The hits are the first of them.
	Rated []Rated
	// Mode says how it was found: Hybrid, Lexical or Scan.
	Mode string
	// Fallback says why the endpoint for embeddings took no part, "" if it did or there is none.
	Fallback string
	// Sought is what a prompt looks for, nil for other queries.
	Sought *recall.Sought
}

// The modes of a search.
const (
	Hybrid  = "hybrid"  // by words, and by the vectors of an endpoint
	Lexical = "lexical" // by the words in the index
	// Scan is by the words of all documents, of which at most maxScanned are read. It takes longer
	// and gives the same hits while the index is being made.
	Scan = "scan"
)

// found is what the ranking found.
type found struct {
	ids    []string // of the hits, "" of those that were not read
	hits   []recall.Hit
	pools  []pool    // of the hits, nil if they are not known
	read   []reading // of the hits
	state  state     // of the index
	sought *recall.Sought
	// oneWord is true if the query has one word that says something.
	oneWord bool
	// fused is true if vectors took part. Otherwise fallback says why, if the query had one.
	fused    bool
	fallback string
}

// Search returns the documents that fit a query. If the index cannot be read, it is made anew,
// and this search reads the documents.
func (r *Room) Search(ctx context.Context, query Query) (Result, error) {
	query.reading = recall.ReadingOf(query.Text)
	query.asEnded = query.Asker != "" && !r.env.EndedAt(query.Asker).IsZero()
	if query.At.IsZero() {
		query.At = r.env.Now()
	}
	ranked, err := r.lookUp(ctx, query)
	switch {
	case err == nil:
		docs, err := r.gather(ctx, &ranked, query)
		if err != nil {
			return Result{}, fmt.Errorf("read what was found: %w", err)
		}
		if docs, err = r.beside(query, &ranked, docs); err != nil {
			return Result{}, err
		}
		result := r.rate(query, ranked, docs, Lexical)
		if result.Fallback = ranked.fallback; ranked.fused {
			result.Mode = Hybrid
		}
		return r.orLiteral(ctx, query, result)
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case errors.Is(err, errIncomplete):
		r.due.Store(true)
	case !errors.Is(err, errDetached):
		r.env.Log.Warn("search without the index", "error", err)
		if isDamage(err) {
			r.damaged.Store(true)
		}
	}
	return r.scan(ctx, query)
}

var (
	errDetached   = errors.New("there is no database")
	errIncomplete = errors.New("the index is not complete")
)

// lookUp ranks the documents of the index.
func (r *Room) lookUp(ctx context.Context, query Query) (ranked found, err error) {
	if !r.attached.Load() {
		return ranked, errDetached
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	err = r.db.View(ctx, func(db room.Querier) error {
		index, err := newReader(ctx, db, r.cache)
		if err != nil {
			return err
		}
		if isUntidy(index.state.stats, index.segments) {
			r.due.Store(true) // the process that has added the documents may have ended
		}
		r.cache, index.along = index.cache, query.Prompt // it says in many words what it is about
		if !index.state.complete {
			return errIncomplete
		}
		filter := filter{index: index, columns: index.columns}
		ranked, err = r.rank(index, &filter, query)
		if err == nil && query.vector != nil {
			err = r.fuse(index, &filter, query, &ranked)
		}
		if err != nil || len(ranked.hits) == 0 {
			return err
		}
		ranked.pools, ranked.ids = make([]pool, len(ranked.hits)), make([]string, len(ranked.hits))
		ranked.read = make([]reading, len(ranked.hits))
		for i, hit := range ranked.hits {
			if ranked.pools[i], err = index.poolOf(hit.Doc); err != nil {
				return err
			}
		}
		ranked.state = index.state
		index.documents.take(&ranked)
		_, first := r.pools(query).choose(&ranked)
		if query.allIDs {
			for first = first[:0]; len(first) < len(ranked.hits); {
				first = append(first, len(first))
			}
		}
		return errors.Join(ranked.readIDs(index, first), filter.err)
	})
	if err != nil {
		r.cache = nil
	}
	return ranked, err
}

// fuse adds to what was found by words what is near by vectors.
func (r *Room) fuse(index *reader, filter *filter, query Query, ranked *found) error {
	set := r.env.Settings().Embeddings
	m, there, err := readModel(index.ctx, index.db, endpoint.Identity(set))
	if err != nil {
		return err
	}
	if ranked.fallback = m.unusable(there, len(query.vector)); ranked.fallback != "" {
		return nil
	}
	allowed, err := filter.allows(query)
	if err != nil {
		return err
	}
	byWords := make([]recall.Doc, len(ranked.hits))
	for i, hit := range ranked.hits {
		byWords[i] = hit.Doc
	}
	near, err := index.near(m, query.vector, byWords, allowed)
	if err != nil {
		return errors.Join(err, filter.err)
	}
	ranked.hits = recall.Fuse(ranked.hits, near, float32(set.Weight), query.Explain)
	ranked.hits = ranked.hits[:min(len(ranked.hits), spareHits*r.candidates(query))]
	ranked.fused = true
	return filter.err
}

func (r *Room) candidates(query Query) int {
	return max(r.env.Settings().Recall.Candidates, query.Limit)
}

// rank returns the candidates for a query.
func (r *Room) rank(index recall.Index, filter *filter, query Query) (ranked found, err error) {
	allowed, err := filter.allows(query)
	if err != nil {
		return ranked, err
	}
	weights := WeightsOf(r.env.Settings().Recall.Weights)
	wanted := recall.Query{
		Text: query.Text, Reading: query.reading, Beside: query.Beside, Day: recall.Day(query.At), Allowed: allowed,
		Elsewhere: query.elsewhere, Explain: query.Explain, TopK: spareHits * r.candidates(query),
	}
	areTwo := false // complete words, without vectors
	if query.Prompt {
		ranked.sought, err = weights.Seek(index, wanted)
	} else {
		telling := query.reading.Telling()
		ranked.oneWord, wanted.Literal = telling == 1, telling == 1 || telling == 2
		wanted.Text, err = completed(index, query)
		areTwo = telling == 2 && wanted.Text == query.Text && query.vector == nil
	}
	if err != nil {
		return ranked, err
	}
	ranked.hits, err = weights.Search(index, wanted)
	if areTwo {
		ranked.hits = withoutCommon(ranked.hits)
	}
	return ranked, errors.Join(err, filter.err)
}

// commonTimes is how many times as many documents have the common one of two words as have the other one.
const commonTimes = 3

// withoutCommon returns hits without those that have only the common one of two words, if others have the rarer one.
func withoutCommon(hits []recall.Hit) []recall.Hit {
	rarest := 0
	for _, hit := range hits {
		if hit.Literal > 0 && (rarest == 0 || hit.Literal < rarest) {
			rarest = hit.Literal
		}
	}
	return slices.DeleteFunc(hits, func(hit recall.Hit) bool {
		return hit.Literal > 0 && hit.Literal >= commonTimes*rarest
	})
}

// rate returns the hits of candidates by their ratings. Those whose document is gone are left
// out.
func (r *Room) rate(query Query, ranked found, docs []*room.Document, mode string) Result {
	if !query.Prompt {
		docs = withoutArchived(docs)
	}
	known := make(map[string]*room.Document, len(docs))
	for _, doc := range docs {
		known[doc.ID] = doc
	}
	type source struct {
		hit int // the place in ranked.hits
		doc *room.Document
	}
	from := make([]source, 0, len(docs))
	candidates := make([]recall.Candidate, 0, len(docs))
	best, isThere := 0.0, false
	for i, hit := range ranked.hits {
		best = max(best, float64(hit.Score))
		if known[ranked.ids[i]] != nil && ranked.oneWord && hit.Literal > 0 && !ranked.fused {
			isThere = true // of a word that is there, what only has others of its meaning is noise
		}
	}
	for i, hit := range ranked.hits {
		doc := known[ranked.ids[i]]
		if doc == nil || isThere && hit.Literal == 0 {
			continue
		}
		similarity := 0.0
		if best > 0 {
			share := max(float64(hit.Score)/best, 0)
			similarity = share * share
		}
		from = append(from, source{i, doc})
		candidates = append(candidates, recall.Candidate{
			Text: doc.Text, Similarity: similarity, At: doc.At, Importance: importanceOf(doc.Importance),
		})
	}
	set := r.env.Coefficients()
	ratings, order := set.Rate(candidates, query.At)
	result := Result{
		Mode: mode, Hits: make([]Hit, 0, min(query.Limit, len(order))), Rated: make([]Rated, 0, len(order)),
		Sought: ranked.sought,
	}
	several := slices.ContainsFunc(from, func(s source) bool { return s.doc.Store != from[0].doc.Store })
	said := map[uint64]*room.Document{} // the latest, by a hash of its words
	for _, at := range order {
		of, doc := candidates[at], from[at].doc
		if several && !query.Prompt {
			hash := recall.HashOfWords(doc.Text)
			if other := said[hash]; other != nil && other.Store != doc.Store && sameWords(other.Text, doc.Text) {
				continue // such as a decision of a conversation that was remembered
			}
			said[hash] = doc
		}
		rated := Rated{ID: doc.ID, Text: of.Text, Similarity: of.Similarity, Importance: of.Importance, At: of.At}
		if set.Duplication > 0 {
			rated.Duplication = ratings[at].Duplication / set.Duplication
		}
		result.Rated = append(result.Rated, rated)
		if len(result.Hits) < query.Limit {
			result.Hits = append(result.Hits, Hit{
				Document: *doc, Score: ratings[at].Score(), Rating: ratings[at],
				Reasons: ranked.hits[from[at].hit].Parts,
			})
		}
	}
	return result
}

// withoutArchived returns documents without the turns of conversations in archives that are items, too: an item has
// more, such as its episode.
func withoutArchived(docs []*room.Document) []*room.Document {
	isArchived := func(doc *room.Document) bool { return doc.Store == room.StoreConversation && doc.Path != "" }
	if !slices.ContainsFunc(docs, isArchived) {
		return docs
	}
	type turn struct {
		session string
		words   uint64
	}
	turnOf := func(doc *room.Document) turn { return turn{doc.Session, recall.HashOfWords(doc.Text)} }
	items := map[turn]bool{}
	for _, doc := range docs {
		if doc.Store == room.StoreConversation && !isArchived(doc) {
			items[turnOf(doc)] = true
		}
	}
	return slices.DeleteFunc(docs, func(doc *room.Document) bool { return isArchived(doc) && items[turnOf(doc)] })
}
