package inventory

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

const days = 90

// A machine has memories in a data folder.
type machine struct {
	*testing.T
	data, work string
}

func newMachine(t *testing.T) machine {
	base, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return machine{t, filepath.Join(base, "data [1]"), filepath.Join(base, "work")}
}

// remembers makes the memory of a folder, which was last used a number of days ago.
func (m machine) remembers(folder string, daysAgo int) (root, dir string) {
	m.Helper()
	root = filepath.Join(m.work, folder)
	require.NoError(m, os.MkdirAll(root, 0o755))
	dir = store.WorkspaceDir(m.data, scope.KeyOf(root))
	require.NoError(m, os.MkdirAll(dir, 0o700))
	path := filepath.Join(dir, store.DatabaseName)
	require.NoError(m, os.WriteFile(path, make([]byte, 1000), 0o600))
	at := time.Now().AddDate(0, 0, -daysAgo)
	require.NoError(m, os.Chtimes(path, at, at))
	require.NoError(m, Record(m.data, scope.KeyOf(root), root))
	return root, dir
}

func (m machine) states() map[string]State {
	m.Helper()
	list, err := List(m.data, time.Now(), days)
	require.NoError(m, err)
	states := map[string]State{}
	for _, one := range list {
		name := filepath.Base(one.Root)
		if one.Root == "" {
			name = ""
		}
		states[name] = one.State
	}
	return states
}

func TestAMemoryIsGoneIfItsFolderIsAndNobodyUsedItForLong(t *testing.T) {
	m := newMachine(t)
	for _, folder := range []string{"used", "old", "new", "deep/away"} {
		daysAgo := 100
		if folder == "new" {
			daysAgo = 80
		}
		root, _ := m.remembers(folder, daysAgo)
		if folder != "used" {
			require.NoError(t, os.RemoveAll(root))
		}
	}
	require.NoError(t, os.Remove(filepath.Join(m.work, "deep")))
	_, dir := m.remembers("other", 100)
	recorded := filepath.Join(m.data, store.RootsName, filepath.Base(dir))
	require.NoError(t, os.WriteFile(recorded, []byte("/elsewhere"), 0o600))
	want := map[string]State{"used": There, "old": Gone, "new": Missing, "away": Missing, "": Unknown}
	assert.Equal(t, want, m.states(), "what was recorded counts only if it is the folder of the key")
}

func TestAListHasTheSizeAndAgeOfEachMemory(t *testing.T) {
	m := newMachine(t)
	m.remembers("older", 3)
	_, dir := m.remembers("newer", 1)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "sessions", "s"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sessions", "s", "meta.json"), make([]byte, 24), 0o600))
	require.NoError(t, os.MkdirAll(filepath.Join(filepath.Dir(dir), "not a key"), 0o700))
	list, err := List(m.data, time.Now(), days)
	require.NoError(t, err)
	require.Len(t, list, 2)
	assert.Equal(t, []string{"newer", "older"}, []string{filepath.Base(list[0].Root), filepath.Base(list[1].Root)})
	assert.Equal(t, []int64{1024, 1000}, []int64{list[0].Bytes, list[1].Bytes})
	assert.WithinDuration(t, time.Now().AddDate(0, 0, -1), list[0].LastUsed, time.Hour)
}

func TestAFolderWithASecretInItsPathIsNotRecorded(t *testing.T) {
	m := newMachine(t)
	_, dir := m.remembers("of ghp_q8Zt3vLw0sXk2uYf7bNcR5mJ1dHgPa9eZz19", 100)
	assert.Equal(t, map[string]State{"": Unknown}, m.states())
	assert.NoFileExists(t, filepath.Join(m.data, store.RootsName, filepath.Base(dir)))
}

func TestNoDataFolderIsAnEmptyList(t *testing.T) {
	list, err := List(filepath.Join(t.TempDir(), "none"), time.Now(), days)
	require.NoError(t, err)
	assert.Empty(t, list)
}

// only returns the only memory.
func (m machine) only() Memory {
	m.Helper()
	list, err := List(m.data, time.Now(), days)
	require.NoError(m, err)
	require.Len(m, list, 1)
	return list[0]
}

func TestOnlyAMemoryThatIsGoneIsDeletedWithWhatWasRecordedOfIt(t *testing.T) {
	m := newMachine(t)
	root, dir := m.remembers("project", 100)
	imported := filepath.Join(m.data, store.ImportedName, scope.KeyOf(root)+".json")
	require.NoError(t, os.MkdirAll(filepath.Dir(imported), 0o700))
	require.NoError(t, os.WriteFile(imported, []byte("[]"), 0o600))
	known := m.only()
	require.ErrorContains(t, PurgeGone(t.Context(), m.data, known, days), "is there now; nothing was deleted")
	require.NoError(t, os.Remove(root))
	require.ErrorContains(t, PurgeGone(t.Context(), m.data, known, 200), "is missing now; nothing was deleted")

	lock, err := files.Lock(t.Context(), filepath.Join(dir, store.LockName))
	require.NoError(t, err)
	require.ErrorContains(t, PurgeGone(t.Context(), m.data, known, days), "is in use; nothing was deleted")
	require.NoError(t, lock.Close())
	require.DirExists(t, dir)

	require.NoError(t, PurgeGone(t.Context(), m.data, known, days))
	assert.NoDirExists(t, dir)
	assert.NoFileExists(t, imported)
	assert.NoFileExists(t, filepath.Join(m.data, store.RootsName, scope.KeyOf(root)))
	assert.Empty(t, m.states())
}

func TestWhatAProcessThatWasKilledHasLeftIsDeletedAndNotListed(t *testing.T) {
	m := newMachine(t)
	_, dir := m.remembers("project", 1)
	left := dir + discarded
	require.NoError(t, os.MkdirAll(filepath.Join(left, "sessions"), 0o700))
	assert.Len(t, m.states(), 1)
	require.NoError(t, ClearLeft(m.data))
	assert.NoDirExists(t, left)
	assert.DirExists(t, dir)
}
