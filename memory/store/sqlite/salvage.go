package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// salvageQueries bounds the queries on a damaged table. Two are enough for one damaged page.
const salvageQueries = 400

// openAside opens a database that was set aside. Without a write-ahead log it is opened so that SQLite makes none. A
// file that is shorter than it should be is opened, too: SQLite refuses it unless the schema may be written.
func (s *Store) openAside(name string) (*sql.DB, error) {
	path := filepath.Join(s.dir, name)
	mode := "?mode=ro&_pragma=writable_schema(1)"
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() == 0 {
		mode += "&immutable=1"
	}
	db, err := sql.Open("sqlite", "file:"+(&urlPath{path}).String()+mode)
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// Salvage copies what can be read in a database that was set aside into this one, which is new: its own
// tables, and the tables of some rooms, which it creates. What the own tables hold is replaced, but for rows
// of tables that cannot be read at all.
func (s *Store) Salvage(ctx context.Context, setAside string, rooms []string) (store.Salvaged, error) {
	var salvaged store.Salvaged
	db, err := s.openAside(setAside)
	if err != nil {
		return salvaged, err
	}
	defer func() { _ = db.Close() }()
	return salvaged, s.Update(ctx, store.Durable, nil, func(tx store.Tx) error {
		salvaged = store.Salvaged{}
		return s.salvage(ctx, db, tx, rooms, &salvaged)
	})
}

func (s *Store) salvage(
	ctx context.Context, db *sql.DB, tx store.Tx, rooms []string, salvaged *store.Salvaged,
) error {
	for _, begun := range []string{"DELETE FROM log", "DELETE FROM meta"} { // see step
		if _, err := tx.ExecContext(ctx, begun); err != nil {
			return fmt.Errorf("take over a damaged database: %w", err)
		}
	}
	for _, table := range ownTables {
		if err := s.salvageInto(ctx, db, tx, table, salvaged); err != nil {
			return err
		}
	}
	if slices.Contains(salvaged.Lost, "log") {
		snapshot, err := selectSnapshotSeq(ctx, tx)
		if err != nil {
			return err
		}
		if err := continueNumbers(ctx, tx, snapshot, time.Now()); err != nil {
			return err
		}
	}
	return s.salvageRooms(ctx, db, tx, rooms, salvaged)
}

// salvageRooms copies the tables of rooms, with their indexes and versions.
func (s *Store) salvageRooms(
	ctx context.Context, db *sql.DB, tx store.Tx, rooms []string, salvaged *store.Salvaged,
) error {
	if _, err := tx.ExecContext(ctx, "DELETE FROM meta WHERE key GLOB ?", store.TablesKey("*")); err != nil {
		return fmt.Errorf("take over a damaged database: %w", err)
	}
	for _, room := range rooms {
		tables, indexes, version, err := roomTables(ctx, db, room)
		if err != nil || version == "" { // they are created, empty, by the room
			salvaged.Lost = append(salvaged.Lost, room)
			continue
		}
		for _, table := range tables {
			if _, err := tx.ExecContext(ctx, table.create); err != nil {
				return fmt.Errorf("create a table of a damaged database: %w", err)
			}
			if err := s.salvageInto(ctx, db, tx, table.name, salvaged); err != nil {
				return err
			}
		}
		for _, index := range indexes {
			if _, err := tx.ExecContext(ctx, index); err != nil {
				return fmt.Errorf("create an index of a damaged database: %w", err)
			}
		}
		if err := tx.SetMeta(store.TablesKey(room), version); err != nil {
			return err
		}
	}
	return nil
}

type roomTable struct{ name, create string }

// roomTables returns the tables of a room in a damaged database, the statements of their indexes, and their
// version.
func roomTables(ctx context.Context, db *sql.DB, room string) (
	tables []roomTable, indexes []string, version string, err error,
) {
	rows, err := db.QueryContext(ctx, `SELECT type, name, sql FROM sqlite_schema
		WHERE tbl_name GLOB ? AND sql IS NOT NULL ORDER BY rowid`, room+"_*")
	if err != nil {
		return nil, nil, "", err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var kind, name, create string
		if err := rows.Scan(&kind, &name, &create); err != nil {
			return nil, nil, "", err
		}
		if kind == "table" {
			tables = append(tables, roomTable{name, create})
		} else {
			indexes = append(indexes, create)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, nil, "", err
	}
	err = db.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", store.TablesKey(room)).Scan(&version)
	return tables, indexes, version, err
}

// salvageInto copies the rows of a table that can be read into the table of the same name. If there are others, it
// is noted as lost in part.
func (s *Store) salvageInto(
	ctx context.Context, db *sql.DB, tx store.Tx, table string, salvaged *store.Salvaged,
) error {
	keys, columns, err := columnsOfTable(ctx, db, table)
	if err != nil {
		s.log.Warn("read a table of a damaged database", "table", table, "error", err)
		salvaged.Lost = append(salvaged.Lost, table)
		return nil
	}
	list := strings.Join(columns, ", ")
	insert := fmt.Sprintf("INSERT OR IGNORE INTO %s(%s) VALUES(?%s)", store.Quoted(table), list,
		strings.Repeat(", ?", len(columns)-1))
	var failed error
	put := func(values []any) bool {
		var result sql.Result
		if result, failed = tx.ExecContext(ctx, insert, values...); failed != nil {
			return false
		}
		if added, err := result.RowsAffected(); err == nil {
			salvaged.Rows += int(added)
		}
		return true
	}
	var readErr error
	if len(keys) == 0 {
		readErr = readByNumber(ctx, db, table, columns, put)
	} else {
		readErr = readByKeys(ctx, db, table, keys, columns, put)
	}
	if failed != nil {
		return fmt.Errorf("take over rows of a damaged database: %w", failed)
	}
	if readErr != nil {
		s.log.Warn("read a table of a damaged database", "table", table, "error", readErr)
		salvaged.Lost = append(salvaged.Lost, table)
	}
	return nil
}

// columnsOfTable returns the columns of a table. keys are those of the primary key if the table has no numbers of
// rows, at most two. A table with numbers has the columns with "rowid", unless one of them is the number.
func columnsOfTable(ctx context.Context, db *sql.DB, table string) (keys, columns []string, err error) {
	rows, err := db.QueryContext(ctx, `SELECT name, type, pk, (SELECT wr FROM pragma_table_list WHERE name = ?1)
		FROM pragma_table_info(?1) ORDER BY pk, cid`, table)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	number := "rowid"
	for rows.Next() {
		var name, kind string
		var place int
		var withoutNumbers bool
		if err := rows.Scan(&name, &kind, &place, &withoutNumbers); err != nil {
			return nil, nil, err
		}
		switch {
		case place > 0 && withoutNumbers:
			keys = append(keys, store.Quoted(name))
		case place > 0 && strings.EqualFold(kind, "INTEGER"):
			number = ""
		}
		columns = append(columns, store.Quoted(name))
	}
	if err := rows.Err(); err != nil {
		return nil, nil, err
	}
	if len(columns) == 0 || len(keys) > 2 {
		return nil, nil, fmt.Errorf("the table %s has %d columns and %d keys", table, len(columns), len(keys))
	}
	if len(keys) == 0 && number != "" {
		columns = append([]string{number}, columns...)
	}
	return keys, columns, nil
}

// readByNumber calls put with the rows of a table with numbers that can be read, until it returns false.
func readByNumber(ctx context.Context, db *sql.DB, table string, columns []string, put func([]any) bool) error {
	// An index may be what is damaged.
	query := fmt.Sprintf("SELECT rowid, %s FROM %s NOT INDEXED WHERE rowid >= ? AND rowid < ? ORDER BY rowid ",
		strings.Join(columns, ", "), store.Quoted(table))
	going := true
	read := func(from, to int64, order string) (last int64, found bool, err error) {
		err = eachRow(ctx, db, query+order, []any{from, to}, len(columns)+1, func(values []any) bool {
			last, found = values[0].(int64), true
			going = put(values[1:])
			return going
		})
		return last, found, err
	}
	return halved(0, math.MaxInt64, read, func(from, to int64) (int64, bool) {
		middle := from + (to-from)/2
		return middle, from < middle && going
	})
}

// A textKey is the key of a row of a table without numbers; the second column may be missing.
type textKey [2]string

// readByKeys calls put with the rows of a table without numbers that can be read, until it returns false.
func readByKeys(
	ctx context.Context, db *sql.DB, table string, keys, columns []string, put func([]any) bool,
) error {
	names, marks := strings.Join(keys, ", "), "?"+strings.Repeat(", ?", len(keys)-1)
	going := true
	read := func(from, to textKey, order string) (last textKey, found bool, err error) {
		query := fmt.Sprintf("SELECT %[1]s, %[2]s FROM %[3]s WHERE (%[1]s) >= (%[4]s) AND (%[1]s) < (%[4]s) ORDER BY ",
			names, strings.Join(columns, ", "), store.Quoted(table), marks)
		var args []any
		for _, bound := range []textKey{from, to} {
			for i := range keys {
				args = append(args, bound[i])
			}
		}
		query += strings.Join(keys, " "+order+", ") + " " + order
		err = eachRow(ctx, db, query, args, len(keys)+len(columns), func(values []any) bool {
			for i := range keys {
				last[i], _ = values[i].(string)
			}
			found = true
			going = put(values[len(keys):])
			return going
		})
		return last, found, err
	}
	return halved(textKey{}, textKey{"\xff"}, read, func(from, to textKey) (textKey, bool) {
		if !going {
			return textKey{}, false
		}
		if from[0] == to[0] {
			middle, is := between(from[1], to[1])
			return textKey{from[0], middle}, is
		}
		if middle, is := between(from[0], to[0]); is {
			return textKey{middle}, true
		}
		return textKey{to[0]}, to[1] != ""
	})
}

// eachRow calls yield with the values of the rows of a query until it returns false. They are in memory of their own.
func eachRow(
	ctx context.Context, db *sql.DB, query string, args []any, columns int, yield func([]any) bool,
) (err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		values, to := make([]any, columns), make([]any, columns)
		for i := range values {
			to[i] = &values[i]
		}
		if err := rows.Scan(to...); err != nil {
			return err
		}
		if !yield(values) {
			return nil
		}
	}
	return rows.Err()
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
	known := map[int64]bool{}
	var failed error
	columns := append([]string{table.Key}, table.Columns...)
	err = readByNumber(ctx, db, table.Name, columns, func(values []any) bool {
		if number, _ := values[0].(int64); !known[number] {
			known[number] = true
			failed = yield(values[1:])
		}
		return failed == nil
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
