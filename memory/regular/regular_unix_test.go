//go:build unix

package regular_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/regular"
)

func planted(t *testing.T) string {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("a"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "large"), []byte(strings.Repeat("a", 101)), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	for name, target := range map[string]string{
		"within": "a.txt", "elsewhere": "/etc/passwd", "zero": "/dev/zero", "up": "../../etc/passwd", "to-pipe": "pipe",
		"self": "self",
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(dir, name)))
	}
	return dir
}

func TestOnlyRegularFilesBelowTheFolderAreRead(t *testing.T) {
	dir := planted(t)
	for _, name := range []string{"a.txt", "within"} {
		content, err := regular.Read(dir, name, 100)
		require.NoError(t, err)
		assert.Equal(t, "a", string(content))
	}
	for _, name := range []string{
		"pipe", "to-pipe", "elsewhere", "zero", "up", "self", "folder", "large", "../x", "/etc/passwd", "",
	} {
		_, err := regular.Read(dir, name, 100)
		assert.Error(t, err, name)
	}
}

func TestOnlyAFolderIsOpenedAsOne(t *testing.T) {
	dir := planted(t)
	require.NoError(t, os.Symlink("folder", filepath.Join(dir, "to-folder")))
	for _, name := range []string{"folder", "to-folder"} {
		root, err := regular.OpenRoot(filepath.Join(dir, name))
		require.NoError(t, err)
		require.NoError(t, root.Close())
	}
	for _, name := range []string{"pipe", "to-pipe", "zero", "a.txt"} {
		path := filepath.Join(dir, name)
		_, err := regular.OpenRoot(path)
		assert.ErrorContains(t, err, path+" is a ")
		_, err = regular.Read(path, "x", 100)
		assert.Error(t, err, name)
	}
	_, err := regular.OpenRoot(filepath.Join(dir, "missing"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

func TestAFileOfOurOwnIsNeitherAPipeNorALink(t *testing.T) {
	dir := planted(t)
	assert.NoError(t, regular.Own(filepath.Join(dir, "missing")))
	assert.NoError(t, regular.Own(filepath.Join(dir, "a.txt")))
	require.NoError(t, os.Link(filepath.Join(dir, "large"), filepath.Join(dir, "hard")))
	for name, reason := range map[string]string{
		"pipe": "a named pipe", "within": "a link", "zero": "a link", "folder": "a folder",
	} {
		assert.ErrorContains(t, regular.Own(filepath.Join(dir, name)), reason)
		assert.ErrorContains(t, regular.Alone(filepath.Join(dir, name)), reason)
	}
	assert.NoError(t, regular.Own(filepath.Join(dir, "hard")))
	assert.ErrorContains(t, regular.Alone(filepath.Join(dir, "hard")), "a hard link")
	assert.NoError(t, regular.Alone(filepath.Join(dir, "a.txt")))
}
