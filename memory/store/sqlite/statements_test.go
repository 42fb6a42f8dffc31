package sqlite

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

// A statement that is prepared must not go on with the rows of a former run that are still read.
func TestAPreparedStatementIsRunWhileItsRowsAreRead(t *testing.T) {
	s := opened(t, t.TempDir())
	require.NoError(t, s.Update(t.Context(), store.Durable, nil, func(tx store.Tx) error {
		_, err := tx.ExecContext(t.Context(),
			"CREATE TABLE room_n (n INTEGER); INSERT INTO room_n VALUES (1), (2), (3)")
		return err
	}))
	inTransactions := map[string]func(func(store.Querier)){
		"a view": func(read func(store.Querier)) {
			require.NoError(t, s.View(t.Context(), func(db store.Querier) error { read(db); return nil }))
		},
		"a write": func(read func(store.Querier)) {
			require.NoError(t, s.Update(t.Context(), store.Fast, nil, func(tx store.Tx) error { read(tx); return nil }))
		},
	}
	for name, in := range inTransactions {
		for query, args := range map[string][]any{
			"SELECT n FROM room_n ORDER BY n": nil, "SELECT n FROM room_n WHERE n > ? ORDER BY n": {0},
		} {
			for range often {
				in(func(db store.Querier) { assert.Equal(t, []int{1, 2, 3}, numbers(t, db, query, args, nil)) })
			}
			in(func(db store.Querier) {
				assert.Equal(t, []int{1, 2, 3}, numbers(t, db, query, args, func() {
					assert.Equal(t, []int{1, 2, 3}, numbers(t, db, query, args, nil), "%s in %s", query, name)
					var first int
					require.NoError(t, db.QueryRowContext(t.Context(), query, args...).Scan(&first))
					assert.Equal(t, 1, first, "%s in %s", query, name)
				}), "%s in %s", query, name)
			})
		}
	}
}

// numbers returns what a query selects, and calls each for every row.
func numbers(t *testing.T, db store.Querier, query string, args []any, each func()) (found []int) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query, args...)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var n int
		require.NoError(t, rows.Scan(&n))
		if found = append(found, n); each != nil {
			each()
		}
	}
	require.NoError(t, rows.Err())
	return found
}
