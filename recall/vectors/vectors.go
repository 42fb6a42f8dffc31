// Package vectors knows which words are near in meaning, without a model that runs. It has word
// vectors that tools/vectors trained on documentation, the relations of WordNet, and a table of
// what developers call the same thing. All are tables of the binary that are read where they
// lie; see NOTICE for what they are made of.
package vectors

import (
	_ "embed"
	"math"
	"math/bits"
	"strings"
	"sync"

	"github.com/wm-lsp/wm-lsp/recall/vectors/tables"
	"github.com/wm-lsp/wm-lsp/recall/words"
)

//go:generate sh -c "cd ../../tools && go run ./vectors write ../recall/vectors"

//go:embed vectors.bin
var trained string

// Dimensions is how many numbers a vector has.
const Dimensions = tables.Dimensions

// A Vector is the meaning of a string: a direction, of which each number is 317.5 times the
// coordinate, rounded and at most 127. The zero Vector is that of a string without a known word.
type Vector [Dimensions]int8

// scale is what a coordinate of a vector of length 1 is multiplied with. Few are over 0.4.
const scale = 127 / 0.4

// Of returns the vector of a string by its terms: the mean of the vectors of those that have one,
// each as often as it is there; rare terms weigh more.
func Of(terms []words.Term) (vector Vector) {
	numbers, factor := sumOf(terms)
	for i, n := range numbers {
		vector[i] = int8(math.Round(max(-127, min(127, float64(n)*factor))))
	}
	return vector
}

// SketchOf returns the sketch of the vector of a document by its terms, see Of.
func SketchOf(terms []words.Term) (sketch Sketch) {
	numbers, factor := sumOf(terms)
	for i, n := range numbers {
		if float64(n)*factor >= 0.5 { // it is rounded to 1 or more
			sketch[i/64] |= 1 << (i % 64)
		}
	}
	return sketch
}

// sumOf returns the sum of the vectors of terms, and what it is multiplied with to be a vector.
func sumOf(terms []words.Term) (numbers [Dimensions]int64, factor float64) {
	var sum tables.Sum
	known := finders.Get().(*finder)
	defer finders.Put(known)
	for i := range terms {
		sum.AddAt(tables.Vectors(trained), known.place(terms[i].Text), terms[i].Count)
	}
	var square float64
	numbers = *sum.Numbers()
	for _, n := range numbers {
		square += float64(n) * float64(n)
	}
	if square == 0 {
		return numbers, 0
	}
	return numbers, scale / math.Sqrt(square)
}

// A finder finds the rows of terms. It remembers those that it has found, because documents share many
// words.
type finder struct{ places map[string]tables.Place }

// maxFound bounds the terms that a finder remembers.
const maxFound = 2048

var finders = sync.Pool{New: func() any { return &finder{places: map[string]tables.Place{}} }}

// place returns the place of a term.
func (f *finder) place(term string) tables.Place {
	if place, is := f.places[term]; is {
		return place
	}
	place := tables.Vectors(trained).Place(term)
	if place == tables.NoPlace { // most of them are not met again
		return place
	}
	if len(f.places) >= maxFound {
		clear(f.places)
	}
	f.places[strings.Clone(term)] = place // a copy, which keeps no long string in memory
	return place
}

// smoothing is the a of the weights a/(a+p) of words, where p is their share of all words.
const smoothing = 1e-3

// wordsOfText is how many words the documents have of which Information tells.
const wordsOfText = 30

// MostInformation is how much a word says that is in no documentation, in nats.
const MostInformation = 6.5

// Information returns how much a term says by how seldom documentation has it: the negative
// logarithm of the share of documents of some 30 words that have it, at least 0.5. That of a term without
// a vector is MostInformation.
func Information(term string) float64 {
	weight, known := tables.Vectors(trained).Weight(term)
	if !known || weight == 255 {
		return MostInformation
	}
	share := max(float64(weight), 1) / 255
	p := smoothing * (1 - share) / share
	return min(max(-math.Log(wordsOfText*p), 0.5), MostInformation)
}

// IsZero reports whether the text had no known word.
func (v *Vector) IsZero() bool { return *v == Vector{} }

// A Sketch is the signs of a vector. The more bits of two sketches are the same, the nearer are
// their vectors. The zero Sketch is that of the zero Vector.
type Sketch [Dimensions / 64]uint64

// SketchSize is how many bytes a sketch takes.
const SketchSize = Dimensions / 8

// Sketch returns the signs of the numbers.
func (v *Vector) Sketch() Sketch {
	var sketch Sketch
	for i, n := range v {
		if n > 0 {
			sketch[i/64] |= 1 << (i % 64)
		}
	}
	return sketch
}

// Distance returns how many signs differ, 0 to Dimensions.
func (s Sketch) Distance(to Sketch) int {
	return bits.OnesCount64(s[0]^to[0]) + bits.OnesCount64(s[1]^to[1]) + bits.OnesCount64(s[2]^to[2])
}

// Nearest appends to found the places of the n sketches that are nearest to the wanted one, in
// their order. Of those that are equally far the first are taken. Zero sketches are left out.
func Nearest(wanted Sketch, among []Sketch, n int, found []int) []int {
	if n <= 0 || len(among) == 0 {
		return found
	}
	const never = math.MaxUint8
	var histogram [never + 1]int
	distances := make([]uint8, len(among))
	for i := range among {
		sketch := &among[i]
		distance := uint8(never)
		if sketch[0]|sketch[1]|sketch[2] != 0 {
			distance = uint8(bits.OnesCount64(sketch[0]^wanted[0]) + bits.OnesCount64(sketch[1]^wanted[1]) +
				bits.OnesCount64(sketch[2]^wanted[2]))
		}
		distances[i] = distance
		histogram[distance]++
	}
	// Those below the limit are all taken, and of those at the limit as many as are left.
	limit, left := 0, n
	for limit < Dimensions && left > histogram[limit] {
		left -= histogram[limit]
		limit++
	}
	for i, distance := range distances {
		switch {
		case int(distance) > limit, int(distance) == limit && left == 0:
			continue
		case int(distance) == limit:
			left--
		}
		found = append(found, i)
	}
	return found
}
