package service

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
)

func FuzzIdentifierAt(f *testing.F) {
	f.Add("a b_1(é)", uint(3))
	f.Add("\xff😀x\r\n", uint(1))
	f.Fuzz(func(t *testing.T, text string, place uint) {
		at := int(place % uint(len(text)+1))
		for at < len(text) && !utf8.RuneStart(text[at]) {
			at++
		}
		identifier := IdentifierAt(text, at)
		assert.Contains(t, text[max(0, at-len(identifier)):min(len(text), at+len(identifier))], identifier)
		assert.Equal(t, -1, strings.IndexFunc(identifier, func(c rune) bool { return !inIdentifier(c) }))
		mentionsIdentifier(text, identifier)
	})
}

func TestAnIdentifierIsFoundAroundAPlace(t *testing.T) {
	for place, want := range map[string]string{
		"|": "", "|abc": "abc", "a|bc": "abc", "abc|": "abc", "x.|é_1(": "é_1", "x.é|_1(": "é_1", " | ": "",
		"a |+ b": "", "a\n|b": "b",
	} {
		at := strings.Index(place, "|")
		assert.Equal(t, want, IdentifierAt(strings.Replace(place, "|", "", 1), at), place)
	}
}

func TestOnlyNamesOfCodeAreLookedFor(t *testing.T) {
	for _, c := range []struct {
		text, identifier string
		named            bool
	}{
		{"parseExpr is slow", "parseExpr", true},
		{"call parse() first", "parse", true},
		{"the `parse` step", "parse", true},
		{"we parse by hand", "parse", false},
		{"reparseExpr and parseExprs", "parseExpr", false},
		{"x1", "x", false},
		{"HTTP is used", "HTTP", false},
		{"max_len is 3", "max_len", true},
		{"anything", "", false},
	} {
		assert.Equal(t, c.named, mentionsIdentifier(c.text, c.identifier), "%s in %s", c.identifier, c.text)
	}
}

func TestHoverTextIsLiteral(t *testing.T) {
	errors := []hot.Error{{Category: "test", Summary: "<b>[x](command:evil)</b>\n# `tick` \x1b[31m\u202e"}}
	entries := []longterm.Entry{{Type: "project", Text: "*bold*\n\n![i](http://x)"}}
	assert.Contains(t, hoverText(errors, entries, true),
		`: \<b>\[x\](command:evil)\</b> # \`+"`tick\\`\n\n")
	assert.Contains(t, hoverText(errors, entries, true), `\*bold\* !\[i\](http://x)`)
	assert.Contains(t, hoverText(errors, entries, false), "Remembered (project): *bold* ![i](http://x)\n")
}
