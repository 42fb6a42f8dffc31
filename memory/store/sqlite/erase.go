package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/folders"
)

// Blank takes everything but the time from the changes that match, in the log.
func (tx *transaction) Blank(matches func(c change.Change) bool) error {
	changes, err := tx.Since(0)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if !matches(c) {
			continue
		}
		err := tx.exec(`UPDATE log SET kind = ?, subject = '', session = '', by = '', before = NULL, after = NULL,
			reason = 'erased', origin = '', scope = 0 WHERE seq = ?`, string(store.KindBlank), c.Seq)
		if err != nil {
			return err
		}
	}
	return nil
}

// Rewrite gives every row of the tables to edit, and writes what it returns where
// that is another one. A row whose value is nil is deleted. It returns what was
// written, by room.
func (tx *transaction) Rewrite(
	edit func(room string, row change.Row) (change.Row, bool),
) (map[string][]change.Row, error) {
	written := map[string][]change.Row{}
	for _, table := range []string{"state", "retired"} {
		rows, err := selectRows(tx.ctx, tx.tx, table, "")
		if err != nil {
			return nil, err
		}
		for room, list := range rows {
			for _, row := range list {
				row.Retired = table == "retired"
				row.Retirable = row.Retired
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

// Clear empties the log before seq, the rows, the snapshot and the values beside
// the log, and drops the tables of rooms.
func (tx *transaction) Clear(seq int64) error {
	return errors.Join(
		tx.exec("DELETE FROM log WHERE seq < ?", seq),
		tx.exec("DELETE FROM state"),
		tx.exec("DELETE FROM retired"),
		tx.exec("DELETE FROM snapshot"),
		tx.exec("DELETE FROM meta"),
		store.DropTables(tx.ctx, tx.tx, ownTables...),
	)
}

// RemoveHolding deletes files that were set aside, and outputs that are kept, if
// they hold one of the texts (all of them if texts is empty). It returns what it
// deleted.
func (s *Store) RemoveHolding(texts []string) ([]string, error) {
	var removed []string
	err := s.exclusive(func() error {
		aside, err := filepath.Glob(filepath.Join(s.dir, store.AsidePattern))
		if err != nil {
			return err
		}
		outputs, err := filepath.Glob(filepath.Join(s.outputs(), "*"))
		if err != nil {
			return err
		}
		removed, err = folders.RemoveHolding(append(aside, outputs...), texts)
		return err
	})
	return removed, err
}

// Shred makes sure that nothing of what was deleted, rewritten or blanked can be
// read from the files of the database.
func (s *Store) Shred(ctx context.Context) error {
	return s.exclusive(func() error {
		if err := s.stillOurs(ctx); err != nil && !errors.Is(err, store.ErrReplaced) {
			return err
		}
		for _, statement := range []string{"PRAGMA secure_delete = ON", "VACUUM"} {
			if _, err := s.full.ExecContext(ctx, statement); err != nil {
				return classify(fmt.Errorf("rewrite the database without what was erased: %w", err))
			}
		}
		return s.truncateWAL(ctx)
	})
}

// truncateWAL empties the write-ahead log, which still holds old pages. Readers
// of other processes can be in the way for a moment.
func (s *Store) truncateWAL(ctx context.Context) error {
	deadline := time.Now().Add(10 * time.Second)
	for {
		var busy, frames, moved int
		row := s.full.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
		if err := row.Scan(&busy, &frames, &moved); err != nil {
			return classify(fmt.Errorf("empty the write-ahead log: %w", err))
		}
		if busy == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return errors.New("another process kept the write-ahead log busy, which may still hold what was erased")
		}
	}
}

// RemoveAll deletes everything of the workspace but the open database: the
// readable copy, the sessions, the caches. It returns the names.
func (s *Store) RemoveAll() ([]string, error) {
	var removed []string
	err := s.exclusive(func() error {
		for _, name := range []string{store.CopyName, store.CopyName + ".new", store.SessionsName, store.CacheName} {
			path := filepath.Join(s.dir, name)
			if _, err := os.Lstat(path); err != nil {
				continue
			}
			if err := os.RemoveAll(path); err != nil {
				return fmt.Errorf("delete %s: %w", name, err)
			}
			removed = append(removed, name)
		}
		return nil
	})
	return removed, err
}
