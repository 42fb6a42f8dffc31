package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2/maybe"
)

// CopyName is the readable copy of the long-term entries, for people. What they
// change in it is imported.
const CopyName = "workspace-memory.json"

const (
	copyHash     = "copy_hash" // meta: sha256 of the copy as it was last written
	maxCopyBytes = 16 << 20
)

// ErrEdited means that the readable copy was edited by hand since it was last
// written, so that writing it again would lose the edit.
var ErrEdited = errors.New("the readable copy was edited by hand")

// ReadCopy returns the readable copy, nil where there is none, and whether it
// is another one than this product wrote last.
func (s *Store) ReadCopy(ctx context.Context) (doc []byte, edited bool, err error) {
	err = s.withCopy(ctx, func(tx *Tx, found []byte, isEdited bool) error {
		doc, edited = found, isEdited
		return nil
	})
	return doc, edited, err
}

// WriteCopy replaces the readable copy with what build returns. The error is
// ErrEdited, and nothing is written, where a hand edit is still to be imported.
func (s *Store) WriteCopy(ctx context.Context, build func(*Tx) ([]byte, error)) error {
	return s.withCopy(ctx, func(tx *Tx, found []byte, edited bool) error {
		if edited {
			return ErrEdited
		}
		return s.writeCopy(tx, found, build)
	})
}

// ReplaceCopy writes the readable copy whatever is there. It is for a hand edit
// that was imported, of which the caller gives the content that it read: if it
// was edited once more meanwhile, the error is ErrEdited.
func (s *Store) ReplaceCopy(ctx context.Context, imported []byte, build func(*Tx) ([]byte, error)) error {
	return s.withCopy(ctx, func(tx *Tx, found []byte, _ bool) error {
		if found != nil && hash(found) != hash(imported) {
			return ErrEdited
		}
		return s.writeCopy(tx, found, build)
	})
}

// SetCopyAside renames a readable copy that cannot be read, so that nothing
// that somebody wrote is lost, and returns its new name. What is kept went
// through clean, which takes the secrets out.
func (s *Store) SetCopyAside(ctx context.Context, now time.Time, clean func(doc []byte) []byte) (string, error) {
	name := CopyName + ".corrupt-" + now.UTC().Format("20060102T150405.000Z")
	aside := filepath.Join(s.dir, name)
	err := s.withCopy(ctx, func(*Tx, []byte, bool) error {
		if err := os.Rename(s.copyPath(), aside); err != nil {
			return err
		}
		doc, err := readBounded(aside) // as it was when nobody could write to it any more
		if err != nil {
			return err
		}
		return maybe.WriteFile(aside, clean(doc), 0o600)
	})
	if err != nil {
		return "", fmt.Errorf("set the unreadable copy aside: %w", err)
	}
	return name, nil
}

func (s *Store) copyPath() string { return filepath.Join(s.dir, CopyName) }

func (s *Store) withCopy(ctx context.Context, f func(tx *Tx, doc []byte, edited bool) error) error {
	return s.exclusive(func() error {
		if err := s.stillOurs(ctx); err != nil {
			return err
		}
		sqlTx, err := s.fast.BeginTx(ctx, nil)
		if err != nil {
			return classify(fmt.Errorf("look at the readable copy: %w", err))
		}
		tx := &Tx{ctx: ctx, tx: sqlTx}
		doc, err := readBounded(s.copyPath())
		if err == nil {
			var written string
			if written, err = tx.Meta(copyHash); err == nil {
				err = f(tx, doc, doc != nil && hash(doc) != written)
			}
		}
		if err != nil {
			return errors.Join(classify(err), sqlTx.Rollback())
		}
		return classify(sqlTx.Commit())
	})
}

// writeCopy replaces the copy that was found. People take no lock: the new text
// is on the disk beside the old one before the last look at whether somebody
// wrote meanwhile, so that only the renaming lies behind that look.
func (s *Store) writeCopy(tx *Tx, found []byte, build func(*Tx) ([]byte, error)) error {
	doc, err := build(tx)
	if err != nil {
		return err
	}
	beside := s.copyPath() + ".new"
	if err := maybe.WriteFile(beside, doc, 0o600); err != nil {
		return fmt.Errorf("write the readable copy: %w", err)
	}
	if now, err := readBounded(s.copyPath()); err != nil || !bytes.Equal(now, found) {
		return errors.Join(cmp.Or(err, ErrEdited), os.Remove(beside))
	}
	if err := os.Rename(beside, s.copyPath()); err != nil {
		return fmt.Errorf("replace the readable copy: %w", err)
	}
	return tx.SetMeta(copyHash, hash(doc))
}

// readBounded reads a regular file of a sane size; a missing one is nil.
func readBounded(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the readable copy: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxCopyBytes {
		return nil, fmt.Errorf("the readable copy %s is not a regular file of at most %d bytes; move it away", path, maxCopyBytes)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the readable copy: %w", err)
	}
	defer file.Close()
	doc, err := io.ReadAll(io.LimitReader(file, maxCopyBytes))
	if err != nil {
		return nil, fmt.Errorf("read the readable copy: %w", err)
	}
	return doc, nil
}

func hash(doc []byte) string {
	sum := sha256.Sum256(doc)
	return hex.EncodeToString(sum[:])
}
