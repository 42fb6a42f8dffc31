package sqlite

import (
	"context"
	"database/sql"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

// ExecContext writes to a table of a room.
func (tx *transaction) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return tx.tx.ExecContext(ctx, query, args...)
}

// QueryContext reads a table of a room.
func (tx *transaction) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return tx.tx.QueryContext(ctx, query, args...)
}

// QueryRowContext reads one row of a table of a room.
func (tx *transaction) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return tx.tx.QueryRowContext(ctx, query, args...)
}

// QueryContext reads committed data of a table of a room.
func (s *Store) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return s.tables.Load().QueryContext(ctx, query, args...)
}

// QueryRowContext reads one row of the committed data of a table of a room.
func (s *Store) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return s.tables.Load().QueryRowContext(ctx, query, args...)
}

// View calls read with a Querier that shows one state of the tables of rooms.
func (s *Store) View(ctx context.Context, read func(store.Querier) error) error {
	return classify(s.tables.Load().view(ctx, read))
}
