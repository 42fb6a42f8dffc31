package gating

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/recall/vectors"
	"github.com/wm-lsp/wm-lsp/recall/words"
)

// The built-in stores.
const (
	Working      = "working"
	Episodic     = "episodic"
	Semantic     = "semantic"
	Conversation = "conversation"
)

// routes are the stores of the types.
var routes = once.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"thought": Working, "plan": Working,
		"action": Episodic, "tool_result": Episodic, "observation": Episodic, "metric": Episodic,
		"fact": Semantic, "skill": Semantic, "summary": Semantic, "pattern": Semantic,
		"user_message": Conversation,
	}
}}

// Types returns the types of items that are routed by themselves, sorted.
func Types() []string { return slices.Sorted(maps.Keys(routes.Get())) }

// procedural matches the beginning of a procedure, transient that of a thought about the step in
// work, general a statement that holds beyond it.
var (
	procedural = once.Compile(
		`(?i)^(?:to [a-z]+ (?:a|an|the|all|it)?\b.*[,:]|how to |steps? to |` +
			`when(?:ever)? .*,\s*(?:run|use|call|first)\b|before .*,\s*(?:run|use|call|always)\b)`)
	transient = once.Compile(
		`(?i)^(?:i(?:'ll| will|'m| am| should| need| think| wonder| want)\b|let me\b|let's\b|next\b|now\b|` +
			`maybe\b|perhaps\b|first,? i\b|hmm\b|wait\b|todo\b|the plan\b)`)
	general = once.Compile(
		`(?i)\b(?:always|never|every|must|is (?:a|an|the)|are (?:stored|kept|written|defined)|lives in|uses?|` +
			`requires?|defaults? to|means|convention)\b`)
	happened = once.Compile(
		`(?i)\b(?:failed|passed|returned|printed|crashed|timed out|succeeded|exited|got|saw|ran|changed|deleted|` +
			`created|fixed|yesterday|today|was|were)\b`)
)

// Route returns the name of the store for a new item, and why. Items of a built-in type go where
// their type belongs: what is thought about the step in work into working memory, observations and
// outcomes into episodic memory, what holds beyond an episode into semantic memory. overrides are
// stores by type and take precedence. The store of an item of another type or none follows from its
// text: without a sign of anything else it is an observation.
func Route(p Piece, overrides map[string]string) (store, why string) {
	if store, is := overrides[p.Type]; is {
		return store, "by the settings, type " + p.Type
	}
	if store, is := routes.Get()[p.Type]; is {
		return store, "type " + p.Type
	}
	text := head(strings.TrimSpace(p.Text))
	first, _, _ := strings.Cut(text, "\n")
	switch {
	case procedural.MatchString(first):
		return Semantic, "the text is a procedure"
	case transient.MatchString(first):
		return Working, "the text is about the step in work"
	case happened.MatchString(first):
		return Episodic, "the text says what happened"
	case general.MatchString(first):
		return Semantic, "the text holds beyond the episode"
	}
	return Episodic, "an observation"
}

// Needed returns the importance that a store needs of a new item when it is full to a fraction of
// its limit: least up to 0.8, rising to twice of it when it is full.
func Needed(least, fill float64) float64 { return least * (1 + max(0, min(1, fill)-0.8)/0.2) }

// Rewords reports whether two strings say the same in other words: they differ only in plain words, not in numbers,
// names or negations, and the words that say something are the same or synonyms, in the same order.
func Rewords(former, text string) bool {
	count := map[string]int{}
	for _, word := range strings.Fields(former) {
		count[strings.Trim(word, ".,;:!?()\"'`")]++
	}
	for _, word := range strings.Fields(text) {
		count[strings.Trim(word, ".,;:!?()\"'`")]--
	}
	for word, n := range count {
		if n != 0 && (!isPlain(word) || negations.Has(word)) {
			return false
		}
	}
	return slices.EqualFunc(telling(former), telling(text), meansSame)
}

// telling returns the words of a string that say something, in order, as terms of search.
func telling(text string) []string {
	var terms []string
	for _, word := range strings.Fields(text) {
		for _, term := range words.Analyze(word).Terms {
			terms = append(terms, term.Text)
		}
	}
	return terms
}

// meansSame reports whether two terms are the same or synonyms.
func meansSame(a, b string) bool {
	return a == b || vectors.AreSynonyms(a, b) || vectors.AreSynonyms(b, a)
}

var negations = pattern.SetOf("not no never without cannot always only before after on off true false yes")

// isPlain reports whether a word consists of lower-case letters only.
func isPlain(word string) bool {
	for _, r := range word {
		if !unicode.IsLower(r) && r != '-' {
			return false
		}
	}
	return true
}
