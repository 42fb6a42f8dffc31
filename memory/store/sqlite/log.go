package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

const (
	insertChange = `INSERT INTO log(at, kind, subject, session, by, before, after, reason, origin, scope)
		VALUES (?,?,?,?,?,?,?,?,?,?)`
	// packedChange is a change as one string: three numbers and the lengths in bytes of eight
	// strings, each followed by a space, then the strings. A string that is missing has the length
	// -1. To hand over a value takes longer than to read it, and every process reads the
	// changes of all others. The casts let every row be read, whatever is in its columns.
	packedChange = `concat(seq, ' ', CAST(at AS INTEGER), ' ', CAST(scope AS INTEGER), ' ',
		octet_length(kind), ' ', octet_length(subject), ' ', octet_length(session), ' ', octet_length(by), ' ',
		coalesce(octet_length(before), -1), ' ', coalesce(octet_length(after), -1), ' ',
		octet_length(reason), ' ', octet_length(origin), ' ',
		kind, subject, session, by, before, after, reason, origin)`
	selectChange = "SELECT CAST(" + packedChange + " AS BLOB) FROM log "
	// selectSince reads changes as one string, in the order of the primary key, which is seq.
	selectSince = "SELECT CAST(group_concat(" + packedChange + ", '') AS BLOB) FROM log WHERE seq > ?"
)

// insertAlike inserts changesAtOnce changes of one session, author and origin. These are handed over once, and
// documents as bytes, which are not copied before: both together take a third off the time.
var insertAlike = `INSERT INTO log(session, by, origin, at, kind, subject, before, after, reason, scope) VALUES ` +
	alikeRow + strings.Repeat(","+alikeRow, changesAtOnce-1)

const (
	alikeRow = "(?1,?2,?3,?,?,?,CAST(? AS TEXT),CAST(? AS TEXT),?,?)"
	// alikeShared is the number of values of insertAlike that all changes share, alikeOwn of those that each has.
	alikeShared, alikeOwn = 3, 7
)

// changesAtOnce is how many changes one statement inserts, if there are as many.
const changesAtOnce = 100

// Append writes changes to the end of the log and sets their Seq.
func (tx *transaction) Append(changes ...*change.Change) error {
	for part := range slices.Chunk(changes, changesAtOnce) {
		if len(part) == changesAtOnce && areAlike(part) {
			result, err := tx.run(insertAlike, alikeColumns(part)...)
			if err := tx.number(result, err, part...); err != nil {
				return err
			}
			continue
		}
		for _, c := range part {
			result, err := tx.run(insertChange, columnsOf(c)...)
			if err := tx.number(result, err, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// columnsOf returns the values of insertChange.
func columnsOf(c *change.Change) []any {
	return []any{
		c.At.UnixMilli(), string(c.Kind), c.Subject, c.Session, c.By, text(c.Before), text(c.After), c.Reason, c.Origin,
		c.Scope,
	}
}

// areAlike reports whether changes can be inserted by insertAlike.
func areAlike(changes []*change.Change) bool {
	first := changes[0]
	return !slices.ContainsFunc(changes, func(c *change.Change) bool {
		return c.Session != first.Session || c.By != first.By || c.Origin != first.Origin
	})
}

// alikeColumns returns the values of insertAlike.
func alikeColumns(changes []*change.Change) []any {
	first := changes[0]
	values := make([]any, 0, alikeShared+alikeOwn*len(changes))
	values = append(values, first.Session, first.By, first.Origin)
	for _, c := range changes {
		values = append(values,
			c.At.UnixMilli(), string(c.Kind), c.Subject, []byte(c.Before), []byte(c.After), c.Reason, c.Scope)
	}
	return values
}

// number sets the Seq of changes that one statement has inserted.
func (tx *transaction) number(result sql.Result, err error, changes ...*change.Change) error {
	if err == nil {
		tx.newest, err = result.LastInsertId()
	}
	if err != nil {
		return fmt.Errorf("append changes to the log: %w", err)
	}
	for i, c := range changes {
		c.Seq = tx.newest - int64(len(changes)-1-i)
	}
	return nil
}

// Since returns the changes after seq, in order.
func (tx *transaction) Since(seq int64) ([]change.Change, error) {
	return scanChanges(tx.tx.QueryContext(tx.ctx, selectSince, seq))
}

// Since returns the changes after seq, in order, of all processes. The error is
// store.ErrReplaced if the database was removed or replaced; the next Update opens the
// new one.
func (s *Store) Since(ctx context.Context, seq int64) ([]change.Change, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return nil, store.ErrClosed
	}
	if ours, _ := s.isOurs(); !ours || s.reopened != nil {
		return nil, store.ErrReplaced
	}
	statements, err := s.prepared(ctx)
	if err != nil {
		return nil, classify(fmt.Errorf("read the log: %w", err))
	}
	changes, err := scanChanges(statements.of(selectSince).QueryContext(ctx, seq))
	return changes, classify(err)
}

func (s *Store) changes(ctx context.Context, where string, args ...any) ([]change.Change, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return nil, store.ErrClosed
	}
	changes, err := selectChanges(ctx, s.db, where, args...)
	return changes, classify(err)
}

func selectChanges(ctx context.Context, q store.Querier, where string, args ...any) ([]change.Change, error) {
	return scanChanges(q.QueryContext(ctx, selectChange+where, args...))
}

// scanChanges reads the changes that a query returned.
func scanChanges(rows *sql.Rows, err error) ([]change.Change, error) {
	if err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	defer rows.Close()
	var changes []change.Change
	for rows.Next() {
		var packed sql.RawBytes // see selectRows
		if err := rows.Scan(&packed); err != nil {
			return nil, fmt.Errorf("read the log: %w", err)
		}
		for len(packed) > 0 {
			c, rest, err := unpackChange(packed)
			if err != nil {
				return nil, fmt.Errorf("read the log: %w", err)
			}
			changes, packed = append(changes, c), rest
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	return changes, nil
}

// unpackChange returns the first change of a string of selectChange or selectSince, and the rest of the
// text. Its JSON is a part of the text.
func unpackChange(packed []byte) (c change.Change, left []byte, err error) {
	var numbers [11]int64
	for i := range numbers {
		digits, rest, found := bytes.Cut(packed, []byte{' '})
		if numbers[i], err = strconv.ParseInt(string(digits), 10, 64); err != nil || !found {
			return c, nil, fmt.Errorf("%w: a change has no length", store.ErrCorrupt)
		}
		packed = rest
	}
	var texts [8][]byte
	for i, length := range numbers[3:] {
		if length > int64(len(packed)) {
			return c, nil, fmt.Errorf("%w: the change %d is too short", store.ErrCorrupt, numbers[0])
		}
		if length >= 0 {
			texts[i], packed = packed[:length:length], packed[length:]
		}
	}
	c.Seq, c.At, c.Scope = numbers[0], time.UnixMilli(numbers[1]).UTC(), change.Scope(numbers[2])
	c.Kind, c.Subject = change.Kind(texts[0]), string(texts[1])
	c.Session, c.By = string(texts[2]), string(texts[3])
	c.Before, c.After = texts[4], texts[5]
	c.Reason, c.Origin = string(texts[6]), string(texts[7])
	return c, packed, nil
}
