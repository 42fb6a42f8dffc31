package main

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/wm-lsp/wm-lsp/recall/words"
)

// A corpus is the documents as numbers of terms: paragraph after paragraph, -1 between them.
type corpus struct {
	terms  []string // by number, the most frequent first
	counts []uint64
	text   []int32
	sizes  []int // terms of each source
}

// boundary stands between paragraphs.
const boundary = -1

// readCorpus reads all sources. Terms that are found fewer than least times are left out.
func readCorpus(ctx context.Context, cache string, sources []source, least uint64) (corpus, error) {
	reader := corpusReader{numbers: map[string]int32{}}
	seen := map[uint64]bool{}
	var sizes []int
	for _, s := range sources {
		before := len(reader.text)
		if err := paragraphs(ctx, cache, s, seen, reader.add); err != nil {
			return corpus{}, err
		}
		sizes = append(sizes, len(reader.text)-before)
	}
	result := reader.corpus(least)
	result.sizes = sizes
	if len(result.terms) < 2 {
		return corpus{}, fmt.Errorf("the sources have %d terms that are found %d times", len(result.terms), least)
	}
	return result, nil
}

type corpusReader struct {
	numbers map[string]int32
	terms   []string
	counts  []uint64
	text    []int32
}

func (r *corpusReader) add(paragraph string) {
	for _, word := range words.Words(paragraph) {
		if word.Stop {
			continue
		}
		for _, term := range word.Terms {
			if !hasMeaning(term) {
				continue
			}
			number, is := r.numbers[term]
			if !is {
				term = strings.Clone(term)
				number = int32(len(r.terms))
				r.numbers[term] = number
				r.terms, r.counts = append(r.terms, term), append(r.counts, 0)
			}
			r.counts[number]++
			r.text = append(r.text, number)
		}
	}
	r.text = append(r.text, boundary)
}

// longest is how long a term may be in bytes to get a vector.
const longest = 24

// hasMeaning reports whether a term is a word of ASCII with a letter and not long.
func hasMeaning(term string) bool {
	letters := 0
	for i := range len(term) {
		switch c := term[i]; {
		case 'a' <= c && c <= 'z':
			letters++
		case '0' <= c && c <= '9', c == '+', c == '#':
		default:
			return false
		}
	}
	return letters > 0 && 2*letters > len(term) && len(term) > 1 && len(term) <= longest
}

// corpus numbers the terms anew by frequency and leaves the rare ones out.
func (r *corpusReader) corpus(least uint64) corpus {
	order := make([]int32, 0, len(r.terms))
	for i, count := range r.counts {
		if count >= least {
			order = append(order, int32(i))
		}
	}
	sort.Slice(order, func(i, j int) bool {
		a, b := order[i], order[j]
		if r.counts[a] != r.counts[b] {
			return r.counts[a] > r.counts[b]
		}
		return r.terms[a] < r.terms[b]
	})
	result := corpus{terms: make([]string, len(order)), counts: make([]uint64, len(order))}
	renumbered := make([]int32, len(r.terms))
	for i := range renumbered {
		renumbered[i] = boundary - 1
	}
	for i, old := range order {
		renumbered[old] = int32(i)
		result.terms[i], result.counts[i] = r.terms[old], r.counts[old]
	}
	for _, number := range r.text {
		if number == boundary {
			result.text = append(result.text, boundary)
		} else if number = renumbered[number]; number >= 0 {
			result.text = append(result.text, number)
		}
	}
	return result
}
