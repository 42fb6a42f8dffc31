package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheFilesAreOfTheVersion(t *testing.T) {
	folder := filepath.Join("..", "..", "recall", "words", "snowball")
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.go"))
	require.NoError(t, err)
	assert.Len(t, files, len(languages))
	own, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	for _, file := range append(files, own...) {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Contains(t, string(content), header(), file)
	}
	told, err := os.ReadFile(filepath.Join(folder, "NOTICE"))
	require.NoError(t, err)
	assert.Contains(t, string(told), notice(""))
	assert.Contains(t, string(told), "Dr Martin Porter")
}
