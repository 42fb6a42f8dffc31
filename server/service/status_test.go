package service

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

func TestTheSizeOfTheDatabaseIncludesItsWriteAheadLog(t *testing.T) {
	dir := t.TempDir()
	assert.Zero(t, databaseBytes(dir))
	for suffix, size := range map[string]int{"": 100, "-wal": 20} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, store.DatabaseName+suffix), make([]byte, size), 0o600))
	}
	assert.EqualValues(t, 120, databaseBytes(dir))
}
