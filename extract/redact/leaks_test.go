package redact

import (
	"fmt"
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every rule of gitleaks finds what its own pattern describes, wherever it
// stands, and nothing of it is left.
func TestEveryRuleOfGitleaksRedactsItsSecrets(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	x := &leaks
	for _, rule := range leakTable {
		parsed, err := syntax.Parse(string(rule.pattern), syntax.Perl)
		require.NoError(t, err)
		samples := written[rule.id]
		for range 8 {
			samples = append(samples, sample(parsed, random))
		}
		found := 0
		for _, match := range samples {
			if rule.reach == anywhere {
				match = rule.keywords[0] + " says " + match
			}
			lower := strings.ToLower(match)
			if !slices.ContainsFunc(rule.keywords, func(k string) bool { return strings.Contains(lower, k) }) {
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
			for _, around := range []string{
				"%s", "2026-03-01 INFO it is\n%s\nthen more",
				strings.Repeat("some words before it\n", 200) + "%s" + strings.Repeat("\nsome words behind it", 200),
			} {
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
	"kubernetes-secret-yaml": {
		"kind: Secret\nmetadata:\n  name: shop\ndata:\n  extra: c3VwZXJzZ" + "WNyZXR2YWx1ZQ==\n",
	},
	"nuget-config-password": {`<add key="ClearTextPassword" value="correct` + `horsebattery" />`},
}

// sample returns a string that a pattern may match.
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
