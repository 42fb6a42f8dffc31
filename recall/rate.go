package recall

import (
	"iter"
	"math"
	"slices"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// Coefficients say how much each reason counts in a rating (systems.md E8).
type Coefficients struct {
	Similarity  float64 `json:"similarity"`
	Recency     float64 `json:"recency"`
	Importance  float64 `json:"importance"`
	Duplication float64 `json:"duplication"`
	// Decay is how fast recency fades: after d days it is exp(-Decay·d).
	Decay float64 `json:"decay"`
}

// A Candidate is a document that is rated for a query.
type Candidate struct {
	Text string
	// Similarity is from 0 to 1: how well the text fits, where that of the best is 1.
	Similarity float64
	At         time.Time // zero if it is not known, which is as long ago as can be
	Importance float64   // 0 to 1
}

// A Rating is the score of a candidate: what similarity, recency and importance add to it, and
// what duplication takes away. It is at most 0 if only duplication counts.
type Rating struct {
	Similarity, Recency, Importance, Duplication float64
}

// Score returns the sum of the parts.
func (r Rating) Score() float64 { return r.Similarity + r.Recency + r.Importance - r.Duplication }

// Rate returns the ratings of candidates at a time, and their order, the best first. Of two with
// the same rating, the former candidate is first. A candidate is a duplicate as far as its words
// are those of one that is before it without regard to duplication.
func (c Coefficients) Rate(candidates []Candidate, now time.Time) (ratings []Rating, order []int) {
	ratings, order = make([]Rating, len(candidates)), make([]int, len(candidates))
	for i, candidate := range candidates {
		order[i] = i
		ratings[i] = Rating{
			Similarity: c.Similarity * candidate.Similarity,
			Recency:    c.Recency * Recency(candidate.At, now, c.Decay),
			Importance: c.Importance * candidate.Importance,
		}
	}
	best := func(a, b int) int {
		switch a, b := ratings[a].Score(), ratings[b].Score(); {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return a - b
	}
	slices.SortFunc(order, best)
	if c.Duplication != 0 {
		texts := sharings.Get().(*sharing)
		for _, at := range order {
			ratings[at].Duplication = max(0, c.Duplication*texts.add(candidates[at].Text))
		}
		texts.clear()
		sharings.Put(texts)
		slices.SortFunc(order, best)
	}
	return ratings, order
}

// Recency returns how recent something is, from 0 to 1: exp(-decay·d) after d days, and 0 if it is not known when it
// was.
func Recency(at, now time.Time, decay float64) float64 {
	if at.IsZero() {
		return 0
	}
	days := max(now.Sub(at).Hours()/24, 0)
	return math.Exp(-decay * days)
}

// A sharing counts the words that documents share.
type sharing struct {
	sizes []int // of documents, in words
	// latest has the place in uses of the latest text with a word, by the hash of the word.
	latest map[uint64]int
	uses   []use
	shared []int // by text: words of the text that is added
}

var sharings = sync.Pool{New: func() any { return &sharing{latest: map[uint64]int{}} }}

// clear takes all documents out.
func (s *sharing) clear() {
	clear(s.latest)
	s.sizes, s.uses, s.shared = s.sizes[:0], s.uses[:0], s.shared[:0]
}

// A use is a document that has a word, before is the place in uses of the one before, -1 if there is none.
type use struct{ text, before int }

// add adds a string, and returns which part of its words and those of a former text are in both, from 0 to 1, for
// the text with the most. Of a long text the beginning is enough to know a duplicate.
func (s *sharing) add(text string) float64 {
	const enough = 64
	own, size := len(s.sizes), 0
	for word := range hashesOfWords(text[:min(len(text), 1024)]) {
		latest, there := s.latest[word]
		if !there {
			latest = -1
		} else if s.uses[latest].text == own {
			continue
		}
		for at := latest; at >= 0; at = s.uses[at].before {
			s.shared[s.uses[at].text]++
		}
		s.latest[word] = len(s.uses)
		s.uses = append(s.uses, use{own, latest})
		if size++; size == enough {
			break
		}
	}
	most := 0.0
	for i, both := range s.shared {
		if both > 0 {
			most = max(most, float64(both)/float64(size+s.sizes[i]-both))
		}
	}
	clear(s.shared)
	s.sizes, s.shared = append(s.sizes, size), append(s.shared, 0)
	return most
}

// HashOfWords returns a hash of the words of a text in lower case. Texts with the same words in the same order have the
// same one.
func HashOfWords(text string) uint64 {
	hash := uint64(fnvOffset)
	for word := range hashesOfWords(text) {
		hash = (hash ^ word) * fnvPrime
	}
	return hash
}

const fnvOffset, fnvPrime = 14695981039346656037, 1099511628211

// hashesOfWords yields a hash of each word of a text in lower case, FNV-1a of its characters.
func hashesOfWords(text string) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		hash := uint64(fnvOffset) // which no word has
		for _, r := range text {
			switch { // the tables of Unicode take longer than the rest
			case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			case 'A' <= r && r <= 'Z':
				r += 'a' - 'A'
			case r < utf8.RuneSelf:
				r = 0
			default:
				if r = unicode.ToLower(r); !unicode.IsLetter(r) && !unicode.IsDigit(r) {
					r = 0
				}
			}
			if r != 0 {
				hash = (hash ^ uint64(r)) * fnvPrime
				continue
			}
			if hash != fnvOffset && !yield(hash) {
				return
			}
			hash = fnvOffset
		}
		if hash != fnvOffset {
			yield(hash)
		}
	}
}
