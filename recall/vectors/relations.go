package vectors

import (
	_ "embed"
	"iter"
	"strings"

	"github.com/wm-lsp/wm-lsp/recall/vectors/tables"
	"github.com/wm-lsp/wm-lsp/recall/words"
)

//go:embed relations.bin
var related string

// A Kind says how two terms are related.
type Kind uint8

// The first four are of WordNet, from the first two senses of a word in each part of speech; the
// others are of synonyms.txt.
const (
	Synonym     Kind = iota // in the same set of synonyms
	Hyponym                 // is a kind of it
	Hypernym                // it is a kind of that
	Derivation              // a word of the same root
	SameThing               // developers call it that, too
	ThingOfKind             // is a thing of that kind
	KindOfThing             // is the kind of that thing
	Kinds                   // how many kinds there are
)

// weights say how much a related term counts beside the term itself, by kind.
var weights = [Kinds]float32{0.2, 0.1, 0.1, 0.2, 0.5, 0.3, 0.3}

// A Weighted is a term that is related to others.
type Weighted struct {
	Term   string
	Weight float32 // 0 to 1, where 1 is the word itself
	Kind   Kind
	// First and Last are the first and the last of the words it is related to.
	First, Last int
}

// StopWord stands for a stop word in a phrase that others lead to: it is not searched for.
const StopWord = "_"

// longestPhrase is the longest phrase in words that has relations.
const longestPhrase = 5

// AreSynonyms reports whether a term stands for another one, and not just for a phrase with it.
func AreSynonyms(term, other string) bool {
	for edge := range tables.Relations(related).Edges(term) {
		if kind := Kind(edge.Kind); edge.To == other && (kind == Synonym || kind == SameThing) {
			return true
		}
	}
	return false
}

// Expand yields the terms that are related to the words of a string and to its phrases, such as
// "pull request". A term may be there several times.
func Expand(text []words.Word) iter.Seq[Weighted] {
	return func(yield func(Weighted) bool) { expand(text, yield) }
}

func expand(text []words.Word, yield func(Weighted) bool) {
	var parts []string
	var places []int // of the words that the parts belong to
	for i, word := range text {
		whole, inside := Parts(word)
		if len(inside) > 1 && !eachRelated(whole, i, i, yield) {
			return
		}
		for _, part := range inside {
			parts, places = append(parts, part), append(places, i)
		}
	}
	for first := range parts {
		name := ""
		for last := first; last < min(first+longestPhrase, len(parts)); last++ {
			if last > first {
				name += " "
			}
			name += parts[last]
			if last == first && text[places[first]].Stop {
				continue
			}
			if !eachRelated(name, places[first], places[last], yield) {
				return
			}
		}
	}
}

// Parts returns how a word is written in names of relations: as a whole, and in parts, which is
// one for most words. A stop word stands for itself, because "log in" is not "log".
func Parts(word words.Word) (whole string, parts []string) {
	switch {
	case word.Stop || len(word.Terms) == 0:
		return word.Lower, []string{word.Lower}
	case len(word.Terms) == 1:
		return word.Terms[0], word.Terms
	default:
		return word.Terms[0], word.Terms[1:]
	}
}

// eachRelated yields the terms that are related to a name, until yield returns false, and returns whether it never did.
func eachRelated(name string, first, last int, yield func(Weighted) bool) bool {
	for edge := range tables.Relations(related).Edges(name) {
		// The words of a phrase share its weight.
		kind, parts := Kind(edge.Kind), strings.Count(edge.To, " ")+1
		for part := range strings.SplitSeq(edge.To, " ") {
			is := Weighted{Term: part, Weight: weights[kind] / float32(parts), Kind: kind, First: first, Last: last}
			if part != StopWord && !yield(is) {
				return false
			}
		}
	}
	return true
}
