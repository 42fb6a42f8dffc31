package recall

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// indexed returns an index of more documents than a block holds, with terms "0" to "4". Most are in threads that lie
// among each other, a tenth is in none, and a few were deleted.
func indexed(random *rand.Rand) *InMemory {
	var index InMemory
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
		thread := fmt.Sprint("thread ", random.IntN(1+i/100))
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
			f := index.feature(doc)
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
					after = index.feature(after).Next
				}
				if before != 0 {
					found.own[before] += y * factor * float64(w.After[n])
					before = index.feature(before).Prev
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
			blocks: make([][]Feature, len(index.blocks)), scratch: &scratch{logs: newLogs()},
		}
		r.grow(int(index.stats.Last) + 1)
		for range 2 { // the second time in memory that was used
			r.frequencies(p)
			require.NoError(t, r.err)
			want := plainly(w, index, p)
			for doc := range index.stats.Last + 1 {
				require.InDelta(t, want.own[doc], float64(r.own[doc]), 1e-3, "document %d", doc)
				require.InDelta(t, want.thread[doc], float64(r.inThread[doc]), 1e-3, "thread %d", doc)
			}
			r.clearPart()
		}
		assert.True(t, r.facts)
		r.clear()
		assert.Equal(t, make([]float32, len(r.own)), r.own)
		assert.Equal(t, make([]float32, len(r.inThread)), r.inThread)
		assert.Equal(t, make([]counted, BlockSize), r.counts)
	}
}
