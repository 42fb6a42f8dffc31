// Package store is the contract of what keeps a workspace: the values that go in
// and out, the errors, and the names of files and folders. The implementations
// are in the packages sqlite and inmemory, and storetest holds the tests that
// both must pass. Nothing here knows what the changes mean.
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

// What can go wrong, for errors.Is.
var (
	// ErrNewer means that a later version of wm-lsp wrote the store. It is left
	// untouched.
	ErrNewer = errors.New("the memory was written by a newer wm-lsp; update wm-lsp to use it")
	// ErrCorrupt means that the store cannot be read.
	ErrCorrupt = errors.New("the memory database is damaged")
	// ErrReplaced means that the store is no longer the one that was open: it was
	// set aside or removed by another process. The new one is open now; the caller
	// has to load its state again.
	ErrReplaced = errors.New("the memory database was replaced by another process")
	// ErrRemade means that the files of the store had been removed, and were written again
	// with everything that they held. What follows is possible again.
	ErrRemade = errors.New("the memory database had been removed and was written again")
	// ErrUnsynced means that a transaction was committed and every process sees it, but the
	// disk did not confirm it: it may be lost with a power cut.
	ErrUnsynced = errors.New("the memory was changed, but the disk did not confirm that it is saved")
	// ErrEdited means that the readable copy was edited by hand since it was last
	// written, so that writing it again would lose the edit.
	ErrEdited = errors.New("the readable copy was edited by hand")
	// ErrNoOutput means that there is no output with a reference, or no more.
	ErrNoOutput error = fault.Refuse(fault.NotFound, fault.Data{},
		"there is no output with this reference; it may have been swept")
	// ErrClosed means that the store was closed before.
	ErrClosed = errors.New("the memory is closed")
)

// A Mode says how a transaction is made safe.
type Mode int

const (
	// Durable transactions are on the disk when Update returns.
	Durable Mode = iota
	// Fast ones survive the end of the process, but not a power cut.
	Fast
)

// KindBlank is the kind of a change whose content was erased. It folds to nothing.
const KindBlank change.Kind = "blank"

// A Tx is a write transaction. It must not be used after the function that it was
// given to has returned.
type Tx interface {
	// Append writes a change to the end of the log and sets its Seq.
	Append(c *change.Change) error
	// Since returns the changes after seq, in order.
	Since(seq int64) ([]change.Change, error)
	// Until returns the changes up to and with seq, in order.
	Until(seq int64) ([]change.Change, error)
	// Load reads the state as the transaction sees it.
	Load() (State, error)

	// Put writes one row of a room's table, or deletes it where its value is nil. A
	// row that may be retired is kept where it says.
	Put(room string, row change.Row) error
	// Rewrite calls edit with every row, retired or not, and writes the returned row if edit
	// reports that it differs. A row whose value is nil is deleted. It returns what was
	// written, by room.
	Rewrite(edit func(room string, row change.Row) (change.Row, bool)) (map[string][]change.Row, error)

	// Snapshot returns the snapshot.
	Snapshot() (Snapshot, error)
	// FoldInto drops the changes up to and with seq. The rows of the snapshot, as they
	// were before, become after, which must stand for them and for those changes that
	// were not in the snapshot yet.
	FoldInto(before, after map[string][]change.Row, seq int64) error
	// TakeSnapshot makes the rows of the tables, retired or not, the snapshot, up to the newest change.
	// The log stays: what is in the snapshot is read by the trace alone.
	TakeSnapshot() error

	// Blank takes everything but the time from the changes that match, in the log.
	// The snapshot must stand for them, or they would be missing from the replay.
	Blank(matches func(c change.Change) bool) error
	// Clear empties the log before seq, the rows, the snapshot and the values beside
	// the log, and drops the tables of rooms. History.Cleared is seq from then on.
	Clear(seq int64) error

	// ExecContext, QueryContext and QueryRowContext work on the tables that belong
	// to rooms, which are SQLite's in every implementation.
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row

	// Meta reads a value kept beside the log, "" where there is none.
	Meta(key string) (string, error)
	// SetMeta keeps a value beside the log.
	SetMeta(key, value string) error
}

// A Lease says that a process serves a session, until it is released or the
// process ends.
type Lease interface {
	Release() error
}

// State is what is remembered: the rows of every room that are not retired, by the
// room's name, and
// the position in the log up to which they are folded. Meta are the values that
// are kept beside the log.
type State struct {
	Seq  int64
	Rows map[string][]change.Row
	Meta map[string]string
}

// A Snapshot is the rows that stand for all changes up to and with Seq. Changes
// before may still be in the log.
type Snapshot struct {
	Seq  int64
	Rows map[string][]change.Row
}

// A History is how the memory came to be as it was at one time: the snapshot, and
// the changes since. Cleared is the position of the last purge, 0 if there was none.
type History struct {
	Snapshot
	Changes []change.Change
	Cleared int64
}

// A Filter chooses changes of the log. Zero members choose all.
type Filter struct {
	Subject string
	// Kinds are whole kinds ("memory.added") or their nouns ("memory").
	Kinds []string
	Since time.Time
	// After is the position in the log after which they are; 0 is its start.
	After int64
	// Limit is how many at most, the newest; 0 is no limit.
	Limit int
}

// Matches reports whether the filter chooses a change, whatever the limit is.
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

// A Sweep says what a sweep of kept outputs, or of folders of sessions, did
// (systems.md A12).
type Sweep struct {
	Scanned, Deleted int
	Reclaimed        int64 // bytes, of outputs
	Failed           []string
}

// A CopyStamp tells whether the readable copy was touched.
type CopyStamp struct {
	Modified time.Time
	Size     int64
}

// SessionKey names the folder of a session: the first 32 hex digits of the
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

// CopyHash returns how the store remembers what it wrote into the readable copy.
func CopyHash(doc []byte) string {
	sum := sha256.Sum256(doc)
	return hex.EncodeToString(sum[:])
}

// CopyHashKey is the key under which the hash of the readable copy, as it was
// last written, is kept beside the log.
const CopyHashKey = "copy_hash"

// LostKey is the key, beside the log, of the tables that were missing when the store was
// opened and that were not filled again yet: their names, separated by spaces.
const LostKey = "lost"

// PackRows returns rows as they are kept when they are set aside: for each a line with its
// room, its key, quoted as in Go, and the length of its value in bytes, then the value as it
// is and a newline. Rooms are sorted.
func PackRows(rows map[string][]change.Row) []byte {
	var packed bytes.Buffer
	for _, room := range slices.Sorted(maps.Keys(rows)) {
		for _, row := range rows[room] {
			fmt.Fprintf(&packed, "%s %q %d\n%s\n", room, row.Key, len(row.Value), row.Value)
		}
	}
	return packed.Bytes()
}
