//go:build unix

package cli

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestInAFolderThatWasDeletedACommandTellsWhatToDo(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	file := t.TempDir() + "/entries.jsonl"
	t.Chdir(t.TempDir())
	folder, err := os.Getwd()
	require.NoError(t, err)
	require.NoError(t, os.Remove(folder))
	for _, args := range [][]string{
		{"status"}, {"errors"}, {"backup", file}, {"install", "claude"}, {"import", "entries.jsonl"},
	} {
		var out, errOut bytes.Buffer
		code := Run(t.Context(), Options{Out: &out, Err: &errOut, Env: os.Getenv}, args)
		assert.Equal(t, ExitUsage, code, args)
		assert.Contains(t, errOut.String(),
			"the current folder was deleted; change to one that exists, or name the workspace with -C", args)
		assert.Empty(t, out.String(), args)
	}
	var out, errOut bytes.Buffer
	code := Run(t.Context(), Options{Out: &out, Err: &errOut, Env: os.Getenv}, []string{"list", "-C", t.TempDir()})
	assert.Equal(t, ExitNothing, code, errOut.String())
}
