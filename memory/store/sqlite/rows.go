package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"path/filepath"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

const (
	upsertRow = `INSERT INTO state(room, key, value) VALUES(?,?,?)
		ON CONFLICT DO UPDATE SET value = excluded.value`
	upsertRetired = `INSERT INTO retired(room, key, value) VALUES(?,?,?)
		ON CONFLICT DO UPDATE SET value = excluded.value`
	deleteRow     = `DELETE FROM state WHERE room = ? AND key = ?`
	deleteRetired = `DELETE FROM retired WHERE room = ? AND key = ?`
)

// Put writes a row of a room, or deletes it if its value is nil.
func (tx *transaction) Put(room string, row change.Row) error {
	upsert, remove, elsewhere := upsertRow, deleteRow, deleteRetired
	if row.Retired {
		upsert, remove, elsewhere = upsertRetired, deleteRetired, deleteRow
	}
	var err error
	if row.Value == nil {
		_, err = tx.run(remove, room, row.Key)
	} else {
		_, err = tx.run(upsert, room, row.Key, text(row.Value))
	}
	if err == nil && row.Retirable {
		_, err = tx.run(elsewhere, room, row.Key)
	}
	if err != nil {
		return fmt.Errorf("write a row of %s: %w", room, err)
	}
	return nil
}

// Retired reads the retired rows of a room, on a connection of its own, because it may be called while the tables of
// rooms are read.
func (s *Store) Retired(ctx context.Context, room string) ([]change.Row, error) {
	db := connectReader(filepath.Join(s.dir, store.DatabaseName), &s.damage, smallCache)
	defer func() { _ = db.Close() }()
	rows, err := selectRows(ctx, db, "retired", room)
	if err != nil {
		return nil, classify(err)
	}
	for i := range rows[room] {
		rows[room][i].Retirable, rows[room][i].Retired = true, true
	}
	return rows[room], nil
}

// packedRows selects the rows of each room as one string: for each row the lengths of key and
// value in bytes, each followed by a space, then the key and the value. Selecting several
// thousand rows one by one takes more than twice as long.
// The rows are in the order of the primary key, (room, key); nothing depends on that.
const packedRows = `SELECT room, count(*), CAST(group_concat(
		octet_length(key) || ' ' || octet_length(value) || ' ' || key || value, '') AS BLOB)
	FROM %s GROUP BY room`

// selectRows reads the rows of a table, of one room or, if it is "", of all rooms.
func selectRows(ctx context.Context, q store.Querier, table, room string) (map[string][]change.Row, error) {
	from, args := table, []any{}
	if room != "" {
		from, args = table+" WHERE room = ?", append(args, room)
	}
	rows, err := q.QueryContext(ctx, fmt.Sprintf(packedRows, from), args...)
	if err != nil {
		return nil, fmt.Errorf("read the rows of the memory: %w", err)
	}
	defer rows.Close()
	byRoom := map[string][]change.Row{}
	for rows.Next() {
		var room string
		var count int
		// The driver makes memory of its own for each value, so it is not copied once more.
		var packed sql.RawBytes
		if err := rows.Scan(&room, &count, &packed); err != nil {
			return nil, fmt.Errorf("read the rows of the memory: %w", err)
		}
		if byRoom[room], err = unpack(packed, count); err != nil {
			return nil, fmt.Errorf("read the rows of %s: %w", room, err)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read the rows of the memory: %w", err)
	}
	return byRoom, nil
}

// unpack returns the rows of a string of packedRows. Their values share its memory.
func unpack(packed []byte, count int) ([]change.Row, error) {
	rows := make([]change.Row, 0, count)
	for len(packed) > 0 {
		key, rest, ok := cutLength(packed)
		value, rest, ok2 := cutLength(rest)
		if !ok || !ok2 || key+value > len(rest) {
			return nil, fmt.Errorf("%w: row %d has no length", store.ErrCorrupt, len(rows))
		}
		end := key + value
		rows = append(rows, change.Row{Key: string(rest[:key]), Value: rest[key:end:end]})
		packed = rest[end:]
	}
	return rows, nil
}

// cutLength returns the length at the beginning of a string, and the rest of the text.
func cutLength(text []byte) (length int, rest []byte, ok bool) {
	for i, c := range text {
		switch {
		case c == ' ' && i > 0:
			return length, text[i+1:], true
		case c < '0' || c > '9' || length > math.MaxInt32:
			return 0, nil, false
		}
		length = length*10 + int(c-'0')
	}
	return 0, nil, false
}

// text returns the SQL value for JSON: a string, or NULL if there is none.
func text(doc []byte) any {
	if doc == nil {
		return nil
	}
	return string(doc)
}
