package scope

import (
	"encoding/binary"
	"os"
	"os/exec"
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

func TestAFileIsPristineIfGitHoldsTheSameContent(t *testing.T) {
	tree := t.TempDir()
	run := func(args ...string) {
		command := exec.Command("git", append([]string{"-C", tree}, args...)...)
		command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	write := func(name, content string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(tree, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(tree, name), []byte(content), 0o600))
	}
	run("init", "-q")
	write("src/a.py", "x = 1\n")
	write("src/empty.py", "")
	run("add", ".")
	write("new.py", "x = 1\n")
	for file, want := range map[string]bool{"src/a.py": true, "src/empty.py": true, "new.py": false, "none.py": false} {
		assert.Equal(t, want, Pristine(tree, file), file)
	}
	write("src/a.py", "x = 2\n")
	assert.False(t, Pristine(tree, "src/a.py"))
	write("src/a.py", "x = 1\n")
	assert.True(t, Pristine(tree, "src/a.py"), "whenever it was written")
}
