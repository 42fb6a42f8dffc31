package files_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func in(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { _ = root.Close() })
	return root
}

func TestAFileIsReplacedAsAWholeAndNothingElseIsLeft(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	for _, content := range []string{"one", strings.Repeat("two", 1000), ""} {
		require.NoError(t, files.Write(path, []byte(content)))
		read, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, content, string(read))
		info, err := os.Stat(path)
		require.NoError(t, err)
		assert.Equal(t, fs.FileMode(0o600), info.Mode())
		assert.Equal(t, []string{"a.json"}, names(t, dir))
	}
}

func TestATemporaryFileLiesBesideItsFileAndNotInTheFolderOfTheSystem(t *testing.T) {
	dir, system := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", system)
	pending, err := files.New(in(t, dir), []byte("content"))
	require.NoError(t, err)
	require.Len(t, names(t, dir), 1)
	assert.True(t, files.IsTemporary(names(t, dir)[0]))
	assert.Empty(t, names(t, system))
	require.NoError(t, pending.Replace("a"))
	assert.Equal(t, []string{"a"}, names(t, dir))
}

func TestAPendingFileThatIsNotWantedIsGone(t *testing.T) {
	dir := t.TempDir()
	pending, err := files.New(in(t, dir), []byte("content"))
	require.NoError(t, err)
	pending.Discard()
	assert.Empty(t, names(t, dir))
	pending, err = files.New(in(t, dir), []byte("content"))
	require.NoError(t, err)
	require.Error(t, pending.Replace("no/such/folder"))
	assert.Empty(t, names(t, dir))
}

func TestAFolderIsWritableIfAFileCanBeMadeInIt(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, files.Writable(dir))
	assert.Empty(t, names(t, dir), "nothing is left")
	missing := filepath.Join(dir, "missing")
	assert.ErrorIs(t, files.Writable(missing), fs.ErrNotExist)
	assert.NotContains(t, files.Writable(missing).Error(), dir, "the caller names the folder")
}

// Another process looks for what killed processes left a second after its start.
func TestAFolderIsWritableWhileTemporaryFilesAreDeleted(t *testing.T) {
	dir := t.TempDir()
	done := make(chan struct{})
	var clears sync.WaitGroup
	clears.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				assert.NoError(t, files.ClearLeft(dir, false))
			}
		}
	})
	for range 500 {
		require.NoError(t, files.Writable(dir))
	}
	close(done)
	clears.Wait()
}

func TestAFileIsCreatedOnce(t *testing.T) {
	dir := t.TempDir()
	for i, content := range []string{"one", "two"} {
		pending, err := files.New(in(t, dir), []byte(content))
		require.NoError(t, err)
		if err := pending.Create("a"); i > 0 {
			require.ErrorIs(t, err, fs.ErrExist)
		} else {
			require.NoError(t, err)
		}
	}
	read, err := os.ReadFile(filepath.Join(dir, "a"))
	require.NoError(t, err)
	assert.Equal(t, "one", string(read))
	assert.Equal(t, []string{"a"}, names(t, dir))
}

func TestTemporaryFilesAreDeletedUnlessTheyAreBeingWritten(t *testing.T) {
	dir := t.TempDir()
	below := filepath.Join(dir, "below")
	require.NoError(t, os.Mkdir(below, 0o700))
	pending, err := files.New(in(t, below), []byte("content"))
	require.NoError(t, err)
	left := []string{filepath.Join(dir, ".writing-a.tmp"), filepath.Join(below, ".writing-b.tmp")}
	kept := filepath.Join(dir, ".writing")
	for _, path := range append(left, kept) {
		require.NoError(t, os.WriteFile(path, []byte("half"), 0o600))
	}
	require.NoError(t, files.ClearLeft(dir, false))
	assert.NoFileExists(t, left[0])
	assert.FileExists(t, left[1])
	require.NoError(t, files.ClearLeft(dir, true))
	assert.NoFileExists(t, left[1])
	assert.FileExists(t, kept)
	require.NoError(t, pending.Replace("a"), "it is being written")
	assert.Equal(t, []string{"a"}, names(t, below))
	require.NoError(t, files.ClearLeft(filepath.Join(dir, "missing"), true))
}

func TestAFileIsDeletedIfItHoldsAText(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	require.NoError(t, os.WriteFile(path, []byte("it is Halcyon"), 0o600))
	for _, texts := range [][]string{{"Meridian"}, {"Meridian", "Halcyon"}, {"Halcyon"}, nil} {
		removed, err := files.RemoveHolding(path, texts)
		require.NoError(t, err)
		assert.Equal(t, len(texts) == 2, removed, texts)
	}
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	removed, err := files.RemoveHolding(path, nil)
	require.NoError(t, err)
	assert.True(t, removed)
	folder := filepath.Join(dir, "folder")
	require.NoError(t, os.Mkdir(folder, 0o700))
	removed, err = files.RemoveHolding(folder, []string{"Halcyon"})
	require.NoError(t, err, "only regular files are looked into")
	assert.False(t, removed)
}

func TestAFileOfAPersonIsReplacedAsAWholeOrStaysAsItWas(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "AGENTS.md")
	require.NoError(t, os.WriteFile(path, []byte("before"), 0o644))
	failed := errors.New("disk full")
	err := files.WriteBeside(path, 0o600, func(to *os.File) error {
		_, err := to.WriteString("half of")
		return errors.Join(err, failed)
	})
	require.ErrorIs(t, err, failed)
	read, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "before", string(read))
	assert.Equal(t, []string{"AGENTS.md"}, names(t, dir))

	require.NoError(t, files.WriteBeside(path, 0o640, func(to *os.File) error {
		_, err := to.WriteString("after")
		return err
	}))
	read, err = os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "after", string(read))
	info, err := os.Stat(path)
	require.NoError(t, err)
	if runtime.GOOS != "windows" {
		assert.Equal(t, fs.FileMode(0o640), info.Mode().Perm())
	}
	assert.Equal(t, []string{"AGENTS.md"}, names(t, dir))

	err = files.WriteBeside(filepath.Join(dir, "missing", "a.md"), 0o600, func(*os.File) error { return nil })
	require.ErrorIs(t, err, fs.ErrNotExist)
	assert.ErrorContains(t, err, filepath.Join("missing", "a.md")+":", "not the file beside it")
}
