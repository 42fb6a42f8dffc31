package main

import (
	"go/format"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tyler-smith/go-bip39/wordlists"
)

func TestTheTableIsThatOfThePinnedWordList(t *testing.T) {
	current, err := os.ReadFile("../../extract/redact/seedwords_table.go")
	require.NoError(t, err)
	if string(tableOf(wordlists.English)) != string(current) {
		t.Error("the word list or the generator was changed; run go generate ./extract/redact")
	}
}

func TestTheTableCanBeSearched(t *testing.T) {
	assert.True(t, slices.IsSorted(wordlists.English))
	for _, word := range wordlists.English {
		assert.GreaterOrEqual(t, len(word), 3)
		assert.LessOrEqual(t, len(word), 8)
	}
	formatted, err := format.Source(tableOf(wordlists.English))
	require.NoError(t, err)
	assert.Equal(t, string(formatted), string(tableOf(wordlists.English)))
}
