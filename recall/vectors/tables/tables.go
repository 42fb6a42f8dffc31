// Package tables reads and makes the files of package vectors. They are read where they lie, so
// nothing is unpacked when the program starts.
package tables

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
)

// Dimensions is how many numbers a vector has.
const Dimensions = 192

// rowSize is the size of a vector in bytes: its weight, and half a byte for each number.
const rowSize = 1 + Dimensions/2

// Vectors is a file of word vectors: how many there are, their terms (see names), and for each
// its row.
type Vectors string

// A Row is the vector of a term.
type Row struct {
	Weight  uint8            // how much the term says, 255 the most
	Numbers [Dimensions]int8 // -7 to 7
}

// MakeVectors returns the file of the rows.
func MakeVectors(rows map[string]Row) (Vectors, error) {
	terms := sortedKeys(rows)
	file := appendNames(binary.LittleEndian.AppendUint32(nil, uint32(len(terms))), terms)
	for _, term := range terms {
		row := rows[term]
		file = append(file, row.Weight)
		for i := 0; i < Dimensions; i += 2 {
			low, high := row.Numbers[i], row.Numbers[i+1]
			if low < -7 || low > 7 || high < -7 || high > 7 {
				return "", fmt.Errorf("the vector of %q has a number that is not -7 to 7", term)
			}
			file = append(file, uint8(low+8)|uint8(high+8)<<4)
		}
	}
	return Vectors(file), nil
}

// Len returns how many terms have a vector.
func (v Vectors) Len() int { return int(number(string(v), 0)) }

// Term returns the i-th term in the order of bytes.
func (v Vectors) Term(i int) string { return names(v[4:]).name(v.Len(), i) }

// Row returns the vector of a term, and false if it has none.
func (v Vectors) Row(term string) (Row, bool) {
	packed := v.packed(term)
	if packed == "" {
		return Row{}, false
	}
	row := Row{Weight: packed[0]}
	for k := range Dimensions / 2 {
		row.Numbers[2*k] = int8(packed[k+1]&15) - 8
		row.Numbers[2*k+1] = int8(packed[k+1]>>4) - 8
	}
	return row, true
}

// packed returns the row of a term as it is in the file, "" if there is none.
func (v Vectors) packed(term string) Vectors {
	place := v.Place(term)
	if place == NoPlace {
		return ""
	}
	return v[place:][:rowSize]
}

// A Place is where the row of a term is in the file. NoPlace is that of a term without a vector.
type Place int32

// NoPlace is the place of a term without a vector.
const NoPlace Place = 0

// Place returns the place of a term.
func (v Vectors) Place(term string) Place {
	count := v.Len()
	list := names(v[4:])
	i, is := list.find(count, term)
	if !is {
		return NoPlace
	}
	return Place(4 + list.size(count) + i*rowSize)
}

// Sum holds the sum of rows, each number multiplied with the weight of its row. It is used to add many of them.
type Sum struct {
	raised  [Dimensions]int64 // by 8 times the sum of the weights
	weights int64

	// few are sums of 16 bits, four in a number, that are not in raised yet, of rows with the sum fewWeights of
	// weights: of each eight bytes of a row those of the even and of the odd low halves, then those of the high halves.
	few        [Dimensions / 4]uint64
	fewWeights int64
}

// mostFew is the sum of weights up to which the sums of halves of bytes have 16 bits.
const mostFew = math.MaxUint16 / 15

// Add adds the vector of a term, if it has one, so many times.
func (s *Sum) Add(v Vectors, term string, times int) { s.AddAt(v, v.Place(term), times) }

// AddAt is Add for a term with a place.
func (s *Sum) AddAt(v Vectors, place Place, times int) {
	if place == NoPlace {
		return
	}
	row := string(v[place:][:rowSize])
	weight := int64(row[0]) * int64(times)
	s.weights += weight
	row = row[1:]
	if weight > mostFew {
		for k := range Dimensions / 2 {
			s.raised[2*k] += weight * int64(row[k]&15)
			s.raised[2*k+1] += weight * int64(row[k]>>4)
		}
		return
	}
	if s.fewWeights += weight; s.fewWeights > mostFew {
		s.fewWeights -= weight
		s.settle()
		s.fewWeights = weight
	}
	const halves, even = 0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff
	for at := 0; at < len(s.few); at += 4 {
		few, eight := s.few[at:at+4:at+4], eightBytes(row[2*at:])
		low, high := eight&halves, eight>>4&halves
		few[0] += (low & even) * uint64(weight)
		few[1] += (low >> 8 & even) * uint64(weight)
		few[2] += (high & even) * uint64(weight)
		few[3] += (high >> 8 & even) * uint64(weight)
	}
}

// settle moves few to raised.
func (s *Sum) settle() {
	for i, four := range s.few {
		first := i/4*16 + [4]int{0, 2, 1, 3}[i%4]
		for lane := range 4 {
			s.raised[first+4*lane] += int64(four >> (16 * lane) & math.MaxUint16)
		}
	}
	clear(s.few[:])
	s.fewWeights = 0
}

// Numbers returns the numbers of the sum.
func (s *Sum) Numbers() *[Dimensions]int64 {
	s.settle()
	for i := range s.raised {
		s.raised[i] -= 8 * s.weights
	}
	s.weights = 0
	return &s.raised
}

// Weight returns the weight of a term, and false if it has no vector.
func (v Vectors) Weight(term string) (uint8, bool) {
	packed := v.packed(term)
	if packed == "" {
		return 0, false
	}
	return packed[0], true
}

// Relations is a file of relations between terms and phrases: how many names there are, the
// names, where the edges of each begin (4 bytes each, and one more for the end), and the edges,
// sorted: for each the difference of target·8 + kind to the one before as a variable-length
// number.
type Relations string

// An Edge leads from a term or phrase to another.
type Edge struct {
	To   string
	Kind uint8 // 0 to 7
}

// MakeRelations returns the file of the edges.
func MakeRelations(edges map[string][]Edge) (Relations, error) {
	all := map[string]bool{}
	for from, list := range edges {
		all[from] = true
		for _, edge := range list {
			all[edge.To] = true
			if edge.Kind > 7 {
				return "", fmt.Errorf("the edge from %q to %q has the kind %d", from, edge.To, edge.Kind)
			}
		}
	}
	terms := sortedKeys(all)
	numbers := map[string]uint64{}
	for i, term := range terms {
		numbers[term] = uint64(i)
	}
	file := appendNames(binary.LittleEndian.AppendUint32(nil, uint32(len(terms))), terms)
	var starts, packed []byte
	for _, term := range terms {
		starts = binary.LittleEndian.AppendUint32(starts, uint32(len(packed)))
		var codes []uint64
		for _, edge := range edges[term] {
			codes = append(codes, numbers[edge.To]<<3|uint64(edge.Kind))
		}
		slices.Sort(codes)
		var before uint64
		for _, code := range slices.Compact(codes) {
			packed = binary.AppendUvarint(packed, code-before)
			before = code
		}
	}
	starts = binary.LittleEndian.AppendUint32(starts, uint32(len(packed)))
	return Relations(append(append(file, starts...), packed...)), nil
}

// Len returns how many names there are.
func (r Relations) Len() int { return int(number(string(r), 0)) }

// Name returns the i-th name in the order of bytes.
func (r Relations) Name(i int) string { return names(r[4:]).name(r.Len(), i) }

// Edges yields where the relations of a name lead to.
func (r Relations) Edges(from string) iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		count := r.Len()
		list := names(r[4:])
		i, is := list.find(count, from)
		if !is {
			return
		}
		starts := string(r[4+list.size(count):])
		packed := starts[4*(count+1):]
		packed = packed[number(starts, 4*i):number(starts, 4*(i+1))]
		var code uint64
		for len(packed) > 0 {
			difference, size := uvarint(packed)
			code += difference
			packed = packed[size:]
			if !yield(Edge{To: list.name(count, int(code>>3)), Kind: uint8(code & 7)}) {
				return
			}
		}
	}
}

// names are strings in the order of their bytes: where each begins (4 bytes, and one more for
// the end), and the strings.
type names string

func appendNames(file []byte, sorted []string) []byte {
	at := 0
	for _, name := range sorted {
		file = binary.LittleEndian.AppendUint32(file, uint32(at))
		at += len(name)
	}
	file = binary.LittleEndian.AppendUint32(file, uint32(at))
	return append(file, strings.Join(sorted, "")...)
}

func (n names) size(count int) int { return 4*(count+1) + int(number(string(n), 4*count)) }

func (n names) name(count, i int) string {
	text := string(n[4*(count+1):])
	return text[number(string(n), 4*i):number(string(n), 4*(i+1))]
}

func (n names) find(count int, name string) (int, bool) {
	text := n[4*(count+1):]
	from, to := 0, count
	for from < to {
		middle := int(uint(from+to) >> 1)
		if text[number(string(n), 4*middle):number(string(n), 4*(middle+1))] < names(name) {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return from, from < count && n.name(count, from) == name
}

// number reads four bytes.
func number(from string, at int) uint32 {
	return uint32(from[at]) | uint32(from[at+1])<<8 | uint32(from[at+2])<<16 | uint32(from[at+3])<<24
}

// eightBytes reads eight bytes.
func eightBytes(from string) uint64 {
	_ = from[7]
	return uint64(from[0]) | uint64(from[1])<<8 | uint64(from[2])<<16 | uint64(from[3])<<24 |
		uint64(from[4])<<32 | uint64(from[5])<<40 | uint64(from[6])<<48 | uint64(from[7])<<56
}

// uvarint reads a number of variable length and returns how many bytes it has.
func uvarint(from string) (value uint64, size int) {
	for shift := 0; ; shift += 7 {
		b := from[size]
		size++
		value |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return value, size
		}
	}
}

func sortedKeys[V any](from map[string]V) []string {
	keys := make([]string, 0, len(from))
	for key := range from {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
