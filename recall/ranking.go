package recall

import (
	"container/heap"
	"math"
	"math/bits"
	"slices"
	"sync"
)

// A ranking is one search.
type ranking struct {
	Weights
	index   Index
	query   Query
	asked   analysed
	stats   Stats
	perWord float32 // what a word of a document adds to its length, which is 1 for a document of the average length
	parts   []weighed
	total   float32         // sum of the parts' weights
	facts   bool            // documents without neighbours have words of the query
	meaning map[Doc]float32 // what hits got for their meaning
	context map[Doc]float32 // what they got for other hits of their threads, if that is asked for
	said    []List          // documents of the speakers that are named
	named   []Doc           // documents that name a time of the query, ascending
	timed   bool            // only what the first part finds is found
	blocks  []*Rows         // from that of base on
	shares  [2]shares       // of documents without and with a question
	err     error           // of reading the index
	*scratch
}

// A weighed part is one with its lists. Its weight has the inverse document frequency.
type weighed struct {
	part
	lists []List
}

// leastRelated is the factor of a related term that counts. Those with less are frequent and related to much: without
// them a search finds as much, and reads a quarter less.
const leastRelated = 0.1

// weigh multiplies the weight with the inverse document frequency. A term that stands for the
// part's own word, but is more frequent than it, says less.
func (p *weighed) weigh(documents int) {
	own := idf(p.lists, documents)
	p.weight *= own
	terms, lists := p.terms[:1], p.lists[:1]
	for i := 1; i < len(p.terms); i++ {
		term := p.terms[i]
		term.factor *= min(1, idf(p.lists[i:i+1], documents)/own)
		if !term.related || term.factor >= leastRelated {
			terms, lists = append(terms, term), append(lists, p.lists[i])
		}
	}
	p.terms, p.lists = terms, lists
}

// idf returns the inverse document frequency of a part, of the form of BM25 that is never
// negative. Words that only begin alike count if the word itself is not known.
func idf(lists []List, documents int) float32 {
	df := len(lists[0].Docs)
	for i := 1; i < len(lists) && len(lists[0].Docs) == 0; i++ {
		df = max(df, len(lists[i].Docs))
	}
	return float32(math.Log(1 + (float64(documents-df)+0.5)/(float64(df)+0.5)))
}

// A scratch has room for sums by document. It is used again, because clearing what was touched
// is much cheaper than new memory for an index of a million documents.
type scratch struct {
	base    Doc          // the first of a block, below which there are no documents
	score   []float32    // by place from base on: sum over parts
	own     []float32    // by place from base on: frequency of a part's words in it and its neighbours
	threads []threadSums // by number

	touched    docSet   // places that have an own frequency
	candidates docSet   // places that have a score
	within     []uint32 // threads that have a frequency
	scored     []uint32 // threads that have a sum

	left   []counting // lists of a part
	counts []counted  // of a block
	among  docSet     // places of those that are counted

	flagged [math.MaxUint8 + 1]additions // by Flags: what turns get
	lengths [256]float32                 // by length: what a word of the document counts
	logs    *logs
	cosines cosines // of the query
}

// ThreadSums are what a thread has of the query.
type threadSums struct {
	score float32 // sum over parts
	own   float32 // documents with a part's words
}

func newScratch() *scratch { return &scratch{logs: newLogs()} }

// scratches are those of indexes that keep none. They are small, so they may be made anew after each collection of
// garbage.
var scratches = sync.Pool{New: func() any { return newScratch() }}

// scratchFor returns the scratch for a search, which release gives back.
func scratchFor(index Index) *scratch {
	keeper, is := index.(Keeper)
	if !is {
		return scratches.Get().(*scratch)
	}
	// It is taken out, so that the sums of a search that panics are not those of the next one.
	sums := keeper.Sums()
	found := sums.scratch
	if sums.scratch = nil; found == nil {
		found = newScratch()
	}
	return found
}

// release makes all sums zero and gives the scratch back.
func (r *ranking) release() {
	r.clear()
	if keeper, is := r.index.(Keeper); is {
		keeper.Sums().scratch = r.scratch
		return
	}
	scratches.Put(r.scratch)
}

// cover makes room for the sums of the documents of an index.
func (s *scratch) cover(of Stats) {
	s.base = of.First / BlockSize * BlockSize
	n := int(of.Last-s.base) + 1
	if len(s.score) < n {
		n += min(n/8, BlockSize)
		s.score, s.own = make([]float32, n), make([]float32, n)
		s.touched, s.candidates = docSetFor(n), docSetFor(n)
	}
	if size := min(n, BlockSize); len(s.counts) < size {
		s.counts, s.among = make([]counted, size), docSetFor(size)
	}
}

func (s *scratch) growThreads(threads *Threads) {
	if n := len(threads.numbers) + 1; len(s.threads) < n {
		s.threads = append(s.threads, make([]threadSums, n-len(s.threads))...)
	}
}

// clear makes all sums zero.
func (s *scratch) clear() {
	s.candidates.clearOf(s.score)
	for _, thread := range s.scored {
		s.threads[thread].score = 0
	}
	s.scored = s.scored[:0]
	clear(s.left[:cap(s.left)]) // lists are valid until the query ends
	s.clearPart()
}

// clearPart makes the frequencies of a part zero.
func (s *scratch) clearPart() {
	s.touched.clearOf(s.own)
	for _, thread := range s.within {
		s.threads[thread].own = 0
	}
	s.within = s.within[:0]
}

var noRows = NewRows(&Threads{}, 0, 0)

// block returns the rows of a block. If the index cannot be read, it keeps the error.
func (r *ranking) block(number int) *Rows {
	if at := number - r.firstBlock(); at >= 0 && at < len(r.blocks) && r.blocks[at] != nil {
		return r.blocks[at]
	}
	return r.load(number)
}

// firstBlock returns the number of the first block that has documents.
func (r *ranking) firstBlock() int { return int(r.base / BlockSize) }

func (r *ranking) load(number int) *Rows {
	at := number - r.firstBlock()
	if at < 0 || at >= len(r.blocks) || r.err != nil {
		return noRows
	}
	rows, err := r.index.Rows(number)
	if err != nil {
		r.err = err
		return noRows
	}
	r.blocks[at] = rows
	r.growThreads(rows.threads)
	return rows
}

// accumulate adds what a part gives to the scores, of candidates only if it is to find no others.
func (r *ranking) accumulate(p *weighed, candidates bool) {
	r.frequencies(p)
	if candidates {
		r.dropOthers()
	}
	own, score := r.own, r.score
	for i, word := range r.touched {
		if word == 0 {
			continue
		}
		r.candidates[i] |= word
		r.touched[i] = 0
		for ; word != 0; word &= word - 1 {
			place := i*wordBits + bits.TrailingZeros64(word)
			score[place] += p.weight * saturated(own[place], r.K1)
			own[place] = 0
		}
	}
	for _, thread := range r.within {
		sums := &r.threads[thread]
		if sums.score == 0 {
			r.scored = append(r.scored, thread)
		}
		sums.score += p.weight * saturated(sums.own, 1)
		sums.own = 0
	}
	r.within = r.within[:0]
}

// dropOthers makes the frequencies of what is no candidate zero.
func (r *ranking) dropOthers() {
	for i, word := range r.touched {
		for others := word &^ r.candidates[i]; others != 0; others &= others - 1 {
			r.own[i*wordBits+bits.TrailingZeros64(others)] = 0
		}
		r.touched[i] &= r.candidates[i]
	}
}

// saturated is BM25's frequency: it grows to 1 + k, and is 1 for a frequency of 1. It is 0 for less than none, which
// negative shares of neighbours make.
func saturated(x, k float32) float32 {
	if x <= 0 {
		return 0
	}
	return x * (1 + k) / (x + k)
}

// A counted document has the frequencies of a part's terms, each multiplied with the factor of the term.
type counted struct {
	alone  float32 // if it has no neighbours
	turn   float32 // if it has some
	thread float32 // what its thread has for it
}

// A counting is a list as far as it is not counted.
type counting struct {
	List
	factor, ofThread float32
}

// frequencies sets how often documents and threads have the part's words. It goes from block to block, and in a block
// from document to document: what is known of documents in turn is read from memory much faster than that of any.
func (r *ranking) frequencies(p *weighed) {
	r.left = r.left[:0]
	for i, list := range p.lists {
		factor, ofThread := p.terms[i].factor, p.terms[i].factor
		if p.terms[i].related {
			ofThread *= r.RelatedInThread
		}
		if len(list.Docs) > 0 {
			r.left = append(r.left, counting{list, factor, ofThread})
		}
	}
	for len(r.left) > 0 {
		first := r.left[0].Docs[0]
		for i := range r.left {
			first = min(first, r.left[i].Docs[0])
		}
		number, _ := first.Block()
		further := r.left[:0]
		for i := range r.left {
			if list := r.count(&r.left[i], Doc(number*BlockSize)); len(list.Docs) > 0 {
				further = append(further, list)
			}
		}
		r.left = further
		r.share(number)
	}
}

// count counts the documents of a list in the block that begins with a document, and returns the rest of the list.
func (r *ranking) count(list *counting, base Doc) counting {
	factor, ofThread := list.factor, list.ofThread
	counts, among, tf := r.counts, r.among, list.TF[:len(list.Docs)]
	n := 0
	for k, doc := range list.Docs {
		place := doc - base
		if place >= Doc(len(counts)) {
			break
		}
		at, y := &counts[place], float32(tf[k])
		at.alone += y * factor
		at.turn += y * ofThread
		at.thread += ofThread
		among.add(place)
		n++
	}
	return counting{List{list.Docs[n:], tf[n:]}, factor, ofThread}
}

// measure sets what a word counts in documents of most lengths.
func (r *ranking) measure() {
	for length := range r.lengths {
		r.lengths[length] = r.ofLength(uint16(length))
	}
}

// perLength returns what a word counts in a document of a length: 1 if that is the average one.
func (r *ranking) perLength(length uint16) float32 {
	if int(length) < len(r.lengths) {
		return r.lengths[length]
	}
	return r.ofLength(length)
}

// ofLength is perLength for any length. Without a word, a document is as short as with one: with B 1 there is no limit.
func (r *ranking) ofLength(length uint16) float32 {
	return 1 / (1 - r.B + r.perWord*float32(max(length, 1)))
}

// share gives what was counted in a block to its documents, their threads and, of each, a share to its neighbours.
func (r *ranking) share(number int) {
	in, rows := blocks{ranking: r}, r.block(number).rows
	for i, word := range r.among {
		for ; word != 0; word &= word - 1 {
			place := i*wordBits + bits.TrailingZeros64(word)
			if place < len(rows) {
				r.shareOf(&in, Doc(number*BlockSize+place), rows, place, &r.counts[place])
			}
			r.counts[place] = counted{}
		}
	}
	clear(r.among)
}

// shareOf gives what was counted of a document to it, its thread and its neighbours. The rows are those of its block.
func (r *ranking) shareOf(in *blocks, doc Doc, rows []row, place int, is *counted) {
	of := rows[place]
	if of.isAlone() {
		r.facts = true
		r.add(doc, is.alone*r.perLength(of.length))
		return
	}
	y := is.turn * r.perLength(of.length)
	sums := &r.threads[of.thread]
	if sums.own == 0 {
		r.within = append(r.within, of.thread)
	}
	sums.own += is.thread
	shares := &r.shares[0]
	if of.flags&HasQuestion != 0 {
		shares = &r.shares[1]
	}
	if isAmid(rows, place) {
		r.addAmid(doc, y, shares)
		return
	}
	r.add(doc, y)
	next := in.next(doc)
	for _, share := range shares.of[reach+1:] {
		if next == 0 {
			break
		}
		r.add(next, y*share)
		next = in.next(next)
	}
	prev := in.prev(doc)
	for i := reach - 1; i >= 0 && prev != 0; i-- {
		r.add(prev, y*shares.of[i])
		prev = in.prev(prev)
	}
}

// reach is how many neighbours before and after a document get a share of its words.
const reach = 3

// Shares are what documents in a row get of the words of the one in the middle.
type shares struct {
	of  [2*reach + 1]float32
	set uint64 // places of those that get something, as bits
}

// sharesOf returns the shares of what holds no question and of what holds one.
func sharesOf(w Weights) (found [2]shares) {
	for i, first := range []float32{w.Before[0], w.Question} {
		of := [...]float32{w.After[2], w.After[1], w.After[0], 1, first, w.Before[1], w.Before[2]}
		found[i].of = of
		for place, share := range of {
			if share != 0 {
				found[i].set |= 1 << place
			}
		}
	}
	return found
}

// isAmid reports whether all the neighbours that get a share stand in a row with a document of the block. Most threads
// are written in one go.
func isAmid(rows []row, place int) bool {
	if place < reach || place+reach >= len(rows) {
		return false
	}
	in := (*[2*reach + 1]row)(rows[place-reach:])
	const both = prevBeside | nextBeside
	return in[reach-2].place&in[reach-1].place&in[reach].place&in[reach+1].place&in[reach+2].place&both == both
}

// addAmid gives what was counted of a document to it and its neighbours in a row.
func (r *ranking) addAmid(doc Doc, y float32, shares *shares) {
	if y == 0 {
		return
	}
	place := doc - r.base
	own := (*[2*reach + 1]float32)(r.own[place-reach:])
	for i, share := range shares.of {
		own[i] += y * share
	}
	at, first := (place-reach)/wordBits, (place-reach)%wordBits
	r.touched[at] |= shares.set << first
	if first > wordBits-(2*reach+1) {
		r.touched[at+1] |= shares.set >> (wordBits - first)
	}
}

// add adds to the frequency of a document.
func (s *scratch) add(doc Doc, y float32) {
	if y != 0 {
		s.own[doc-s.base] += y
		s.touched.add(doc - s.base)
	}
}

// blocks reads rows of documents of which most are in the same block as the one before.
type blocks struct {
	*ranking
	first Doc // of the block
	block *Rows
	rows  []row // of the block
}

// to goes to the block of a document. It returns the place of the document, and false if there is none.
func (b *blocks) to(doc Doc) (int, bool) {
	number, place := doc.Block()
	b.first, b.block = Doc(number*BlockSize), b.ranking.block(number)
	b.rows = b.block.rows
	return place, place < len(b.rows)
}

// row returns the row of a document.
func (b *blocks) row(doc Doc) row {
	if doc-b.first < Doc(len(b.rows)) {
		return b.rows[doc-b.first]
	}
	return b.otherRow(doc)
}

func (b *blocks) otherRow(doc Doc) row {
	if place, there := b.to(doc); there {
		return b.rows[place]
	}
	return row{}
}

// next returns the neighbour after a document, 0 if there is none.
func (b *blocks) next(doc Doc) Doc {
	if place := doc - b.first; place < Doc(len(b.rows)) {
		return b.block.next(int(place))
	}
	return b.otherNext(doc)
}

func (b *blocks) otherNext(doc Doc) Doc {
	if place, there := b.to(doc); there {
		return b.block.next(place)
	}
	return 0
}

// prev returns the neighbour before a document, 0 if there is none.
func (b *blocks) prev(doc Doc) Doc {
	if place := doc - b.first; place < Doc(len(b.rows)) {
		return b.block.prev(int(place))
	}
	return b.otherPrev(doc)
}

func (b *blocks) otherPrev(doc Doc) Doc {
	if place, there := b.to(doc); there {
		return b.block.prev(place)
	}
	return 0
}

// dayOf returns the day of a document.
func (b *blocks) dayOf(doc Doc) uint16 {
	if place, there := b.to(doc); there {
		return b.block.days[place]
	}
	return 0
}

// best returns the n candidates with the highest scores. Those with the best words come first: then
// most others cannot be as good and are left out at once.
func (r *ranking) best(n int) []Hit {
	r.markSaid()
	defer r.unmarkSaid()
	var threads float32
	for _, thread := range r.scored {
		threads = max(threads, r.threads[thread].score)
	}
	ofThread, most := r.Thread/r.total, r.mostAdded()
	mostOfThread := max(ofThread*threads, 0)
	least := float32(math.Inf(-1)) // that words in the document and its thread have to give
	sum := least                   // that words in the document have to reach
	found := make(worst, 0, n)
	days := r.days()
	in := blocks{ranking: r}
	consider := func(doc Doc) {
		of := in.row(doc)
		words := r.score[doc-r.base]/r.total + ofThread*r.threads[of.thread].score
		if words < least {
			return
		}
		hit := Hit{Doc: doc, Score: r.levelled(of, words+r.added(doc, of, &days).sum())}
		switch {
		case len(found) == n && !better(hit, found[0]) || r.query.Allowed != nil && !r.query.Allowed(doc):
			return
		case len(found) < n:
			if found = append(found, hit); len(found) == n {
				heap.Init(&found)
			}
		default:
			found[0] = hit
			heap.Fix(&found, 0)
		}
		if len(found) == n {
			least = r.least(found[0].Score) - most
			sum = (least - mostOfThread) * r.total
		}
	}
	score := r.score
	withWords := func(from *float32, below float32) {
		for i, word := range r.candidates {
			for ; word != 0; word &= word - 1 {
				place := i*wordBits + bits.TrailingZeros64(word)
				if words := score[place]; words >= *from && words < below {
					consider(r.base + Doc(place))
				}
			}
		}
	}
	first := r.scoreOfBest(n)
	withWords(&first, float32(math.Inf(1)))
	withWords(&sum, first)
	sortHits(found)
	return found
}

// scoreOfBest returns a score that at least n candidates reach, and hardly more, or 0 if there are fewer.
func (r *ranking) scoreOfBest(n int) float32 {
	// A part gives at most its weight times 1 + K1, to whatever has its words.
	var reach [256]int
	scale := float32(len(reach)-1) / (r.total * (1 + r.K1))
	score := r.score
	for i, word := range r.candidates {
		for ; word != 0; word &= word - 1 {
			reach[min(int(score[i*wordBits+bits.TrailingZeros64(word)]*scale), len(reach)-1)]++
		}
	}
	for i := len(reach) - 1; i > 0; i-- {
		if n -= reach[i]; n <= 0 {
			return float32(i) / scale
		}
	}
	return 0
}

// isLevelled reports whether the score of a document has to be levelled before it can be compared
// with others: that of a turn, if the query does not ask for what somebody said.
func (r *ranking) isLevelled(of row) bool { return !of.isAlone() && len(r.said) == 0 }

// least returns the least score before it is levelled that any document needs to reach a score.
func (r *ranking) least(score float32) float32 {
	switch {
	case len(r.said) > 0:
		return score
	case r.facts:
		return min(score, r.unlevelled(score))
	}
	return r.unlevelled(score)
}

// unlevelled returns the score of a turn before it was levelled.
func (r *ranking) unlevelled(score float32) float32 {
	score *= 1 + r.Turn
	return min(score+r.ByChance, 4*score)
}

// levelled returns a score that can be compared with those of other documents.
func (r *ranking) levelled(of row, score float32) float32 {
	if r.isLevelled(of) {
		return max(score-r.ByChance, score/4) / (1 + r.Turn)
	}
	return score
}

func sortHits(hits []Hit) {
	slices.SortFunc(hits, func(a, b Hit) int {
		if better(a, b) {
			return -1
		}
		return 1 // no two have the same number
	})
}

// markSaid uses the frequencies, which are all zero by now, to mark what the one person said
// whom the query names.
func (r *ranking) markSaid() {
	if len(r.said) == 1 {
		for _, doc := range r.said[0].Docs {
			r.own[doc-r.base] = 1
		}
	}
}

func (r *ranking) unmarkSaid() {
	if len(r.said) == 1 {
		for _, doc := range r.said[0].Docs {
			r.own[doc-r.base] = 0
		}
	}
}

// better reports whether a hit comes before another one.
func better(a, b Hit) bool { return a.Score > b.Score || a.Score == b.Score && a.Doc < b.Doc }

// worst is a heap of hits whose first is the worst.
type worst []Hit

func (h worst) Len() int           { return len(h) }
func (h worst) Less(i, j int) bool { return better(h[j], h[i]) }
func (h worst) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *worst) Push(hit any)      { *h = append(*h, hit.(Hit)) }
func (h *worst) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
