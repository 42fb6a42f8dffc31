package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

const (
	// often is how often a statement is run before it is prepared.
	often = 3
	// maxPrepared is the number of all prepared statements of a connection, maxCounted that of those that are counted.
	maxPrepared, maxCounted = 96, 128
)

// statements keeps the statements of a connection that are run often prepared, because SQLite takes twice as long to
// parse one as to run it. It is safe for concurrent use.
type statements struct {
	mu       sync.Mutex
	prepared map[string]*sql.Stmt
	times    map[string]int // how often the others were run
	due      []string       // those to prepare next
}

// of returns a statement if it is prepared, otherwise nil. It counts how often it was asked for.
func (s *statements) of(text string) *sql.Stmt {
	s.mu.Lock()
	defer s.mu.Unlock()
	if statement := s.prepared[text]; statement != nil {
		return statement
	}
	if s.times == nil || len(s.times) >= maxCounted {
		s.times = map[string]int{}
	}
	if s.times[text]++; s.times[text] == often && len(s.prepared)+len(s.due) < maxPrepared {
		s.due = append(s.due, text)
	}
	return nil
}

// prepareDue prepares the statements that are run often. One that cannot be prepared is run as it is. It waits until
// the connection is free.
func (s *statements) prepareDue(ctx context.Context, db *sql.DB) {
	s.mu.Lock()
	due := s.due
	s.due = nil
	s.mu.Unlock()
	for _, text := range due {
		_ = s.prepare(ctx, db, text)
	}
}

// prepare prepares a statement.
func (s *statements) prepare(ctx context.Context, db *sql.DB, text string) error {
	statement, err := db.PrepareContext(ctx, text)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.prepared == nil {
		s.prepared = map[string]*sql.Stmt{}
	}
	s.prepared[text] = statement
	delete(s.times, text)
	return nil
}

// prepared returns the statements of the connection that writes, of which those of every write are prepared. The
// connection is free.
func (s *Store) prepared(ctx context.Context) (*statements, error) {
	if s.statements != nil {
		return s.statements, nil
	}
	found := &statements{}
	for _, text := range []string{insertChange, selectSince, upsertRow, deleteRow, upsertRetired, deleteRetired} {
		if err := found.prepare(ctx, s.db, text); err != nil {
			return nil, err
		}
	}
	s.statements = found
	return found, nil
}

// A prepared is a transaction that uses prepared statements.
type prepared struct {
	*sql.Tx
	statements *statements
}

// ExecContext is that of the transaction.
func (p prepared) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if statement := p.statements.of(query); statement != nil {
		return p.StmtContext(ctx, statement).ExecContext(ctx, args...)
	}
	return p.Tx.ExecContext(ctx, query, args...)
}

// QueryContext is that of the transaction. A statement without arguments is not prepared: SQLite would not say that
// its rows are still read, as it does if arguments are set.
func (p prepared) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if len(args) == 0 {
		return p.Tx.QueryContext(ctx, query)
	}
	if statement := p.statements.of(query); statement != nil {
		rows, err := p.StmtContext(ctx, statement).QueryContext(ctx, args...)
		if !isRead(err) {
			return rows, err
		}
	}
	return p.Tx.QueryContext(ctx, query, args...)
}

// QueryRowContext is that of the transaction.
func (p prepared) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if statement := p.statements.of(query); statement != nil {
		if row := p.StmtContext(ctx, statement).QueryRowContext(ctx, args...); !isRead(row.Err()) {
			return row
		}
	}
	return p.Tx.QueryRowContext(ctx, query, args...)
}

// A reader is the connection that reads the tables of rooms. While rows of a statement are read it is not free, so
// no statement is run twice at the same time.
type reader struct {
	*sql.DB
	statements statements
}

// connectReader connects to the database to read, with a cache of pages.
func connectReader(path string, met *damage, cache string) *reader {
	return &reader{DB: connectWith(path, met, "mode=ro", cache)}
}

// QueryContext is that of the database.
func (r *reader) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if statement := r.prepared(ctx, query); statement != nil {
		return statement.QueryContext(ctx, args...)
	}
	return r.DB.QueryContext(ctx, query, args...)
}

// QueryRowContext is that of the database.
func (r *reader) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if statement := r.prepared(ctx, query); statement != nil {
		return statement.QueryRowContext(ctx, args...)
	}
	return r.DB.QueryRowContext(ctx, query, args...)
}

// prepared returns a statement if it is prepared, otherwise nil.
func (r *reader) prepared(ctx context.Context, query string) *sql.Stmt {
	r.statements.prepareDue(ctx, r.DB)
	return r.statements.of(query)
}

// view calls read in a transaction that only reads.
func (r *reader) view(ctx context.Context, read func(store.Querier) error) error {
	r.statements.prepareDue(ctx, r.DB)
	return store.View(ctx, r.DB, func(tx *sql.Tx) error { return read(prepared{tx, &r.statements}) })
}

// isRead reports whether a statement was not run because rows of it are still read.
func isRead(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && e.Code() == sqlite3.SQLITE_MISUSE
}
