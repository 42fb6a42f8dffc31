package redact

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// Seed phrases are 12 to 24 English words from which a wallet is restored. They go with a
// label that stands before or behind them.

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
