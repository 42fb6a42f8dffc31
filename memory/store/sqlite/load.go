package sqlite

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"fmt"
	"io"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// Load reads the state. It calls each, unless that is nil, with the rows of every room as soon
// as they are read.
func (s *Store) Load(ctx context.Context, each func(room string, rows []change.Row)) (store.State, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	state, err := s.load(ctx, each)
	return state, classify(err)
}

func (s *Store) load(ctx context.Context, each func(room string, rows []change.Row)) (store.State, error) {
	if s.db == nil {
		return store.State{}, store.ErrClosed
	}
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return store.State{}, fmt.Errorf("read the memory: %w", err)
	}
	defer func() { _ = conn.Close() }()
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return store.State{}, fmt.Errorf("read the memory: %w", err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, smallCache); err != nil {
		return store.State{}, fmt.Errorf("read the memory: %w", err)
	}
	defer func() { _, _ = tx.ExecContext(ctx, usualCache) }()
	return selectState(ctx, tx, func(found func(room string, rows []change.Row)) error {
		return eachStateRow(ctx, conn, func(room string, rows []change.Row) {
			found(room, rows)
			if each != nil {
				each(room, rows)
			}
		})
	})
}

// All pages of the tables of rows are read once at the start, so they are not kept: memory
// that is used for the first time costs more than reading a page again from the cache of the
// system. The sizes are in units of -1 KB; usualCache is the default of SQLite.
const (
	smallCache = "PRAGMA cache_size = -128"
	usualCache = "PRAGMA cache_size = -2000"
)

// Load reads the state as the transaction sees it.
func (tx *transaction) Load() (store.State, error) {
	return selectState(tx.ctx, tx.tx, func(found func(room string, rows []change.Row)) error {
		return eachRoom(tx.ctx, tx.tx, "state", "", found)
	})
}

// selectState reads the state. each calls a function with the rows of every room.
func selectState(
	ctx context.Context, q store.Querier, each func(found func(room string, rows []change.Row)) error,
) (state store.State, err error) {
	if err := q.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM log").Scan(&state.Seq); err != nil {
		return state, fmt.Errorf("read the memory: %w", err)
	}
	state.Rows = map[string][]change.Row{}
	if err := each(func(room string, rows []change.Row) { state.Rows[room] = rows }); err != nil {
		return state, err
	}
	state.Meta, err = selectMeta(ctx, q)
	return state, err
}

const (
	nextRoom   = "SELECT room FROM state WHERE room > ? ORDER BY room LIMIT 1"
	rowsOfRoom = "SELECT CAST(key || value AS BLOB), octet_length(key) FROM state WHERE room = ?"
)

// eachStateRow calls each with the rows of every room in the table state, in the transaction of a
// connection. It is eachRoom for the start, when all rows are read: database/sql takes a quarter as
// long again for each row as the driver, and a string of all rows of a room grows in memory that is
// used for the first time.
func eachStateRow(ctx context.Context, on *sql.Conn, each func(room string, rows []change.Row)) error {
	err := on.Raw(func(conn any) error {
		next, err := prepareRaw(ctx, conn, nextRoom)
		if err != nil {
			return err
		}
		defer next.Close()
		rows, err := prepareRaw(ctx, conn, rowsOfRoom)
		if err != nil {
			return err
		}
		defer rows.Close()
		for room := ""; ; {
			known := false
			err := next.each(ctx, room, func(values []sqldriver.Value) (ok bool) {
				room, ok = values[0].(string)
				known = true
				return ok
			})
			if err != nil || !known {
				return err
			}
			var found []change.Row
			err = rows.each(ctx, room, func(values []sqldriver.Value) bool {
				packed, isBytes := values[0].([]byte)
				key, isNumber := values[1].(int64)
				if !isBytes || !isNumber || key > int64(len(packed)) {
					return false
				}
				found = append(found, change.Row{Key: string(packed[:key]), Value: packed[key:]})
				return true
			})
			if err != nil {
				return err
			}
			each(room, found)
		}
	})
	if err != nil {
		return fmt.Errorf("read the rows of the memory: %w", err)
	}
	return nil
}

// A rawStatement is a prepared statement with one parameter.
type rawStatement struct {
	sqldriver.Stmt
	query sqldriver.StmtQueryContext
}

// prepareRaw prepares a statement on a connection of the driver.
func prepareRaw(ctx context.Context, conn any, statement string) (*rawStatement, error) {
	preparer, can := conn.(sqldriver.ConnPrepareContext)
	if !can {
		return nil, errors.ErrUnsupported
	}
	prepared, err := preparer.PrepareContext(ctx, statement)
	if err != nil {
		return nil, err
	}
	query, can := prepared.(sqldriver.StmtQueryContext)
	if !can {
		return nil, errors.Join(errors.ErrUnsupported, prepared.Close())
	}
	return &rawStatement{prepared, query}, nil
}

// each calls read with the values of every row, which are valid after the call, too. If read returns
// false, the error is store.ErrCorrupt.
func (s *rawStatement) each(ctx context.Context, parameter string, read func([]sqldriver.Value) bool) error {
	rows, err := s.query.QueryContext(ctx, []sqldriver.NamedValue{{Ordinal: 1, Value: parameter}})
	if err != nil {
		return err
	}
	values := make([]sqldriver.Value, len(rows.Columns()))
	for err = rows.Next(values); err == nil; err = rows.Next(values) {
		if !read(values) {
			err = fmt.Errorf("%w: a row has values of other types", store.ErrCorrupt)
			break
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, rows.Close())
}
