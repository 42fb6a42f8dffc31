package store

import (
	"context"
	"fmt"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

// Oldest tells how many changes the log holds, and the newest change that is
// over the limits of count and age, 0 if there is none. The newest change of
// all is always kept, so that the numbering goes on from it.
func (s *Store) Oldest(ctx context.Context, maxChanges int, before time.Time) (count int, over int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fast == nil {
		return 0, 0, fmt.Errorf("the memory is closed")
	}
	query := `WITH newest AS (SELECT coalesce(max(seq), 0) AS seq FROM log)
		SELECT count(*), coalesce(max(CASE WHEN log.seq < newest.seq AND
			(log.seq <= (SELECT coalesce(max(seq), 0) - ? FROM log) OR at < ?) THEN log.seq END), 0) FROM log, newest`
	err = s.fast.QueryRowContext(ctx, query, maxChanges, before.UnixMilli()).Scan(&count, &over)
	return count, over, classify(err)
}

// Snapshot returns the rows that stand for all changes before the log's first.
func (tx *Tx) Snapshot() (map[string][]change.Row, error) {
	return selectRows(tx.ctx, tx.tx, "snapshot")
}

// Until returns the changes up to and with seq, in order.
func (tx *Tx) Until(seq int64) ([]change.Change, error) {
	return selectChanges(tx.ctx, tx.tx, "WHERE seq <= ? ORDER BY seq", seq)
}

// FoldInto replaces the snapshot with rows, which must stand for the former
// snapshot and all changes up to and with seq, and drops those changes.
func (tx *Tx) FoldInto(rows map[string][]change.Row, seq int64) error {
	if err := tx.exec("DELETE FROM snapshot"); err != nil {
		return err
	}
	for room, list := range rows {
		for _, row := range list {
			if err := tx.exec("INSERT INTO snapshot(room, key, value) VALUES(?,?,?)", room, row.Key, text(row.Value)); err != nil {
				return err
			}
		}
	}
	return tx.exec("DELETE FROM log WHERE seq <= ?", seq)
}

func (tx *Tx) exec(query string, args ...any) error {
	if _, err := tx.tx.ExecContext(tx.ctx, query, args...); err != nil {
		return fmt.Errorf("write the memory: %w", err)
	}
	return nil
}
