package reads

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/recall"
)

const (
	// leastJudged is how many searches of which something was used a proposal needs, mostJudged how
	// many of the newest it looks at.
	leastJudged, mostJudged = 20, 300
	// leastGain is how much better other coefficients must be.
	leastGain = 0.02
	// certain is how many times as large as its standard deviation a gain is at least. By chance it is
	// so once in some hundred times.
	certain = 2.5
	// nearlyBest is how much worse than the best a choice may be if it is nearer to what is in force.
	nearlyBest = 0.005
)

// A Proposal is other coefficients for the rating of what is found.
type Proposal struct {
	recall.Coefficients
	// Now is the mean reciprocal rank of what was used first with the coefficients in force, from 0 to
	// 1, Gain what the proposed ones add on searches on which they were not chosen.
	Now, Gain float64
	// Searches is the number of searches that were looked at.
	Searches int
}

// A judged search is one of which it is known what was used.
type judged struct {
	candidates []Candidate
	used       []bool
}

// Propose returns other coefficients than those in force if they would have put what was used
// further to the front, and false if there are none or too few searches are known. It changes
// nothing.
func (s *Service) Propose(ctx context.Context, now recall.Coefficients) (Proposal, bool, error) {
	newest, err := s.room().newestUse(ctx)
	if err != nil || newest == 0 {
		return Proposal{}, false, err
	}
	s.mu.Lock()
	if known := s.proposed; known != nil && known.now == now && known.newest == newest {
		defer s.mu.Unlock()
		return known.Proposal, known.better, nil
	}
	s.mu.Unlock()
	searches, err := s.room().judged(ctx)
	if err != nil {
		return Proposal{}, false, err
	}
	result := proposed{now: now, newest: newest}
	if len(searches) >= leastJudged {
		result.Proposal, result.better = propose(searches, now)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.proposed = &result
	return result.Proposal, result.better, nil
}

// proposed is the latest result of Propose.
type proposed struct {
	Proposal
	better bool
	now    recall.Coefficients
	newest int64 // use
}

// newestUse returns the number of the newest row with what was used, 0 if there is none.
func (r *Room) newestUse(ctx context.Context) (newest int64, err error) {
	if r.db == nil {
		return 0, nil
	}
	row := r.db.QueryRowContext(ctx, "SELECT coalesce(max(n), 0) FROM reads_read WHERE kind = ?", string(Used))
	err = row.Scan(&newest)
	return newest, err
}

// judged returns the newest searches of which something was used, and something not.
func (r *Room) judged(ctx context.Context) ([]judged, error) {
	uses, err := r.read(ctx, "WHERE kind = ?", 2*mostJudged, []any{string(Used)})
	if err != nil {
		return nil, err
	}
	used := map[string]map[string]bool{}
	for _, read := range uses {
		var use Use
		if read.Decode(&use) != nil {
			continue
		}
		if used[read.Subject] == nil {
			used[read.Subject] = map[string]bool{}
		}
		for _, id := range use.IDs {
			used[read.Subject][id] = true
		}
	}
	ran, err := r.read(ctx, "WHERE kind = ? AND subject IN (SELECT value FROM json_each(?))", mostJudged,
		[]any{string(Ran), room.Values(slices.Collect(maps.Keys(used)))})
	if err != nil {
		return nil, err
	}
	var found []judged
	for _, read := range ran {
		if one, is := judgedOf(read, used[read.Subject]); is {
			found = append(found, one)
		}
	}
	return found, nil
}

func judgedOf(read change.Change, used map[string]bool) (of judged, is bool) {
	var search Search
	if read.Decode(&search) != nil {
		return of, false
	}
	n := 0
	of.candidates = search.Candidates
	for _, candidate := range search.Candidates {
		of.used = append(of.used, used[candidate.ID])
		if used[candidate.ID] {
			n++
		}
	}
	return of, n > 0 && n < len(of.candidates)
}

// choices returns the coefficients from which a proposal is chosen. They are coarse, because exact
// ones fit the searches on which they were found and nothing else.
func choices() (all []recall.Coefficients) {
	for _, decay := range []float64{0.003, 0.01, 0.03, 0.1, 0.3} {
		for _, recency := range []float64{0, 0.1, 0.25, 0.5, 1} {
			for _, importance := range []float64{0, 0.1, 0.25, 0.5, 1} {
				for _, duplication := range []float64{0, 0.1, 0.3} {
					scale := 0.9 / (0.4 + recency + importance)
					in := func(part float64) float64 { return math.Round(part*scale*100) / 100 }
					all = append(all, recall.Coefficients{
						Similarity: in(0.4), Recency: in(recency), Importance: in(importance),
						Duplication: in(duplication), Decay: decay,
					})
				}
			}
		}
	}
	return all
}

// score returns the rating of a candidate.
func (of *Candidate) score(c recall.Coefficients) float64 {
	recency := 0.0
	if of.Days >= 0 {
		recency = math.Exp(-c.Decay * of.Days)
	}
	return c.Similarity*of.Similarity + c.Recency*recency + c.Importance*of.Importance -
		c.Duplication*of.Duplication
}

// rank returns the reciprocal rank of the first candidate that was used.
func (j *judged) rank(c recall.Coefficients) float64 {
	best, scores := math.Inf(-1), make([]float64, len(j.candidates))
	first := 0
	for i := range j.candidates {
		scores[i] = j.candidates[i].score(c)
		if j.used[i] && scores[i] > best {
			best, first = scores[i], i
		}
	}
	before := 1
	for i, score := range scores {
		if score > best || score == best && i < first {
			before++
		}
	}
	return 1 / float64(before)
}

// far returns how much two choices differ.
func far(a, b recall.Coefficients) float64 {
	return math.Abs(a.Similarity-b.Similarity) + math.Abs(a.Recency-b.Recency) +
		math.Abs(a.Importance-b.Importance) + math.Abs(a.Duplication-b.Duplication) + math.Abs(a.Decay-b.Decay)
}

// propose returns the choice that is best for the searches. What it gains is measured on each half
// of them with the choice that is best for the other half.
func propose(searches []judged, now recall.Coefficients) (Proposal, bool) {
	all := append([]recall.Coefficients{now}, choices()...)
	sums := make([][2]float64, len(all)) // of the ranks, by half
	for k, c := range all {
		for i := range searches {
			sums[k][i%2] += searches[i].rank(c)
		}
	}
	bestOf := func(value func(k int) float64) int {
		best := 0
		for k := range all {
			if value(k) > value(best) {
				best = k
			}
		}
		nearest := best
		for k := range all {
			if value(k) >= value(best)-nearlyBest*float64(len(searches)) && far(all[k], now) < far(all[nearest], now) {
				nearest = k
			}
		}
		return nearest
	}
	n := float64(len(searches))
	var chosen [2]recall.Coefficients // for each half, by the other one
	for half := range 2 {
		chosen[half] = all[bestOf(func(k int) float64 { return 2 * sums[k][1-half] })]
	}
	gain, squares := 0.0, 0.0
	for i := range searches {
		gained := searches[i].rank(chosen[i%2]) - searches[i].rank(now)
		gain, squares = gain+gained/n, squares+gained*gained/n
	}
	best := bestOf(func(k int) float64 { return sums[k][0] + sums[k][1] })
	proposal := Proposal{
		Coefficients: all[best], Now: (sums[0][0] + sums[0][1]) / n, Gain: gain, Searches: len(searches),
	}
	deviation := math.Sqrt(max(squares-gain*gain, 0) / n)
	return proposal, best != 0 && gain >= max(leastGain, certain*deviation)
}
