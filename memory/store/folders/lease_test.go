package folders

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

// An erase takes locks in every folder, and a lock is a file.
func TestASessionIsDeletedWhileAnotherProcessErases(t *testing.T) {
	sessions := In(t.TempDir())
	for range 300 {
		notes := filepath.Join(sessions.SessionDir("s"), store.NotesName)
		require.NoError(t, os.MkdirAll(notes, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(notes, "overview.md"), []byte("# Cart\n"), 0o600))
		var erasing sync.WaitGroup
		erasing.Go(func() { sessions.LockSessions()() })
		_, err := sessions.RemoveSession("s")
		erasing.Wait()
		require.NoError(t, err)
		assert.NoDirExists(t, notes)
	}
}
