package items

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"
)

// emptyDatabase returns a database without tables.
func emptyDatabase(t *testing.T) *sql.DB {
	path := filepath.Join(t.TempDir(), "items.db")
	db, err := sql.Open("sqlite", path+"?_pragma=synchronous(off)&_pragma=journal_mode(memory)")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	return db
}

// keyTables returns a database with empty tables of keys.
func keyTables(t *testing.T) *sql.DB {
	db := emptyDatabase(t)
	for _, statement := range []string{
		"CREATE TABLE items_key(place INTEGER PRIMARY KEY, n INTEGER NOT NULL, tag INTEGER NOT NULL)", createNewKeys,
	} {
		_, err := db.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	return db
}

// movedKeys returns the rows of items_key, by their places.
func movedKeys(t *testing.T, db *sql.DB) map[int64]keyRow {
	moved := map[int64]keyRow{}
	rows, err := db.QueryContext(t.Context(), "SELECT place, tag, n FROM items_key")
	require.NoError(t, err)
	for rows.Next() {
		var row keyRow
		require.NoError(t, rows.Scan(&row.place, &row.tag, &row.n))
		moved[row.place] = row
	}
	require.NoError(t, rows.Err())
	return moved
}

// newRows returns the number of rows of items_newkey.
func newRows(t *testing.T, db *sql.DB) (n int) {
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT count(*) FROM items_newkey").Scan(&n))
	return n
}

func TestAPlaceHoldsTheNewestKeyWhateverElseABatchHas(t *testing.T) {
	db := keyTables(t)
	want := map[int64]keyRow{}
	for batch, size := range []int{1, 99, 307, 300, 0} {
		w := writer{ctx: t.Context(), tx: db}
		for i := range size {
			n := int64(1000*batch + i + 1)
			row := keyRow{key{place: n * 7919 % 250, tag: n%5 + 1}, n}
			w.keys = append(w.keys, row)
			want[row.place] = row
		}
		require.NoError(t, w.addKeys())
		assert.Equal(t, min(size, 1), newRows(t, db))
		require.NoError(t, moveAllKeys(t.Context(), db))
		assert.Equal(t, want, movedKeys(t, db))
		assert.Zero(t, newRows(t, db))
	}
}

func TestAnItemIsFoundByThePlaceAndTheTagOfAKey(t *testing.T) {
	const largest = 1 << 24
	last := key{places - 1, largest}
	for where, move := range map[string]bool{"of a new item": false, "of an item whose keys were moved": true} {
		db := keyTables(t)
		w := writer{ctx: t.Context(), tx: db, keys: []keyRow{
			{key{0, 1}, 10}, {key{1, largest}, 11}, {key{2, 7}, 12}, {key{places - 1, largest}, 11}, {key{4, 0}, 13},
			{key{5, 5}, 13}, {key{5, 5}, 14 + 1<<offsetBits}, {key{6, 6}, 14 + 2<<offsetBits},
		}}
		require.NoError(t, w.addKeys())
		if move {
			require.NoError(t, moveAllKeys(t.Context(), db))
		}
		for name, c := range map[string]struct {
			keys []key
			want map[int64][]key
		}{
			"the first place and the least tag":  {[]key{{0, 1}}, map[int64][]key{10: {{0, 1}}}},
			"the last place and the largest tag": {[]key{last}, map[int64][]key{11: {last}}},
			"another tag":                        {[]key{{2, 8}}, map[int64][]key{}},
			"an empty place":                     {[]key{{3, 7}}, map[int64][]key{}},
			"a row without a tag, as once":       {[]key{{4, 1}}, map[int64][]key{}},
			"a key of two drafts":                {[]key{{2, 7}, {2, 7}}, map[int64][]key{12: {{2, 7}}}},
			"two keys of a place in one batch":   {[]key{{2, 7}, {2, 6}}, map[int64][]key{12: {{2, 7}}}},
			"an item with two keys, in their order": {
				[]key{last, {1, largest}}, map[int64][]key{11: {{1, largest}, last}},
			},
			"a key of two items":          {[]key{{5, 5}}, map[int64][]key{14 + 1<<offsetBits: {{5, 5}}}},
			"a key of an item much later": {[]key{{6, 6}}, map[int64][]key{14 + 2<<offsetBits: {{6, 6}}}},
		} {
			t.Run(name+", "+where, func(t *testing.T) {
				got, err := readKeys(t.Context(), db, c.keys)
				require.NoError(t, err)
				assert.Equal(t, c.want, got)
			})
		}
	}
}

// The model holds the newest item of each key, for keys that do not share a place.
func TestTheNewestItemIsFoundWhileKeysAreMoved(t *testing.T) {
	db := keyTables(t)
	one, other := &Room{}, &Room{} // of two processes
	newest := map[key]int64{}
	var asked []key
	n := int64(0)
	for round := range 40 {
		w := writer{ctx: t.Context(), tx: db}
		for range []int{1, 3, 150, 0}[round%4] {
			n++
			k := key{place: n * 7919 % 5003 * 52, tag: 7}
			if _, known := newest[k]; !known {
				asked = append(asked, k)
			}
			w.keys, newest[k] = append(w.keys, keyRow{k, n}), n
		}
		require.NoError(t, w.addKeys())
		for i, r := range []*Room{one, other} {
			if round%(i+2) > 0 {
				_, err := r.moving.step(t.Context(), db, places/int64(3+4*i))
				require.NoError(t, err)
			}
			if round%11 == 10 {
				r.Abandon()
			}
			if r.moving.place >= places {
				r.moving = keyMove{}
			}
		}
		at, err := readKeys(t.Context(), db, asked)
		require.NoError(t, err)
		got := map[key]int64{}
		for n, keys := range at {
			for _, k := range keys {
				got[k] = n
			}
		}
		require.Equal(t, newest, got, fmt.Sprint("round ", round))
	}
	assert.NotEmpty(t, movedKeys(t, db))
}

func TestKeysAreMovedWhenThereAreMany(t *testing.T) {
	for name, c := range map[string]struct {
		keys, rows int // of a first row, and how many rows of three keys follow
		due        bool
		left       int // rows
	}{
		"few":                      {1, manyRows - 1, false, manyRows},
		"many rows":                {1, manyRows, true, manyRows + 1},
		"many keys":                {manyKeys, 1, true, 2},
		"too many rows to wait":    {1, mustMove*manyRows + 1, true, 1},
		"too many keys to wait":    {mustMove * manyKeys, 2, false, 1},
		"few after that were more": {1, mustMove * manyRows, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			db := keyTables(t)
			_, err := db.ExecContext(t.Context(), "INSERT INTO items_newkey VALUES(0, zeroblob(?))", keyWidth*c.keys)
			require.NoError(t, err)
			r := &Room{}
			for i := range c.rows {
				w := writer{ctx: t.Context(), tx: db}
				for k := range 3 {
					n := int64(3*i + k + 1)
					w.keys = append(w.keys, keyRow{key{n, 1}, n})
				}
				require.NoError(t, w.addKeys())
				if w.manyKeys {
					r.manyKeys.Store(true)
				}
			}
			assert.Equal(t, c.due, r.Due())
			assert.Equal(t, c.left, newRows(t, db))
			for r.Due() {
				require.NoError(t, r.Maintain(t.Context(), db))
			}
			if c.due {
				assert.Zero(t, newRows(t, db))
				assert.Len(t, movedKeys(t, db), 3*c.rows+1)
			}
		})
	}
}
