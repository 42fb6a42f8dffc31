package scope

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// indexOf returns an index of git, version 2, with entries that have a name and nothing else.
func indexOf(names ...string) []byte {
	index := append([]byte("DIRC"), 0, 0, 0, 2, 0, 0, 0, byte(len(names)))
	for _, name := range names {
		entry := binary.BigEndian.AppendUint16(make([]byte, 60), uint16(len(name)))
		entry = append(entry, name...)
		index = append(index, append(entry, make([]byte, 8-len(entry)%8)...)...)
	}
	return index
}

func TestTheIndexOfGitTellsWhatIsTracked(t *testing.T) {
	tree := t.TempDir()
	assert.False(t, Indexed(tree, "a.py"), "there is no git")
	require.NoError(t, os.Mkdir(filepath.Join(tree, ".git"), 0o700))
	assert.False(t, Indexed(tree, "a.py"), "there is no index")
	index := filepath.Join(tree, ".git", "index")
	require.NoError(t, os.WriteFile(index, indexOf("src/a.py", "src/a.pyc", "tools/run.sh"), 0o600))
	for file, want := range map[string]bool{
		"src/a.py": true, "src/a.pyc": true, "tools/run.sh": true, "a.py": false, "src/a": false, "run.sh": false,
	} {
		assert.Equal(t, want, Indexed(tree, file), file)
	}
	linked := t.TempDir()
	pointer := []byte("gitdir: " + filepath.Join(tree, ".git") + "\n")
	require.NoError(t, os.WriteFile(filepath.Join(linked, ".git"), pointer, 0o600))
	assert.True(t, Indexed(linked, "src/a.py"), "a linked worktree points to its folder")
}
