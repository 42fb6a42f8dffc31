package items

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"
)

// keyTable returns a database with an empty table of keys.
func keyTable(t *testing.T) *sql.DB {
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "keys.db"))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	_, err = db.ExecContext(t.Context(),
		"CREATE TABLE items_key(place INTEGER PRIMARY KEY, n INTEGER NOT NULL, tag INTEGER NOT NULL)")
	require.NoError(t, err)
	return db
}

func TestAPlaceHoldsTheNewestKeyWhateverElseABatchHas(t *testing.T) {
	db := keyTable(t)
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

func TestAnItemIsFoundByThePlaceAndTheTagOfAKey(t *testing.T) {
	db := keyTable(t)
	const largest = 1 << 24
	w := writer{ctx: t.Context(), tx: db, keys: []keyRow{
		{key{0, 1}, 10}, {key{1, largest}, 11}, {key{2, 7}, 12}, {key{places - 1, largest}, 11}, {key{4, 0}, 13},
	}}
	require.NoError(t, w.flushKeys())
	last := key{places - 1, largest}
	for name, c := range map[string]struct {
		keys []key
		want map[int64][]key
	}{
		"the first place and the least tag":     {[]key{{0, 1}}, map[int64][]key{10: {{0, 1}}}},
		"the last place and the largest tag":    {[]key{last}, map[int64][]key{11: {last}}},
		"another tag":                           {[]key{{2, 8}}, map[int64][]key{}},
		"an empty place":                        {[]key{{3, 7}}, map[int64][]key{}},
		"a row without a tag, as once":          {[]key{{4, 1}}, map[int64][]key{}},
		"a key of two drafts":                   {[]key{{2, 7}, {2, 7}}, map[int64][]key{12: {{2, 7}}}},
		"two keys of a place in one batch":      {[]key{{2, 7}, {2, 6}}, map[int64][]key{12: {{2, 7}}}},
		"an item with two keys, in their order": {[]key{last, {1, largest}}, map[int64][]key{11: {{1, largest}, last}}},
	} {
		t.Run(name, func(t *testing.T) {
			d := decision{ctx: t.Context(), tx: db}
			got, err := d.readKeys(c.keys)
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}
