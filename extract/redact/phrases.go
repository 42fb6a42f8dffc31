package redact

import (
	"strings"
	"sync"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// Phrases are strings in lower case that are looked for together: in one pass, whatever their number.
type phrases struct {
	lists []string
	once  sync.Once
	// pairs are hashes of the first two bytes of the phrases.
	pairs [1 << 6]uint64
	// starting are the phrases by such a hash.
	starting map[uint16][]string
}

// phrasesOf returns the phrases of some lists, divided by commas, each of two bytes at least.
func phrasesOf(lists ...string) *phrases { return &phrases{lists: lists} }

func (p *phrases) build() {
	p.starting = map[uint16][]string{}
	for _, list := range p.lists {
		for phrase := range strings.SplitSeq(list, ",") {
			hash := pairHash(phrase[0], phrase[1])
			p.pairs[hash>>6] |= 1 << (hash & 63)
			p.starting[hash] = append(p.starting[hash], phrase)
		}
	}
}

// pairHash hashes two bytes to 12 bits.
func pairHash(a, b byte) uint16 { return (uint16(a)<<6 ^ uint16(b)) & (1<<12 - 1) }

// in reports whether a string contains one of the phrases, whatever the case of its ASCII letters.
func (p *phrases) in(text string) bool {
	p.once.Do(p.build)
	if text == "" {
		return false
	}
	next := lower(text[0])
	for i := 0; i+1 < len(text); i++ {
		c := next
		next = lower(text[i+1])
		hash := pairHash(c, next)
		if p.pairs[hash>>6]&(1<<(hash&63)) == 0 {
			continue
		}
		for _, phrase := range p.starting[hash] {
			if hasPrefixFold(text[i:], phrase) {
				return true
			}
		}
	}
	return false
}

// hasWord reports whether a string has one of some words in lower case as a whole word of ASCII.
func hasWord(text string, words *pattern.Set) bool {
	for at := 0; at < len(text); at++ {
		if !isWord(text[at]) {
			continue
		}
		end := run(text, at, len(text), isWord)
		if end-at <= maxTool && words.Has(foldASCII(text[at:end])) {
			return true
		}
		at = end
	}
	return false
}

// maxTool is the length of the longest name of a tool that is looked for as a word.
const maxTool = 16
