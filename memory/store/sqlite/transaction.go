package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

// Update runs f in a transaction, as the only writer of all processes, and
// then lets the others know. When f or the commit fails nothing is written.
// The error is store.ErrReplaced when the database is another one than before.
// If another process writes, it calls meanwhile, unless that is nil, as soon as no further
// process writes before this one. If the mode is Fast and another process writes for long, the
// error is store.ErrBusy.
func (s *Store) Update(ctx context.Context, mode store.Mode, meanwhile func(), f func(store.Tx) error) error {
	var wal *os.File
	var before, after int64 // the sizes of the write-ahead log
	limit := time.Duration(0)
	if mode == store.Fast {
		limit = patience
	}
	err := s.exclusiveNext(limit, meanwhile, func() (err error) {
		defer func() { s.readOnly = isReadOnly(err) }()
		if err := s.stillOurs(ctx); err != nil {
			s.reopened = nil
			return err
		}
		if err := s.writableAgain(ctx); err != nil {
			return err
		}
		before = s.sizeOfWAL()
		tx, err := s.begin(ctx)
		if err != nil {
			return classify(fmt.Errorf("begin to write the memory: %w", err))
		}
		defer func() { _ = tx.tx.Rollback() }() // if f fails or panics; no effect after a commit
		if err := f(tx); err != nil {
			return classify(err)
		}
		if mode == store.Durable {
			if wal, err = s.openWAL(); err != nil {
				return err
			}
		}
		if err := tx.commit(); err != nil {
			return classify(fmt.Errorf("write the memory: %w", err))
		}
		if tx.newest > 0 {
			s.notifyPeers(tx.newest)
		}
		after = s.sizeOfWAL()
		return nil
	})
	if err != nil {
		return err
	}
	if wal != nil { // without the lock: others write meanwhile, and the disk syncs for several at once
		if err := syncData(wal); err != nil {
			return fmt.Errorf("%w: %w", store.ErrUnsynced, err)
		}
	}
	s.checkpointIfDue(before, after)
	return nil
}

// A transaction is a write transaction.
type transaction struct {
	ctx    context.Context
	tx     prepared
	newest int64 // the position of the last appended change
}

// begin begins a transaction. It is not rolled back in the background when ctx is done, because
// the error of what runs then would not say so: its statements and commit look at ctx.
func (s *Store) begin(ctx context.Context) (*transaction, error) {
	statements, err := s.prepared(ctx)
	if err != nil {
		return nil, err
	}
	statements.prepareDue(ctx, s.db)
	tx, err := s.db.BeginTx(context.WithoutCancel(ctx), nil)
	return &transaction{ctx: ctx, tx: prepared{tx, statements}}, err
}

// commit commits the transaction, unless its context is done.
func (tx *transaction) commit() error {
	if err := tx.ctx.Err(); err != nil {
		return err
	}
	return tx.tx.Commit()
}

// run runs a statement.
func (tx *transaction) run(statement string, args ...any) (sql.Result, error) {
	return tx.ExecContext(tx.ctx, statement, args...)
}
