package working

import (
	"cmp"
	"math"
	"slices"
)

const (
	// decay is the factor by which an event without a mention lowers a score.
	decay = 0.85
	// faded is the score below which an item is dropped.
	faded = 0.01
)

// A Scored is an item of the pool with its score.
type Scored struct {
	Item
	Score float64
}

// score returns 0.85^age × (1 + ln(1 + mentions)). The age is the number of events since
// the item was last mentioned (systems.md, choice 1).
func (i Item) score(events int) float64 {
	age := max(0, events-i.Event)
	return math.Pow(decay, float64(age)) * (1 + math.Log(1+float64(i.Mentions)))
}

// pool returns the items of the pool by their score after a number of events.
func (s *session) pool(events int) []Scored {
	var pool []Scored
	for _, item := range s.items {
		if item.Slot == Pool {
			pool = append(pool, Scored{item, item.score(events)})
		}
	}
	slices.SortFunc(pool, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), newestFirst(a.Item, b.Item))
	})
	return pool
}
