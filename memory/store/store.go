// Package store declares the types, errors and file names of stores, which store a workspace.
// The implementations are the packages sqlite and inmemory. Package storetest contains the
// tests for both. A store does not interpret changes.
package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
)

// The errors of stores.
var (
	// ErrNewer means that a newer version of wm-lsp wrote the store. It is not modified.
	ErrNewer = errors.New("the memory was written by a newer wm-lsp; update wm-lsp to use it")
	// ErrCorrupt means that the store cannot be read.
	ErrCorrupt = errors.New("the memory database is damaged")
	// ErrReplaced means that another process has replaced the store. The new store is open
	// now, and the caller must load its state.
	ErrReplaced = errors.New("the memory database was replaced by another process")
	// ErrRemade means that the files of the store were removed, and have been written again
	// with their content. The caller can try again.
	ErrRemade = errors.New("the memory database had been removed and was written again")
	// ErrUnsynced means that a transaction was committed and every process sees it, but the
	// disk did not confirm it: it may be lost with a power cut.
	ErrUnsynced = errors.New("the memory was changed, but the disk did not confirm that it is saved")
	// ErrBusy means that another process has been writing for so long that it may hang, and that
	// nothing was written.
	ErrBusy = errors.New("the memory is being written by another process")
	// ErrEdited means that the readable copy was edited by hand since it was last
	// written, so that writing it again would lose the edit.
	ErrEdited = errors.New("the readable copy was edited by hand")
	// ErrNoOutput means that there is no output with a reference. It may have been deleted.
	ErrNoOutput error = fault.Refuse(fault.NotFound, fault.Data{},
		"there is no output with this reference; it may have been swept")
	// ErrClosed means that the store was closed before.
	ErrClosed = errors.New("the memory is closed")
)

// A Mode is the durability of a transaction.
type Mode int

const (
	// Durable transactions are on the disk when Update returns.
	Durable Mode = iota
	// Fast transactions survive the end of the process, but may be lost in a power cut. They
	// wait a second for a process that writes, where the others wait as long as it takes.
	Fast
	// Deferred transactions survive the end of the process, and a power cut as soon as a later
	// durable transaction or a Shred has synced them.
	Deferred
)

// A Holder is the process that writes.
type Holder struct {
	// PID is its id, or 0 if it is not known.
	PID int
	// Stopped is true if it is known to be stopped, as by SIGSTOP.
	Stopped bool
}

// String returns "another process", with the id if it is known.
func (h Holder) String() string {
	if h.PID == 0 {
		return "another process"
	}
	return fmt.Sprintf("another process (pid %d)", h.PID)
}

// State returns what is known of the state of the process.
func (h Holder) State() string {
	if h.Stopped {
		return "it is stopped"
	}
	return "it may hang"
}

// Fix tells a person how to go on.
func (h Holder) Fix() string {
	switch {
	case h.Stopped:
		return fmt.Sprintf("continue it with kill -CONT %d, or end it with kill -KILL %d", h.PID, h.PID)
	case h.PID != 0:
		return fmt.Sprintf("if it does not go on, end the process %d", h.PID)
	}
	return "if it does not go on, end the process of wm-lsp that hangs"
}

// KindBlank is the kind of a change whose content was erased. Rooms ignore it.
const KindBlank change.Kind = "blank"

// A Tx is a write transaction. It must not be used after the function that received it has
// returned.
type Tx interface {
	// Append writes changes to the end of the log and sets their Seq.
	Append(changes ...*change.Change) error
	// Since returns the changes after seq, in order.
	Since(seq int64) ([]change.Change, error)
	// Until returns the changes up to and with seq, in order.
	Until(seq int64) ([]change.Change, error)
	// Load reads the state as the transaction sees it.
	Load() (State, error)

	// Put writes a row of a room, or deletes it if its value is nil. A retired row is
	// written to the table of retired rows.
	Put(room string, row change.Row) error
	// Rewrite calls edit with every row, retired or not, and writes the returned row if edit
	// reports that it differs. A row whose value is nil is deleted. It returns what was
	// written, by room.
	Rewrite(edit func(room string, row change.Row) (change.Row, bool)) (map[string][]change.Row, error)

	// Snapshot returns the snapshot.
	Snapshot() (Snapshot, error)
	// FoldInto deletes the changes up to and including seq, and replaces the rows of the
	// snapshot, before, by after. after must be the result of folding the deleted changes
	// over before.
	FoldInto(before, after map[string][]change.Row, seq int64) error
	// TakeSnapshot replaces the snapshot by the rows of the tables, retired or not, as of the
	// newest change. The log is not modified. Changes that the snapshot includes are only
	// read by Trace.
	TakeSnapshot() error

	// Blank erases everything except the time from the changes of the log that match. The
	// snapshot must include them, because they cannot be replayed.
	Blank(matches func(c change.Change) bool) error
	// Clear deletes the log before seq, the rows, the snapshot and the meta data, drops the
	// tables of rooms, and sets History.Cleared to seq.
	Clear(seq int64) error

	// ExecContext, QueryContext and QueryRowContext are for the tables of rooms, which are
	// SQLite tables in every implementation.
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row

	// Meta returns a value of the meta data, or "" if there is none.
	Meta(key string) (string, error)
	// SetMeta sets a value of the meta data.
	SetMeta(key, value string) error
}

// A Lease is held by a process while it serves a session, until the lease is released or the
// process ends.
type Lease interface {
	Release() error
}

// State contains the rows that are not retired, by the name of their room, the position of the
// newest change that they include, the meta data, and the names of the tables that are there.
type State struct {
	Seq    int64
	Rows   map[string][]change.Row
	Meta   map[string]string
	Tables []string
}

// A Snapshot contains the rows that result from all changes up to and including Seq. These
// changes may still be in the log.
type Snapshot struct {
	Seq  int64
	Rows map[string][]change.Row
}

// A History is the snapshot with the changes after it up to some point. Cleared is the
// position of the last purge, or 0 if there was none.
type History struct {
	Snapshot
	Changes []change.Change
	Cleared int64
}

// A Filter selects changes of the log. A zero member matches all changes.
type Filter struct {
	Subject string
	// Kinds are whole kinds ("memory.added") or their nouns ("memory").
	Kinds []string
	Since time.Time
	// After is a position in the log. Only later changes match.
	After int64
	// Limit is the maximum number of changes, counted from the newest; 0 means no limit.
	Limit int
}

// Matches reports whether a change matches the filter, regardless of the limit.
func (f Filter) Matches(c change.Change) bool {
	return (f.Subject == "" || c.Subject == f.Subject) && c.Seq > f.After &&
		(f.Since.IsZero() || c.At.UnixMilli() >= f.Since.UnixMilli()) &&
		(len(f.Kinds) == 0 || f.matchesKind(string(c.Kind)))
}

func (f Filter) matchesKind(kind string) bool {
	for _, wanted := range f.Kinds {
		if kind == wanted || strings.HasPrefix(kind, wanted+".") {
			return true
		}
	}
	return false
}

// A Sweep is the result of a sweep of outputs or of folders of sessions (systems.md A12).
type Sweep struct {
	Scanned, Deleted int
	Reclaimed        int64 // bytes, of outputs
	Failed           []string
}

// A CopyStamp differs after the readable copy was modified.
type CopyStamp struct {
	Modified time.Time
	Size     int64
}

// String returns the stamp as nanoseconds since 1970 and bytes.
func (c CopyStamp) String() string { return fmt.Sprintf("%d %d", c.Modified.UnixNano(), c.Size) }

// TablesKey returns the key of the version of a room's tables in the meta data.
func TablesKey(room string) string { return "tables " + room }

// SessionKey returns the name of the folder of a session: the first 32 hex digits of the
// sha256 of its id.
func SessionKey(session string) string {
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:16])
}

// refLength is the length of a reference, in hex digits.
const refLength = 16

// OutputRef returns the reference of an output: the first 16 hex digits of the
// sha256 of its text.
func OutputRef(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:refLength]
}

// IsOutputRef reports whether a string has the form of a reference.
func IsOutputRef(ref string) bool {
	return len(ref) == refLength && strings.Trim(ref, "0123456789abcdef") == ""
}

// CopyHash returns the hash by which a store recognizes the readable copy that it has written.
func CopyHash(doc []byte) string {
	sum := sha256.Sum256(doc)
	return hex.EncodeToString(sum[:])
}

// CopyHashKey is the key of the meta data that stores the CopyHash of the readable copy.
const CopyHashKey = "copy_hash"

// CopyStampKey is the key of the meta data that stores the CopyStamp of the readable copy that was
// written last, as a string.
const CopyStampKey = "copy_stamp"

// LostKey is the key of the meta data that stores the names of the tables that were missing
// when the store was opened and are not filled again yet, separated by spaces.
const LostKey = "lost"

// LostDatabase is the name under LostKey of a whole database that was missing beside its readable copy.
const LostDatabase = "database"

// A Salvaged says what could be read in a database that was set aside: how many rows, and of which
// tables some could not be read. Lost has the name of a room if none of its tables could be read.
type Salvaged struct {
	Rows int
	Lost []string
}

// RestoredKey is the key of the meta data that is set in a database that was restored from a
// backup. A process that had the former database open drops what it held.
const RestoredKey = "restored"

// PackRows returns the content of a file of rows that are set aside. For each row it contains
// a line with the room, the key, quoted as in Go, and the length of the value in bytes, then
// the value and a newline. Rooms are sorted.
func PackRows(rows map[string][]change.Row) []byte {
	var packed bytes.Buffer
	for _, room := range slices.Sorted(maps.Keys(rows)) {
		for _, row := range rows[room] {
			fmt.Fprintf(&packed, "%s %q %d\n%s\n", room, row.Key, len(row.Value), row.Value)
		}
	}
	return packed.Bytes()
}
