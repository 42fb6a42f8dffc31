package tokens

import (
	_ "embed"
	"math/bits"
)

// vocabulary is an xor filter of the tokens of o200k_base: every token is found
// in it, and of what is no token one in 256 is too. Its first byte is the seed;
// then come three blocks of the same length, and a text is in it if its bytes in
// the three, xored, are its fingerprint. It is read where it stands in the
// program: nothing is made ready at the start or at the first count.
// (Graf and Lemire, Xor Filters: Faster and Smaller Than Bloom and Cuckoo Filters, 2020.)
//
//go:embed vocabulary.xor
var vocabulary string

// The hash of a text is FNV-1a, so that those of all its beginnings are found in one pass.
const (
	hashOfNothing uint64 = 14695981039346656037
	hashPrime     uint64 = 1099511628211
)

func hashWith(hash uint64, c byte) uint64 { return (hash ^ uint64(c)) * hashPrime }

// isToken says whether the text of this hash is a token.
func isToken(hash uint64) bool {
	filter := vocabulary[1:]
	p := placesOf(hash, vocabulary[0], len(filter)/3)
	return filter[p.first]^filter[p.second]^filter[p.third] == p.fingerprint
}

// places are where a filter of three blocks keeps the fingerprint of a hash.
type places struct {
	first, second, third int
	fingerprint          byte
}

func placesOf(hash uint64, seed byte, block int) places {
	hash ^= uint64(seed)
	hash = (hash ^ hash>>32) * 0xff51afd7ed558ccd
	hash ^= hash >> 32
	within := func(h uint64) int { return int(uint64(uint32(h)) * uint64(block) >> 32) }
	return places{
		within(hash),
		within(bits.RotateLeft64(hash, 21)) + block,
		within(bits.RotateLeft64(hash, 42)) + 2*block,
		byte(hash ^ hash>>32),
	}
}
