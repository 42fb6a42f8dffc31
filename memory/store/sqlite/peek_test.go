package sqlite_test

import (
	"encoding/json"
	"io/fs"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/sqlite"
)

func TestPeekReadsAStoreThatIsOpenAndMakesNone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a%b?")
	_, err := sqlite.Peek(t.Context(), dir, "room")
	require.ErrorIs(t, err, fs.ErrNotExist)
	assert.NoDirExists(t, dir)

	s, err := sqlite.Open(t.Context(), dir, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer s.Close()
	row := change.Row{Key: "key", Value: json.RawMessage(`"value"`)}
	put := func(tx store.Tx) error { return tx.Put("room", row) }
	require.NoError(t, s.Update(t.Context(), store.Durable, nil, put))
	rows, err := sqlite.Peek(t.Context(), dir, "room")
	require.NoError(t, err)
	assert.Equal(t, []change.Row{row}, rows)
	rows, err = sqlite.Peek(t.Context(), dir, "another")
	require.NoError(t, err)
	assert.Empty(t, rows)
}
