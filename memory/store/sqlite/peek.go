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
	path := filepath.Join(dir, store.DatabaseName)
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	if err := ownFiles(dir); err != nil {
		return nil, err
	}
	opener, err := driver.NewConnector("file:" + (&urlPath{path}).String() + "?mode=ro&_pragma=busy_timeout(2000)")
	if err != nil {
		return nil, fmt.Errorf("read the memory: %w", err)
	}
	db := sql.OpenDB(connector{opener})
	defer db.Close()
	rows, err := selectRows(ctx, db, "state", room)
	return rows[room], classify(err)
}
