package main

import (
	"math"
	"sync"
)

// A sparse matrix in rows: row i has the columns columns[starts[i]:starts[i+1]], ascending.
type sparse struct {
	rows, width int
	starts      []int
	columns     []int32
	values      []float32
}

// A counting configures how words are counted that stand beside each other.
type counting struct {
	words, contexts int     // how many of the most frequent terms are words, contexts
	window          int     // how far apart two terms may be
	least           uint32  // the weight from which a pair counts
	smoothing       float64 // exponent of the frequency of contexts
}

// information returns the positive pointwise mutual information of words and contexts. The
// counts are integers, so their order does not matter.
func information(c corpus, how counting) sparse {
	words, contexts := min(how.words, len(c.terms)), min(how.contexts, len(c.terms))
	result := sparse{rows: words, width: contexts, starts: []int{0}}
	const chunk = 2048
	var total float64
	sums := make([]float64, contexts) // of the columns
	rowSums := make([]float64, words)
	type part struct {
		starts  []int
		columns []int32
		counts  []uint32
	}
	parts := make([]part, (words+chunk-1)/chunk)
	var group sync.WaitGroup
	tickets := make(chan struct{}, 2)
	for p := range parts {
		tickets <- struct{}{}
		group.Go(func() {
			defer func() { <-tickets }()
			first := p * chunk
			last := min(first+chunk, words)
			counts := count(c.text, first, last, contexts, how.window)
			made := part{starts: []int{0}}
			for row := range last - first {
				for column, n := range counts[row*contexts : (row+1)*contexts] {
					if n >= how.least {
						made.columns, made.counts = append(made.columns, int32(column)), append(made.counts, n)
					}
				}
				made.starts = append(made.starts, len(made.columns))
			}
			parts[p] = made
		})
	}
	group.Wait()
	for p, part := range parts {
		for row := range len(part.starts) - 1 {
			for i := part.starts[row]; i < part.starts[row+1]; i++ {
				n := float64(part.counts[i])
				sums[part.columns[i]] += n
				rowSums[p*chunk+row] += n
				total += n
			}
		}
	}
	var smoothed float64
	for column, sum := range sums {
		sums[column] = math.Pow(sum, how.smoothing)
		smoothed += sums[column]
	}
	for p, part := range parts {
		for row := range len(part.starts) - 1 {
			for i := part.starts[row]; i < part.starts[row+1]; i++ {
				column := part.columns[i]
				likelier := float64(part.counts[i]) * smoothed / (rowSums[p*chunk+row] * sums[column])
				if likelier > 1 {
					result.columns = append(result.columns, column)
					result.values = append(result.values, rounded(math.Log(likelier)))
				}
			}
			result.starts = append(result.starts, len(result.columns))
		}
	}
	return result
}

// rounded takes from a logarithm the digits in which processors differ.
func rounded(value float64) float32 { return float32(math.Round(value*4096) / 4096) }

// count returns for the words from first to last how often each context is near, nearer ones
// weighing more: window for a neighbour, 1 for the farthest.
func count(text []int32, first, last, contexts, window int) []uint32 {
	counts := make([]uint32, (last-first)*contexts)
	for at, word := range text {
		if int(word) < first || int(word) >= last {
			continue
		}
		row := counts[(int(word)-first)*contexts:][:contexts]
		for _, step := range []int{-1, 1} {
			for distance := 1; distance <= window; distance++ {
				near := at + step*distance
				if near < 0 || near >= len(text) || text[near] == boundary {
					break
				}
				if context := text[near]; int(context) < contexts && context != word {
					row[context] += uint32(window + 1 - distance)
				}
			}
		}
	}
	return counts
}

// transposed returns the matrix with rows and columns exchanged.
func (m sparse) transposed() sparse {
	result := sparse{
		rows: m.width, width: m.rows, starts: make([]int, m.width+1),
		columns: make([]int32, len(m.columns)), values: make([]float32, len(m.values)),
	}
	for _, column := range m.columns {
		result.starts[column+1]++
	}
	for i := range m.width {
		result.starts[i+1] += result.starts[i]
	}
	next := append([]int(nil), result.starts...)
	for row := range m.rows {
		for i := m.starts[row]; i < m.starts[row+1]; i++ {
			to := next[m.columns[i]]
			next[m.columns[i]]++
			result.columns[to], result.values[to] = int32(row), m.values[i]
		}
	}
	return result
}
