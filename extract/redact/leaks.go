package redact

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:generate go -C ../../tools run ./leaks ../extract/redact/leaks_table.go

// A leak is a rule of gitleaks. The table of them (leaks_table.go) is generated
// from what the library embeds: the library itself takes 1 ms at every start and
// 40 ms at its first use, and its detector 2 ms for a text of 4 KB.
type leak struct {
	id       string
	keywords []string // in lower case; a text without any of them is not looked at
	pattern  expression
	group    int      // of the pattern that is the secret; 0 for the first that matched
	entropy  float64  // bits for each character that the secret has more than
	reach    int      // how far from a keyword the match can be, in bytes
	needs    []string // words in lower case that every match holds besides
	run      int      // bytes of the longest run of IsToken that every match holds
	allowed  []allowance
}

// An allowance says what is no secret after all.
type allowance struct {
	target    string // "match", "line", or "" for the secret
	all       bool   // whether everything has to hold, rather than one thing
	patterns  []expression
	stopwords []string
}

// An expression is the source of a regular expression.
type expression string

// anywhere is a reach beyond every text.
const anywhere = 1 << 30

// MaxReach is how far from its keyword a secret is looked for, in bytes.
const MaxReach = 2 << 10

// A keyword is where one stands in a text, and the number of its rule.
type keyword struct{ leak, at int }

// compiled holds the expressions that were needed, by their source.
type compiledExpressions struct{ sync.Map }

var leaks = sync.OnceValue(func() *compiledExpressions { return &compiledExpressions{} })

// compile returns the regular expression, which is compiled when it is first
// needed: most never are.
func (x *compiledExpressions) compile(e expression) *regexp.Regexp {
	if known, there := x.Load(e); there {
		return known.(*regexp.Regexp)
	}
	compiled := regexp.MustCompile(string(e))
	x.Store(e, compiled)
	return compiled
}

// leaked appends what the rules of gitleaks find whose keywords stand in a text.
func leaked(s string, keywords []keyword, found []span) []span {
	if len(keywords) == 0 {
		return found
	}
	x := leaks()
	windows := map[int][]span{} // by rule
	for _, k := range keywords {
		windows[k.leak] = widened(windows[k.leak], s, k.at, leakTable[k.leak].reach)
	}
	for _, n := range slices.Sorted(maps.Keys(windows)) { // so that the result is always the same
		for _, w := range windows[n] {
			found = x.find(leakTable[n], s, w, found)
		}
	}
	return found
}

// widened adds the stretch around a keyword to those of a rule.
func widened(windows []span, s string, at, reach int) []span {
	w := span{start: max(0, at-reach), end: min(len(s), at+reach+len("\n"))}
	if last := len(windows) - 1; last >= 0 && windows[last].end >= w.start {
		windows[last].end = w.end
		return windows
	}
	return append(windows, w)
}

// find appends the secrets of a rule in a stretch of the text. A match that
// touches an end of the stretch is none: what stands behind it was not seen.
func (x *compiledExpressions) find(l leak, s string, w span, found []span) []span {
	text := s[w.start:w.end]
	if !l.possible(text) {
		return found
	}
	for _, m := range x.compile(l.pattern).FindAllStringSubmatchIndex(text, -1) {
		if m[0] == 0 && w.start > 0 || m[1] == len(text) && w.end < len(s) {
			continue
		}
		start, end := l.secret(m)
		for start < end && text[end-1] == '\n' {
			end--
		}
		secret := text[start:end]
		if secret == "" || entropy(secret) <= l.entropy && l.entropy > 0 || x.allows(l, text, m[0], m[1], secret) {
			continue
		}
		found = append(found, span{start: w.start + start, end: w.start + end, rule: l.id})
	}
	return found
}

// possible reports whether a text has what every match has: some words, and a run
// of characters that is long enough. Most have not, and cost no expression.
func (l leak) possible(text string) bool {
	for _, word := range l.needs {
		if !containsFold(text, word) {
			return false
		}
	}
	for at := 0; at+l.run <= len(text); at++ {
		start := at
		if at = run(text, at, len(text), IsToken); at-start >= l.run {
			return true
		}
	}
	return false
}

// secret returns the bounds of the group that is the secret.
func (l leak) secret(match []int) (start, end int) {
	if l.group > 0 && 2*l.group+1 < len(match) && match[2*l.group] >= 0 {
		return match[2*l.group], match[2*l.group+1]
	}
	for i := 2; i+1 < len(match); i += 2 {
		if match[i] >= 0 && match[i] < match[i+1] {
			return match[i], match[i+1]
		}
	}
	return match[0], match[1]
}

func (x *compiledExpressions) allows(l leak, text string, from, to int, secret string) bool {
	return x.allowed(allowedEverywhere, text, from, to, secret) ||
		slices.ContainsFunc(l.allowed, func(a allowance) bool { return x.allowed(a, text, from, to, secret) })
}

func (x *compiledExpressions) allowed(a allowance, text string, from, to int, secret string) bool {
	target := secret
	switch a.target {
	case "match":
		target = text[from:to]
	case "line":
		target = text[strings.LastIndexByte(text[:from], '\n')+1 : to]
	}
	matches := slices.ContainsFunc(a.patterns, func(e expression) bool { return x.compile(e).MatchString(target) })
	lower := strings.ToLower(secret)
	stops := slices.ContainsFunc(a.stopwords, func(w string) bool { return strings.Contains(lower, w) })
	if a.all {
		return (matches || len(a.patterns) == 0) && (stops || len(a.stopwords) == 0)
	}
	return matches || stops
}

// entropy is Shannon's, in bits for each character.
func entropy(text string) float64 {
	counts, n := map[rune]int{}, 0
	for _, r := range text {
		counts[r]++
		n++
	}
	bits := 0.0
	for _, count := range counts {
		share := float64(count) / float64(n)
		bits -= share * math.Log2(share)
	}
	return bits
}
