package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

// salvageQueries bounds the queries on a damaged database. Two are enough for one damaged page.
const salvageQueries = 400

// SalvageRetired returns the retired rows of a room that can be read in a database that was
// set aside, in no order. The error is not nil if none can be read because of the damage.
func (s *Store) SalvageRetired(ctx context.Context, setAside, room string) ([]change.Row, error) {
	path := (&urlPath{filepath.Join(s.dir, setAside)}).String()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	found := map[string]change.Row{}
	// What is between the damaged pages is found by halving the ranges of keys that cannot be
	// read as a whole, the widest first.
	ranges := [][2]string{{"", "\xff"}}
	for queries := 0; len(ranges) > 0 && queries < salvageQueries; queries += 2 {
		from, to := ranges[0][0], ranges[0][1]
		ranges = ranges[1:]
		last, readErr := readRange(ctx, db, found, room, from, to, "ASC")
		if readErr == nil {
			continue
		}
		err = readErr
		first, _ := readRange(ctx, db, found, room, from, to, "DESC")
		if last != "" {
			from = last
		}
		if first != "" {
			to = first
		}
		if middle := between(from, to); middle != "" {
			ranges = append(ranges, [2]string{from, middle}, [2]string{middle, to})
		}
	}
	rows := make([]change.Row, 0, len(found))
	for _, row := range found {
		rows = append(rows, row)
	}
	if len(rows) > 0 {
		err = nil
	}
	return rows, err
}

// readRange reads the rows with keys from one up to another, which it does not include, up to
// the first that cannot be read. It returns the key of the last row.
func readRange(
	ctx context.Context, db *sql.DB, found map[string]change.Row, room, from, to, order string,
) (last string, err error) {
	rows, err := db.QueryContext(ctx,
		"SELECT key, value FROM retired WHERE room = ? AND key >= ? AND key < ? ORDER BY key "+order, room, from, to)
	if err != nil {
		return "", fmt.Errorf("read the retired rows of a damaged database: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var row change.Row
		if err := rows.Scan(&row.Key, (*[]byte)(&row.Value)); err != nil {
			return last, err
		}
		found[row.Key], last = row, row.Key
	}
	return last, rows.Err()
}

// between returns a key in the middle of two, "" if there is none.
func between(from, to string) string {
	const length = 32 // bytes, of which the ids of entries have 26
	digit := func(key string, i int) int {
		if i < len(key) {
			return int(key[i])
		}
		return 0
	}
	sum := make([]int, length)
	for i := length - 1; i >= 0; i-- {
		sum[i] += digit(from, i) + digit(to, i)
		if i > 0 && sum[i] > 0xff {
			sum[i-1], sum[i] = 1, sum[i]-0x100
		}
	}
	middle, rest := make([]byte, length), 0
	for i := range middle {
		half := rest<<8 + sum[i]
		middle[i], rest = byte(half/2), half%2
	}
	if key := string(middle); from < key && key < to {
		return key
	}
	return ""
}
