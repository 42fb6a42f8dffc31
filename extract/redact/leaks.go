package redact

import (
	"maps"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

//go:generate go -C ../../tools run ./leaks ../extract/redact/leaks_table.go

// A leak is a rule of gitleaks. The table of them (leaks_table.go) is generated
// from what the library embeds: the library itself takes 1 ms at every start and
// 40 ms at its first use, and its detector 2 ms for a string of 4 KB.
type leak struct {
	id       string
	keywords []string // in lower case; a string without any of them is not looked at
	pattern  expression
	group    int      // of the pattern that is the secret; 0 for the first that matched
	entropy  float64  // bits for each character that the secret has more than
	reach    int      // how far from a keyword the match can be, in bytes
	needs    []string // words in lower case that every match holds besides
	run      int      // bytes of the longest run of IsToken that every match holds
	allowed  []allowance
}

// An allowance describes what is no secret after all.
type allowance struct {
	target    string // "match", "line", or "" for the secret
	all       bool   // whether everything has to hold, rather than one thing
	patterns  []expression
	stopwords []string
}

// An expression is the source of a regular expression.
type expression string

// anywhere is a reach beyond every string.
const anywhere = 1 << 30

// MaxReach is how far from its keyword a secret is looked for, in bytes.
const MaxReach = 2 << 10

// A keyword is where one stands in a string, and the number of its rule.
type keyword struct{ leak, at int }

// compiledExpressions are those that were needed, by their source.
type compiledExpressions struct {
	sync.Map
	// named are those of behindName.
	named sync.Map
}

var leaks compiledExpressions

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

// leaked appends what the rules of gitleaks find whose keywords stand in a string.
func leaked(s string, keywords []keyword, found []span) []span {
	if len(keywords) == 0 {
		return found
	}
	x := &leaks
	places := map[int][]int{} // of the keywords, by rule
	for _, k := range keywords {
		places[k.leak] = append(places[k.leak], k.at)
	}
	for _, n := range slices.Sorted(maps.Keys(places)) { // so that the result is always the same
		l := leakTable[n]
		if behind := x.behindName(l); behind != nil {
			found = x.findNamed(l, behind, s, places[n], found)
			continue
		}
		var windows []span
		for _, at := range places[n] {
			windows = widened(windows, s, at, l.reach)
		}
		for _, w := range windows {
			found = x.find(l, s, w, found)
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
		found = x.secretsOf(l, text, m, w.start, found)
	}
	return found
}

// secretsOf appends the secret of a match in a string that starts at from, if it is one.
func (x *compiledExpressions) secretsOf(l leak, text string, m []int, from int, found []span) []span {
	start, end := l.secret(m)
	for start < end && text[end-1] == '\n' {
		end--
	}
	secret := text[start:end]
	if secret == "" || entropy(secret) <= l.entropy && l.entropy > 0 || x.allows(l, text, m[0], m[1], secret) {
		return found
	}
	return append(found, span{start: from + start, end: from + end, rule: l.id})
}

// findNamed appends the secrets of a rule whose matches have a keyword as the end of their name. The rest of its
// expression is tried at each keyword, which takes a fraction of the time: before that, the name has up to 50
// characters that may begin at every byte of the text.
func (x *compiledExpressions) findNamed(l leak, behind *regexp.Regexp, s string, places []int, found []span) []span {
	last := 0
	for _, at := range places {
		if at < last || !mayNameSecret(s, at) {
			continue
		}
		text := s[at:min(len(s), at+l.reach+len("\n"))]
		m := behind.FindStringSubmatchIndex(text)
		if m == nil || m[1] == len(text) && at+len(text) < len(s) {
			continue
		}
		last = at + m[1]
		name := at - back(s, at, maxNameBefore, isDotted)
		found = x.secretsOf(l, s[at-name:at+len(text)], shifted(m, name), at-name, found)
	}
	return found
}

// maxNameBefore is how many bytes of a name the rules of gitleaks take before a keyword.
const maxNameBefore = 50

// shifted returns a match as it is in a string with a name of some bytes before.
func shifted(match []int, name int) []int {
	for i, at := range match {
		if i > 0 && at >= 0 {
			match[i] += name
		}
	}
	return match
}

// mayNameSecret reports whether a sign such as = or : stands behind the keyword at at, as in every match.
func mayNameSecret(s string, at int) bool {
	sign := run(s, at, maxName, func(c byte) bool { return isDotted(c) || isSpace(c) || c == '\'' || c == '"' })
	return sign < len(s) && strings.IndexByte("=>:|?,", s[sign]) >= 0
}

// behindName returns the expression of a rule without what may stand before its keyword, anchored, nil if the matches
// of the rule are not of that form.
func (x *compiledExpressions) behindName(l leak) *regexp.Regexp {
	if known, there := x.named.Load(l.pattern); there {
		return known.(*regexp.Regexp)
	}
	var compiled *regexp.Regexp
	if rest, ok := strings.CutPrefix(string(l.pattern), nameBefore); ok {
		whole, err := syntax.Parse(string(l.pattern), syntax.Perl)
		behind, behindErr := syntax.Parse(`(?i)`+rest, syntax.Perl)
		if err == nil && behindErr == nil && whole.Op == syntax.OpConcat && beginsWith(behind, l.keywords) {
			compiled = regexp.MustCompile(`(?i)\A` + rest)
		}
	}
	x.named.Store(l.pattern, compiled)
	return compiled
}

// nameBefore begins the expressions of gitleaks that find a secret by its name.
const nameBefore = `(?i)[\w.-]{0,50}?`

// beginsWith reports whether every match of an expression begins with one of some words in lower case.
func beginsWith(re *syntax.Regexp, words []string) bool {
	begins := beginnings(re)
	return len(begins) > 0 && !slices.ContainsFunc(begins, func(b string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(b, w) })
	})
}

// beginnings returns the strings in lower case with which the matches of an expression begin, as far as they are few.
func beginnings(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{lowered(string(re.Rune))}
	case syntax.OpCapture:
		return beginnings(re.Sub[0])
	case syntax.OpQuest:
		return append(beginnings(re.Sub[0]), "")
	case syntax.OpCharClass:
		var all []string
		for i := 0; i < len(re.Rune); i += 2 {
			if re.Rune[i+1]-re.Rune[i] > 4 {
				return nil
			}
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				all = append(all, lowered(string(r)))
			}
		}
		return all
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			begins := beginnings(sub)
			if begins == nil {
				return nil
			}
			all = append(all, begins...)
		}
		return all
	case syntax.OpConcat:
		all := []string{""}
		for _, sub := range re.Sub {
			var longer []string
			for _, end := range beginnings(sub) {
				for _, b := range all {
					longer = append(longer, b+end)
				}
			}
			if longer == nil || len(longer) > 64 {
				break
			}
			all = longer
		}
		return all
	}
	return nil
}

// possible reports whether a string has what every match has: some words, and a run
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
	lower := lowered(secret)
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
