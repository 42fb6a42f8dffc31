// Package backup writes the memory of a workspace to one file and reads it back. The file has
// JSON Lines: the rows of the database and the files of the sessions. What can be made anew from
// the rest is left out, such as the index of the search. A memory that is restored is the same,
// byte for byte of what is kept, also for another workspace or on another machine.
package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/sqlite"
)

// A Memory is the memory of a workspace on the disk.
type Memory struct {
	// Dir is the folder of the workspace's memory.
	Dir string
	// Derived are the rooms with tables that can be made anew. They are not in a backup.
	Derived []string
	// Version is the version of the program.
	Version string
	Log     *slog.Logger
}

// ErrNone is returned if there is no memory to back up.
var ErrNone = errors.New("nothing is remembered for this folder yet, so there is nothing to back up")

// Write writes everything that is kept to a writer. Processes may use the memory meanwhile; the
// backup shows one state of its database.
func (m Memory) Write(ctx context.Context, to io.Writer, now time.Time) error {
	if _, err := os.Stat(filepath.Join(m.Dir, store.DatabaseName)); errors.Is(err, fs.ErrNotExist) {
		return ErrNone
	}
	s, err := sqlite.Open(ctx, m.Dir, m.Log)
	if err != nil {
		return fmt.Errorf("open the memory: %w", err)
	}
	defer func() { _ = s.Close() }()
	unlock := s.LockSessions() // no file is half of one state and half of the next
	defer unlock()
	return s.View(ctx, func(db store.Querier) error { return m.write(ctx, db, to, now) })
}

// write writes a backup. The folders of the sessions are locked.
func (m Memory) write(ctx context.Context, db store.Querier, to io.Writer, now time.Time) error {
	w := newWriter(to)
	h := header{Format: format, Version: formatVersion, Program: m.Version, MadeAt: now.UTC()}
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&h.Schema); err != nil {
		return fmt.Errorf("read the version of the memory: %w", err)
	}
	if err := w.write(line{Header: &h}); err != nil {
		return err
	}
	if err := writeTables(ctx, db, w, m.Derived); err != nil {
		return err
	}
	if err := writeFiles(m.Dir, w); err != nil {
		return err
	}
	return w.close()
}
