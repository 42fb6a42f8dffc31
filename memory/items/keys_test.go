package items

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"
)

func TestAPlaceHoldsTheNewestKeyWhateverElseABatchHas(t *testing.T) {
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "keys.db"))
	require.NoError(t, err)
	defer db.Close()
	_, err = db.ExecContext(t.Context(),
		"CREATE TABLE items_key(place INTEGER PRIMARY KEY, n INTEGER NOT NULL, tag INTEGER NOT NULL)")
	require.NoError(t, err)
	want := map[int64]keyRow{}
	for batch, size := range []int{1, 99, 307, 300, 0} {
		w := writer{ctx: t.Context(), tx: db}
		for i := range size {
			n := int64(1000*batch + i)
			row := keyRow{key{place: n * 7919 % 250, tag: n%5 + 1}, n}
			w.keys = append(w.keys, row)
			want[row.place] = row
		}
		require.NoError(t, w.flushKeys())
		got := map[int64]keyRow{}
		rows, err := db.QueryContext(t.Context(), "SELECT place, tag, n FROM items_key")
		require.NoError(t, err)
		for rows.Next() {
			var row keyRow
			require.NoError(t, rows.Scan(&row.place, &row.tag, &row.n))
			got[row.place] = row
		}
		require.NoError(t, rows.Err())
		assert.Equal(t, want, got)
	}
}
