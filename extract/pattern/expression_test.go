package pattern_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/test/raced"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

func expression(t *testing.T, text string) *pattern.Expression {
	t.Helper()
	e, err := pattern.NewExpression(text)
	require.NoError(t, err)
	return e
}

func TestAnExpressionFindsItsFirstGroupOrAllOfIt(t *testing.T) {
	for text, want := range map[string]string{
		`risk: (\w+)`: "high", `risk: \w+`: "risk: high", `(?:risk): (\w)(\w+)`: "h", `none`: "",
		`(?P<why>risk)`: "risk",
	} {
		assert.Equal(t, want, new(pattern.Search).Find(expression(t, text), "a risk: high one"), text)
	}
	e := expression(t, `(?P<file>\S+):(?P<line>\d+)?`)
	match := new(pattern.Search).Submatch(e, "in a.go: x")
	require.NotNil(t, match)
	assert.Equal(
		t,
		[]string{"a.go", "", ""},
		[]string{e.Group(match, "file"), e.Group(match, "line"), e.Group(match, "column")},
	)
	assert.True(t, e.Has("line"))
	assert.False(t, e.Has("column"))
}

func TestAnExpressionThatIsNoneIsRefusedWithTheReason(t *testing.T) {
	const manySteps = "must have at most 1000 steps with its repetitions expanded"
	long := strings.Repeat("x", 60) + "[\x1b"
	for text, want := range map[string]string{
		"":                       "must not be empty",
		strings.Repeat("ä", 501): "must have at most 500 characters, got 501",
		"(a":                     `must be a regular expression, got "(a": missing closing ) at "(a"`,
		`(a)\1`:                  `must be a regular expression, got "(a)\\1": invalid escape sequence at "\\1"`,
		long: `must be a regular expression, got "` + long[:39] + `…": missing closing ] ` +
			`at "[\x1b"`,
		`(?:a{100}){100}`: `must be a regular expression, got "(?:a{100}){100}": invalid repeat count ` +
			`at "{100}"`,

		`(?:.{99}x{9}){9}y{99}`:            manySteps,
		strings.Repeat(`\pL{990}`, 62):     manySteps,
		`[a-z]{600}b{500}`:                 manySteps,
		strings.Repeat(`(?:a?){1000}`, 41): manySteps,
	} {
		_, err := pattern.NewExpression(text)
		assert.EqualError(t, err, want)
	}
	expression(t, `(?:.{99}x{9}){9}`)
}

func TestASearchEndsWhateverIsSearched(t *testing.T) {
	endless := expression(t, `(?:(?:x?){15}.){30}y`)
	long := strings.Repeat("x", 100_000)
	var search pattern.Search
	searches := slow.Rounds(10_000)
	if raced.On {
		searches = 1000
	}
	for range searches { // without a bound that takes hours
		require.False(t, search.Match([]*pattern.Expression{endless}, long))
	}
	assert.Empty(t, search.Find(expression(t, `x`), long), "its work is done")

	search = pattern.Search{}
	quick := expression(t, `^(?P<file>\S+):(?P<line>\d+): (?P<message>.+)$`)
	for range slow.Rounds(20_000) {
		require.NotNil(
			t,
			search.Submatch(
				quick,
				"some/folder/of/the/workspace/file.go:120: what is wrong with the line is said in so many words",
			),
		)
	}
}

func FuzzExpression(f *testing.F) {
	f.Add(`(?i)risk: (.+)`, "Risk: high")
	f.Add(`(?P<file>\S+):(?P<line>\d+)`, "a:1")
	f.Add(`a{9}{9}|\pL*?$`, "aaaa")
	f.Fuzz(func(t *testing.T, text, line string) {
		e, err := pattern.NewExpression(text)
		if err != nil {
			assert.NotContains(t, err.Error(), "\n")
			return
		}
		var search pattern.Search
		found := search.Find(e, line)
		assert.Contains(t, line, found)
		if found != "" {
			assert.True(t, search.Match([]*pattern.Expression{e}, line))
		}
	})
}
