package recall_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wm-lsp/wm-lsp/recall"
)

// synthetic is an index of 100,000 turns in sessions of 20 with 20 words each, and queries of five
// words. The words are as frequent as those of natural language: the rank of a word times its
// frequency is the same for all. The first, which are like stop words, are kept only if it is harsh.
func synthetic(harsh bool) (index *recall.InMemory, queries []string) {
	random := rand.New(rand.NewPCG(1, 2))
	skip := uint64(100)
	if harsh {
		skip = 0
	}
	zipf := rand.NewZipf(random, 1.01, 1, 50_000)
	sentence := func(length int) string {
		var text strings.Builder
		for range length {
			rank := zipf.Uint64()
			for rank < skip {
				rank = zipf.Uint64()
			}
			fmt.Fprintf(&text, "%s ", word(rank))
		}
		return text.String()
	}
	index = &recall.InMemory{}
	for i := range 100_000 {
		index.Add(recall.Analyze(recall.Text{
			Body: sentence(20), Speaker: []string{"user", "assistant"}[i%2], At: time.Unix(int64(i)*1000, 0),
		}), fmt.Sprint(i/20))
	}
	for range 200 {
		queries = append(queries, sentence(5))
	}
	return index, queries
}

// word returns a word of its own for a rank, in which nothing can be stemmed.
func word(rank uint64) string {
	letters := []byte("kz")
	for ; rank > 0; rank /= 10 {
		letters = append(letters, "bcdfghjkmp"[rank%10])
	}
	return string(letters)
}

var natural = sync.OnceValues(func() (*recall.InMemory, []string) { return synthetic(false) })

var harsh = sync.OnceValues(func() (*recall.InMemory, []string) { return synthetic(true) })

func BenchmarkSearch100000(b *testing.B) {
	index, queries := natural()
	benchmark(b, index, queries)
}

func BenchmarkSearch100000WithFrequentWords(b *testing.B) {
	index, queries := harsh()
	benchmark(b, index, queries)
}

func benchmark(b *testing.B, index recall.Index, queries []string) {
	var took []time.Duration
	i := 0
	for b.Loop() {
		began := time.Now()
		if _, err := weights.Search(index, recall.Query{Text: queries[i%len(queries)], TopK: 10}); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
		i++
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}
