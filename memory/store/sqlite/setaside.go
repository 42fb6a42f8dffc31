package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// SetAside renames a damaged database, so that Open creates a new one, and returns its new
// name, which ends in .corrupt-<time>. The name is empty if another process has done so
// already.
func SetAside(ctx context.Context, dir string, now time.Time, log *slog.Logger) (string, error) {
	s := newStore(dir, log)
	defer func() { _ = s.Close() }()
	var name string
	err := s.exclusive(func() error {
		err := s.open(ctx)
		if err == nil {
			err = check(ctx, s.db, "integrity_check")
		}
		if !errors.Is(err, store.ErrCorrupt) {
			return err
		}
		if err := s.closeDatabases(); err != nil {
			log.Warn("close the damaged database", "error", err)
		}
		if s.sizeOfWAL() == 0 { // it and its index hold nothing to keep
			_ = os.Remove(filepath.Join(dir, store.DatabaseName+"-wal"))
			_ = os.Remove(filepath.Join(dir, store.DatabaseName+"-shm"))
		}
		name = store.AsideName(store.DatabaseName, now)
		for _, suffix := range []string{"", "-wal", "-shm"} {
			from, to := filepath.Join(dir, store.DatabaseName+suffix), filepath.Join(dir, name+suffix)
			if err := os.Rename(from, to); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("set the damaged database aside: %w", err)
			}
		}
		return nil
	})
	return name, err
}

// SetRowsAside moves rows, by room, out of the tables into a file, and returns the name of
// the file. Rows whose value has changed meanwhile are not moved.
func (s *Store) SetRowsAside(ctx context.Context, rows map[string][]change.Row, now time.Time) (string, error) {
	name := store.AsideName(store.RowsName, now)
	if err := files.Write(filepath.Join(s.dir, name), store.PackRows(rows)); err != nil {
		return "", fmt.Errorf("set rows aside: %w", err)
	}
	return name, s.Update(ctx, store.Durable, nil, func(tx store.Tx) error {
		for _, table := range []string{"state", "retired"} {
			remove := "DELETE FROM " + table + " WHERE room = ? AND key = ? AND CAST(value AS BLOB) = ?"
			for room, list := range rows {
				for _, row := range list {
					if _, err := tx.ExecContext(ctx, remove, room, row.Key, []byte(row.Value)); err != nil {
						return fmt.Errorf("set rows aside: %w", err)
					}
				}
			}
		}
		return nil
	})
}
