package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/tokens/xorfilter"
)

func TestTheVocabularyIsThatOfThePinnedTokenizer(t *testing.T) {
	current, err := os.ReadFile("../../extract/tokens/vocabulary.xor")
	require.NoError(t, err)
	hashes, err := hashesOfTokens()
	require.NoError(t, err)
	filter := xorfilter.Make(hashes)
	assert.True(t, string(filter) == string(current), "the tokenizer was changed; run go generate ./extract/tokens")
	for _, hash := range hashes {
		require.True(t, xorfilter.Holds(string(current), hash))
	}
}
