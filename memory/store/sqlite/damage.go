package sqlite

import (
	"context"
	sqldriver "database/sql/driver"
	"errors"
	"io"
	"strings"
	"sync/atomic"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// A damage is the first error by which SQLite said, since the database was opened, that it is
// damaged. Every connection notes it, because rooms pass errors of their reads on, or leave out
// what cannot be read.
type damage struct{ found atomic.Pointer[error] }

// note keeps an error if it says that the database is damaged.
func (d *damage) note(err error) {
	if err == nil || err == io.EOF {
		return
	}
	var e *driver.Error
	if errors.As(err, &e) && isDamage(e) {
		damaged := classify(err) // not err, for which every call would allocate memory
		d.found.CompareAndSwap(nil, &damaged)
	}
}

// isDamage reports whether an error of SQLite says that a database is damaged. A table that is missing is created
// when the database is opened again.
func isDamage(err *driver.Error) bool {
	code := err.Code() & 0xff
	return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB ||
		code == sqlite3.SQLITE_ERROR && strings.Contains(err.Error(), "no such table: ")
}

// Damage returns the damage that a statement has met since the database was opened, nil if there
// was none. The error is store.ErrCorrupt.
func (s *Store) Damage() error {
	if found := s.damage.found.Load(); found != nil {
		return *found
	}
	return nil
}

// driverConn is what a connection of the driver implements.
type driverConn interface {
	sqldriver.Conn
	sqldriver.ConnPrepareContext
	sqldriver.ConnBeginTx
	sqldriver.ExecerContext
	sqldriver.QueryerContext
	sqldriver.SessionResetter
	sqldriver.Validator
	sqldriver.Pinger
}

// A notingConn notes the damage that its statements meet.
type notingConn struct {
	driverConn
	*damage
}

// PrepareContext implements sqldriver.ConnPrepareContext.
func (c notingConn) PrepareContext(ctx context.Context, query string) (sqldriver.Stmt, error) {
	prepared, err := c.driverConn.PrepareContext(ctx, query)
	if err != nil {
		c.note(err)
		return nil, err
	}
	return notingStmt{prepared.(driverStmt), c.damage}, nil
}

// ExecContext implements sqldriver.ExecerContext.
func (c notingConn) ExecContext(
	ctx context.Context, query string, args []sqldriver.NamedValue,
) (sqldriver.Result, error) {
	result, err := c.driverConn.ExecContext(ctx, query, args)
	c.note(err)
	return result, err
}

// QueryContext implements sqldriver.QueryerContext.
func (c notingConn) QueryContext(
	ctx context.Context, query string, args []sqldriver.NamedValue,
) (sqldriver.Rows, error) {
	return c.rows(c.driverConn.QueryContext(ctx, query, args))
}

// rows returns rows that note damage.
func (d *damage) rows(rows sqldriver.Rows, err error) (sqldriver.Rows, error) {
	if err != nil {
		d.note(err)
		return nil, err
	}
	return notingRows{rows, d}, nil
}

// driverStmt is what a statement of the driver implements.
type driverStmt interface {
	sqldriver.Stmt
	sqldriver.StmtExecContext
	sqldriver.StmtQueryContext
}

// A notingStmt is a prepared statement of a notingConn.
type notingStmt struct {
	driverStmt
	*damage
}

// ExecContext implements sqldriver.StmtExecContext.
func (s notingStmt) ExecContext(ctx context.Context, args []sqldriver.NamedValue) (sqldriver.Result, error) {
	result, err := s.driverStmt.ExecContext(ctx, args)
	s.note(err)
	return result, err
}

// QueryContext implements sqldriver.StmtQueryContext.
func (s notingStmt) QueryContext(ctx context.Context, args []sqldriver.NamedValue) (sqldriver.Rows, error) {
	return s.rows(s.driverStmt.QueryContext(ctx, args))
}

// A notingRows are the rows of a statement of a notingConn.
type notingRows struct {
	sqldriver.Rows
	*damage
}

// Next implements sqldriver.Rows.
func (r notingRows) Next(values []sqldriver.Value) error {
	err := r.Rows.Next(values)
	r.note(err)
	return err
}
