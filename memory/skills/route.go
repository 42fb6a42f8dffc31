package skills

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/memory/skills/mining"
	"github.com/wm-lsp/wm-lsp/recall/words"
)

// A Match is a skill that fits a purpose.
type Match struct {
	Skill
	// Score is how well it fits, 0 to 1.
	Score float64
}

const (
	// leastScore is the score from which a skill fits.
	leastScore = 0.5
	// near is how much worse than the best another match may be.
	near = 0.75
	// unknown is the weight of a word of a query that no skill has, unknownName that of a name in code.
	unknown, unknownName = 0.65, 1
	// ofFiles is the score of files that change together for a query that names one of them.
	ofFiles = 0.9
	// maxQueryWords is how many words of a query are looked at. Longer ones tell a task; what is to be
	// done stands at the beginning.
	maxQueryWords = 60
)

// The weights of the words of a skill.
const (
	ofTitle, ofPurpose, ofSynonym, ofCommand, ofPrompts = 1, 0.8, 0.9, 0.7, 0.8
	// ofStep is the weight of a word for a step that many procedures have, if it is for something else.
	ofStep = 0.5
	// ofPart is the factor of a part of a name, such as of db-reset.
	ofPart = 0.7
)

// synonyms are what else people call what procedures do. The words of a line mean the same; those
// behind the bar mean it only in a query.
const synonyms = `
test tests testing tested | suite spec specs green pass passing rerun e2e
lint linter linting | style quality ruff eslint
types type | typecheck tsc mypy typed
build built | compile binary executable render make
format formatting | formatter reformat prettier gofmt
check checks | verify validate sure broken broke checked everything
change changes changed | edit edited refactoring
generate | regenerate
install | dependency dependencies module missing
publish release | ship version deploy
fix fixing | repair failing fails red
search | find look existing
capture | output screen doing
migrate migrations makemigrations | migration schema database column
makemessages | translations translation translators catalogue
html | docs documentation
benchmarks benchmark | performance faster measure
integration | end
compose docker | container services
playwright | browser spec e2e end
name | single one only specific just
`

// otherWork are words with which a query begins that wants something else done, unless a skill has them.
const otherWork = `
abort add cancel delay delete describe design document draw drop explain hide hold implement mail mark move postpone
refactor remove rename revert send sign skip stop translate undo write
`

// steps are words for steps that many procedures have.
const steps = `build check commit format install lint push test`

// parts are other words for such steps, and for what they are done to.
const parts = `bundle change compile package`

// renewing are words of a query that want done what was done before, whatever it is.
const renewing = `create cut fetch fresh newer prepare pull redo refresh renew repeat take update`

var asks = once.Compile(
	`(?i)^\s*(?:why|explain|who|where|compare|describe|summari[sz]e|what\b` +
		`|(?:do|does|did) \w+ (?:still |already |really )?(?:have|need|use|support|know|want)\b` +
		`|(?:have|has) (?:we|you|they|it|any\w+)\b` +
		`|(?:was|were) (?:there|it|this|the)\b|did (?:i|we|you|they|it|any\w+)\b` +
		`|when (?:is|are|was|were|do|does|did|will)\b|here(?:'s| is| are)\b|is (?:this|there|it|the)\b` +
		`|is \w+ (?:down|up|back|online|offline|available)\b|are (?:these|those)\b` +
		`|how (?:is|are|does|many|much)\b|which\b)`,
)

// object is the verb of an order and the first word of its object.
var object = once.Compile(`(?i)^\s*(?:please |now |(?:can|could) (?:you|we) )*([a-z]+) (?:(?:out|up|off|down) )?` +
	`((?:the|an?|my|our|all|this|these|that|every) )?([\w-]+)`)

// value is an argument that differs each time, such as the version of a release.
var value = once.Compile(`^v?\d+(?:\.\d+)*(?:[-.+]?(?:rc|alpha|beta|dev|post)[-.\d]*)?$`)

// imperative is a verb of an order with the article of its object.
var imperative = once.Compile(`(?i)^\s*(?:please )?([a-z]+) (?:the|an?|my|our|all|this|these|every)\b`)

var wantsCommand = once.Compile(
	`(?i)\b(?:command|how (?:do|can|should) (?:i|we|you)|how (?:is|are|does|do) .*\b(?:made|done|published)` +
		`|what (?:do|should) (?:i|we)|built|run)\b`,
)

// terms returns the terms of the words of a string that say something. The first one of a word is that of the whole
// word, others are those of its parts.
func terms(text string) [][]string {
	var found [][]string
	for _, w := range words.Words(text) {
		says := !w.Stop || tables.Get().known[w.Lower]
		if says && len(w.Terms) > 0 && !mining.IsRoutine(w.Lower) && !value.MatchString(w.Lower) {
			found = append(found, w.Terms)
		}
	}
	return found
}

// A lexicon has what the tables of words say.
type lexicon struct {
	// known are the words of the synonyms, and also the terms that a term of a skill stands for.
	known map[string]bool
	also  map[string][]string
	// other, renewing and steps are the terms of the lists with these names.
	other, renewing, steps map[string]bool
	// single are the terms of steps and parts, and of what else people call them.
	single map[string]bool
}

var tables = once.Value[lexicon]{Make: func() lexicon {
	l := lexicon{
		known: map[string]bool{}, also: map[string][]string{}, other: stems(otherWork), renewing: stems(renewing),
		steps: stems(steps), single: stems(steps + " " + parts),
	}
	for line := range strings.Lines(synonyms) {
		own, other, _ := strings.Cut(line, "|")
		var all []string
		for _, word := range strings.Fields(own + " " + other) {
			l.known[word] = true
			all = append(all, stem(word))
		}
		for _, word := range strings.Fields(own) {
			l.also[stem(word)] = append(l.also[stem(word)], all...)
		}
	}
	for term := range stems(steps + " " + parts) {
		for _, also := range l.also[term] {
			l.single[also] = true
		}
	}
	return l
}}

// stems returns the terms of the words of a list.
func stems(list string) map[string]bool {
	found := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		found[stem(word)] = true
	}
	return found
}

func stem(word string) string {
	for _, w := range words.Words(word) {
		if len(w.Terms) > 0 {
			return w.Terms[0]
		}
	}
	return word
}

// profile returns the terms by which a skill is found, with their weights.
func (s *Skill) profile() map[string]float64 {
	weights := map[string]float64{}
	add := func(weight float64, texts ...string) {
		for _, text := range texts {
			for _, word := range terms(text) {
				weights[word[0]] = max(weights[word[0]], weight)
				for _, part := range word[1:] {
					weights[part] = max(weights[part], ofPart*weight)
				}
			}
		}
	}
	add(ofTitle, s.Title)
	add(ofCommand, s.Commands...)
	add(ofCommand, s.Files...)
	if len(s.Words) > 0 { // such a step is not what it is for
		for term := range weights {
			if tables.Get().steps[term] {
				weights[term] = ofStep
			}
		}
	}
	add(ofPurpose, s.Purpose, s.Notes, s.Error)
	if s.Kind == mining.Fix { // what ends the failure is its purpose
		add(ofPurpose, s.steps()...)
	}
	add(ofPrompts, s.Words...)
	for term, weight := range weights {
		for _, also := range tables.Get().also[term] {
			weights[also] = max(weights[also], ofSynonym*weight)
		}
	}
	return weights
}

// A request is what is to be done.
type request struct {
	query string
	// words are the terms of its words that a skill may have, each word once, and weights those of all terms.
	words   [][]string
	weights map[string]float64
	// all is the weight of all words, verb that of the verb of an order if no skill has it.
	all, verb float64
	first     string // the first term
	// order and object are the terms of the verb of an order and of the first word of its object.
	order, object string
	// compound is true if nothing stands between these two, as in "release notes".
	compound bool
	explain  bool // it wants something explained
}

// requested returns a request to skills, of which some have a term.
func requested(query string, skills int, have map[string]int) request {
	r := request{
		query: query, words: terms(firstWords(query, maxQueryWords)), weights: map[string]float64{},
		explain: asks.MatchString(query) && !wantsCommand.MatchString(query),
	}
	if len(r.words) == 0 {
		return r
	}
	r.first = r.words[0][0]
	slices.SortFunc(r.words, slices.Compare)
	r.words = slices.CompactFunc(r.words, slices.Equal)
	isKnown := func(term string) bool { return have[term] > 0 }
	weight := func(term string) float64 {
		switch {
		case isKnown(term):
			return math.Log(1+float64(skills)/float64(have[term])) / math.Log(1+float64(skills))
		case tables.Get().renewing[term]:
			return 0
		}
		return unknown
	}
	for i, word := range r.words { // a name counts as a whole, or by its parts
		switch {
		case len(word) == 1 || isKnown(word[0]):
			r.words[i] = word[:1]
		case slices.ContainsFunc(word, isKnown):
			r.words[i] = word[1:]
		default:
			r.words[i] = nil
			r.all += unknownName
		}
		for _, term := range r.words[i] {
			r.weights[term] = weight(term)
			r.all += r.weights[term] / float64(len(r.words[i]))
		}
	}
	if order := object.FindStringSubmatch(query); order != nil {
		r.order, r.object = stem(strings.ToLower(order[1])), stem(strings.ToLower(order[3]))
		r.compound = order[2] == ""
	}
	if order := imperative.FindStringSubmatch(query); order != nil {
		if word := terms(order[1]); len(word) > 0 && !isKnown(word[0][0]) {
			r.verb = weight(word[0][0])
		}
	}
	return r
}

// score returns how well a skill with a profile fits, 0 to 1.
func (r *request) score(s *Skill, profile map[string]float64) float64 {
	if s.Kind == mining.Together {
		if slices.ContainsFunc(s.triggers(), func(file string) bool { return mentions(r.query, file) }) {
			return ofFiles
		}
		return 0
	}
	if r.all == 0 || tables.Get().other[r.first] && profile[r.first] == 0 {
		return 0
	}
	score, all := 0.0, r.all
	single, ordered := true, true // only by words of single steps, only by the verb of the order
	for _, word := range r.words {
		for _, term := range word {
			part := r.weights[term] * profile[term] / float64(len(word))
			score += part
			isStep := tables.Get().single[term] || len(s.Words) > 0 && profile[term] <= ofCommand
			single = single && (part == 0 || isStep)
			ordered = ordered && (part == 0 || term == r.order)
		}
	}
	// What prompts have in common is mostly what they are about, and an order may want something else done to it, or it
	// to something else: a verb that no skill has counts twice, and so does an object if what prompts have in common is
	// not there. What one of the prompts had is nothing else.
	if len(s.Words) > 0 {
		if !s.wasAsked(r.order) {
			all += r.verb
		}
		if ordered && !s.wasAsked(r.object) && (r.compound || !r.hasAll(s.Words)) {
			all += r.weights[r.object]
		}
	}
	if score/all >= leastScore && single && s.goesFurther(r) {
		return 0
	}
	return min(1, score/all)
}

// hasAll reports whether a request has all of some words.
func (r *request) hasAll(words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !r.has(stem(word)) })
}

// wasAsked reports whether a prompt of the evidence has a term.
func (s *Skill) wasAsked(term string) bool {
	return slices.ContainsFunc(s.Prompts, func(word string) bool { return stem(word) == term })
}

// has reports whether a request has a term.
func (r *request) has(term string) bool { _, has := r.weights[term]; return has }

// goesFurther reports whether a procedure does more than the single steps that a request names, such as one that tests
// and publishes for "run the tests".
func (s *Skill) goesFurther(r *request) bool {
	if s.Kind != mining.Procedure || mining.OnlyCheck(s.Commands) {
		return false
	}
	named := func(term string) bool { return r.has(term) || slices.ContainsFunc(tables.Get().also[term], r.has) }
	if len(s.Commands) == 1 && slices.ContainsFunc(slices.Concat(terms(s.Title)...), func(term string) bool {
		return tables.Get().steps[term] && named(term)
	}) {
		return false
	}
	return slices.ContainsFunc(s.Commands, func(command string) bool {
		return !slices.ContainsFunc(slices.Concat(terms(command)...), named)
	})
}

// Route returns the skills for what is to be done, the best first, at most limit. It returns none if
// none fits, or if the query asks for something to be explained or wants it not to be done.
func Route(list []Skill, query string, limit int) []Match {
	profiles, have := make([]map[string]float64, len(list)), map[string]int{}
	for i := range list {
		profiles[i] = list[i].profile()
		for term := range profiles[i] {
			have[term]++
		}
	}
	wanted := requested(affirmed(query, false), len(list), have)
	failing := requested(affirmed(query, true), len(list), have)
	var matches []Match
	for i, s := range list {
		r := &wanted
		if s.Kind == mining.Fix {
			r = &failing
		}
		if s.Status == Gone || r.explain && s.Kind != mining.Together {
			continue
		}
		if score := r.score(&s, profiles[i]); score >= leastScore {
			matches = append(matches, Match{s, score})
		}
	}
	slices.SortStableFunc(matches, func(a, b Match) int { return cmp.Compare(b.Score, a.Score) })
	if len(matches) > 0 {
		matches = slices.DeleteFunc(matches, func(m Match) bool { return m.Score < near*matches[0].Score })
	}
	return matches[:min(limit, len(matches))]
}

// mentions reports whether a string names a file.
func mentions(text, file string) bool {
	return strings.Contains(text, file) || slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool {
		return strings.ContainsRune(" \t\n`'\",;:()?!", r)
	}), func(word string) bool { return strings.TrimRight(word, ".") == path.Base(file) })
}

// firstWords returns the beginning of a string.
func firstWords(text string, n int) string {
	fields := strings.Fields(text[:min(len(text), 100*n)])
	return strings.Join(fields[:min(len(fields), n)], " ")
}
