package backup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// notKept reports whether a row of the meta data is left out: the versions of the tables of derived
// rooms, so that these are made anew, and what only this database and its readable copy have.
func notKept(key any, derived []string) bool {
	switch key {
	case store.RestoredKey, store.CopyHashKey, store.CopyStampKey:
		return true
	}
	return slices.ContainsFunc(derived, func(room string) bool { return key == store.TablesKey(room) })
}

// writeTables writes the tables of a database, without those of derived rooms.
func writeTables(ctx context.Context, db store.Querier, w *writer, derived []string) error {
	tables, err := tablesOf(ctx, db, derived)
	if err != nil {
		return err
	}
	for _, t := range tables {
		order, err := columnsOf(ctx, db, &t)
		if err != nil {
			return err
		}
		if err := w.write(line{Table: &t}); err != nil {
			return err
		}
		if err := writeRows(ctx, db, w, t, order, derived); err != nil {
			return err
		}
	}
	return nil
}

// tablesOf returns the tables by name, with the statements that create them, without columns.
func tablesOf(ctx context.Context, db store.Querier, derived []string) (tables []table, err error) {
	rows, err := db.QueryContext(ctx, `SELECT tbl_name, sql FROM sqlite_schema
		WHERE type IN ('table', 'index') AND sql IS NOT NULL AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
		ORDER BY tbl_name, type = 'index', name`)
	if err != nil {
		return nil, fmt.Errorf("read the tables: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var name, create string
		if err := rows.Scan(&name, &create); err != nil {
			return nil, fmt.Errorf("read the tables: %w", err)
		}
		if slices.ContainsFunc(derived, func(room string) bool { return strings.HasPrefix(name, room+"_") }) {
			continue
		}
		if len(tables) == 0 || tables[len(tables)-1].Name != name {
			tables = append(tables, table{Name: name})
		}
		last := &tables[len(tables)-1]
		last.Create = append(last.Create, create)
	}
	return tables, rows.Err()
}

// columnsOf sets the columns of a table, and returns the order of its rows.
func columnsOf(ctx context.Context, db store.Querier, t *table) (order string, err error) {
	rows, err := db.QueryContext(ctx, `SELECT name, pk FROM pragma_table_info(?) ORDER BY cid`, t.Name)
	if err != nil {
		return "", fmt.Errorf("read the columns of %s: %w", t.Name, err)
	}
	defer rows.Close()
	var keys []string // by their place in the primary key
	for rows.Next() {
		var name string
		var place int
		if err := rows.Scan(&name, &place); err != nil {
			return "", fmt.Errorf("read the columns of %s: %w", t.Name, err)
		}
		t.Columns = append(t.Columns, name)
		if place > 0 {
			keys = append(keys, make([]string, max(0, place-len(keys)))...)
			keys[place-1] = store.Quoted(name)
		}
	}
	if len(keys) == 0 {
		return "rowid", rows.Err()
	}
	return strings.Join(keys, ", "), rows.Err()
}

func writeRows(ctx context.Context, db store.Querier, w *writer, t table, order string, derived []string) error {
	rows, err := db.QueryContext(ctx, "SELECT "+columnList(t)+" FROM "+store.Quoted(t.Name)+" ORDER BY "+order)
	if err != nil {
		return fmt.Errorf("read the rows of %s: %w", t.Name, err)
	}
	defer rows.Close()
	values, into := make([]value, len(t.Columns)), make([]any, len(t.Columns))
	for i := range values {
		into[i] = &values[i].of
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return fmt.Errorf("read the rows of %s: %w", t.Name, err)
		}
		if t.Name == "meta" && notKept(values[0].of, derived) {
			continue
		}
		if err := w.write(line{Row: values}); err != nil {
			return err
		}
	}
	return rows.Err()
}

func columnList(t table) string {
	columns := make([]string, len(t.Columns))
	for i, name := range t.Columns {
		columns[i] = store.Quoted(name)
	}
	return strings.Join(columns, ", ")
}

// A loader writes tables of a backup into a new database.
type loader struct {
	ctx    context.Context
	tx     store.Tables
	table  table
	insert string
}

// mark records that the database was restored.
func (l *loader) mark(now time.Time) error {
	_, err := l.tx.ExecContext(l.ctx, "INSERT INTO meta(key, value) VALUES(?, ?)", store.RestoredKey,
		now.UTC().Format(time.RFC3339Nano))
	if err != nil {
		return fmt.Errorf("mark the database as restored: %w", err)
	}
	return nil
}

// begin sets the version of the schema.
func (l *loader) begin(h header) error {
	if _, err := l.tx.ExecContext(l.ctx, fmt.Sprintf("PRAGMA user_version = %d", h.Schema)); err != nil {
		return fmt.Errorf("set the version of the tables: %w", err)
	}
	return nil
}

// take loads a line. Files are skipped.
func (l *loader) take(read line) error {
	switch {
	case read.Table != nil:
		return l.create(*read.Table)
	case read.Row != nil:
		return l.add(read.Row)
	}
	return nil
}

// creation matches the statements that a backup may contain: one that creates a table or an index.
var creation = once.Compile(`(?i)^\s*CREATE\s+(TABLE|(UNIQUE\s+)?INDEX)\s[^;]*$`)

// checkTable returns an error if a table must not be restored. A backup is data, so it must not
// bring other statements.
func checkTable(t table) error {
	for _, statement := range t.Create {
		if !creation.MatchString(statement) {
			return fmt.Errorf("the table %s is created by another statement than CREATE TABLE or CREATE INDEX", t.Name)
		}
	}
	return nil
}

func (l *loader) create(t table) error {
	for _, statement := range t.Create {
		if _, err := l.tx.ExecContext(l.ctx, statement); err != nil {
			return fmt.Errorf("create the table %s: %w", t.Name, err)
		}
	}
	l.table = t
	l.insert = "INSERT INTO " + store.Quoted(t.Name) + "(" + columnList(t) + ") VALUES(" +
		strings.TrimSuffix(strings.Repeat("?,", len(t.Columns)), ",") + ")"
	return nil
}

func (l *loader) add(row []value) error {
	if l.table.Name == "" {
		return errors.New("it is a row before the first table")
	}
	if len(row) != len(l.table.Columns) {
		return fmt.Errorf("it has %d values, but %s has %d columns", len(row), l.table.Name, len(l.table.Columns))
	}
	args := make([]any, len(row))
	for i := range row {
		args[i] = row[i].of
	}
	if _, err := l.tx.ExecContext(l.ctx, l.insert, args...); err != nil {
		return fmt.Errorf("add a row of %s: %w", l.table.Name, err)
	}
	return nil
}
