package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/sqlite"
)

// ErrNotEmpty is returned by Restore if the memory holds something and must not be replaced.
var ErrNotEmpty = errors.New("this folder has a memory already")

// Restore replaces the memory by that of a backup, which it reads several times. The whole backup
// is checked before anything is changed. If the memory is not empty, former is called for a
// writer, to which it is backed up first; if former is nil, the error is ErrNotEmpty.
// Processes that use the memory take over the restored one.
func (m Memory) Restore(
	ctx context.Context, from io.ReadSeeker, now time.Time, former func() (io.WriteCloser, error),
) error {
	if err := m.checkAll(from); err != nil {
		return err
	}
	if err := os.MkdirAll(m.Dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of the memory: %w", err)
	}
	s, err := sqlite.Open(ctx, m.Dir, m.Log)
	if err != nil {
		return fmt.Errorf("open the memory: %w", err)
	}
	defer func() { _ = s.Close() }()
	fill := func(tx store.Tables) error {
		if _, err := from.Seek(0, io.SeekStart); err != nil {
			return err
		}
		l := loader{ctx: ctx, tx: tx}
		if err := each(from, l.begin, l.take); err != nil {
			return err
		}
		return l.mark(now)
	}
	unlock := s.LockSessions()
	defer unlock()
	// Nobody writes between the backup of the former memory, the replacement of its files and that
	// of its database. If the process is killed there, the restoration has to be repeated.
	return s.Replace(ctx, fill, func(db store.Querier) error {
		if err := m.keepFormer(ctx, db, now, former); err != nil {
			return err
		}
		return m.replaceFiles(from)
	})
}

// checkAll reads a whole backup and checks what can be checked without a database.
func (m Memory) checkAll(from io.ReadSeeker) error {
	begin := func(h header) error {
		if h.Schema > sqlite.Schema() {
			return fmt.Errorf("it was written by wm-lsp %s, which is newer than this one (%s); update wm-lsp first",
				h.Program, m.Version)
		}
		return nil
	}
	return each(from, begin, func(l line) error {
		switch {
		case l.File != nil:
			return checkFile(*l.File)
		case l.Table != nil:
			return checkTable(*l.Table)
		}
		return nil
	})
}

// keepFormer writes a memory that is not empty to what former returns.
func (m Memory) keepFormer(
	ctx context.Context, db store.Querier, now time.Time, former func() (io.WriteCloser, error),
) error {
	var changes int64
	const query = "SELECT count(*) FROM log WHERE kind <> 'workspace.purged'" // which leaves nothing
	if err := db.QueryRowContext(ctx, query).Scan(&changes); err != nil {
		return fmt.Errorf("look whether the memory is empty: %w", err)
	}
	switch {
	case changes == 0:
		return nil
	case former == nil:
		return ErrNotEmpty
	}
	to, err := former()
	if err != nil {
		return err
	}
	return errors.Join(m.write(ctx, db, to, now), to.Close())
}

// replaceFiles replaces the files of the sessions and the kept outputs, and deletes the readable
// copy, which would be taken for one that was edited.
func (m Memory) replaceFiles(from io.ReadSeeker) error {
	if err := removeFiles(m.Dir); err != nil {
		return err
	}
	err := os.Remove(filepath.Join(m.Dir, store.CopyName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete the readable copy of the former memory: %w", err)
	}
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	root, err := regular.OpenRoot(m.Dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	return each(from, func(header) error { return nil }, func(l line) error {
		if l.File == nil {
			return nil
		}
		return restoreFile(root, *l.File)
	})
}
