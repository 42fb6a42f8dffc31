package tokens

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/tokens/xorfilter"
)

func TestTheVocabularyKnowsTokensAndFewOthers(t *testing.T) {
	for _, token := range []string{"a", " the", "function", "\n\n", " =>", "数据", "\xff"} {
		assert.True(t, isToken(xorfilter.Of(token)), token)
	}
	const tried = 100_000
	found := 0
	for i := range tried {
		if isToken(xorfilter.Of("no token " + strconv.Itoa(i))) {
			found++
		}
	}
	assert.InDelta(t, tried/256, found, tried/256/4)
}
