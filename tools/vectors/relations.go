package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/recall/vectors"
	"github.com/wm-lsp/wm-lsp/recall/vectors/tables"
	"github.com/wm-lsp/wm-lsp/recall/words"
)

// relations returns the table of WordNet's relations between terms that are known, and of the
// groups and kinds of the developers' list.
func relations(net wordnet, known map[string]bool, list string) (tables.Relations, error) {
	edges := map[string][]tables.Edge{}
	add := func(from, to string, kind vectors.Kind) {
		if from != to && from != "" && to != "" {
			edges[from] = append(edges[from], tables.Edge{To: to, Kind: uint8(kind)})
		}
	}
	single := singleTerms(known)
	net.each(func(from, to string, kind vectors.Kind) {
		add(single(from), single(to), kind)
	})
	for number, line := range strings.Split(list, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		names, things, _ := strings.Cut(line, ": ")
		same, kinds := strings.Split(names, ","), []string(nil)
		if things != "" {
			kinds = strings.Split(things, ",")
		}
		if len(same)+len(kinds) < 2 {
			return "", fmt.Errorf("line %d of the list has one member: %q", number+1, line)
		}
		for i, one := range same {
			for _, other := range slices.Concat(same[:i], same[i+1:]) {
				connect(add, one, other, vectors.SameThing)
			}
			for _, thing := range kinds {
				connect(add, one, thing, vectors.ThingOfKind)
				connect(add, thing, one, vectors.KindOfThing)
			}
		}
	}
	return tables.MakeRelations(edges)
}

// connect adds a relation from a phrase, in all ways in which it may be written, to another.
func connect(add func(from, to string, kind vectors.Kind), from, to string, kind vectors.Kind) {
	names, _ := forms(from)
	_, targets := forms(to)
	for _, name := range names {
		for _, target := range targets {
			if strings.Trim(target, "_ ") != "" {
				add(name, target, kind)
			}
		}
	}
}

// forms returns the names under which a phrase is looked up, and what leads to it: the terms of
// an identifier as a whole and in parts.
func forms(phrase string) (names, targets []string) {
	var whole, inside, found []string
	for _, word := range english(phrase) {
		one, parts := vectors.Parts(word)
		inside = append(inside, parts...)
		if word.Stop {
			one, parts = vectors.StopWord, []string{vectors.StopWord}
		}
		whole, found = append(whole, one), append(found, parts...)
	}
	names, targets = []string{strings.Join(inside, " ")}, []string{strings.Join(found, " ")}
	if joined := strings.Join(whole, " "); len(whole) == 1 && joined != targets[0] && whole[0] != vectors.StopWord {
		names, targets = append(names, joined), append(targets, joined)
	}
	return names, targets
}

// english returns the words of an English phrase. By itself a short one could be of any language,
// so it is read behind words that are English only.
func english(phrase string) []words.Word {
	const before = "the and with this "
	return words.Words(before + strings.TrimSpace(phrase))[len(strings.Fields(before)):]
}

// singleTerms returns a function that gives the term of a single word, and nothing for phrases
// and for terms that are not known.
func singleTerms(known map[string]bool) func(word string) string {
	terms := map[string]string{}
	return func(word string) string {
		if term, is := terms[word]; is {
			return term
		}
		found := english(word)
		term := ""
		if len(found) == 1 && !found[0].Stop && len(found[0].Terms) == 1 && known[found[0].Terms[0]] {
			term = found[0].Terms[0]
		}
		terms[word] = term
		return term
	}
}
