package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	driver "modernc.org/sqlite"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// Replace puts a new database in the place of the current one. fill writes it: all tables and
// the version of the schema. Then before is called as the only writer of all processes, with a
// transaction that reads the current database. If one of them fails, nothing is changed.
// Processes that have the current database open take over the new one.
func (s *Store) Replace(ctx context.Context, fill func(store.Tables) error, before func(store.Querier) error) error {
	root, err := regular.OpenRoot(s.dir)
	if err != nil {
		return fmt.Errorf("write a new database: %w", err)
	}
	defer func() { _ = root.Close() }()
	pending, err := files.New(root, nil) // locked, so that no process takes it for one of a killed process
	if err != nil {
		return fmt.Errorf("write a new database: %w", err)
	}
	replaced := false
	defer func() {
		if !replaced {
			pending.Discard()
		}
	}()
	if err := build(ctx, pending.Path(), fill); err != nil {
		return err
	}
	return s.exclusive(func() error {
		err := s.stillOurs(ctx)
		if err != nil && !errors.Is(err, store.ErrReplaced) && !errors.Is(err, store.ErrRemade) {
			return err
		}
		if err := s.View(ctx, before); err != nil {
			return err
		}
		if _, err := s.db.ExecContext(ctx, moveWAL); err != nil { // it stays if the new one cannot be put in its place
			return classify(fmt.Errorf("move the write-ahead log into the former database: %w", err))
		}
		if err := s.closeDatabases(); err != nil {
			return fmt.Errorf("close the former database: %w", err)
		}
		if err := s.removeWAL(); err != nil {
			return err
		}
		replaced = true
		if err := pending.Replace(store.DatabaseName); err != nil {
			return fmt.Errorf("put the new database in place: %w", err)
		}
		return s.open(ctx)
	})
}

// build writes a database at path, which is an empty file, in one transaction.
func build(ctx context.Context, path string, fill func(store.Tables) error) error {
	opener, err := driver.NewConnector("file:" + (&urlPath{path}).String() +
		"?_pragma=journal_mode(memory)&_pragma=synchronous(full)&_pragma=trusted_schema(0)")
	if err != nil {
		return err
	}
	db := sql.OpenDB(opener)
	db.SetMaxOpenConns(1)
	tx, err := db.BeginTx(ctx, nil)
	if err == nil {
		if err = fill(tx); err == nil {
			err = tx.Commit()
		} else {
			_ = tx.Rollback()
		}
	}
	if err == nil {
		err = check(ctx, db, "quick_check")
	}
	if err := errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("write a new database: %w", err)
	}
	return nil
}

// removeWAL deletes the write-ahead log of a closed database, and its index.
func (s *Store) removeWAL() error {
	for _, suffix := range []string{"-wal", "-shm"} {
		err := os.Remove(filepath.Join(s.dir, store.DatabaseName+suffix))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("delete the write-ahead log of the former database: %w", err)
		}
	}
	return nil
}
