// Package xorfilter implements sets of strings with a little more than one byte for each.
// One in 256 strings that are not in a set is reported as in it. See
// Graf and Lemire, Xor Filters: Faster and Smaller Than Bloom and Cuckoo Filters, 2020.
package xorfilter

import "math/bits"

// A Hash is the 64-bit FNV-1a hash of a string. The hashes of all prefixes of a string can be
// computed in one pass.
type Hash uint64

// Nothing is the hash of the empty text.
const Nothing Hash = 14695981039346656037

const prime Hash = 1099511628211

// With returns the hash of the text with a byte appended.
func (h Hash) With(c byte) Hash { return (h ^ Hash(c)) * prime }

// Of returns the hash of a string.
func Of(text string) Hash {
	hash := Nothing
	for i := range len(text) {
		hash = hash.With(text[i])
	}
	return hash
}

// Holds reports whether the text with a hash is in a filter. The first byte of a filter
// is the seed. Three blocks of the same length follow. A string is in the filter if the
// xor of its bytes in the three blocks is its fingerprint.
func Holds(filter string, hash Hash) bool {
	table := filter[1:]
	p := placesOf(hash, filter[0], len(table)/3)
	return table[p.first]^table[p.second]^table[p.third] == p.fingerprint
}

// places are the positions of a hash in the three blocks, and its fingerprint.
type places struct {
	first, second, third int
	fingerprint          byte
}

func placesOf(h Hash, seed byte, block int) places {
	hash := uint64(h) ^ uint64(seed)
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

// Make returns the filter of hashes, which must be distinct. It removes hashes that are
// the only one at one of their positions until none are left, and then writes these
// positions in the opposite order, so that no position is written twice.
func Make(hashes []Hash) []byte {
	block := (len(hashes)*123/100 + 32) / 3
	for seed := byte(0); ; seed++ {
		order, alone := peel(hashes, seed, block)
		if len(order) < len(hashes) {
			continue
		}
		filter := make([]byte, 3*block)
		for i := len(order) - 1; i >= 0; i-- {
			p := placesOf(order[i], seed, block)
			filter[alone[i]] = p.fingerprint ^ filter[p.first] ^ filter[p.second] ^ filter[p.third]
		}
		return append([]byte{seed}, filter...)
	}
}

// peel returns the hashes in the order in which they were removed, and the position at
// which each was the only one. It returns fewer than all if some share all positions.
func peel(hashes []Hash, seed byte, block int) (order []Hash, alone []int) {
	type slot struct {
		count int
		xored Hash
	}
	table := make([]slot, 3*block)
	for _, hash := range hashes {
		p := placesOf(hash, seed, block)
		for _, at := range []int{p.first, p.second, p.third} {
			table[at].count++
			table[at].xored ^= hash
		}
	}
	var singles []int
	for at := range table {
		if table[at].count == 1 {
			singles = append(singles, at)
		}
	}
	for len(singles) > 0 {
		at := singles[len(singles)-1]
		singles = singles[:len(singles)-1]
		if table[at].count != 1 {
			continue
		}
		hash := table[at].xored
		order, alone = append(order, hash), append(alone, at)
		p := placesOf(hash, seed, block)
		for _, other := range []int{p.first, p.second, p.third} {
			table[other].count--
			table[other].xored ^= hash
			if table[other].count == 1 {
				singles = append(singles, other)
			}
		}
	}
	return order, alone
}
