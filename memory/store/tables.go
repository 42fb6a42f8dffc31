package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Tables is a transaction on SQLite tables.
type Tables interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// A Querier reads tables of rooms.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// View calls read in a transaction that only reads. It is for implementations of stores.
func View(ctx context.Context, db *sql.DB, read func(*sql.Tx) error) (err error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("begin to read the tables of rooms: %w", err)
	}
	defer func() {
		if rollback := tx.Rollback(); rollback != nil && !errors.Is(rollback, sql.ErrTxDone) {
			err = errors.Join(err, rollback)
		}
	}()
	return read(tx)
}

// DropTables drops all tables except those to keep. It is for implementations of stores.
func DropTables(ctx context.Context, tx Tables, keep ...string) error {
	// A virtual table drops the tables that it consists of.
	for _, kind := range []string{"virtual", "table"} {
		names, err := tablesOf(ctx, tx, kind)
		if err != nil {
			return fmt.Errorf("look for the tables of rooms: %w", err)
		}
		for _, name := range names {
			if slices.Contains(keep, name) {
				continue
			}
			if _, err := tx.ExecContext(ctx, "DROP TABLE "+Quoted(name)); err != nil {
				return fmt.Errorf("drop a table of a room: %w", err)
			}
		}
	}
	return nil
}

// Quoted returns the name of a table or column for a statement.
func Quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func tablesOf(ctx context.Context, tx Tables, kind string) (names []string, err error) {
	return Strings(ctx, tx, `SELECT name FROM pragma_table_list
		WHERE schema = 'main' AND type = ? AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`, kind)
}

type queries interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// TableNames returns the names of the tables of a database.
func TableNames(ctx context.Context, db queries) ([]string, error) {
	names, err := Strings(ctx, db, "SELECT name FROM sqlite_schema WHERE type = 'table'")
	if err != nil {
		return nil, fmt.Errorf("list the tables of the memory: %w", err)
	}
	return names, nil
}

// Strings returns the rows of a query that has one column of strings.
func Strings(ctx context.Context, db queries, query string, args ...any) (values []string, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var value string
		if err := rows.Scan(&value); err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, rows.Err()
}
