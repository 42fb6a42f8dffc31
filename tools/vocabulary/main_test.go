package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/tokens/xorfilter"
)

func TestTheVocabularyIsThatOfThePinnedTokenizer(t *testing.T) {
	current, err := os.ReadFile("../../extract/tokens/vocabulary.xor")
	require.NoError(t, err)
	hashes, err := hashesOfTokens()
	require.NoError(t, err)
	filter := xorfilter.Make(hashes)
	if string(filter) != string(current) {
		t.Error("the tokenizer was changed; run go generate ./extract/tokens")
	}
	for _, hash := range hashes {
		require.True(t, xorfilter.Holds(string(current), hash))
	}
}
