package recall

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
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
		said := make([]map[string]bool, len(order))
		for i, at := range order {
			said[i] = wordsOf(candidates[at].Text)
			for _, before := range said[:i] {
				ratings[at].Duplication = max(ratings[at].Duplication, c.Duplication*overlap(said[i], before))
			}
		}
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

// wordsOf returns the words of the beginning of a text, which is enough to know a duplicate.
func wordsOf(text string) map[string]bool {
	const enough = 64
	found := map[string]bool{}
	for word := range strings.FieldsFuncSeq(strings.ToLower(text[:min(len(text), 1024)]), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if found[word] = true; len(found) == enough {
			break
		}
	}
	return found
}

// overlap returns which part of the words of two texts are in both, from 0 to 1.
func overlap(a, b map[string]bool) float64 {
	both := 0
	for word := range a {
		if b[word] {
			both++
		}
	}
	if either := len(a) + len(b) - both; either > 0 {
		return float64(both) / float64(either)
	}
	return 0
}
