package redact_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/redact"
)

// given is a secret in a string of testdata/world.txt.
var given = regexp.MustCompile(`«([^»]*)»`)

// chosenWords are values that people choose, by the form of the value that they take the place of.
var chosenWords = map[string][]string{
	"word": {"artichoke", "driftglass", "lemonade", "nightfall", "parchment", "quicklime", "rainbarrel", "shipwreck"},
	"name": {"Artichoke", "Drehorgel", "Lemonade", "Nachtigall", "Parchment", "Quicklime", "Rainbarrel", "Shipwreck"},
	"mark": {"Artichoke-7", "drift!glass9", "lemon4ade#", "N1ghtfall", "parch&ment3", "Quick.lime55"},
}

// formOf is the form of a value for which others may stand, "" if none may.
func formOf(value string) string {
	letters := strings.IndexFunc(value, func(r rune) bool { return r >= 0x80 || !unicode.IsLetter(r) }) < 0
	switch {
	case !letters || len(value) < 5:
		return ""
	case strings.ToLower(value) == value:
		return "word"
	}
	return "name"
}

// worldSet makes the texts of testdata/world.txt, as they are and with other values.
func worldSet(t testing.TB) []sample {
	t.Helper()
	random := rand.New(rand.NewPCG(7, 11))
	var set []sample
	for i, line := range readLines(t, "testdata/world.txt") {
		kind, text, found := strings.Cut(line, "\t")
		require.True(t, found, line)
		text = unescape.Replace(text)
		forms := []string{""}
		if marked := given.FindAllStringSubmatch(text, -1); len(marked) == 1 && formOf(marked[0][1]) != "" {
			forms = append(forms, formOf(marked[0][1]), "mark")
		}
		for _, form := range forms {
			s := sample{ID: fmt.Sprintf("%d%s", i, form), Kind: kind}
			s.Text = given.ReplaceAllStringFunc(text, func(marked string) string {
				value := strings.Trim(marked, "«»")
				if form != "" {
					value = chosenWords[form][random.IntN(len(chosenWords[form]))]
				}
				s.Secrets = append(s.Secrets, value)
				return value
			})
			set = append(set, s)
		}
	}
	return set
}

// The texts are of the kinds that commands, files and people write, by kind and language.
func TestAtMostFourPercentOfTheWorldAreLeft(t *testing.T) {
	set := worldSet(t)
	require.GreaterOrEqual(t, len(set), 1000)
	leaked, total := leaks(t, set)
	report(t, leaked, total)
	assert.LessOrEqual(t, float64(sum(leaked)), 0.04*float64(len(set)))
	for _, s := range set {
		once, _ := redact.Text(s.Text)
		twice, more := redact.Text(once)
		assert.Equal(t, once, twice)
		assert.Zero(t, more, s.Text)
	}
}
