package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

const (
	// checkedAtOnce is the maximum size, in bytes, of a database that Check reads without a rest.
	checkedAtOnce = 8 << 20
	// checkedSize is the maximum size, in bytes, of a database that Check checks.
	checkedSize = 1 << 30
	// checkRests is how many times as long as it read a table Check rests after it.
	checkRests = 4
)

// Check checks the whole database for damage. A large one is read table by table, with rests, so that
// it takes a fifth of one processor. It may be called beside everything else.
func (s *Store) Check(ctx context.Context) error {
	info, err := os.Stat(filepath.Join(s.dir, store.DatabaseName))
	if err != nil || info.Size() > checkedSize {
		return nil // Update detects that it was removed
	}
	// On a connection of its own, because searches would wait for a table to be read.
	db := connectReader(filepath.Join(s.dir, store.DatabaseName), &s.damage, smallCache).DB
	defer func() { _ = db.Close() }()
	if info.Size() <= checkedAtOnce {
		return check(ctx, db, "quick_check")
	}
	tables, err := store.TableNames(ctx, db)
	if err != nil {
		return classify(err)
	}
	for _, table := range tables {
		began := time.Now()
		if err := check(ctx, db, "quick_check", table); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(checkRests * time.Since(began)):
		}
	}
	return nil
}

// check runs a check of SQLite on a table and its indexes, or on the whole database. integrity_check takes
// longer than quick_check, and finds rows that an index does not agree with.
func check(ctx context.Context, db *sql.DB, pragma string, table ...string) error {
	what := "1" // damage is enough
	for _, name := range table {
		what = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA "+pragma+"("+what+")").Scan(&verdict); err != nil {
		return classify(err)
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", store.ErrCorrupt, verdict)
	}
	return nil
}
