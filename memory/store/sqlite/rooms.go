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

const (
	nextRoom   = "SELECT room FROM state WHERE room > ? ORDER BY room LIMIT 1"
	rowsOfRoom = "SELECT CAST(key || value AS BLOB), octet_length(key) FROM state WHERE room = ?"
)

// eachStateRow calls each with the rows of every room in the table state, in the transaction of a
// connection. It is eachRoom for the start, when all rows are read: database/sql takes a quarter as
// long again for each row as the driver, and a text of all rows of a room grows in memory that is
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
