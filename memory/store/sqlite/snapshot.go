package sqlite

import (
	"context"
	"fmt"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// OverLimit returns the newest change that is over the limits of count and age,
// 0 if there is none. The newest change of all never is, so that the numbering
// goes on from it.
func (s *Store) OverLimit(ctx context.Context, maxChanges int, before time.Time) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fast == nil {
		return 0, store.ErrClosed
	}
	// This is asked at every start. The numbers of the log have no gaps, and the whole
	// of it is read only where the first change is too old.
	var first, last, firstAt int64
	row := s.fast.QueryRowContext(ctx, `SELECT coalesce(min(seq), 0), coalesce((SELECT max(seq) FROM log), 0),
		coalesce((SELECT at FROM log ORDER BY seq LIMIT 1), 0) FROM log`)
	if err := row.Scan(&first, &last, &firstAt); err != nil || last == 0 {
		return 0, classify(err)
	}
	over := last - int64(maxChanges)
	if over < first {
		over = 0
	}
	if firstAt < before.UnixMilli() {
		var old int64
		row := s.fast.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM log WHERE at < ?", before.UnixMilli())
		if err := row.Scan(&old); err != nil {
			return 0, classify(err)
		}
		over = max(over, old)
	}
	return min(over, last-1), nil
}

// History returns how the memory came to be as it was after the change seq. Of
// a time before the snapshot only the snapshot is known.
func (s *Store) History(ctx context.Context, seq int64) (store.History, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fast == nil {
		return store.History{}, store.ErrClosed
	}
	rows, err := selectRows(ctx, s.fast, "snapshot", "")
	if err != nil {
		return store.History{}, classify(err)
	}
	changes, err := selectChanges(ctx, s.fast, "WHERE seq <= ? ORDER BY seq", seq)
	return store.History{Rows: rows, Changes: changes}, classify(err)
}

// Snapshot returns the rows that stand for all changes before the log's first.
func (tx *transaction) Snapshot() (map[string][]change.Row, error) {
	return selectRows(tx.ctx, tx.tx, "snapshot", "")
}

// Until returns the changes up to and with seq, in order.
func (tx *transaction) Until(seq int64) ([]change.Change, error) {
	return selectChanges(tx.ctx, tx.tx, "WHERE seq <= ? ORDER BY seq", seq)
}

// FoldInto makes rows of the snapshot as it was before, which must stand for it
// and all changes up to and with seq, and drops those changes. What has not
// changed is not written again.
func (tx *transaction) FoldInto(before, after map[string][]change.Row, seq int64) error {
	type id struct{ room, key string }
	stale := map[id]string{}
	for room, list := range before {
		for _, row := range list {
			stale[id{room, row.Key}] = string(row.Value)
		}
	}
	for room, list := range after {
		for _, row := range list {
			value, there := stale[id{room, row.Key}]
			delete(stale, id{room, row.Key})
			if there && value == string(row.Value) {
				continue
			}
			if err := tx.exec(upsertSnapshot, room, row.Key, text(row.Value)); err != nil {
				return err
			}
		}
	}
	for row := range stale {
		if err := tx.exec("DELETE FROM snapshot WHERE room = ? AND key = ?", row.room, row.key); err != nil {
			return err
		}
	}
	return tx.exec("DELETE FROM log WHERE seq <= ?", seq)
}

func (tx *transaction) exec(query string, args ...any) error {
	if _, err := tx.tx.ExecContext(tx.ctx, query, args...); err != nil {
		return fmt.Errorf("write the memory: %w", err)
	}
	return nil
}
