package service

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestTheSizeOfTheDatabaseIncludesItsWriteAheadLog(t *testing.T) {
	dir := t.TempDir()
	assert.Zero(t, databaseBytes(dir))
	for suffix, size := range map[string]int{"": 100, "-wal": 20} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, store.DatabaseName+suffix), make([]byte, size), 0o600))
	}
	assert.EqualValues(t, 120, databaseBytes(dir))
}

func TestAHandEditThatWasSetAsideIsToldByOtherProcessesUntilItIsDeleted(t *testing.T) {
	f := newFace(t)
	get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: "Round once"})
	dir := get[wire.StatusResult](f, "wm/status", &wire.StatusParams{}).Store.Path
	file := filepath.Join(dir, store.CopyName)
	require.Eventually(t, func() bool {
		doc, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(doc), "Round once")
	}, Patience, time.Millisecond)
	require.NoError(t, os.WriteFile(file, []byte("{ broken"), 0o600))
	var problems []wire.StatusProblem
	require.Eventually(t, func() bool {
		problems = get[wire.StatusResult](f, "wm/status", &wire.StatusParams{}).Problems
		return len(problems) > 0
	}, Patience, time.Millisecond)
	require.Len(t, problems, 1)
	names, err := fs.Glob(os.DirFS(dir), store.AsideCopies)
	require.NoError(t, err)
	require.Len(t, names, 1)
	aside := filepath.Join(dir, names[0])
	assert.Contains(t, problems[0].Message, store.CopyName+" cannot be read: ")
	assert.Contains(t, problems[0].Fix, "What you wrote was kept as "+aside+". ")

	other := f.beside(`{"sessionId": "other"}`)
	assert.Equal(t, []wire.StatusProblem{{
		Severity: wire.ProblemWarning,
		Message:  "A hand edit of workspace-memory.json was not taken over. It was kept as " + aside + ".",
		Fix:      "Put what is missing into the new workspace-memory.json, then delete the file.",
	}}, get[wire.StatusResult](other, "wm/status", &wire.StatusParams{}).Problems)
	require.NoError(t, os.Remove(aside))
	assert.Empty(t, get[wire.StatusResult](other, "wm/status", &wire.StatusParams{}).Problems)
}
