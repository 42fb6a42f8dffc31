package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

// migrations[i] migrates a database from version i+1 to version i+2. A released migration is
// never modified. A new database has the tables of creation at once.
var migrations = []string{
	// 2: where a change comes from, and whether it may leave the machine.
	`ALTER TABLE log ADD COLUMN origin TEXT NOT NULL DEFAULT '';
	ALTER TABLE log ADD COLUMN scope INTEGER NOT NULL DEFAULT 0; -- 0 private, 1 shared`,
	// 3: rows that are not read at the start. The rows of inactive entries are moved there,
	// except those of stale ones.
	`CREATE TABLE retired (
		room TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (room, key)
	) WITHOUT ROWID;
	INSERT INTO retired SELECT room, key, value FROM state
		WHERE room = 'longterm' AND value ->> '$.status' != 'active' AND value ->> '$.stale' IS NULL;
	DELETE FROM state WHERE (room, key) IN (SELECT room, key FROM retired);`,
	// 4: what sessions were told is in a table of its room. They are told it anew.
	`DELETE FROM state WHERE room = 'briefing';
	DELETE FROM snapshot WHERE room = 'briefing';`,
	// 5: the rows of a session that is over may be one, which older versions do not read.
	"",
}

// ownTables are the tables of the store. All others belong to rooms.
var ownTables = []string{"log", "state", "retired", "snapshot", "meta"}

// rowTable creates a table of rows of rooms.
const rowTable = `CREATE TABLE %s (
	room TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (room, key)
) WITHOUT ROWID`

// creation returns the statements that create a table of the store in the current version. Times are
// milliseconds since 1970; of scopes 0 is private and 1 is shared.
func creation(table string) string {
	switch table {
	case "log":
		return `CREATE TABLE log (
			seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
			session TEXT NOT NULL, by TEXT NOT NULL, before TEXT, after TEXT, reason TEXT NOT NULL,
			origin TEXT NOT NULL DEFAULT '', scope INTEGER NOT NULL DEFAULT 0
		);
		CREATE INDEX log_subject ON log(subject, seq);`
	case "meta":
		return `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`
	default:
		return fmt.Sprintf(rowTable, table)
	}
}

// continueNumbers makes the numbers of a new log begin at the time in milliseconds. That is larger
// than any number of the former log, which the snapshot, the readable copy and other processes know.
func continueNumbers(ctx context.Context, db store.Tables, snapshot int64, now time.Time) error {
	_, err := db.ExecContext(ctx, `INSERT INTO log(seq, at, kind, subject, session, by, reason)
		VALUES(?, ?, ?, '', '', '', 'lost')`,
		max(snapshot+1, now.UnixMilli()), now.UnixMilli(), string(store.KindBlank))
	if err != nil {
		return fmt.Errorf("number the changes of the new log: %w", err)
	}
	return nil
}

// createLost creates the tables that are missing in a database of the current version, and
// stores their names under store.LostKey.
func (s *Store) createLost(ctx context.Context, now time.Time) error {
	lost, err := lostTables(ctx, s.db)
	if err != nil || len(lost) == 0 {
		return err
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for _, table := range lost {
		if _, err := tx.ExecContext(ctx, creation(table)); err != nil {
			return fmt.Errorf("create the table %s again: %w", table, err)
		}
	}
	t := &transaction{ctx: ctx, tx: prepared{tx, &statements{}}}
	noted, err := t.Meta(store.LostKey)
	if err != nil {
		return err
	}
	if slices.Contains(lost, "log") {
		snapshot, err := selectSnapshotSeq(ctx, tx)
		if err != nil {
			return err
		}
		if err := continueNumbers(ctx, tx, snapshot, now); err != nil {
			return err
		}
	}
	if err := t.SetMeta(store.LostKey, strings.Join(append(strings.Fields(noted), lost...), " ")); err != nil {
		return err
	}
	return tx.Commit()
}

// migrate migrates the database to the current version. If it has that version, it only opens
// the connection that reads the state next.
func (s *Store) migrate(ctx context.Context) error {
	var version int
	if err := s.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return fmt.Errorf("read the version of the memory: %w", err)
	}
	if version > Schema() {
		return fmt.Errorf("version %d of the memory, known is %d: %w", version, Schema(), store.ErrNewer)
	}
	if version < 0 {
		return fmt.Errorf("%w: its version is %d", store.ErrCorrupt, version)
	}
	if version == Schema() {
		return nil
	}
	if err := s.migrateFrom(ctx, version); err != nil {
		return fmt.Errorf("bring the memory from version %d to version %d: %w", version, Schema(), err)
	}
	return nil
}

// migrateFrom migrates a database from a version. One of version 0 has no tables yet, and gets them
// as the migrations leave them.
func (s *Store) migrateFrom(ctx context.Context, version int) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if version == 0 {
		err = s.create(ctx, tx)
	} else {
		_, err = tx.ExecContext(ctx, strings.Join(migrations[version-1:], "\n"))
	}
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", Schema())); err != nil {
		return err
	}
	return tx.Commit()
}

// create creates the tables of a new database.
func (s *Store) create(ctx context.Context, tx *sql.Tx) error {
	for _, table := range ownTables {
		if _, err := tx.ExecContext(ctx, creation(table)); err != nil {
			return err
		}
	}
	if _, err := os.Lstat(filepath.Join(s.dir, store.CopyName)); err != nil {
		return nil
	}
	// The copy is of a database that is gone, and names a change of its log.
	if err := continueNumbers(ctx, tx, 0, time.Now()); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, upsertMeta, store.LostKey, store.LostDatabase)
	return err
}

// Schema returns the version of the tables that this program writes.
func Schema() int { return len(migrations) + 1 }
