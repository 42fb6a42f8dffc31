// Package tokens estimates the number of tokens of a string for a model. It splits a
// text into pieces with the rules of o200k_base, as the tokenizer does, and counts the
// tokens of each piece with the vocabulary only, without the order of merges: a piece
// that is in the vocabulary is one token; any other piece is split at its longest
// prefix that is in the vocabulary, repeatedly. Most counts are exact and the others
// close, with a fiftieth of the tokenizer's memory and about a tenth of its time.
package tokens

import (
	"slices"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/tokens/xorfilter"
)

// The maximum lengths of a token that is a part of a piece, in bytes. The tokenizer
// merges short and frequent pairs first, so it seldom reaches the longest token that
// would fit: one of more than four characters in scripts without spaces, or of more
// than nine letters in others. A run of one character is merged by doubling, up to the
// longest token in the vocabulary.
const (
	maxInWord = 9
	maxInWide = 4 * 3
	maxInRun  = 64
)

// maxPiece is the maximum length of a piece that is one token, in bytes.
const maxPiece = 128

// Count returns the number of tokens of o200k_base in a string. It is exact for most
// strings of a few words; the average error is 1 %. docs/decisions.md has the error for
// each kind of text. The count of two concatenated strings is the sum of their counts if
// a piece ends between them, as after a newline.
func Count(text string) int {
	count := 0
	for len(text) > 0 {
		end := piece(text)
		count += countPiece(text[:end])
		text = text[end:]
	}
	return count
}

// countPiece returns the number of tokens of a piece, which is at least 1.
func countPiece(piece string) int {
	if len(piece) == 1 || isWhole(piece) {
		return 1
	}
	if len(piece) <= maxSeen {
		count := 0
		for len(piece) > 0 {
			piece = piece[longestToken(piece):]
			count++
		}
		return count
	}
	return countLong(piece)
}

// maxSeen is how many bytes at most determine the longest token at the beginning of a string.
const maxSeen = maxInRun + 1

// countLong is countPiece for a long piece, which may be the same few characters over and over.
func countLong(piece string) int {
	count := 0
	var begins [4]string // of what was looked for last
	var lengths [4]int
	for len(piece) > 0 {
		begin := piece[:min(len(piece), maxSeen)]
		i := slices.Index(begins[:], begin)
		if i < 0 {
			i = count % len(begins)
			begins[i], lengths[i] = begin, longestToken(piece)
		}
		piece = piece[lengths[i]:]
		count++
	}
	return count
}

func isWhole(piece string) bool {
	if len(piece) > maxPiece {
		return false
	}
	hash := xorfilter.Nothing
	for i := range len(piece) {
		hash = hash.With(piece[i])
	}
	return isToken(hash)
}

// longestToken returns the length of the longest prefix that is a token. Every single
// byte is a token.
func longestToken(text string) int {
	var hashes [maxInRun]xorfilter.Hash
	hash, end := xorfilter.Nothing, min(len(text), longestIn(text))
	for i := range end {
		hash = hash.With(text[i])
		hashes[i] = hash
	}
	for ; end > 1; end-- {
		if !insideWide(text, end) && isToken(hashes[end-1]) {
			return end
		}
	}
	return 1
}

// longestIn returns the maximum length of a token at the beginning of a piece or of its rest.
func longestIn(piece string) int {
	if piece[0] >= utf8.RuneSelf {
		return maxInWide
	}
	run := 1
	for run < min(len(piece), maxInRun) && piece[run] == piece[0] {
		run++
	}
	return max(run, maxInWord)
}

// insideWide reports whether the index i is inside a character other than the first
// one, which may itself be several tokens.
func insideWide(text string, i int) bool {
	return i > utf8.UTFMax && i < len(text) && !utf8.RuneStart(text[i])
}
