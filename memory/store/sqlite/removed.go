package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// isOurs reports whether the database file is the one that is open.
func (s *Store) isOurs() (bool, error) {
	info, err := os.Stat(filepath.Join(s.dir, store.DatabaseName))
	return err == nil && s.db != nil && os.SameFile(info, s.identity), err
}

// stillOurs checks that the database file is the one that is open. If the file was removed, it
// is written again from the open database, and the error is store.ErrRemade. If it was
// replaced, the new one is opened, and the error is store.ErrReplaced. The error is returned
// until an Update has returned it, because its caller loads the state again.
func (s *Store) stillOurs(ctx context.Context) error {
	ours, err := s.isOurs()
	if ours {
		return s.reopened
	}
	var remade *files.Pending
	if errors.Is(err, fs.ErrNotExist) && s.db != nil {
		root, err := regular.OpenRoot(s.dir)
		if err == nil {
			defer func() { _ = root.Close() }()
			remade, err = s.copyRemoved(ctx, root)
		}
		if err != nil {
			s.log.Warn("copy the database that was removed", "error", err)
		}
	}
	if err := s.closeDatabases(); err != nil {
		s.log.Warn("close the former database", "error", err)
	}
	if remade != nil {
		if err := s.putRemade(remade); err != nil {
			return err
		}
	}
	if err := ownFiles(s.dir); err != nil {
		return err
	}
	if err := s.open(ctx); err != nil {
		return err
	}
	s.reopened = store.ErrReplaced
	if remade != nil {
		s.reopened = store.ErrRemade
	}
	return s.reopened
}

// copyRemoved writes the open database, whose file was removed, to a temporary file in root.
func (s *Store) copyRemoved(ctx context.Context, root *os.Root) (*files.Pending, error) {
	pending, err := files.New(root, nil) // locked, so that no process takes it for one of a killed process
	if err != nil {
		return nil, err
	}
	if _, err := s.db.ExecContext(ctx, "VACUUM INTO ?", pending.Path()); err != nil {
		pending.Discard()
		return nil, err
	}
	return pending, nil
}

// putRemade renames a copied database to the database file. It removes the write-ahead log of
// the former one.
func (s *Store) putRemade(copied *files.Pending) error {
	if err := s.removeWAL(); err != nil {
		copied.Discard()
		return err
	}
	if err := copied.Replace(store.DatabaseName); err != nil {
		return fmt.Errorf("write the memory database again: %w", err)
	}
	return nil
}

// writableAgain opens the database again if it could not be written and can be by now. SQLite opens one that cannot be
// written only for reading, and it stays so.
func (s *Store) writableAgain(ctx context.Context) error {
	if !s.readOnly {
		return nil
	}
	file, err := os.OpenFile(filepath.Join(s.dir, store.DatabaseName), os.O_RDWR, 0)
	if err != nil {
		return nil // the transaction fails and says so
	}
	if err := errors.Join(file.Close(), s.closeDatabases()); err != nil {
		s.log.Warn("close the database that could only be read", "error", err)
	}
	return s.open(ctx)
}
