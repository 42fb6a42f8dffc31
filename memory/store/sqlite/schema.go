package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

// migrations bring a database from version i to version i+1. A step, once
// released, is never edited: a later one mends it.
var migrations = []string{
	// 1: the log, the rows folded from it, and the snapshot of what was folded
	// out of the log when it grew too long.
	`CREATE TABLE log (
		seq     INTEGER PRIMARY KEY,
		at      INTEGER NOT NULL, -- milliseconds since 1970
		kind    TEXT NOT NULL,
		subject TEXT NOT NULL,
		session TEXT NOT NULL,
		by      TEXT NOT NULL,
		before  TEXT,
		after   TEXT,
		reason  TEXT NOT NULL
	);
	CREATE INDEX log_subject ON log(subject, seq);
	CREATE TABLE state (
		room TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (room, key)
	) WITHOUT ROWID;
	CREATE TABLE snapshot (
		room TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (room, key)
	) WITHOUT ROWID;
	CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;`,
	// 2: where a change comes from, and whether it may leave the machine.
	`ALTER TABLE log ADD COLUMN origin TEXT NOT NULL DEFAULT '';
	ALTER TABLE log ADD COLUMN scope INTEGER NOT NULL DEFAULT 0; -- 0 private, 1 shared`,
	// 3: rows that are not read at the start. Those of entries that are not in force
	// are moved there; what follows a file that is gone stays.
	`CREATE TABLE retired (
		room TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (room, key)
	) WITHOUT ROWID;
	INSERT INTO retired SELECT room, key, value FROM state
		WHERE room = 'longterm' AND value ->> '$.status' != 'active' AND value ->> '$.stale' IS NULL;
	DELETE FROM state WHERE (room, key) IN (SELECT room, key FROM retired);`,
}

// ownTables are those of the store. All others belong to rooms.
var ownTables = []string{"log", "state", "retired", "snapshot", "meta"}

func migrate(ctx context.Context, db *sql.DB) error {
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return fmt.Errorf("read the version of the memory: %w", err)
	}
	if version > len(migrations) {
		return fmt.Errorf("version %d of the memory, known is %d: %w", version, len(migrations), store.ErrNewer)
	}
	for ; version < len(migrations); version++ {
		if err := step(ctx, db, version); err != nil {
			return fmt.Errorf("bring the memory to version %d: %w", version+1, err)
		}
	}
	return nil
}

func step(ctx context.Context, db *sql.DB, version int) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, migrations[version]); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version+1)); err != nil {
		return err
	}
	return tx.Commit()
}
