package recall

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// indexed returns an index of more documents than a block holds, with terms "0" to "4". Most are in threads that lie
// among each other, some documents in a row, a tenth is in none, and a few were deleted.
func indexed(random *rand.Rand) *InMemory {
	var index InMemory
	last := ""
	for i := range BlockSize + 3000 {
		entry := Entry{Feature: Feature{Length: uint16(1 + random.IntN(40))}}
		if random.IntN(4) == 0 {
			entry.Feature.Flags = HasQuestion
		}
		for term := range 5 {
			if random.IntN(3+10*term) == 0 {
				entry.Terms = append(entry.Terms, Term{Text: fmt.Sprint(term), TF: uint8(1 + random.IntN(3))})
			}
		}
		if i/1000%2 == 0 || random.IntN(20) == 0 {
			last = fmt.Sprint("thread ", random.IntN(1+i/100))
		}
		thread := last
		if random.IntN(10) == 0 {
			thread = ""
		}
		doc := index.Add(entry, thread)
		if random.IntN(50) == 0 {
			index.Delete(doc)
		}
	}
	return &index
}

// A plain has what frequencies sets, as the documentation of the weights says it.
type plain struct{ own, thread map[Doc]float64 }

func plainly(w Weights, index *InMemory, p *weighed) plain {
	found := plain{map[Doc]float64{}, map[Doc]float64{}}
	average := float64(index.stats.Terms) / float64(index.stats.Documents)
	for i, list := range p.lists {
		for k, doc := range list.Docs {
			f := index.Feature(doc)
			y := float64(list.TF[k]) / (1 - float64(w.B) + float64(w.B)*float64(f.Length)/average)
			factor := float64(p.terms[i].factor)
			if f.Prev == 0 && f.Next == 0 {
				found.own[doc] += y * factor
				continue
			}
			if p.terms[i].related {
				factor *= float64(w.RelatedInThread)
			}
			found.own[doc] += y * factor
			found.thread[f.Thread] += factor
			after, before := f.Next, f.Prev
			for n := range w.Before {
				share := w.Before[n]
				if n == 0 && f.Flags&HasQuestion != 0 {
					share = w.Question
				}
				if after != 0 {
					found.own[after] += y * factor * float64(share)
					after = index.Feature(after).Next
				}
				if before != 0 {
					found.own[before] += y * factor * float64(w.After[n])
					before = index.Feature(before).Prev
				}
			}
		}
	}
	return found
}

func TestAPartCountsInItsDocumentsTheirNeighboursAndTheirThreads(t *testing.T) {
	w := Weights{
		B: 0.3, RelatedInThread: 0.5, Question: 1, Thread: 0.2,
		Before: [3]float32{0.05, 0.3, 0.05}, After: [3]float32{0.1, 0.1, 0.05},
	}
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 1))
		index := indexed(random)
		lists, err := index.Lists([]string{"0", "1", "2", "3", "4", "none"})
		require.NoError(t, err)
		p := &weighed{lists: lists, part: part{weight: 1}}
		for i := range lists {
			p.terms = append(p.terms, factored{factor: 1 / float32(1+i), related: i%2 == 1})
		}
		r := &ranking{
			Weights: w, index: index, stats: index.stats, perWord: w.B / index.stats.average(),
			blocks: make([]*Rows, len(index.blocks)), scratch: newScratch(),
			shares: sharesOf(w),
		}
		r.cover(index.stats)
		r.measure()
		for range 2 { // the second time in memory that was used
			r.frequencies(p)
			require.NoError(t, r.err)
			want := plainly(w, index, p)
			for doc := range index.stats.Last + 1 {
				require.InDelta(t, want.own[doc], float64(r.own[doc]), 1e-3, "document %d", doc)
			}
			for first, number := range index.numbers.numbers {
				require.InDelta(t, want.thread[first], float64(r.threads[number].own), 1e-3, "thread %d", first)
			}
			r.clearPart()
		}
		assert.True(t, r.facts)
		r.clear()
		assert.Equal(t, make([]float32, len(r.own)), r.own)
		assert.Equal(t, make([]threadSums, len(r.threads)), r.threads)
		assert.Equal(t, make([]counted, BlockSize), r.counts)
	}
}

func TestTheBestDocumentsAreThoseOfAllThatAreRanked(t *testing.T) {
	w := Weights{
		K1: 0.8, B: 0.3, RelatedInThread: 0.5, Question: 1, Thread: 0.2, Length: 0.01, Asks: -0.1, Opens: 0.05,
		Before: [3]float32{0, 0.3, 0.05}, After: [3]float32{0.1, 0.1, 0.05}, ByChance: 0.3, Turn: 0.6,
		Best: 0.3, TwoBefore: 0.1, OneBefore: -0.1, OneAfter: 0.1,
	}
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 2))
		index := indexed(random)
		for _, query := range []string{"0", "4 2", "0 1 2 3 4", "3 none"} {
			ranked := func(n int) []Hit {
				r := &ranking{Weights: w, index: index, query: Query{
					Text: query, Allowed: func(doc Doc) bool { return doc%3 != 0 },
				}}
				require.NoError(t, r.prepare())
				r.sum()
				defer r.release()
				hits := r.best(n)
				require.NoError(t, r.err)
				return hits
			}
			all := ranked(int(index.stats.Last))
			require.Greater(t, len(all), 1000)
			for _, n := range []int{1, 7, 100, 1000} {
				assert.Equal(t, all[:n], ranked(n), "%q, %d", query, n)
			}
		}
	}
}

// allowed returns weights that the settings allow, many of them at an end of their range.
func allowed(random *rand.Rand) (w Weights) {
	for i, weight := range []*float32{
		&w.B, &w.K1, &w.RelatedInThread, &w.Turn, &w.Question, &w.Thread, &w.Said, &w.OnDay, &w.SoonAfter, &w.InMonth,
		&w.Length, &w.Asks, &w.Capitals, &w.Opens, &w.OfSelf, &w.ToOther, &w.When, &w.NamesAsked, &w.Number,
		&w.ByChance, &w.Before[0], &w.Before[1], &w.Before[2], &w.After[0], &w.After[1], &w.After[2],
	} {
		least, most := float32(-10), float32(10)
		switch {
		case i == 0:
			least, most = 0, 1
		case i <= 3:
			least = 0
		}
		*weight = []float32{0, least, most, least + random.Float32()*(most-least)}[random.IntN(4)]
	}
	return w
}

func TestTheBestDocumentsAreTheSameWithAnyWeights(t *testing.T) {
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 4))
		index, w := &InMemory{}, allowed(random)
		for range 300 {
			feature := Feature{
				Length: uint16(random.IntN(9)), Flags: Flags(random.Uint32()), Day: uint16(1 + random.IntN(50)),
			}
			terms := []Term{{"@ada", 1}, {"@bob", 1}}[random.IntN(2):][:1]
			for term := range 3 {
				if random.IntN(2+term) == 0 {
					terms = append(terms, Term{fmt.Sprint(term), uint8(1 + random.IntN(9))})
				}
			}
			index.Add(Entry{Terms: terms, Feature: feature}, []string{"", "thread", "other"}[random.IntN(3)])
		}
		for _, query := range []string{"1", "0 2", "When was 1 in which city on January 20?", "What did Ada say?"} {
			ranked := func(n int) []Hit {
				r := &ranking{Weights: w, index: index, query: Query{Text: query, Day: 60}}
				require.NoError(t, r.prepare())
				r.sum()
				defer r.release()
				return r.best(n)
			}
			all := ranked(1000)
			require.Greater(t, len(all), 20)
			for _, hit := range all {
				require.Less(t, math.Abs(float64(hit.Score)), 1e4, "it is a number")
			}
			for _, n := range []int{1, 7, 20} {
				require.Equal(t, all[:n], ranked(n), "%d of %q with %+v", n, query, w)
			}
		}
	}
}

func TestAnIndexWhoseBeginningWasDeletedFindsTheSameFromItsFirstDocumentOn(t *testing.T) {
	w := Weights{
		K1: 0.8, B: 0.3, Question: 1, Thread: 0.2, Length: 0.01, Meaning: 0.4, Sure: 1,
		Before: [3]float32{0, 0.3, 0.05}, After: [3]float32{0.1, 0.1, 0.05}, ByChance: 0.3, Turn: 0.6,
		Best: 0.3, TwoBefore: 0.1, OneBefore: -0.1, OneAfter: 0.1,
	}
	random := rand.New(rand.NewPCG(5, 3))
	index := indexed(random)
	const first = BlockSize + 100 // whose neighbours are after it
	for doc := range Doc(first) {
		index.Delete(doc)
	}
	search := func(query string) []Hit {
		hits, err := w.Search(index, Query{Text: query, TopK: 1000, Explain: true, Literal: true})
		require.NoError(t, err)
		return hits
	}
	for _, query := range []string{"0", "4 2", "0 1 2 3 4", "3 none"} {
		index.stats.First = 0
		want := search(query)
		require.Greater(t, len(want), 100)
		for _, index.stats.First = range []Doc{1, BlockSize - 1, BlockSize, first} {
			assert.Equal(t, want, search(query), "%q from %d on", query, index.stats.First)
		}
	}
	r := &ranking{Weights: w, index: index, query: Query{Text: "0"}}
	require.NoError(t, r.prepare())
	r.scratch = newScratch()
	r.cover(r.stats)
	assert.Less(t, len(r.score), BlockSize, "documents that are gone have no sums")
	assert.Len(t, r.blocks, 1)
}
