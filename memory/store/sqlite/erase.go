package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// Blank erases everything except the time from the changes of the log that match.
func (tx *transaction) Blank(matches func(c change.Change) bool) error {
	changes, err := tx.Since(0)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if !matches(c) {
			continue
		}
		err := tx.exec(`UPDATE log SET kind = ?, subject = '', session = '', by = '', before = NULL, after = NULL,
			reason = 'erased', origin = '', scope = 0 WHERE seq = ?`, string(store.KindBlank), c.Seq)
		if err != nil {
			return err
		}
	}
	return nil
}

// Rewrite calls edit with every row of the tables, and writes the returned row if edit
// reports that it differs. A row whose value is nil is deleted. It returns what was
// written, by room.
func (tx *transaction) Rewrite(
	edit func(room string, row change.Row) (change.Row, bool),
) (map[string][]change.Row, error) {
	written := map[string][]change.Row{}
	for _, table := range []string{"state", "retired"} {
		rows, err := selectRows(tx.ctx, tx.tx, table, "")
		if err != nil {
			return nil, err
		}
		for room, list := range rows {
			for _, row := range list {
				row.Retired = table == "retired"
				row.Retirable = row.Retired
				changed, is := edit(room, row)
				if !is {
					continue
				}
				if err := tx.Put(room, changed); err != nil {
					return nil, err
				}
				written[room] = append(written[room], changed)
			}
		}
	}
	return written, nil
}

// Clear deletes the log before seq, the rows, the snapshot and the meta data, drops the tables
// of rooms, and sets History.Cleared to seq.
func (tx *transaction) Clear(seq int64) error {
	return errors.Join(
		tx.exec("DELETE FROM log WHERE seq < ?", seq),
		tx.exec("DELETE FROM state"),
		tx.exec("DELETE FROM retired"),
		tx.exec("DELETE FROM snapshot"),
		tx.exec("DELETE FROM meta"),
		tx.SetMeta(clearedKey, strconv.FormatInt(seq, 10)),
		store.DropTables(tx.ctx, tx.tx, ownTables...),
	)
}

// RemoveHolding deletes the outputs, the files that were set aside and the temporary files
// that contain one of the strings. It returns what it deleted, and the paths, relative to the
// folder of the workspace, of the files that may still contain one, with the errors.
func (s *Store) RemoveHolding(texts []string) (removed, left []string, err error) {
	err = s.exclusive(func() error {
		names, err := s.besides()
		if err != nil {
			left = []string{"."}
			return err
		}
		if err := s.ownOutputs(); err != nil {
			left = []string{store.CacheName}
			return err
		}
		outputs, err := os.ReadDir(s.outputs())
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			left = []string{path.Join(store.CacheName, store.OutputsName)}
			return fmt.Errorf("list the outputs: %w", err)
		}
		for _, output := range outputs {
			names = append(names, filepath.Join(store.CacheName, store.OutputsName, output.Name()))
		}
		var errs []error
		for _, name := range names {
			find := texts
			if strings.HasPrefix(name, store.DatabaseName) {
				find = pieces(texts)
			}
			holding, err := files.RemoveHolding(filepath.Join(s.dir, name), find)
			switch {
			case err != nil:
				left, errs = append(left, filepath.ToSlash(name)), append(errs, err)
			case holding:
				removed = append(removed, filepath.Base(name))
				if store.IsAside(name) { // what is left of a database is of no use
					for _, suffix := range []string{"-wal", "-shm"} {
						_ = os.Remove(filepath.Join(s.dir, name+suffix))
					}
				}
			}
		}
		return errors.Join(errs...)
	})
	return removed, left, err
}

// minPiece and maxPiece are the lengths, in bytes, of the pieces of a string.
const minPiece, maxPiece = 16, 1024

// pieces cuts strings into two pieces or more. In the file of a database, a long value may be
// split into several pages. A page is longer than two pieces, so it contains at least one
// whole piece.
func pieces(texts []string) []string {
	var all []string
	for _, text := range texts {
		count := max(2, (len(text)+maxPiece-1)/maxPiece)
		if len(text) < 2*minPiece {
			count = 1
		}
		for i := range count {
			all = append(all, text[len(text)*i/count:len(text)*(i+1)/count])
		}
	}
	return all
}

// besides returns the names of the files that were set aside and of the temporary files.
func (s *Store) besides() (names []string, err error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, fmt.Errorf("list the folder of the workspace's memory: %w", err)
	}
	for _, entry := range entries {
		if store.IsAside(entry.Name()) || files.IsTemporary(entry.Name()) {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}

// Shred makes sure that the files of the database no longer contain what transactions deleted,
// rewrote or blanked.
func (s *Store) Shred(ctx context.Context) error {
	return s.exclusive(func() error {
		err := s.stillOurs(ctx)
		if err != nil && !errors.Is(err, store.ErrReplaced) && !errors.Is(err, store.ErrRemade) {
			return err
		}
		for _, statement := range []string{"PRAGMA secure_delete = ON", "VACUUM"} {
			if _, err := s.db.ExecContext(ctx, statement); err != nil {
				return classify(fmt.Errorf("rewrite the database without what was erased: %w", err))
			}
		}
		return s.truncateWAL(ctx)
	})
}

// truncateWAL empties the write-ahead log, which contains old pages. It tries again while
// other processes read.
func (s *Store) truncateWAL(ctx context.Context) error {
	deadline := time.Now().Add(10 * time.Second)
	for {
		var busy, frames, moved int
		row := s.db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
		if err := row.Scan(&busy, &frames, &moved); err != nil {
			return classify(fmt.Errorf("empty the write-ahead log: %w", err))
		}
		if busy == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return errors.New("another process kept the write-ahead log busy, which may still hold what was erased")
		}
	}
}

// RemoveCopy deletes the readable copy, and reports whether there was one. It may be called
// in a transaction.
func (s *Store) RemoveCopy() (bool, error) {
	err := os.Remove(s.copyPath())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("delete the readable copy: %w", err)
	}
	return true, nil
}

// Discard moves everything except the database into a folder that RemoveDiscarded deletes, and
// returns the names. It may be called in a transaction.
func (s *Store) Discard() ([]string, error) {
	names, err := s.besides()
	if err != nil {
		return nil, err
	}
	return s.DiscardFiles(append([]string{store.CopyName, store.SessionsName, store.CacheName}, names...)...)
}
