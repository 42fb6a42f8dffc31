package recall

import (
	"errors"
	"slices"

	"github.com/wm-lsp/wm-lsp/recall/words"
)

// A Query is what Weights.Search looks for.
type Query struct {
	Text string
	// Reading is that of the text if it was made before, otherwise nil.
	Reading *Reading
	// Beside are further documents that say what the query is about, such as the goal. Their words
	// count less, and without a word of the query nothing is found.
	Beside string
	// Day is the day on which it is asked, as Day returns it, for "last Tuesday"; 0 if that
	// is not known.
	Day uint16
	// Allowed says whether a document may be found. All may if it is nil.
	Allowed func(Doc) bool
	// Elsewhere is true if the words were found in another index: then what they do not find in this one is not looked
	// for by the time that the query names.
	Elsewhere bool
	// TopK is how many documents are wanted, at most.
	TopK int
	// Explain asks for the parts of the scores, Literal for Hit.Literal.
	Explain, Literal bool
}

// A Hit is a document that was found.
type Hit struct {
	Doc Doc
	// Score says how well it fits: about 1 if all words of the query are in the document,
	// at most about 4. Scores of different queries can be compared.
	Score float32
	// Literal is how many documents have the rarest word of the query, or one of its family, that the document itself
	// has, 0 if it has none, rather than one of related meaning, or such a word beside it.
	Literal int
	// Parts say what made the score, if the query asked for it. They add up to it.
	Parts []Part
}

// A Part is what one reason gave to a score.
type Part struct {
	Reason Reason
	Word   string // of the query, if the reason is one
	Score  float32
}

// A Reason is why a document was found.
type Reason string

const (
	InText    Reason = "word"     // the word is in the text
	InNearby  Reason = "nearby"   // the word is in the neighbours of the text only
	InMeaning Reason = "meaning"  // its words are near in meaning to those of the query
	InThread  Reason = "thread"   // words of the query are in the thread
	InContext Reason = "context"  // how well other documents of the thread fit
	Said      Reason = "speaker"  // the query names who said it
	OnDate    Reason = "date"     // it was written at the time that the query names, or by whom it names
	Asked     Reason = "asked"    // it has what the question asks for: a time, a place, a number, a name
	Prior     Reason = "document" // documents of its kind are asked for more often than others
)

// Search returns the documents of the index that fit the query, the best first; of two with the
// same score the one that was added first. A query that says nothing, such as one of stop words
// only, finds nothing.
func (w Weights) Search(index Index, query Query) ([]Hit, error) {
	if query.TopK <= 0 {
		return nil, nil
	}
	r := &ranking{Weights: w, index: index, query: query}
	if err := r.prepare(); err != nil || len(r.parts) == 0 {
		return nil, err
	}
	r.sum()
	defer r.release()
	hits := r.best(max(query.TopK, pool))
	hits = r.byMeaning(hits)
	r.inContext(hits)
	hits = hits[:min(len(hits), query.TopK)]
	if query.Literal && !r.timed {
		r.markLiteral(hits)
	}
	if query.Explain && r.err == nil {
		r.explain(hits)
	}
	return hits, r.err
}

// markLiteral sets Literal of hits.
func (r *ranking) markLiteral(hits []Hit) {
	for _, p := range r.parts {
		documents := 0
		for i, list := range p.lists {
			if !p.terms[i].related {
				documents = max(documents, len(list.Docs))
			}
		}
		for i := range hits {
			if rarest := hits[i].Literal; p.isIn(hits[i].Doc) && (rarest == 0 || documents < rarest) {
				hits[i].Literal = documents
			}
		}
	}
}

// isIn reports whether a document has the part's word or one of its family.
func (p *weighed) isIn(doc Doc) bool {
	for i, list := range p.lists {
		if !p.terms[i].related && list.has(doc) {
			return true
		}
	}
	return false
}

// sum makes the sums of all parts. The ranking has a scratch until it is released.
func (r *ranking) sum() {
	r.scratch = scratchFor(r.index)
	r.cover(r.stats)
	r.flag()
	r.measure()
	r.shares = sharesOf(r.Weights)
	for i := range r.parts {
		r.accumulate(&r.parts[i], r.timed && i > 0 && r.parts[i].use != words.ByName)
	}
}

// prepare reads the lists of what is asked for.
func (r *ranking) prepare() (err error) {
	if r.stats, err = r.index.Stats(); err != nil || r.stats.Documents == 0 {
		return err
	}
	r.query.Reading = r.query.reading() // for the analysis and the meaning
	if r.asked, err = r.analyse(r.index, r.query); err != nil {
		return err
	}
	terms := slices.Clone(r.asked.speakers)
	for _, p := range r.asked.parts {
		for _, t := range p.terms {
			terms = append(terms, t.text)
		}
	}
	lists, err := r.index.Lists(terms)
	if err != nil {
		return err
	}
	r.said, lists = lists[:len(r.asked.speakers)], lists[len(r.asked.speakers):]
	for _, p := range r.asked.parts {
		r.parts = append(r.parts, weighed{part: p, lists: lists[:len(p.terms)]})
		lists = lists[len(p.terms):]
	}
	if err := errors.Join(r.addForeign(), r.addUnworded(), r.readNamed()); err != nil {
		return err
	}
	for i := range r.parts {
		p := &r.parts[i]
		p.weigh(r.stats.Documents)
		r.total += p.weight
	}
	r.perWord = r.B / r.stats.average()
	r.blocks = make([]*Rows, r.stats.Last/BlockSize-r.stats.First/BlockSize+1)
	return nil
}

// addUnworded adds the time or the person that the query names, before all words, if no document has a word that says
// something: what the person said at the time, if there is such, and otherwise what is of either. Then only what is of
// a day, a week or a month is found, if the query names one, or has its name: the other words are those of anything.
func (r *ranking) addUnworded() error {
	tells := func(p weighed) bool {
		isThere := func(list List) bool { return len(list.Docs) > 0 }
		return p.weight > r.Generic && (r.query.Elsewhere || slices.ContainsFunc(p.lists, isThere))
	}
	if slices.ContainsFunc(r.parts, tells) {
		return nil
	}
	day := int(r.query.Day)
	written, named := r.asked.written(day), r.asked.named(day)
	terms := slices.Concat(written, named, r.asked.speakers)
	if len(terms) == 0 {
		return nil
	}
	p := weighed{part: part{weight: 1}}
	for _, mark := range terms {
		p.terms = append(p.terms, factored{text: mark, factor: 1})
	}
	var err error
	if p.lists, err = r.index.Lists(terms); err != nil {
		return err
	}
	if r.timed = len(named) > 0; r.timed {
		times := len(written) + len(named)
		if both := inBoth(p.lists[:times], p.lists[times:], r.query.Allowed); len(both.Docs) > 0 {
			p.terms, p.lists = p.terms[:1], []List{both}
		}
		r.parts = slices.DeleteFunc(r.parts, func(p weighed) bool { return p.use == words.InTime })
		for i := range r.parts {
			if p := &r.parts[i]; p.use == words.ByName {
				p.terms, p.lists = p.terms[:1], p.lists[:1]
			}
		}
	}
	r.parts = slices.Insert(r.parts, 0, p)
	return nil
}

// inBoth returns the allowed documents that are in a list of the one kind and in one of the other.
func inBoth(some, others []List, allowed func(Doc) bool) (both List) {
	docsOf := func(lists []List) (docs []Doc) {
		for _, list := range lists {
			docs = append(docs, list.Docs...)
		}
		slices.Sort(docs)
		return slices.Compact(docs)
	}
	among := docsOf(others)
	for _, doc := range docsOf(some) {
		if _, is := slices.BinarySearch(among, doc); is && (allowed == nil || allowed(doc)) {
			both.Docs, both.TF = append(both.Docs, doc), append(both.TF, 1)
		}
	}
	return both
}

// readNamed reads which documents name a time of the query.
func (r *ranking) readNamed() error {
	if len(r.asked.periods) == 0 {
		return nil
	}
	lists, err := r.index.Lists(r.asked.named(int(r.query.Day)))
	for _, list := range lists {
		r.named = append(r.named, list.Docs...)
	}
	slices.Sort(r.named)
	return err
}
