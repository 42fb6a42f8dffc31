package inmemory

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// A transaction writes to a copy of the content. A transaction on the tables of rooms begins
// when they are first used. It is not rolled back in the background when ctx is done.
type transaction struct {
	content
	ctx       context.Context
	workspace *workspace
	tables    *sql.Tx
}

func (tx *transaction) begin() error {
	if tx.tables != nil {
		return nil
	}
	var err error
	tx.tables, err = tx.workspace.database().BeginTx(context.WithoutCancel(tx.ctx), nil)
	return err
}

// end commits or rolls back the transaction on the tables.
func (tx *transaction) end(commit bool) error {
	if tx.tables == nil {
		return nil
	}
	if commit {
		return tx.tables.Commit()
	}
	return tx.tables.Rollback()
}

func (tx *transaction) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if err := tx.begin(); err != nil {
		return nil, err
	}
	return tx.tables.ExecContext(ctx, query, args...)
}

func (tx *transaction) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := tx.begin(); err != nil {
		return nil, err
	}
	return tx.tables.QueryContext(ctx, query, args...)
}

func (tx *transaction) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if tx.begin() != nil { // the context is done, and Scan returns the error
		return tx.workspace.database().QueryRowContext(tx.ctx, query, args...)
	}
	return tx.tables.QueryRowContext(ctx, query, args...)
}

func (tx *transaction) Append(changes ...*change.Change) error {
	for _, c := range changes {
		c.Seq = tx.seq() + 1
		tx.log = append(tx.log, kept(*c))
	}
	return nil
}

// kept returns a change as it is stored.
func kept(c change.Change) change.Change {
	c.At = time.UnixMilli(c.At.UnixMilli()).UTC()
	c.Before, c.After = slices.Clone(c.Before), slices.Clone(c.After)
	c.Hot, c.Redactions, c.Clean = false, 0, nil
	return c.Decoded(nil)
}

func (tx *transaction) Since(seq int64) ([]change.Change, error) { return tx.since(seq), nil }

func (tx *transaction) Until(seq int64) ([]change.Change, error) { return tx.until(seq), nil }

func (tx *transaction) Load() (store.State, error) { return tx.load(tx.ctx, tx) }

// load returns the state, with the tables of a database.
func (c content) load(ctx context.Context, db store.Querier) (store.State, error) {
	names, err := store.TableNames(ctx, db)
	return store.State{Seq: c.seq(), Rows: c.state.byRoom(), Meta: maps.Clone(c.meta), Tables: names}, err
}

// seq returns the number of the newest change, 0 if there is none.
func (c content) seq() int64 {
	if len(c.log) == 0 {
		return 0
	}
	return c.log[len(c.log)-1].Seq
}

func (c content) since(seq int64) []change.Change {
	return c.matching(func(c change.Change) bool { return c.Seq > seq })
}

func (c content) until(seq int64) []change.Change {
	return c.matching(func(c change.Change) bool { return c.Seq <= seq })
}

func (c content) matching(match func(change.Change) bool) []change.Change {
	var found []change.Change
	for _, c := range c.log {
		if match(c) {
			found = append(found, kept(c))
		}
	}
	return found
}

func (tx *transaction) Put(room string, row change.Row) error {
	there, elsewhere := tx.state, tx.retired
	if row.Retired {
		there, elsewhere = elsewhere, there
	}
	there.put(room, row)
	if row.Retirable {
		delete(elsewhere, rowID{room, row.Key})
	}
	return nil
}

func (tx *transaction) Rewrite(
	edit func(room string, row change.Row) (change.Row, bool),
) (map[string][]change.Row, error) {
	written := map[string][]change.Row{}
	for _, retired := range []bool{false, true} {
		table := tx.state
		if retired {
			table = tx.retired
		}
		for room, list := range table.byRoom() {
			for _, row := range list {
				row.Retirable, row.Retired = retired, retired
				changed, is := edit(room, row)
				if !is {
					continue
				}
				if err := tx.Put(room, changed); err != nil {
					return nil, err
				}
				written[room] = append(written[room], changed)
			}
		}
	}
	return written, nil
}

func (tx *transaction) Snapshot() (store.Snapshot, error) { return tx.snapshotOf(), nil }

func (c content) snapshotOf() store.Snapshot {
	return store.Snapshot{Seq: c.snapshotSeq, Rows: c.snapshot.byRoom()}
}

func (tx *transaction) TakeSnapshot() error {
	tx.snapshot, tx.snapshotSeq = maps.Clone(tx.state), tx.seq()
	maps.Copy(tx.snapshot, tx.retired)
	return nil
}

func (tx *transaction) FoldInto(_, after map[string][]change.Row, seq int64) error {
	tx.snapshot = rows{}
	for room, list := range after {
		for _, row := range list {
			tx.snapshot.put(room, row)
		}
	}
	tx.log = slices.DeleteFunc(tx.log, func(c change.Change) bool { return c.Seq <= seq })
	tx.snapshotSeq = max(tx.snapshotSeq, seq)
	return nil
}

func (tx *transaction) Blank(matches func(c change.Change) bool) error {
	for i, c := range tx.log {
		if matches(kept(c)) {
			tx.log[i] = change.Change{Seq: c.Seq, At: c.At, Kind: store.KindBlank, Reason: "erased"}
		}
	}
	return nil
}

func (tx *transaction) Clear(seq int64) error {
	tx.log = slices.DeleteFunc(tx.log, func(c change.Change) bool { return c.Seq < seq })
	tx.state, tx.retired, tx.meta = rows{}, rows{}, map[string]string{}
	tx.snapshot, tx.snapshotSeq, tx.cleared = rows{}, 0, seq
	return store.DropTables(tx.ctx, tx)
}

func (tx *transaction) Meta(key string) (string, error) { return tx.meta[key], nil }

func (tx *transaction) SetMeta(key, value string) error {
	tx.meta[key] = value
	return nil
}
