// Package tables reads and makes the files of package vectors. They are read where they lie, so
// nothing is unpacked when the program starts.
package tables

import (
	"encoding/binary"
	"fmt"
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
	count := v.Len()
	list := names(v[4:])
	i, is := list.find(count, term)
	if !is {
		return ""
	}
	return v[4+list.size(count)+i*rowSize:][:rowSize]
}

// Sum holds the sum of rows, each number multiplied with the weight of its row. It is used to add many of them.
type Sum struct {
	raised  [Dimensions]int64 // by 8 times the sum of the weights
	weights int64
}

// Add adds the vector of a term, if it has one, so many times.
func (s *Sum) Add(v Vectors, term string, times int) {
	packed := v.packed(term)
	if packed == "" {
		return
	}
	weight := int64(packed[0]) * int64(times)
	s.weights += weight
	for k := range Dimensions / 2 {
		both := packed[k+1]
		s.raised[2*k] += weight * int64(both&15)
		s.raised[2*k+1] += weight * int64(both>>4)
	}
}

// Number returns a number of the sum.
func (s *Sum) Number(i int) int64 { return s.raised[i] - 8*s.weights }

// Weight returns the weight of a term, and false if it has no vector.
func (v Vectors) Weight(term string) (uint8, bool) {
	count := v.Len()
	list := names(v[4:])
	i, is := list.find(count, term)
	if !is {
		return 0, false
	}
	return v[4+list.size(count)+i*rowSize], true
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

// Edges returns where the relations of a name lead to.
func (r Relations) Edges(from string) []Edge {
	count := r.Len()
	list := names(r[4:])
	i, is := list.find(count, from)
	if !is {
		return nil
	}
	starts := string(r[4+list.size(count):])
	packed := starts[4*(count+1):]
	packed = packed[number(starts, 4*i):number(starts, 4*(i+1))]
	var edges []Edge
	var code uint64
	for len(packed) > 0 {
		difference, size := uvarint(packed)
		code += difference
		packed = packed[size:]
		edges = append(edges, Edge{To: list.name(count, int(code>>3)), Kind: uint8(code & 7)})
	}
	return edges
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
