package episode

import (
	"cmp"
	"hash/fnv"
	"math"
	"slices"
)

// A drawn is a piece in a draw.
type drawn struct {
	place int
	Piece
	luck float64 // the logarithm of a number in (0, 1)
}

// draw returns pieces with their luck, which depends on their ids only, the most important first, of equally important
// ones those with the most luck.
func draw(pieces []Piece) []drawn {
	all := make([]drawn, len(pieces))
	for i, piece := range pieces {
		all[i] = drawn{i, piece, math.Log(uniform(piece.ID))}
	}
	slices.SortFunc(all, func(a, b drawn) int {
		return cmp.Or(cmp.Compare(b.Importance, a.Importance), cmp.Compare(b.luck, a.luck),
			cmp.Compare(a.place, b.place))
	})
	return all
}

// Reservoir returns a choice of at most so many pieces, in their order: half of it are the most important ones, the
// rest is random, a piece with a higher importance being chosen more often. The choice is seeded by the ids, so that
// the same pieces are always chosen, and a piece that is added displaces at most one.
//
// Source: Efraimidis and Spirakis, "Weighted random sampling with a reservoir" (2006): the pieces with
// the greatest u^(1/weight) stay, u being uniform in (0, 1).
func Reservoir(pieces []Piece, most int) []Piece {
	if len(pieces) <= most {
		return pieces
	}
	all := draw(pieces)
	key := func(d drawn) float64 { return d.luck / max(d.Importance, leastWeight) }
	slices.SortFunc(all[(most+1)/2:], func(a, b drawn) int {
		return cmp.Or(cmp.Compare(key(b), key(a)), cmp.Compare(a.place, b.place))
	})
	chosen := all[:most]
	slices.SortFunc(chosen, func(a, b drawn) int { return cmp.Compare(a.place, b.place) })
	sample := make([]Piece, 0, most)
	for _, one := range chosen {
		sample = append(sample, one.Piece)
	}
	return sample
}

// leastWeight is the weight of a piece without importance.
const leastWeight = 0.01

// uniform returns a number in (0, 1) that depends on an id only.
func uniform(id string) float64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id))
	x := h.Sum64() // FNV mixes the last bytes badly
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	return (float64(x>>11) + 0.5) / (1 << 53)
}
