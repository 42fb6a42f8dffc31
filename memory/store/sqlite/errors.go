package sqlite

import (
	"errors"
	"fmt"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

// classify wraps an error of SQLite in store.ErrCorrupt if the database is damaged, and adds
// advice to errors that a person can fix.
func classify(err error) error {
	var e *driver.Error
	if !errors.As(err, &e) {
		return err
	}
	if isDamage(e) && !errors.Is(err, store.ErrCorrupt) {
		return fmt.Errorf("%w: %w", store.ErrCorrupt, err)
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return &advised{"the disk is full, nothing was saved; free some space and try again", err}
	case sqlite3.SQLITE_CANTOPEN:
		return &advised{"the memory cannot be opened; check the permissions of its folder and its files", err}
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return &advised{"the folder of the memory cannot be written, nothing was saved; check its permissions", err}
	case sqlite3.SQLITE_IOERR:
		return &advised{"the disk reports an error, nothing was saved; check the disk", err}
	}
	return err
}

// isReadOnly reports whether a database is open only for reading.
func isReadOnly(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_READONLY
}

// An advised is an error of SQLite with the text for a person.
type advised struct {
	advice string
	err    error
}

func (e *advised) Error() string { return e.advice + ": " + e.err.Error() }
func (e *advised) Unwrap() error { return e.err }
func (e *advised) Plain() string { return e.advice }
