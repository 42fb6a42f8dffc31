package index

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/memory/endpoint"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/recall"
)

// A Query is what is searched for, and a filter. A zero member of the filter matches all
// documents. Of a list, one has to match.
type Query struct {
	Text string
	// Limit is the maximum number of hits.
	Limit                         int
	Stores, Types, Tags           []string
	Session, Agent, Task, Episode string
	// Since and Until are the times between which a document was written, both included.
	Since, Until time.Time
	// MinImportance is from 0 to 1.
	MinImportance float64
	// Explain asks for the reasons of hits.
	Explain bool
	// Prompt is true if the text is what an agent was told rather than what is typed into a
	// search: its last word is complete, and the result says what it seeks.
	Prompt bool
	// Beside are further documents that say what a prompt is about. They count less.
	Beside string
	// Also are documents that are not in the index. They are found as those in it are.
	Also []room.Document

	// vector is that of the text, nil if there is none.
	vector []float32
	// reading is that of the text, which is looked for in the index and beside it.
	reading *recall.Reading
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

// maxScanned is how many documents a search reads if there is no index.
const maxScanned = 5000

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
	allowed, err := filter.allows(query, r.env.Now())
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

// columns returns the columns of a block, or nil if they are not asked for and no document in it ends before a time, in
// seconds since 1970.
func (r *reader) columns(number int, asked bool, at uint32) ([]column, error) {
	found, err := r.block(number, asked)
	if err == nil && found.ends != 0 && found.ends < at {
		found, err = r.block(number, true)
	}
	if err != nil {
		return nil, err
	}
	return found.columns, nil
}

// poolOf returns the pool of a document.
func (r *reader) poolOf(doc recall.Doc) (pool, error) {
	number, place := doc.Block()
	found, err := r.block(number, false)
	if err != nil || place >= len(found.pools) {
		return 0, err
	}
	return found.pools[place], nil
}

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

// filterOf returns the filter of documents whose places are those in an index.
func filterOf(docs []room.Document, index recall.Index) *filter {
	columns := []column{{}}
	for _, doc := range docs {
		columns = append(columns, columnOf(doc))
	}
	return &filter{index: index, columns: func(number int, _ bool, _ uint32) ([]column, error) {
		return columns[min(number*recall.BlockSize, len(columns)):], nil
	}}
}

// leastBeside is the score of the weakest document beside the index that is found. In a few short documents weak
// relations of words count too much.
const leastBeside = 0.2

// beside adds to what the index has found what fits of the documents beside it.
func (r *Room) beside(query Query, ranked *found, docs []*room.Document) ([]*room.Document, error) {
	if len(query.Also) == 0 {
		return docs, nil
	}
	also, err := r.rankCollection(query, r.collectionBeside(query.Also))
	if err != nil {
		return nil, err
	}
	for i, hit := range also.hits {
		if hit.Score >= leastBeside {
			ranked.hits, ranked.ids = append(ranked.hits, hit), append(ranked.ids, also.ids[i])
		}
	}
	for i := range query.Also {
		docs = append(docs, &query.Also[i])
	}
	return docs, nil
}

// orLiteral returns a result, or what literal finds if it is empty.
func (r *Room) orLiteral(ctx context.Context, query Query, result Result) (Result, error) {
	if len(result.Hits) > 0 || query.Prompt {
		return result, nil
	}
	found, err := r.literal(ctx, query)
	if err != nil || len(found.Hits) == 0 {
		return result, err
	}
	found.Fallback = result.Fallback
	return found, nil
}

// literal returns the documents that have, for each word of a query, a word that begins with it: also those
// that say nothing alone, such as "once". It reads the documents, for a query that finds nothing in the index.
func (r *Room) literal(ctx context.Context, query Query) (Result, error) {
	docs, err := r.all(ctx, query)
	if err != nil {
		return Result{}, err
	}
	var marks recall.InMemory
	for _, doc := range docs {
		marks.Add(recall.Entry{Terms: appendMarks(nil, doc)}, "")
	}
	filter := filterOf(docs, &marks)
	allowed, err := filter.allows(query, r.env.Now())
	if err != nil {
		return Result{}, err
	}
	var ranked found
	asked := wordsIn(query.Text)
	for i, doc := range docs {
		if place := recall.Doc(i + 1); len(asked) > 0 && allowed(place) && begins(wordsIn(bodyOf(doc)), asked) {
			ranked.hits, ranked.ids = append(ranked.hits, recall.Hit{Doc: place, Score: 1}), append(ranked.ids, doc.ID)
		}
	}
	pools := r.pools(query)
	return r.rate(query, ranked, pools.newest(pools.take(ranked.ids, docs)), Scan), filter.err
}

// wordsIn returns the words of a document in lower case.
func wordsIn(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

func sameWords(a, b string) bool { return slices.Equal(wordsIn(a), wordsIn(b)) }

// begins reports whether one of some words begins with each that is asked for.
func begins(words, asked []string) bool {
	for _, beginning := range asked {
		has := func(word string) bool { return strings.HasPrefix(word, beginning) }
		if !slices.ContainsFunc(words, has) {
			return false
		}
	}
	return true
}

// rank returns the candidates for a query.
func (r *Room) rank(index recall.Index, filter *filter, query Query) (ranked found, err error) {
	now := r.env.Now()
	allowed, err := filter.allows(query, now)
	if err != nil {
		return ranked, err
	}
	weights := WeightsOf(r.env.Settings().Recall.Weights)
	wanted := recall.Query{
		Text: query.Text, Reading: query.reading, Beside: query.Beside, Day: recall.Day(now), Allowed: allowed,
		Explain: query.Explain, TopK: spareHits * r.candidates(query),
	}
	areTwo := false // complete words, without vectors
	if query.Prompt {
		ranked.sought, err = weights.Seek(index, wanted)
	} else {
		telling := query.reading.Telling()
		ranked.oneWord, wanted.Literal = telling == 1, telling == 1 || telling == 2
		wanted.Text, err = completed(index, query.Text)
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
		query: query, now: r.env.Now(), room: r.candidates(query), work: max(set.Working, query.Limit),
		episodic: max(set.Episodic, query.Limit), semantic: max(set.Semantic, query.Limit),
	}
}

// admits reports whether a document is a candidate, and counts it if it is. The filter of the index has whole seconds.
func (p *pools) admits(doc *room.Document) bool {
	isOver := !doc.Until.IsZero() && !p.now.Before(doc.Until)
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
	ids, err := index.ids(docs)
	if err != nil {
		return err
	}
	for k, i := range hits {
		f.ids[i] = ids[k]
	}
	return nil
}

// maxCompletions is how many words complete the last one of a query.
const maxCompletions = 8

// completed returns a query with the words that its last one may become, if it is not a word of
// the index. A query is searched while it is written.
func completed(index recall.Index, text string) (string, error) {
	last := text
	between := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if i := strings.LastIndexFunc(text, between); i >= 0 {
		_, size := utf8.DecodeRuneInString(text[i:])
		last = text[i+size:]
	}
	if utf8.RuneCountInString(last) < 2 {
		return text, nil
	}
	var terms []string
	for _, term := range recall.Analyze(recall.Text{Body: last}).Terms {
		terms = append(terms, term.Text)
	}
	lists, err := index.Lists(terms)
	if err != nil || len(terms) == 0 { // a stop word is complete
		return text, err
	}
	for _, list := range lists {
		if len(list.Docs) > 0 {
			return text, nil
		}
	}
	family, err := index.Family(strings.ToLower(last), maxCompletions)
	if err != nil || len(family) == 0 {
		return text, err
	}
	return text + " " + strings.Join(family, " "), nil
}

// rate returns the hits of candidates by their ratings. Those whose document is gone are left
// out.
func (r *Room) rate(query Query, ranked found, docs []*room.Document, mode string) Result {
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
	ratings, order := set.Rate(candidates, r.env.Now())
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

// A filter decides which documents of an index a query may find.
type filter struct {
	index recall.Index
	// columns returns those of a block, or nil if they are not asked for and no document in it ends before a time.
	columns func(block int, asked bool, at uint32) ([]column, error)
	err     error // of the last call of the function that allows returned

	number int // of the block
	block  []column
	known  bool
}

// allows returns the function that says whether a query may find a document.
func (f *filter) allows(query Query, now time.Time) (func(recall.Doc) bool, error) {
	var sets []map[recall.Doc]bool
	for _, one := range []struct {
		kind   string
		values []string
	}{
		{markStore, query.Stores}, {markType, query.Types}, {markTag, query.Tags}, {markSession, single(query.Session)},
		{markAgent, single(query.Agent)}, {markTask, single(query.Task)}, {markEpisode, single(query.Episode)},
	} {
		if len(one.values) == 0 {
			continue
		}
		set, err := f.marked(one.kind, one.values)
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	since, until, at := seconds(query.Since), seconds(query.Until), seconds(now)
	timed := !query.Since.IsZero() || !query.Until.IsZero() || query.MinImportance > 0
	least := importance(query.MinImportance)
	return func(doc recall.Doc) bool {
		for _, set := range sets {
			if !set[doc] {
				return false
			}
		}
		is := f.column(doc, timed, at)
		switch {
		case is.Until != 0 && is.Until < at:
			return false
		case !query.Since.IsZero() && is.At < since, !query.Until.IsZero() && (is.At > until || is.At == 0):
			return false
		}
		return is.Importance >= least
	}, nil
}

func single(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// marked returns the documents with one of some marks.
func (f *filter) marked(kind string, values []string) (map[recall.Doc]bool, error) {
	marks := make([]string, len(values))
	for i, value := range values {
		marks[i] = mark(kind, value)
	}
	lists, err := f.index.Lists(marks)
	if err != nil {
		return nil, err
	}
	set := map[recall.Doc]bool{}
	for _, list := range lists {
		for _, doc := range list.Docs {
			set[doc] = true
		}
	}
	return set, nil
}

// column returns the column of a document, or a zero one if it is not asked for and none ends before a time.
func (f *filter) column(doc recall.Doc, asked bool, at uint32) column {
	number, place := doc.Block()
	if !f.known || number != f.number {
		var err error
		f.block, err = f.columns(number, asked, at)
		f.err = errors.Join(f.err, err)
		f.number, f.known = number, true
	}
	if place >= len(f.block) {
		return column{}
	}
	return f.block[place]
}
