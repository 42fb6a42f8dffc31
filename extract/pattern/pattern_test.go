package pattern_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

func TestGroupsMayShareAName(t *testing.T) {
	p := pattern.OneOf(`^keep (?P<text>.+)$`, `^(?P<text>.+) kept$`)
	for _, sentence := range []string{"KEEP tea", "tea kept"} {
		m := p.Submatch(sentence)
		require.NotNil(t, m, sentence)
		assert.Equal(t, "tea", p.Group(m, "text"), sentence)
		assert.Empty(t, p.Group(m, "other"), sentence)
	}
}

func TestAPatternIgnoresCase(t *testing.T) {
	p := pattern.New(`tea`, `\d+`)
	assert.Equal(t, `tea\d+`, p.String())
	assert.True(t, p.Match("some TEA12"))
	assert.Equal(t, "TEA12", p.Find("some TEA12"))
	assert.Equal(t, [][]int{{0, 4}}, p.FindAll("tea1 tea2", 1))
	assert.Equal(t, "a  b", p.Remove("a tea1 b"))
}

func TestAWordingIsTriedOnlyWhereItsWordsStand(t *testing.T) {
	wordings := []pattern.Wording{{Words: pattern.Words("tea|coffee"), Pattern: pattern.New(`^i like \w+$`)}}
	assert.True(t, pattern.Match("I like TEA", wordings))
	assert.False(t, pattern.Match("I like milk", wordings))
	assert.False(t, pattern.Match("Tea", wordings))
	assert.True(t, wordings[0].Words.In("green tea"))
}
