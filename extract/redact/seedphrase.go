package redact

import (
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

//go:generate go -C ../../tools run ./seeds ../extract/redact/seedwords_table.go

// Seed phrases are 12 to 24 English words from which a wallet is restored. They go with a label that stands before or
// behind them, and without one where all words are of the list of BIP 39 (seedwords_table.go).

var seedLabels = []string{
	"seed phrase", "seedphrase", "seed words", "mnemonic", "recovery phrase", "recovery words", "wallet",
	"secret phrase", "secret recovery", "backup phrase",
	"bip39", "seed:", "seed=", "助记词", "助記詞", "シードフレーズ", "ニーモニック", "니모닉", "시드 구문", "복구 구문",
	"wiederherstellungsphrase", "seed-phrase", "seed-wörter",
	"phrase de récupération", "phrase mnémonique", "frase semilla", "frase de recuperación", "frase-semente",
	"frase de recuperação", "frase seed", "frase di recupero", "frase mnemonica", "parole di recupero",
	"palabras de recuperación", "palavras de recuperação", "mots de récupération", "herstelwoorden",
	"wiederherstellungswörter", "obnovovací fráze", "obnovovací slova", "återställningsord", "słowa odzyskiwania",
	"фраза восстановления", "фразу восстановления", "фраза відновлення", "hạt giống", "복구 단어", "復元フレーズ", "сид-фраз",
	"сид фраз", "seed-фраз", "мнемоник", "мнемоніч", "cụm từ khôi phục", "kurtarma ifadesi", "fraza odzyskiwania",
	"herstelzin", "återställningsfras", "عبارة الاسترداد",
	"रिकवरी वाक्यांश", "seed_phrase", "recovery_phrase", "passphrase",
}

func seedRules() []rule {
	all := make([]rule, 0, len(seedLabels))
	for _, label := range seedLabels {
		for _, written := range appendSpellings(nil, label) {
			all = append(all, rule{"seed-phrase", foldASCII(written), findSeed})
		}
	}
	return all
}

// maxSeed is how far from its label a seed phrase is looked for, in bytes.
const maxSeed = 400

func findSeed(s string, at int) (start, end int, ok bool) {
	if start, end, ok = seedIn(s, at, min(len(s), at+maxSeed), false); ok {
		return start, end, true
	}
	return seedIn(s, max(0, at-maxSeed), at, true)
}

// seedIn returns the first run of 12 words or more in s[from:to].
func seedIn(s string, from, to int, last bool) (start, end int, ok bool) {
	count := 0
	for at := from; at < to; {
		word := run(s, at, 16, isLower)
		length := word - at
		bounded := at == 0 || !isWord(s[at-1])
		if length >= 3 && length <= 8 && bounded && (word >= len(s) || !isWord(s[word])) && !seedStops.Has(s[at:word]) {
			if count == 0 {
				start = at
			}
			count++
			end = word
			at = word
			if count == 24 {
				return start, end, true
			}
			continue
		}
		if gap := seedGap(s, at); gap > at && count > 0 {
			at = gap
			continue
		}
		if count >= 12 {
			return start, end, true
		}
		count = 0
		at = max(at+1, word)
	}
	return start, end, count >= 12
}

// seedGap skips what stands between two words: blanks, signs, and their numbers.
func seedGap(s string, at int) int {
	for range 8 {
		next := run(s, at, 8, func(c byte) bool { return isSpace(c) || strings.IndexByte(`,"'.)|[]-`, c) >= 0 })
		digits := run(s, next, 2, isDigit)
		if digits > next && digits < len(s) && (s[digits] == '.' || s[digits] == ')' || s[digits] == ':' ||
			s[digits] == ' ') {
			next = digits + 1
		}
		if next == at {
			break
		}
		at = next
	}
	return at
}

// seedStops are words of every other sentence that are in no list of seed words.
var seedStops = pattern.SetOf(`the and for are was were from into has had our their them its his her but not
	does did been being these those than which would shall might upon per via seed mnemonic wallets`)

const (
	// seedWordSize is what a word of the table is filled up to, in bytes.
	seedWordSize = 8
	// shortestSeed is the length of the shortest phrase: 12 words of 3 letters, and what stands between them.
	shortestSeed = 12*3 + 11
	// maxSeedGap bounds what stands between two words of a phrase without a label.
	maxSeedGap = 8
)

// listedSeeds appends the phrases of listed words, which need no label.
func listedSeeds(s string, found []span) []span {
	for at := 0; ; {
		start, end, ok := nextSeed(s, at)
		if !ok {
			return found
		}
		found = append(found, span{start, end, "seed-phrase"})
		at = end
	}
}

// hasListedSeed reports whether a document has such a phrase.
func hasListedSeed(doc []byte) bool {
	_, _, ok := nextSeed(doc, 0)
	return ok
}

// nextSeed returns the first phrase of listed words from at on. A phrase is not shorter than a certain length, so a
// word at the end of a stretch of that length that is not listed rules out all phrases up to it.
func nextSeed[T string | []byte](s T, at int) (start, end int, ok bool) {
	for at+shortestSeed <= len(s) {
		from, to := seedWordBefore(s, at+shortestSeed)
		if from < at || !isSeedWord(s[from:to]) {
			at = max(to, at+shortestSeed)
			continue
		}
		start, end = from, to
		for {
			from, to = seedWordBefore(s, start)
			if from < at || !isSeedWord(s[from:to]) || seedGapEnd(s, to) != start {
				break
			}
			start = from
		}
		words := 1
		for end = wordOfSeed(s, start); words < 24; words++ {
			from = seedGapEnd(s, end)
			to = wordOfSeed(s, from)
			if from == end || !isSeedWord(s[from:to]) {
				break
			}
			end = to
		}
		if words >= 12 && isSeed(string(s[start:end])) {
			return start, end, true
		}
		at = end
	}
	return 0, 0, false
}

// isSeed reports whether listed words are a phrase, and neither a part of the list nor few words again and again.
func isSeed(phrase string) bool {
	words := strings.FieldsFunc(phrase, func(r rune) bool { return r < 'a' || r > 'z' })
	if slices.IsSorted(words) {
		return false
	}
	slices.Sort(words)
	return len(slices.Compact(words)) >= 8
}

// seedWordBefore returns the last run of small letters that begins before at, of which the letter of an escape in JSON
// is no part. It is empty if none is near.
func seedWordBefore[T string | []byte](s T, at int) (start, end int) {
	for end = at; end > 0 && at-end <= maxSeedGap; {
		if !isLower(s[end-1]) {
			end--
			continue
		}
		start = end
		for start > 0 && end-start <= seedWordSize && isLower(s[start-1]) {
			start--
		}
		if start > 0 && s[start-1] == '\\' {
			start++
		}
		if start < end {
			return start, wordOfSeed(s, start)
		}
		end -= len(`\n`) // only the letter of an escape was there
	}
	return end, end
}

// wordOfSeed returns the end of the word at at.
func wordOfSeed[T string | []byte](s T, at int) int {
	for limit := at + seedWordSize + 1; at < len(s) && at < limit && isLower(s[at]); {
		at++
	}
	return at
}

// seedGapEnd returns where the next word starts behind one that ends at at: at itself if no gap is there.
func seedGapEnd[T string | []byte](s T, at int) int {
	end := at
	for end < len(s) && end-at <= maxSeedGap && !isLower(s[end]) {
		c := s[end]
		switch {
		case c == '\\' && end+1 < len(s) && isLower(s[end+1]):
			end++ // an escape
		case isSpace(c), isDigit(c), strings.IndexByte(`,"'.)|[]-:`, c) >= 0:
		default:
			return at
		}
		end++
	}
	return end
}

// seedNumbers are the listed words in order, packed.
var seedNumbers = once.Value[[]uint64]{Make: func() []uint64 {
	numbers := make([]uint64, len(seedWords)/seedWordSize)
	for i := range numbers {
		numbers[i] = packed(seedWords[i*seedWordSize : (i+1)*seedWordSize])
	}
	return numbers
}}

// isSeedWord reports whether a word is of the list.
func isSeedWord[T string | []byte](word T) bool {
	if len(word) < 3 || len(word) > seedWordSize {
		return false
	}
	_, listed := slices.BinarySearch(seedNumbers.Get(), packed(word))
	return listed
}

// packed returns a word of at most 8 bytes, filled up with blanks, as a number with the same order.
func packed[T string | []byte](word T) uint64 {
	n := uint64(0)
	for i := range seedWordSize {
		c := byte(' ')
		if i < len(word) {
			c = word[i]
		}
		n = n<<8 | uint64(c)
	}
	return n
}
