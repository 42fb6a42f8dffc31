package redact

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"math/rand/v2"
	"os"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zricethezav/gitleaks/v8/config"
)

var update = flag.Bool("update", false, "write the table of the pinned gitleaks anew")

func TestTheRulesAreThoseOfThePinnedGitleaks(t *testing.T) {
	table := tableOf(t, config.DefaultConfig)
	if *update {
		require.NoError(t, os.WriteFile("leaks_table.go", table, 0o644))
		return
	}
	current, err := os.ReadFile("leaks_table.go")
	require.NoError(t, err)
	assert.True(t, string(table) == string(current), "gitleaks was updated; run go test ./extract/redact -run Pinned -update")
}

func TestOnlyRulesThatThereAreStandBackForOurs(t *testing.T) {
	for id := range ours {
		assert.Contains(t, config.DefaultConfig, fmt.Sprintf("id = %q", id))
	}
}

// An allowlist is one of the configuration of gitleaks.
type allowlist struct {
	Condition   string
	RegexTarget string
	Regexes     []expression
	StopWords   []string
	Paths       []string
}

func (a allowlist) write(table *bytes.Buffer) {
	patterns := strings.ReplaceAll(fmt.Sprintf("%#v", a.Regexes), "redact.", "")
	fmt.Fprintf(table, "{target: %q, all: %v, patterns: %s, stopwords: %#v},", a.RegexTarget, a.Condition == "AND", patterns, a.StopWords)
}

// What stands behind a secret: in code, for which the rules of gitleaks are
// written, and in prose, where it also ends a sentence or a parenthesis.
const (
	endOfCode  = `(?:[\x60'"\s;]|\\[nr]|$)`
	endOfProse = `(?:[\x60'"\s;,.:!?)\]}>&]|\\[nr]|$)`
)

// tableOf writes the table of the rules that a configuration of gitleaks holds.
func tableOf(t *testing.T, configuration string) []byte {
	var file struct {
		Allowlist allowlist
		Rules     []struct {
			ID          string
			Regex       expression
			Entropy     float64
			SecretGroup int
			Keywords    []string
			Allowlists  []allowlist
		}
	}
	require.NoError(t, toml.Unmarshal([]byte(configuration), &file))
	var table bytes.Buffer
	fmt.Fprintf(&table, "// Code generated from the rules of gitleaks (MIT, see gitleaks/LICENSE); DO NOT EDIT.\n\npackage redact\n\nvar leakTable = []leak{\n")
	for _, r := range file.Rules {
		if _, instead := ours[r.ID]; instead {
			continue
		}
		r.Regex = expression(strings.Replace(string(r.Regex), endOfCode, endOfProse, 1))
		parsed, err := syntax.Parse(string(r.Regex), syntax.Perl)
		require.NoError(t, err, r.ID)
		l := leak{id: r.ID, pattern: r.Regex, group: r.SecretGroup, entropy: r.Entropy, reach: min(longest(parsed), maxReach), run: certain(parsed).longest}
		if slices.Contains(apart, r.ID) {
			l.reach = anywhere
		}
		for _, k := range r.Keywords {
			l.keywords = append(l.keywords, strings.ToLower(k))
		}
		for _, word := range needed(parsed) {
			if !slices.Equal(l.keywords, []string{word}) {
				l.needs = append(l.needs, word)
			}
		}
		fmt.Fprintf(&table, "{id: %q, keywords: %#v, pattern: %q, group: %d, entropy: %v, reach: %d, run: %d, ",
			l.id, l.keywords, l.pattern, l.group, l.entropy, l.reach, l.run)
		if len(l.needs) > 0 {
			fmt.Fprintf(&table, "needs: %#v, ", l.needs)
		}
		fmt.Fprintf(&table, "allowed: []allowance{")
		for _, a := range r.Allowlists {
			if len(a.Regexes)+len(a.StopWords) > 0 && (a.Condition != "AND" || len(a.Paths) == 0) { // else it asks for a path, which a text has not
				a.write(&table)
			}
		}
		fmt.Fprintf(&table, "}},\n")
	}
	fmt.Fprintf(&table, "}\n\n// allowedEverywhere is no secret, whatever the rule.\nvar allowedEverywhere = allowance")
	file.Allowlist.write(&table)
	table.Truncate(table.Len() - len(","))
	source, err := format.Source(table.Bytes())
	require.NoError(t, err)
	return source
}

// longest is the number of bytes of the longest match of a pattern, more than
// maxReach where there is no such number.
func longest(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return utf8.UTFMax * len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return utf8.UTFMax
	case syntax.OpStar, syntax.OpPlus:
		return maxReach + 1
	case syntax.OpRepeat:
		if re.Max < 0 {
			return maxReach + 1
		}
		return min(re.Max*longest(re.Sub[0]), maxReach+1)
	}
	sum := 0
	for _, sub := range re.Sub {
		if re.Op == syntax.OpAlternate {
			sum = max(sum, longest(sub))
		} else {
			sum += longest(sub)
		}
	}
	return min(sum, maxReach+1)
}

// A stretch is what is certain of the matches of a pattern.
type stretch struct {
	tokens  bool // whether a match is nothing but bytes of isToken
	least   int  // how many bytes it has
	longest int  // the run of such bytes that every match holds
}

func certain(re *syntax.Regexp) stretch {
	one := stretch{}
	switch re.Op {
	case syntax.OpLiteral:
		one = stretch{tokens: true}
		for _, r := range re.Rune {
			one.tokens = one.tokens && r < utf8.RuneSelf && isToken(byte(r))
		}
		one.least = len(re.Rune)
	case syntax.OpCharClass:
		one = stretch{tokens: true, least: 1}
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1] && one.tokens; r++ {
				// With (?i) a class also holds letters that only Unicode takes for these.
				one.tokens = r < utf8.RuneSelf && isToken(byte(r)) || r == '\u017f' || r == '\u212a'
			}
		}
	case syntax.OpCapture:
		return certain(re.Sub[0])
	case syntax.OpPlus:
		return certain(re.Sub[0])
	case syntax.OpQuest, syntax.OpStar:
		return stretch{tokens: certain(re.Sub[0]).tokens}
	case syntax.OpRepeat:
		sub := certain(re.Sub[0])
		one = stretch{tokens: sub.tokens, least: re.Min * sub.least}
		if re.Min > 0 {
			one.longest = sub.longest
		}
	case syntax.OpConcat:
		return certainOfAll(re.Sub)
	case syntax.OpAlternate:
		one = certain(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			other := certain(sub)
			one = stretch{one.tokens && other.tokens, min(one.least, other.least), min(one.longest, other.longest)}
		}
		return one
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpNoWordBoundary, syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine:
		return stretch{tokens: true}
	}
	if one.tokens {
		one.longest = one.least
	}
	return one
}

func certainOfAll(subs []*syntax.Regexp) stretch {
	all, current := stretch{tokens: true}, 0
	for _, sub := range subs {
		s := certain(sub)
		all.tokens = all.tokens && s.tokens
		all.least += s.least
		if current += s.least; !s.tokens {
			current = 0
		}
		all.longest = max(all.longest, s.longest, current)
	}
	return all
}

// needed are the words in lower case that every match of a pattern holds.
func needed(re *syntax.Regexp) []string {
	var words []string
	switch re.Op {
	case syntax.OpLiteral:
		if word := strings.ToLower(string(re.Rune)); len(word) >= 3 && len(word) == len(re.Rune) {
			return []string{word}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needed(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			words = append(words, needed(sub)...)
		}
	case syntax.OpAlternate:
		words = needed(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			other := needed(sub)
			words = slices.DeleteFunc(words, func(w string) bool { return !slices.Contains(other, w) })
		}
	}
	return words
}

// Every rule of gitleaks finds what its own pattern describes, wherever it
// stands, and nothing of it is left.
func TestEveryRuleOfGitleaksRedactsItsSecrets(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	x := leaks()
	for _, rule := range leakTable {
		parsed, err := syntax.Parse(string(rule.pattern), syntax.Perl)
		require.NoError(t, err)
		samples := written[rule.id]
		for range 8 {
			samples = append(samples, sample(parsed, random))
		}
		found := 0
		for _, match := range samples {
			if slices.Contains(apart, rule.id) {
				match = rule.keywords[0] + " says " + match
			}
			if !slices.ContainsFunc(rule.keywords, func(k string) bool { return strings.Contains(strings.ToLower(match), k) }) {
				continue // gitleaks would not look at it either
			}
			where := x.compile(rule.pattern).FindStringSubmatchIndex(match)
			if where == nil {
				continue // an assertion, such as a word boundary, does not hold here
			}
			start, end := rule.secret(where)
			secret := match[start:end]
			if entropy(secret) <= rule.entropy || x.allows(rule, match, where[0], where[1], secret) {
				continue
			}
			found++
			for _, around := range []string{"%s", "2026-03-01 INFO it is\n%s\nthen more", strings.Repeat("some words before it\n", 200) + "%s" + strings.Repeat("\nsome words behind it", 200)} {
				got, _ := Text(fmt.Sprintf(around, match))
				assert.NotContains(t, got, strings.TrimSpace(secret), rule.id)
				again, more := Text(got)
				assert.Zero(t, more, rule.id)
				assert.Equal(t, got, again)
			}
		}
		assert.Positive(t, found, rule.id)
	}
}

// written are texts of rules whose pattern is too special to be guessed.
var written = map[string][]string{
	"kubernetes-secret-yaml": {"kind: Secret\nmetadata:\n  name: shop\ndata:\n  extra: c3VwZXJzZ" + "WNyZXR2YWx1ZQ==\n"},
	"nuget-config-password":  {`<add key="ClearTextPassword" value="correct` + `horsebattery" />`},
}

// sample returns a text that a pattern may match.
func sample(re *syntax.Regexp, random *rand.Rand) string {
	many := func(least, most int) string {
		var b strings.Builder
		for range least + random.IntN(most-least+1) {
			b.WriteString(sample(re.Sub[0], random))
		}
		return b.String()
	}
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		var printable []rune
		for i := 0; i < len(re.Rune); i += 2 {
			for r := max(re.Rune[i], ' '); r <= min(re.Rune[i+1], '~'); r++ {
				printable = append(printable, r)
			}
		}
		if len(printable) == 0 {
			return string(re.Rune[0])
		}
		return string(printable[random.IntN(len(printable))])
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "."
	case syntax.OpQuest:
		return many(0, 1)
	case syntax.OpStar:
		return many(0, 3)
	case syntax.OpPlus:
		return many(1, 12)
	case syntax.OpRepeat:
		if re.Max < 0 {
			return many(re.Min, re.Min+5)
		}
		return many(re.Min, min(re.Max, re.Min+30))
	case syntax.OpAlternate:
		return sample(re.Sub[random.IntN(len(re.Sub))], random)
	}
	var b strings.Builder
	for _, sub := range re.Sub {
		b.WriteString(sample(sub, random))
	}
	return b.String()
}
