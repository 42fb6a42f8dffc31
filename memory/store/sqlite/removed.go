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

// An identity tells the files of a database from later ones with the same names.
type identity struct{ database, wal fs.FileInfo }

// identify returns the identity of the files that are there. The error is fs.ErrNotExist if one is missing: a database
// that is open has a write-ahead log.
func (s *Store) identify() (found identity, err error) {
	path := filepath.Join(s.dir, store.DatabaseName)
	if found.database, err = os.Stat(path); err == nil {
		found.wal, err = os.Stat(path + "-wal")
	}
	return found, err
}

// isOurs reports whether the files of the database are those that are open. The error is fs.ErrNotExist if one was
// removed, also if the write-ahead log was made again since, which does not go with the database.
func (s *Store) isOurs() (bool, error) {
	found, err := s.identify()
	if err != nil || s.db == nil || !os.SameFile(found.database, s.identity.database) {
		return false, err
	}
	if !os.SameFile(found.wal, s.identity.wal) {
		return false, fs.ErrNotExist
	}
	return true, nil
}

// stillOurs checks that the files of the database are those that are open. If one was removed, the
// database is written again from the open one, and the error is store.ErrRemade. If it was
// replaced, the new one is opened, and the error is store.ErrReplaced. The error is returned
// until an Update has returned it, because its caller loads the state again.
func (s *Store) stillOurs(ctx context.Context) error {
	ours, err := s.isOurs()
	if ours {
		return s.reopened
	}
	var remade *files.Pending
	if errors.Is(err, fs.ErrNotExist) && s.db != nil {
		if err := os.MkdirAll(s.dir, 0o700); err != nil {
			return fmt.Errorf("make the folder of the workspace's memory: %w", err)
		}
		root, err := regular.OpenRoot(s.dir)
		if err != nil {
			return fmt.Errorf("write the memory database again: %w", err)
		}
		defer func() { _ = root.Close() }()
		remade, err = s.copyRemoved(ctx, root)
		if err = classify(err); err != nil && !errors.Is(err, store.ErrCorrupt) {
			return fmt.Errorf("write the memory database again: %w", err) // it stays open, and is not lost
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
