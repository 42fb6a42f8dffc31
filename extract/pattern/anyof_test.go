package pattern_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

func TestAnyMatchesWhatItsAlternativesMatch(t *testing.T) {
	alternatives := []string{
		`\b(?:always|never) \w+`, `^no\b[,.!\s]+\S`, `use (?:tabs|spaces)?\b`, `(?:ne |` +
			`n')\S+ pas\b`, `\d+ ?%`, `[eé]t[eé]`,
		`(?:总是|必须)`, `Ä(?:pfel|RGER)`, `(?:a|b)c+`, `x{2,3}y`, `(?-i)^[A-Z]\w+Error`,
	}
	whole, each := pattern.OneOf(alternatives...), pattern.Any(alternatives...)
	for _, text := range []string{
		"ALWAYS test", "never", "No, don't", "use", "Use Tabs", "n'oublie pas", "n'oublie", "50 %",
		"été", "ETE", "你必须", "äpfel", "ÄRGER",
		"ärger", "acc", "bC", "XXY", "xy", "TypeError", "typeerror", "", "nothing of it", "\xff",
	} {
		assert.Equal(t, whole.Match(text), each.Match(text), text)
	}
}

func FuzzAnyMatchesLikeOneOf(f *testing.F) {
	alternatives := []string{`\b(?:go|going) with\b`, `^(?:use|keep)\b \S+`, `(?:do not|` +
		`don'?t) (?:\w+ ){0,2}want`, `(?:而不是|代替)`}
	whole, each := pattern.OneOf(alternatives...), pattern.Any(alternatives...)
	f.Add("let's go with it")
	f.Add("I don't really want it 而不是")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "ſK") { // fold to an ASCII letter that lower case does not give
			return
		}
		assert.Equal(t, whole.Match(text), each.Match(text), text)
	})
}
