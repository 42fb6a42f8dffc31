package sqlite

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

func TestAViewDoesNotShowWhatIsCommittedWhileItIsRead(t *testing.T) {
	dir := t.TempDir()
	s, other := opened(t, dir), opened(t, dir)
	insert := func(tx store.Tx) error {
		_, err := tx.ExecContext(t.Context(), "INSERT INTO room_count(n) VALUES(1)")
		return err
	}
	require.NoError(t, s.Update(t.Context(), store.Durable, nil, func(tx store.Tx) error {
		_, err := tx.ExecContext(t.Context(), "CREATE TABLE room_count (n INTEGER NOT NULL)")
		return err
	}))
	require.NoError(t, s.View(t.Context(), func(db store.Querier) error {
		count := func() (n int) {
			assert.NoError(t, db.QueryRowContext(t.Context(), "SELECT count(*) FROM room_count").Scan(&n))
			return n
		}
		assert.Zero(t, count())
		assert.NoError(t, other.Update(t.Context(), store.Fast, nil, insert))
		assert.NoError(t, s.Update(t.Context(), store.Fast, nil, insert), "a view keeps no writer out")
		assert.Zero(t, count())
		return nil
	}))
	var n int
	require.NoError(t, s.QueryRowContext(t.Context(), "SELECT count(*) FROM room_count").Scan(&n))
	assert.Equal(t, 2, n)
}

func TestRetiredRowsAreReadWhileTheTablesOfRoomsAre(t *testing.T) {
	s := opened(t, t.TempDir())
	require.NoError(t, s.Update(t.Context(), store.Durable, nil, func(tx store.Tx) error {
		return tx.Put("room", change.Row{Key: "key", Value: []byte(`"kept"`), Retirable: true, Retired: true})
	}))
	require.NoError(t, s.View(t.Context(), func(store.Querier) error {
		rows, err := s.Retired(t.Context(), "room")
		assert.Len(t, rows, 1)
		return err
	}))
}
