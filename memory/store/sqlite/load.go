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

// Load reads the state. If each is not nil, it is called with the rows of rooms as soon as
// they are read, in parts, instead.
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
	if each == nil {
		return selectState(ctx, tx)
	}
	if _, err := tx.ExecContext(ctx, "PRAGMA "+smallCache); err != nil {
		return store.State{}, fmt.Errorf("read the memory: %w", err)
	}
	defer func() { _, _ = tx.ExecContext(ctx, "PRAGMA "+usualCache) }()
	state, err := selectAllButRows(ctx, tx)
	if err == nil {
		err = eachStateRow(ctx, conn, each)
	}
	return state, err
}

// All pages of the tables of rows are read once at the start, so they are not kept: memory
// that is used for the first time costs more than reading a page again from the cache of the
// system. Afterwards a connection keeps few pages, too: rooms keep what they read often, and most
// other pages are read once, or written in their order. SQLite lets each connection of a process
// use what all of them may keep together. The sizes are in units of -1 KB.
const (
	smallCache = "cache_size(-128)"
	usualCache = "cache_size(-512)"
)

// Load reads the state as the transaction sees it.
func (tx *transaction) Load() (store.State, error) { return selectState(tx.ctx, tx.tx) }

func selectState(ctx context.Context, q store.Querier) (store.State, error) {
	state, err := selectAllButRows(ctx, q)
	if err == nil {
		state.Rows, err = selectRows(ctx, q, "state", "")
	}
	return state, err
}

func selectAllButRows(ctx context.Context, q store.Querier) (state store.State, err error) {
	if err := q.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM log").Scan(&state.Seq); err != nil {
		return state, fmt.Errorf("read the memory: %w", err)
	}
	if state.Meta, err = selectMeta(ctx, q); err != nil {
		return state, err
	}
	state.Tables, err = store.TableNames(ctx, q)
	return state, err
}

// stateRows selects the rows of rooms. A damaged one may hold values of other types.
const stateRows = "SELECT CAST(room AS TEXT), CAST(key AS TEXT), CAST(value AS BLOB) FROM state"

// partOfRows is the maximum number of rows of a part: what takes some tenths of a millisecond to decode.
const partOfRows = 128

// eachStateRow calls each with the rows of rooms in the table state, in parts, in the transaction of a
// connection. It is selectRows for the start, when all rows are read: database/sql takes a quarter as
// long again for each row as the driver, and a string of all rows of a room, or a list of them, grows in
// memory that is used for the first time.
func eachStateRow(ctx context.Context, on *sql.Conn, each func(room string, rows []change.Row)) error {
	var room string
	var part []change.Row // of the room
	give := func() {
		if len(part) > 0 {
			each(room, part)
		}
		part = nil
	}
	err := on.Raw(func(conn any) error {
		return eachRaw(ctx, conn, stateRows, func(values []sqldriver.Value) bool {
			of, isName := values[0].(string)
			key, isKey := values[1].(string)
			value, isValue := values[2].([]byte)
			if !isName || !isKey || !isValue {
				return false
			}
			if value == nil { // it is empty, and no value says that the row was deleted
				value = []byte{}
			}
			if of != room || len(part) == partOfRows {
				give()
			}
			if part == nil {
				room, part = of, make([]change.Row, 0, partOfRows)
			}
			part = append(part, change.Row{Key: key, Value: value})
			return true
		})
	})
	if err != nil {
		return fmt.Errorf("read the rows of the memory: %w", err)
	}
	give()
	return nil
}

// eachRaw calls read with the values of every row of a query on a connection of the driver. They are valid
// after the call, too. If read returns false, the error is store.ErrCorrupt.
func eachRaw(ctx context.Context, conn any, query string, read func([]sqldriver.Value) bool) error {
	queryer, can := conn.(sqldriver.QueryerContext)
	if !can {
		return errors.ErrUnsupported
	}
	rows, err := queryer.QueryContext(ctx, query, nil)
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
