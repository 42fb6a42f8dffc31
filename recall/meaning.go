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
	// 262,144 documents. Older ones are found by their words.
	mostScanned = 32
)

// byMeaning adds to hits what they get for their meaning, adds what is near in meaning only, and
// sorts them again. The less the words have found, the more it counts.
func (r *ranking) byMeaning(hits []Hit) []Hit {
	index, is := r.index.(Sketcher)
	best, in := float32(0), blocks{ranking: r}
	for _, hit := range hits {
		score := hit.Score
		if r.isLevelled(in.row(hit.Doc)) {
			score = r.unlevelled(score)
		}
		best = max(best, score)
	}
	weight := r.Meaning * (r.Sure - best)
	if !is || weight <= 0 || r.Meaning == 0 || r.err != nil {
		return hits
	}
	vector := r.query.reading().meaning()
	if vector.IsZero() {
		return hits
	}
	r.markSaid()
	defer r.unmarkSaid()
	wanted, cosines := vector.Sketch(), &r.cosines
	cosines.set(vector)
	r.meaning = map[Doc]float32{}
	known := make(map[Doc]int, len(hits))
	inBlock := make([][]Doc, len(r.blocks))
	var older []Doc
	from := max(0, len(r.blocks)-mostScanned)
	for i, hit := range hits {
		known[hit.Doc] = i
		if number, _ := hit.Doc.Block(); number >= from {
			inBlock[number] = append(inBlock[number], hit.Doc)
			continue
		}
		older = append(older, hit.Doc)
	}
	sketches, err := index.SketchesOf(older)
	if err != nil {
		r.err = err
		return hits
	}
	for i, doc := range older {
		r.meaning[doc] = weight * cosines.of(sketches[i])
		hits[known[doc]].Score += r.meaning[doc]
	}
	days := r.days()
	var near []int
	for number := from; number < len(r.blocks); number++ {
		sketches, err := index.Sketches(number)
		if err != nil {
			r.err = err
			return hits
		}
		for _, doc := range inBlock[number] {
			if _, place := doc.Block(); place < len(sketches) {
				r.meaning[doc] = r.ofMeaning(in.row(doc), weight*cosines.of(sketches[place]))
				hits[known[doc]].Score += r.meaning[doc]
			}
		}
		near = vectors.Nearest(wanted, sketches, pool, near[:0])
		for _, place := range near {
			doc := Doc(number*BlockSize + place)
			cosine := cosines.of(sketches[place])
			if _, is := known[doc]; is || cosine < leastCosine || r.query.Allowed != nil && !r.query.Allowed(doc) {
				continue
			}
			of := in.row(doc)
			r.meaning[doc] = r.ofMeaning(of, weight*cosine)
			score := r.score[doc]/r.total + r.Thread*r.threads[of.thread].score/r.total + r.added(doc, of, &days).sum()
			hits = append(hits, Hit{Doc: doc, Score: r.meaning[doc] + r.levelled(of, score)})
		}
	}
	sortHits(hits)
	return hits
}

// ofMeaning returns what is added for meaning to a levelled score.
func (r *ranking) ofMeaning(of row, score float32) float32 {
	if r.isLevelled(of) {
		return score / (1 + r.Turn)
	}
	return score
}

// cosines estimates cosines between one vector and the vectors of sketches: table[i][b] is the
// sum over the bits of the i-th byte of a sketch if that is b. The expected cosine of a vector and
// the signs of another is √(2/π) times their cosine.
type cosines struct {
	table [vectors.SketchSize][256]float32
}

// set makes the table of a vector.
func (c *cosines) set(vector *vectors.Vector) {
	square := 0.0
	for _, n := range vector {
		square += float64(n) * float64(n)
	}
	scale := float32(math.Sqrt(math.Pi / 2 / square / vectors.Dimensions))
	for i := range c.table {
		numbers := vector[8*i : 8*i+8]
		var sums [256]int
		for _, n := range numbers {
			sums[0] -= int(n)
		}
		for b := 1; b < len(sums); b++ { // it has one bit more than a former one
			sums[b] = sums[b&(b-1)] + 2*int(numbers[bits.TrailingZeros(uint(b))])
		}
		for b, sum := range sums {
			c.table[i][b] = float32(sum) * scale
		}
	}
}

func (c *cosines) of(sketch vectors.Sketch) float32 {
	if sketch == (vectors.Sketch{}) {
		return 0
	}
	var sum float32
	for i := range c.table {
		sum += c.table[i][byte(sketch[i/8]>>(8*(i%8)))]
	}
	return sum
}
