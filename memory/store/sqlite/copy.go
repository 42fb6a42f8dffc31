package sqlite

import (
	"bytes"
	"cmp"
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
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

const maxCopyBytes = 16 << 20

// CopyStamp returns a value that differs after the readable copy was modified.
func (s *Store) CopyStamp() store.CopyStamp {
	info, err := os.Stat(s.copyPath())
	if err != nil {
		return store.CopyStamp{}
	}
	return stampOf(info)
}

func stampOf(info fs.FileInfo) store.CopyStamp {
	return store.CopyStamp{Modified: info.ModTime(), Size: info.Size()}
}

// IsWrittenCopy reports whether a stamp is that of the copy that a process wrote last.
func (s *Store) IsWrittenCopy(ctx context.Context, stamp store.CopyStamp) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return false
	}
	var written string
	err := s.db.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", store.CopyStampKey).Scan(&written)
	return err == nil && written == stamp.String()
}

// ReadCopy returns the readable copy, or nil if there is none, and whether it differs from the
// one that a process wrote last.
func (s *Store) ReadCopy(ctx context.Context) (doc []byte, edited bool, err error) {
	if doc, ours := s.readOwnCopy(ctx); ours { // without the lock, because every process polls
		return doc, false, nil
	}
	err = s.withCopy(ctx, func(tx store.Tx, found []byte, isEdited bool) error {
		doc, edited = found, isEdited
		return nil
	})
	return doc, edited, err
}

// readOwnCopy returns the readable copy, and whether it is the one that was written last.
func (s *Store) readOwnCopy(ctx context.Context) (doc []byte, ours bool) {
	doc, err := readBounded(s.copyPath())
	if err != nil || doc == nil {
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return nil, false
	}
	var written string
	err = s.db.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", store.CopyHashKey).Scan(&written)
	return doc, err == nil && written == store.CopyHash(doc)
}

// WriteCopy replaces the readable copy by what build returns. If there is a hand edit that was
// not imported, nothing is written and the error is ErrEdited.
func (s *Store) WriteCopy(ctx context.Context, build func(store.Tx) ([]byte, error)) error {
	return s.withCopy(ctx, func(tx store.Tx, found []byte, edited bool) error {
		if edited {
			return store.ErrEdited
		}
		return s.writeCopy(tx, found, build)
	})
}

// ReplaceCopy replaces the readable copy after a hand edit was imported. If the copy was edited
// since, the error is ErrEdited.
func (s *Store) ReplaceCopy(ctx context.Context, imported []byte, build func(store.Tx) ([]byte, error)) error {
	return s.withCopy(ctx, func(tx store.Tx, found []byte, _ bool) error {
		if found != nil && store.CopyHash(found) != store.CopyHash(imported) {
			return store.ErrEdited
		}
		return s.writeCopy(tx, found, build)
	})
}

// SetCopyAside renames a readable copy that is not imported, so that the edit is not lost, and
// returns its new name. clean redacts what is kept. If the copy was edited since, the error is
// ErrEdited.
func (s *Store) SetCopyAside(
	ctx context.Context, judged []byte, now time.Time, clean func(doc []byte) []byte,
) (string, error) {
	name := store.AsideName(store.CopyName, now)
	aside := filepath.Join(s.dir, name)
	err := s.withCopy(ctx, func(_ store.Tx, found []byte, _ bool) error {
		if found != nil && !bytes.Equal(found, judged) {
			return store.ErrEdited
		}
		if err := os.Rename(s.copyPath(), aside); err != nil {
			return err
		}
		doc, err := readBounded(aside) // an editor may have written to it meanwhile
		if err != nil {
			return err
		}
		return files.Write(aside, clean(doc))
	})
	if err != nil {
		return "", fmt.Errorf("set the readable copy aside: %w", err)
	}
	return name, nil
}

func (s *Store) copyPath() string { return filepath.Join(s.dir, store.CopyName) }

func (s *Store) withCopy(ctx context.Context, f func(tx store.Tx, doc []byte, edited bool) error) error {
	return s.exclusiveNext(patience, nil, func() error {
		if err := s.stillOurs(ctx); err != nil {
			return err
		}
		tx, err := s.begin(ctx)
		if err != nil {
			return classify(fmt.Errorf("look at the readable copy: %w", err))
		}
		defer func() { _ = tx.tx.Rollback() }() // if something fails; no effect after a commit
		doc, err := readBounded(s.copyPath())
		if err == nil {
			var written string
			if written, err = tx.Meta(store.CopyHashKey); err == nil {
				err = f(tx, doc, doc != nil && store.CopyHash(doc) != written)
			}
		}
		if err == nil {
			err = tx.commit()
		}
		return classify(err)
	})
}

// writeCopy replaces the copy that was found. Editors take no lock, and may have opened the
// file before. Therefore the former file keeps a name until it is certain that no editor has
// written to it; otherwise it is restored. Nothing is synced, because the copy can be written
// again at any time, and other writers wait for the lock.
func (s *Store) writeCopy(tx store.Tx, found []byte, build func(store.Tx) ([]byte, error)) error {
	doc, err := build(tx)
	if err != nil {
		return err
	}
	root, err := regular.OpenRoot(s.dir)
	if err != nil {
		return fmt.Errorf("write the readable copy: %w", err)
	}
	defer func() { _ = root.Close() }()
	pending, err := files.NewUnsynced(root, doc)
	if err != nil {
		return fmt.Errorf("write the readable copy: %w", err)
	}
	info, err := pending.Info() // before others can edit it
	if err != nil {
		pending.Discard()
		return fmt.Errorf("write the readable copy: %w", err)
	}
	if now, err := readBounded(s.copyPath()); err != nil || !bytes.Equal(now, found) {
		pending.Discard()
		return cmp.Or(err, store.ErrEdited)
	}
	former := files.TempName()
	linked := root.Link(store.CopyName, former) == nil // false without a copy, and on some file systems
	if err := pending.Replace(store.CopyName); err != nil {
		return fmt.Errorf("replace the readable copy: %w", err)
	}
	if linked {
		now, err := readBounded(filepath.Join(s.dir, former))
		if err != nil || now != nil && !bytes.Equal(now, found) {
			return errors.Join(cmp.Or(err, store.ErrEdited), root.Rename(former, store.CopyName))
		}
		if err := root.Remove(former); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("delete the former readable copy: %w", err)
		}
	}
	return errors.Join(
		tx.SetMeta(store.CopyHashKey, store.CopyHash(doc)),
		tx.SetMeta(store.CopyStampKey, stampOf(info).String()),
	)
}

// readBounded reads a regular file of at most maxCopyBytes. It returns nil if there is none.
func readBounded(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the readable copy: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxCopyBytes {
		return nil, fmt.Errorf("the readable copy %s is not a regular file of at most %d bytes; move it away",
			path, maxCopyBytes)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the readable copy: %w", err)
	}
	defer file.Close()
	var doc bytes.Buffer
	doc.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := doc.ReadFrom(io.LimitReader(file, maxCopyBytes)); err != nil {
		return nil, fmt.Errorf("read the readable copy: %w", err)
	}
	return doc.Bytes(), nil
}
