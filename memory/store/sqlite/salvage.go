package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// salvageQueries bounds the queries on a damaged table. Two are enough for one damaged page.
const salvageQueries = 400

// openAside opens a database that was set aside.
func (s *Store) openAside(name string) (*sql.DB, error) {
	path := (&urlPath{filepath.Join(s.dir, name)}).String()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// SalvageRetired returns the retired rows of a room that can be read in a database that was
// set aside, in no order. The error is not nil if none can be read because of the damage.
func (s *Store) SalvageRetired(ctx context.Context, setAside, room string) ([]change.Row, error) {
	db, err := s.openAside(setAside)
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	found := map[string]change.Row{}
	read := func(from, to, order string) (last string, some bool, err error) {
		rows, err := db.QueryContext(ctx, "SELECT key, value FROM retired WHERE room = ? AND key >= ? AND key < ? "+
			"ORDER BY key "+order, room, from, to)
		if err != nil {
			return "", false, fmt.Errorf("read the retired rows of a damaged database: %w", err)
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for rows.Next() {
			var row change.Row
			if err := rows.Scan(&row.Key, (*[]byte)(&row.Value)); err != nil {
				return last, last != "", err
			}
			found[row.Key], last = row, row.Key
		}
		return last, last != "", rows.Err()
	}
	err = halved("", "\xff", read, between)
	rows := make([]change.Row, 0, len(found))
	for _, row := range found {
		rows = append(rows, row)
	}
	if len(rows) > 0 {
		err = nil
	}
	return rows, err
}

// SalvageTable calls yield with the rows of a table that can be read in a database that was set aside, each once
// and in no order. The error says why others cannot be read; it is that of yield if that fails.
func (s *Store) SalvageTable(
	ctx context.Context, setAside string, table room.Table, yield func(columns []any) error,
) error {
	db, err := s.openAside(setAside)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	// An index may be what is damaged.
	query := fmt.Sprintf("SELECT %[1]s, %[2]s FROM %[3]s NOT INDEXED WHERE %[1]s >= ? AND %[1]s < ? ORDER BY %[1]s ",
		table.Key, strings.Join(table.Columns, ", "), table.Name)
	known := map[int64]bool{}
	var failed error
	read := func(from, to int64, order string) (last int64, found bool, err error) {
		rows, err := db.QueryContext(ctx, query+order, from, to)
		if err != nil {
			return 0, false, fmt.Errorf("read the table %s of a damaged database: %w", table.Name, err)
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for failed == nil && rows.Next() {
			columns := make([]any, len(table.Columns))
			to := []any{&last}
			for i := range columns {
				to = append(to, &columns[i])
			}
			if err := rows.Scan(to...); err != nil {
				return last, found, err
			}
			if found = true; !known[last] {
				known[last] = true
				failed = yield(columns)
			}
		}
		return last, found, rows.Err()
	}
	err = halved(0, math.MaxInt64, read, func(from, to int64) (int64, bool) {
		middle := from + (to-from)/2
		return middle, from < middle && failed == nil
	})
	return errors.Join(failed, err)
}

// halved reads what is between the damaged pages: ranges of keys that cannot be read as a whole are halved, the
// widest first. read reads from one key up to another, which it does not include, in an order, up to the first row
// that cannot be read, and returns the last key. The error is nil if everything could be read.
func halved[K any](
	from, to K, read func(from, to K, order string) (last K, some bool, err error), between func(from, to K) (K, bool),
) (err error) {
	ranges := [][2]K{{from, to}}
	for queries := 0; len(ranges) > 0 && queries < salvageQueries; queries += 2 {
		from, to := ranges[0][0], ranges[0][1]
		ranges = ranges[1:]
		last, found, readErr := read(from, to, "ASC")
		if readErr == nil {
			continue
		}
		err = readErr
		first, foundLater, _ := read(from, to, "DESC")
		if found {
			from = last
		}
		if foundLater {
			to = first
		}
		if middle, is := between(from, to); is {
			ranges = append(ranges, [2]K{from, middle}, [2]K{middle, to})
		}
	}
	return err
}

// between returns a key in the middle of two.
func between(from, to string) (string, bool) {
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
	key := string(middle)
	return key, from < key && key < to
}
