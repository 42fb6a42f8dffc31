package storetest

import (
	"database/sql"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

// MoveLog moves the write-ahead log of the SQLite database of a workspace into its file, so that everything is in
// that file. No store is open on it.
func MoveLog(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(dir, store.DatabaseName)
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String())
	require.NoError(t, err)
	defer db.Close()
	_, err = db.ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)")
	require.NoError(t, err)
}
