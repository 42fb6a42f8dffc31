package sqlite

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

// asUser calls f as a user who owns a folder of t.TempDir, and not as root, who may read all.
func asUser(t *testing.T, dir string, f func()) {
	t.Helper()
	const nobody = 65534
	if os.Geteuid() == 0 {
		require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
		require.NoError(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			require.NoError(t, err)
			return os.Chown(path, nobody, nobody)
		}))
		runtime.LockOSThread() // the user is that of the thread
		defer runtime.UnlockOSThread()
		require.NoError(t, unix.Setfsuid(nobody))
		defer func() { assert.NoError(t, unix.Setfsuid(0)) }()
	}
	f()
}

func TestFoldersThatCannotBeListedMayStillHoldWhatWasErased(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir)
	_, err := s.KeepOutput("the secret and more")
	require.NoError(t, err)
	discarded := filepath.Join(dir, store.DiscardedPrefix+"0")
	require.NoError(t, os.Mkdir(discarded, 0o700))
	asUser(t, dir, func() {
		require.NoError(t, os.Chmod(s.outputs(), 0))
		_, left, err := s.RemoveHolding([]string{"the secret"})
		require.ErrorIs(t, err, fs.ErrPermission)
		assert.Equal(t, []string{store.CacheName + "/" + store.OutputsName}, left)

		require.NoError(t, os.Chmod(s.outputs(), 0o700))
		removed, left, err := s.RemoveHolding([]string{"the secret"})
		require.NoError(t, err)
		assert.Len(t, removed, 1)
		assert.Empty(t, left)

		require.NoError(t, os.Chmod(dir, 0o300))
		_, err = s.RemoveDiscarded()
		require.ErrorIs(t, err, fs.ErrPermission)
		require.NoError(t, os.Chmod(dir, 0o700))
		_, err = s.RemoveDiscarded()
		require.NoError(t, err)
		assert.NoDirExists(t, discarded)
	})
}
