package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

const upsertMeta = `INSERT INTO meta(key, value) VALUES(?,?) ON CONFLICT DO UPDATE SET value = excluded.value`

// Meta returns a value of the meta data, or "" if there is none.
func (tx *transaction) Meta(key string) (string, error) {
	var value string
	err := tx.tx.QueryRowContext(tx.ctx, "SELECT value FROM meta WHERE key = ?", key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

// SetMeta sets a value of the meta data.
func (tx *transaction) SetMeta(key, value string) error {
	_, err := tx.tx.ExecContext(tx.ctx, upsertMeta, key, value)
	return err
}

func selectMeta(ctx context.Context, q store.Querier) (map[string]string, error) {
	rows, err := q.QueryContext(ctx, "SELECT key, value FROM meta")
	if err != nil {
		return nil, fmt.Errorf("read the memory: %w", err)
	}
	defer rows.Close()
	meta := map[string]string{}
	for rows.Next() {
		var key, value string
		if err := rows.Scan(&key, &value); err != nil {
			return nil, fmt.Errorf("read the memory: %w", err)
		}
		meta[key] = value
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read the memory: %w", err)
	}
	return meta, nil
}
