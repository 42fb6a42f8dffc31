package main

import (
	"strconv"
	"strings"

	"github.com/wm-lsp/wm-lsp/recall/vectors"
)

// A synset is a set of synonyms of WordNet: a line of a data file.
type synset struct {
	offset   string
	part     string // n, v, a or r
	words    []string
	pointers []pointer
	gloss    string
}

// A pointer leads from a synset, or from one of its words, to another synset.
type pointer struct {
	symbol       string // as in WordNet: @ is a hypernym, ~ a hyponym, + a derivation
	offset, part string
	from, to     int // numbers of the words, from 1; both 0 between whole synsets
}

// parseSynset reads a line of a data file: offset, file, part of speech, words with the number
// of their sense, pointers, frames of verbs, "|" and the gloss. Lines of the licence begin with
// spaces.
func parseSynset(line string) (synset, bool) {
	data, gloss, _ := strings.Cut(line, " | ")
	fields := strings.Fields(data)
	if strings.HasPrefix(line, " ") || len(fields) < 6 {
		return synset{}, false
	}
	set := synset{offset: fields[0], part: partOfSpeech(fields[2]), gloss: strings.TrimSpace(gloss)}
	count, err := strconv.ParseUint(fields[3], 16, 8)
	at := 4
	if err != nil || len(fields) < at+2*int(count)+1 {
		return synset{}, false
	}
	for range count {
		word, _, _ := strings.Cut(fields[at], "(")
		set.words = append(set.words, strings.ReplaceAll(word, "_", " "))
		at += 2
	}
	pointers, err := strconv.Atoi(fields[at])
	at++
	if err != nil || pointers < 0 || pointers > (len(fields)-at)/4 {
		return synset{}, false
	}
	for range pointers {
		between, err := strconv.ParseUint(fields[at+3], 16, 16)
		if err != nil {
			return synset{}, false
		}
		set.pointers = append(set.pointers, pointer{
			symbol: fields[at], offset: fields[at+1], part: partOfSpeech(fields[at+2]),
			from: int(between >> 8), to: int(between & 255),
		})
		at += 4
	}
	return set, true
}

// partOfSpeech is n, v, a or r; a satellite of an adjective is an adjective.
func partOfSpeech(symbol string) string {
	if symbol == "s" {
		return "a"
	}
	return symbol
}

// senses is how many senses of a word are used in each part of speech, the most frequent first.
const senses = 2

// kinds are the pointers that are used.
var kinds = map[string]vectors.Kind{
	"@": vectors.Hypernym, "@i": vectors.Hypernym, "~": vectors.Hyponym, "~i": vectors.Hyponym,
	"+": vectors.Derivation,
}

// A wordnet is its synsets, by part of speech and offset, and the first senses of each word.
type wordnet struct {
	synsets map[string]synset
	words   []sense
}

// A sense is a word in a synset.
type sense struct{ word, key string }

// readWordNet reads the data files and the index files, which list the senses of a word by
// their frequency: word, part of speech, number of senses, of pointers, pointers, two numbers,
// offsets.
func readWordNet(files []member) wordnet {
	net := wordnet{synsets: map[string]synset{}}
	for _, file := range files {
		switch {
		case strings.Contains(file.path, "/data."):
			for line := range strings.Lines(string(file.content)) {
				if set, is := parseSynset(line); is {
					net.synsets[set.part+set.offset] = set
				}
			}
		case strings.Contains(file.path, "/index."):
			for line := range strings.Lines(string(file.content)) {
				net.addWord(line)
			}
		}
	}
	return net
}

// addWord reads a line of an index file.
func (n *wordnet) addWord(line string) {
	fields := strings.Fields(line)
	if strings.HasPrefix(line, " ") || len(fields) < 6 {
		return
	}
	count, err := strconv.Atoi(fields[2])
	if err != nil || count < 1 || count > len(fields)-4 {
		return
	}
	offsets := fields[len(fields)-count:]
	for _, offset := range offsets[:min(senses, count)] {
		n.words = append(n.words, sense{strings.ReplaceAll(fields[0], "_", " "), fields[1] + offset})
	}
}

// each calls use with every relation of a word in its first senses.
func (n wordnet) each(use func(from, to string, kind vectors.Kind)) {
	for _, sense := range n.words {
		set := n.synsets[sense.key]
		own := 0 // number of the word in the synset
		for i, word := range set.words {
			if strings.EqualFold(word, sense.word) {
				own = i + 1
				continue
			}
			use(sense.word, word, vectors.Synonym)
		}
		for _, pointer := range set.pointers {
			kind, is := kinds[pointer.symbol]
			if !is || pointer.from != 0 && pointer.from != own {
				continue
			}
			for i, word := range n.synsets[pointer.part+pointer.offset].words {
				if pointer.to == 0 || pointer.to == i+1 {
					use(sense.word, word, kind)
				}
			}
		}
	}
}
