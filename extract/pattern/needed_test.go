package pattern_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

func TestTheBytesThatAPatternNeedsHideNoMatch(t *testing.T) {
	expressions := []string{
		`%[%\d.]*[a-z]|%0A|%%`, `^[\w.-]+\.[a-z]{1,4}$`, `(?-i)^[A-Z][a-z]+(?:[_.][A-Z][a-z]+)+$`,
		`k=`, `ask`, `(?-i)K`, `[^a-z]x`, `[^\x00-\x7f]`, `.`, `(?s).`, `^$`, `a*`, `(a|)b`, `(?:ab|c\d){0,3}`,
		`(?:ab|c\d){1,3}`, `\bq\b`, `ß|é`, `\pL\d`, `(?P<n>s+)k`, `[[:^ascii:]]|-`, "\ufffd", `(?-i)ſ`, `[ſ]-`,
		`\D`, `\x{10ffff}|a`, `(?i:Σ)`, `q?u+`,
	}
	pieces := []string{
		"a", "b", "c", "e", "k", "K", "\u212a", "s", "S", "ſ", "q", "u", "x", "1", "-", "_", ".", "%", "=", " ", "\n",
		"ß", "ẞ", "É", "é", "σ", "ς", "\xff", "\xe2", "\ufffd", "\U0010ffff", "数", "0A", "File", "Name",
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, expression := range expressions {
		p, plain := pattern.New(expression), regexp.MustCompile(`(?i)`+expression)
		for range slow.Rounds(3000) {
			var text strings.Builder
			for range random.IntN(6) {
				text.WriteString(pieces[random.IntN(len(pieces))])
			}
			s := text.String()
			if !assert.Equal(t, plain.MatchString(s), p.Match(s), "%q in %q", expression, s) ||
				!assert.Equal(t, plain.FindString(s), p.Find(s), "%q in %q", expression, s) ||
				!assert.Equal(t, plain.FindAllStringIndex(s, -1), p.FindAll(s, -1), "%q in %q", expression, s) ||
				!assert.Equal(t, plain.FindStringSubmatch(s), p.Submatch(s), "%q in %q", expression, s) ||
				!assert.Equal(t, plain.ReplaceAllString(s, ""), p.Remove(s), "%q in %q", expression, s) {
				break
			}
		}
	}
}
