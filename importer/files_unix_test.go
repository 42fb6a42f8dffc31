//go:build unix

package importer

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatIsNoFileOfAProgramIsNamed(t *testing.T) {
	h := newHome(t)
	at := Place{Folders: []string{h.root}}
	pipe := filepath.Join(h.root, "CLAUDE.md")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	outside := h.write(filepath.Join(h.data, "secret.md"), "- Never tell this to anybody\n")
	require.NoError(t, os.Symlink(outside, filepath.Join(h.root, "AGENTS.md")))
	require.NoError(t, os.Mkdir(filepath.Join(h.root, "GEMINI.md"), 0o700))
	h.write(filepath.Join(h.root, ".cursorrules"), strings.Repeat("- Never be long, always be short\n", 1<<18))
	h.write(filepath.Join(h.root, ".serena", "memories", "a.md"), "\x7fELF\x02\x01\x01\x00")
	require.NoError(t, os.Symlink(h.root, filepath.Join(h.root, ".cursor")))
	memory := Read(at)
	assert.Empty(t, memory.Entries)
	assert.Empty(t, memory.Sessions)
	reasons := map[string]string{}
	for _, s := range memory.Skipped {
		reasons[filepath.Base(s.Path)] = s.Reason
	}
	assert.Contains(t, reasons["CLAUDE.md"], "pipe")
	assert.Contains(t, reasons["AGENTS.md"], "escapes")
	assert.Contains(t, reasons["GEMINI.md"], "folder")
	assert.Contains(t, reasons[".cursorrules"], "at most")
	assert.Contains(t, reasons["a.md"], "not text")
	assert.Contains(t, reasons["rules"], "escapes")
	assert.Len(t, reasons, 6, "%v", reasons)

	for path, want := range map[string]string{pipe: "pipe", outside: ""} {
		memory, err := ReadPath(at, path, "instructions")
		require.NoError(t, err)
		if want == "" {
			assert.Len(t, memory.Entries, 1, "a person named it")
		} else {
			require.Len(t, memory.Skipped, 1)
			assert.Contains(t, memory.Skipped[0].Reason, want)
		}
	}
	_, err := ReadPath(at, filepath.Join(h.root, "gone"), "")
	assert.ErrorIs(t, err, os.ErrNotExist)
}
