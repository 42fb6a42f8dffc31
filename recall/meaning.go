package recall

import (
	"math"
	"math/bits"

	"github.com/wm-lsp/wm-lsp/recall/vectors"
)

const (
	// pool is how many hits of words are ranked again by their meaning, and how many of each
	// block join them that are near in meaning.
	pool = 100
	// leastCosine is how near a document without the query's words has to be to join.
	leastCosine = 0.3
	// mostScanned is how many blocks are looked through for what is near in meaning: the newest
	// 262,144 numbers. Older documents are found by their words.
	mostScanned = 32
)

// byMeaning adds to hits what they get for their meaning, adds what is near in meaning only, and
// sorts them again. The less the words have found, the more it counts.
func (r *ranking) byMeaning(hits []Hit) []Hit {
	index, is := r.index.(Sketcher)
	weight := r.weightOfMeaning(hits)
	if !is || weight <= 0 || r.err != nil {
		return hits
	}
	vector := r.query.reading().meaning()
	if vector.IsZero() {
		return hits
	}
	r.markSaid()
	defer r.unmarkSaid()
	r.cosines.set(vector)
	r.meaning = make(map[Doc]float32, len(hits))
	n := nearness{
		blocks: blocks{ranking: r}, index: index, wanted: vector.Sketch(), weight: weight, hits: hits, days: r.days(),
	}
	if err := n.addAll(); err != nil {
		r.err = err
	}
	sortHits(n.hits)
	return n.hits
}

// weightOfMeaning returns how much the meaning of documents counts, not above 0 if it does not.
func (r *ranking) weightOfMeaning(hits []Hit) float32 {
	if r.timed {
		return 0
	}
	best, in := float32(0), blocks{ranking: r}
	for _, hit := range hits {
		score := hit.Score
		if r.isLevelled(in.row(hit.Doc)) {
			score = r.unlevelled(score)
		}
		best = max(best, score)
	}
	return r.Meaning * (r.Sure - best)
}

// A nearness adds to hits what documents get for their meaning.
type nearness struct {
	blocks
	index  Sketcher
	wanted vectors.Sketch // of the query
	weight float32
	hits   []Hit
	days   dayMemo
	near   []int // places in a block, for reuse
}

// addAll adds to the hits of words, and then, of each block that is looked through, what is near.
func (n *nearness) addAll() error {
	blocks := len(n.ranking.blocks)
	scanned := min(blocks, mostScanned)
	from := n.firstBlock() + blocks - scanned
	var older []int // hits
	of := make([][]int, scanned)
	for i, hit := range n.hits {
		if number, _ := hit.Doc.Block(); number >= from {
			of[number-from] = append(of[number-from], i)
		} else {
			older = append(older, i)
		}
	}
	if err := n.addOlder(older); err != nil {
		return err
	}
	for i, hits := range of {
		if err := n.addBlock(from+i, hits); err != nil {
			return err
		}
	}
	return nil
}

// addOlder adds to hits in blocks that are not looked through.
func (n *nearness) addOlder(hits []int) error {
	docs := make([]Doc, len(hits))
	for i, hit := range hits {
		docs[i] = n.hits[hit].Doc
	}
	sketches, err := n.index.SketchesOf(docs)
	if err != nil {
		return err
	}
	for i, hit := range hits {
		n.addTo(hit, sketches[i])
	}
	return nil
}

// addBlock adds to the hits in a block, and makes hits of the other documents in it that are near.
func (n *nearness) addBlock(number int, hits []int) error {
	sketches, err := n.index.Sketches(number)
	if err != nil {
		return err
	}
	for _, hit := range hits {
		if _, place := n.hits[hit].Doc.Block(); place < len(sketches) {
			n.addTo(hit, sketches[place])
		}
	}
	n.near = vectors.Nearest(n.wanted, sketches, pool, n.near[:0])
	for _, place := range n.near {
		doc := Doc(number*BlockSize + place)
		cosine := n.cosines.of(sketches[place])
		_, isHit := n.meaning[doc]
		if isHit || cosine < leastCosine || n.query.Allowed != nil && !n.query.Allowed(doc) {
			continue
		}
		of := n.row(doc)
		n.meaning[doc] = n.ofMeaning(of, n.weight*cosine)
		words := n.score[doc-n.base]/n.total + n.Thread*n.threads[of.thread].score/n.total
		score := words + n.added(doc, of, &n.days).sum()
		n.hits = append(n.hits, Hit{Doc: doc, Score: n.meaning[doc] + n.levelled(of, score)})
	}
	return nil
}

// addTo adds to a hit what its document gets for its meaning.
func (n *nearness) addTo(hit int, sketch vectors.Sketch) {
	to := &n.hits[hit]
	meaning := n.ofMeaning(n.row(to.Doc), n.weight*n.cosines.of(sketch))
	n.meaning[to.Doc] = meaning
	to.Score += meaning
}

// ofMeaning returns what is added for meaning to a levelled score.
func (r *ranking) ofMeaning(of row, score float32) float32 {
	if r.isLevelled(of) {
		return score / (1 + r.Turn)
	}
	return score
}

// cosines estimates cosines between one vector and the vectors of sketches: table[i][b] is the sum over the bits of
// the i-th half byte of a sketch if that is b, and scale makes a cosine of all of them. The expected cosine of a vector
// and the signs of another is √(2/π) times their cosine. Tables of whole bytes take longer to make than they save.
type cosines struct {
	table [2 * vectors.SketchSize][16]int32
	scale float32
}

// set makes the table of a vector.
func (c *cosines) set(vector *vectors.Vector) {
	square := 0.0
	for _, n := range vector {
		square += float64(n) * float64(n)
	}
	c.scale = float32(math.Sqrt(math.Pi / 2 / square / vectors.Dimensions))
	for i := range c.table {
		numbers, sums := vector[4*i:4*i+4], &c.table[i]
		sums[0] = 0
		for _, n := range numbers {
			sums[0] -= int32(n)
		}
		for b := 1; b < len(sums); b++ { // it has one bit more than a former one
			sums[b] = sums[b&(b-1)] + 2*int32(numbers[bits.TrailingZeros(uint(b))])
		}
	}
}

func (c *cosines) of(sketch vectors.Sketch) float32 {
	if sketch == (vectors.Sketch{}) {
		return 0
	}
	var sum int32
	for i, word := range sketch {
		for at := 16 * i; at < 16*(i+1); at++ {
			sum += c.table[at][word&15]
			word >>= 4
		}
	}
	return float32(sum) * c.scale
}
