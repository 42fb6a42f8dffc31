//go:build unix

package sqlite

import (
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

func TestAFileOfTheStoreThatIsAPipeOrALinkIsToldAndNotOpened(t *testing.T) {
	for _, name := range []string{
		store.NoticeName, store.LockName, store.TurnLockName, store.EraseLockName, store.CopyName,
		store.DatabaseName, store.DatabaseName + "-wal", store.DatabaseName + "-shm", store.DatabaseName + "-journal",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		require.NoError(t, syscall.Mkfifo(path, 0o600))
		_, err := Open(t.Context(), dir, slog.New(slog.DiscardHandler))
		assert.ErrorContains(t, err, path+" is a named pipe")
		require.NoError(t, os.Remove(path))

		require.NoError(t, os.Symlink("/dev/zero", path))
		_, err = Open(t.Context(), dir, slog.New(slog.DiscardHandler))
		assert.ErrorContains(t, err, path+" is a link")
		require.NoError(t, os.Remove(path))

		other := filepath.Join(t.TempDir(), "other")
		require.NoError(t, os.WriteFile(other, []byte("{}"), 0o600))
		require.NoError(t, os.Link(other, path))
		_, err = Open(t.Context(), dir, slog.New(slog.DiscardHandler))
		if name == store.CopyName { // it is never written in place
			require.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, path+" is a hard link")
		}
		content, err := os.ReadFile(other)
		require.NoError(t, err)
		assert.Equal(t, "{}", string(content))
		require.NoError(t, os.Remove(path))

		s, err := Open(t.Context(), dir, slog.New(slog.DiscardHandler))
		require.NoError(t, err, "once it was moved away")
		require.NoError(t, s.Close())
	}
}

func TestANoticeIsNotWrittenIntoAnotherFile(t *testing.T) {
	for kind, plant := range map[string]func(old, new string) error{"link": os.Symlink, "hard link": os.Link} {
		dir, other := t.TempDir(), filepath.Join(t.TempDir(), "other")
		s, err := Open(t.Context(), dir, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(other, []byte("mine"), 0o600))
		path := filepath.Join(dir, store.NoticeName)
		require.NoError(t, os.RemoveAll(path))
		require.NoError(t, plant(other, path))
		s.notifyPeers(7)
		_, err = s.Notices(t.Context())
		assert.ErrorContains(t, err, "is a "+kind)
		content, err := os.ReadFile(other)
		require.NoError(t, err)
		assert.Equal(t, "mine", string(content))
		require.NoError(t, s.Close())
	}
}

func TestAnOutputThatIsALinkIsNotRead(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), dir, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer s.Close()
	const ref = "0123456789abcdef"
	path := s.outputPath(ref)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.Symlink("/etc/passwd", path))
	_, err = s.ReadOutput(ref)
	assert.ErrorContains(t, err, "is a link")
	require.NoError(t, os.Remove(path))
	secret := filepath.Join(dir, "secret")
	require.NoError(t, os.WriteFile(secret, []byte("secret"), 0o600))
	require.NoError(t, os.Link(secret, path))
	_, err = s.ReadOutput(ref)
	assert.ErrorContains(t, err, "is a hard link")
}
