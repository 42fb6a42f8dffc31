//go:build unix

package settings

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAFIFOAndADeviceAreRefusedWithoutWaiting(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, FileName)
	require.NoError(t, syscall.Mkfifo(path, 0o600))

	_, err := ReadRepositoryFile(root)
	require.ErrorContains(t, err, "not a regular file")
	_, err = ReadUserFile(path)
	require.ErrorContains(t, err, "not a regular file")
	_, err = ReadUserFile(os.DevNull)
	require.ErrorContains(t, err, "not a regular file")
}

func TestALinkWithinTheRepositoryIsFollowed(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "conf"), 0o755))
	write(t, filepath.Join(root, "conf", "wm.toml"), "exclude = [\"dist/**\"]")
	require.NoError(t, os.Symlink("conf/wm.toml", filepath.Join(root, FileName)))
	layer, err := ReadRepositoryFile(root)
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"exclude": []any{"dist/**"}}, layer.Values)
}
