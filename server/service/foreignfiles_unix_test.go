//go:build unix

package service

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// What is in the place of a folder of the data folder is neither waited for nor followed.
func TestWhatIsInThePlaceOfAFolderOfTheDataFolderIsToldAndNotFollowed(t *testing.T) {
	for kind, plant := range map[string]func(path, outside string) error{
		"a link to a folder": func(path, outside string) error { return os.Symlink(outside, path) },
		"a named pipe":       func(path, _ string) error { return syscall.Mkfifo(path, 0o600) },
	} {
		t.Run(kind, func(t *testing.T) {
			f := newFace(t)
			outside := t.TempDir()
			for _, name := range []string{store.ShownName, store.ImportedName} {
				require.NoError(t, plant(filepath.Join(f.service.options.DataDir, name), outside))
			}
			_, err := f.service.WriteShown("context.md", "a text")
			assert.ErrorContains(t, err, filepath.Join(f.service.options.DataDir, store.ShownName))
			err = f.service.writeImported("0123456789abcdef", imported{})
			assert.ErrorContains(t, err, filepath.Join(f.service.options.DataDir, store.ImportedName))
			get[wire.PanelResult](f, "wm/panel", &wire.PanelParams{}) // it offers imports
			left, err := os.ReadDir(outside)
			require.NoError(t, err)
			assert.Empty(t, left)
		})
	}
}

func TestADocumentToShowReplacesWhatIsInItsPlace(t *testing.T) {
	f := newFace(t)
	dir, other := filepath.Join(f.service.options.DataDir, store.ShownName), filepath.Join(t.TempDir(), "other")
	require.NoError(t, os.WriteFile(other, []byte("other"), 0o600))
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.Link(other, filepath.Join(dir, "linked.md")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe.md"), 0o600))
	for _, name := range []string{"linked.md", "pipe.md"} {
		path, err := f.service.WriteShown(name, "a text")
		require.NoError(t, err)
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, "a text", string(content))
	}
	content, err := os.ReadFile(other)
	require.NoError(t, err)
	assert.Equal(t, "other", string(content))
}
