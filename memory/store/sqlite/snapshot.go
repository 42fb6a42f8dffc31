package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

const upsertSnapshot = `INSERT INTO snapshot(room, key, value) VALUES(?,?,?)
	ON CONFLICT DO UPDATE SET value = excluded.value`

// OverLimit returns the position of the newest change over the limits of count and age, or 0
// if there is none. The newest change is never over the limits, because the numbering continues
// from it.
func (s *Store) OverLimit(ctx context.Context, maxChanges int, before time.Time) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return 0, store.ErrClosed
	}
	// This runs at every start. The numbers of the log have no gaps, and the whole log is
	// read only if the oldest change is too old.
	var first, last, firstAt int64
	row := s.db.QueryRowContext(ctx, `SELECT coalesce(min(seq), 0), coalesce((SELECT max(seq) FROM log), 0),
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
		row := s.db.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM log WHERE at < ?", before.UnixMilli())
		if err := row.Scan(&old); err != nil {
			return 0, classify(err)
		}
		over = max(over, old)
	}
	return min(over, last-1), nil
}

// History returns the snapshot and the changes after it up to seq. If the snapshot is newer
// than seq, it returns only the snapshot.
func (s *Store) History(ctx context.Context, seq int64) (store.History, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	history, err := s.history(ctx, seq)
	return history, classify(err)
}

func (s *Store) history(ctx context.Context, seq int64) (store.History, error) {
	if s.db == nil {
		return store.History{}, store.ErrClosed
	}
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return store.History{}, fmt.Errorf("read the memory: %w", err)
	}
	defer func() { _ = tx.Rollback() }()
	snapshot, err := selectSnapshot(ctx, tx)
	if err != nil {
		return store.History{}, err
	}
	cleared, err := selectPosition(ctx, tx, clearedKey)
	if err != nil {
		return store.History{}, err
	}
	changes, err := selectChanges(ctx, tx, "WHERE seq > ? AND seq <= ? ORDER BY seq", snapshot.Seq, seq)
	return store.History{Snapshot: snapshot, Changes: changes, Cleared: cleared}, err
}

// Snapshot returns the snapshot.
func (tx *transaction) Snapshot() (store.Snapshot, error) { return selectSnapshot(tx.ctx, tx.tx) }

func selectSnapshot(ctx context.Context, q store.Querier) (snapshot store.Snapshot, err error) {
	if snapshot.Seq, err = selectSnapshotSeq(ctx, q); err != nil {
		return snapshot, err
	}
	snapshot.Rows, err = selectRows(ctx, q, "snapshot", "")
	return snapshot, err
}

// snapshotKey is the key of the meta data that stores the position of the newest change that
// the snapshot includes. Without it, it is the position before the oldest change of the log.
const snapshotKey = "snapshot_seq"

// clearedKey is the key of the meta data that stores the position of the last purge.
const clearedKey = "cleared_seq"

func selectSnapshotSeq(ctx context.Context, q store.Querier) (int64, error) {
	return selectPosition(ctx, q, snapshotKey)
}

// selectPosition reads a position in the log from the meta data. It returns 0 if there is none.
func selectPosition(ctx context.Context, q store.Querier, key string) (seq int64, err error) {
	row := q.QueryRowContext(ctx, "SELECT coalesce(max(CAST(value AS INTEGER)), 0) FROM meta WHERE key = ?", key)
	if err := row.Scan(&seq); err != nil {
		return 0, fmt.Errorf("read the position %s: %w", key, err)
	}
	return seq, nil
}

// TakeSnapshot replaces the snapshot by the rows of the tables, as of the newest change.
func (tx *transaction) TakeSnapshot() error {
	return errors.Join(
		tx.exec("DELETE FROM snapshot"),
		tx.exec(`INSERT INTO snapshot(room, key, value)
			SELECT room, key, value FROM state UNION ALL SELECT room, key, value FROM retired`),
		tx.exec("INSERT OR REPLACE INTO meta(key, value) SELECT ?, coalesce(max(seq), 0) FROM log", snapshotKey),
	)
}

// Until returns the changes up to and including seq, in order.
func (tx *transaction) Until(seq int64) ([]change.Change, error) {
	return selectChanges(tx.ctx, tx.tx, "WHERE seq <= ? ORDER BY seq", seq)
}

// FoldInto deletes the changes up to and including seq, and replaces the rows of the snapshot,
// before, by after. Rows that are equal are not written.
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
	known, err := selectSnapshotSeq(tx.ctx, tx.tx)
	if err != nil {
		return err
	}
	return errors.Join(
		tx.exec("DELETE FROM log WHERE seq <= ?", seq),
		tx.SetMeta(snapshotKey, strconv.FormatInt(max(seq, known), 10)),
	)
}

func (tx *transaction) exec(query string, args ...any) error {
	if _, err := tx.tx.ExecContext(tx.ctx, query, args...); err != nil {
		return fmt.Errorf("write the memory: %w", err)
	}
	return nil
}
