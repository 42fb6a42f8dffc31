package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"

	driver "modernc.org/sqlite"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// Peek returns the rows of a room in the store in dir, without opening it: it takes no lock,
// repairs nothing and writes nothing. The error is fs.ErrNotExist if there is no store.
func Peek(ctx context.Context, dir, room string) ([]change.Row, error) {
	var all map[string][]change.Row
	err := peek(dir, func(db *sql.DB) (err error) {
		all, err = selectRows(ctx, db, "state", room)
		return classify(err)
	})
	return all[room], err
}

// Examine reads the whole database in dir, as Peek does, however large it is. The error is
// store.ErrCorrupt if it is damaged, and fs.ErrNotExist if there is none.
func Examine(ctx context.Context, dir string) error {
	return peek(dir, func(db *sql.DB) error { return check(ctx, db, "quick_check") })
}

// peek calls look with the database in dir, opened to be read only.
func peek(dir string, look func(db *sql.DB) error) error {
	path := filepath.Join(dir, store.DatabaseName)
	if _, err := os.Stat(path); err != nil {
		return err
	}
	if err := ownFiles(dir); err != nil {
		return err
	}
	opener, err := driver.NewConnector("file:" + (&urlPath{path}).String() + "?mode=ro&_pragma=busy_timeout(2000)")
	if err != nil {
		return fmt.Errorf("read the memory: %w", err)
	}
	db := sql.OpenDB(connector{opener, &damage{}})
	defer db.Close()
	return look(db)
}
