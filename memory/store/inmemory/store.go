package inmemory

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/folders"
)

// A Store is an open workspace.
type Store struct {
	folders.Sessions
	dir       string
	workspace *workspace
	// generation is the generation of the open content. It is guarded by the mutex of the
	// workspace.
	generation int
	closed     atomic.Bool
}

// Close closes the store.
func (s *Store) Close() error {
	s.closed.Store(true)
	return nil
}

// Update runs f in a transaction.
// If another process writes, it calls meanwhile, unless that is nil, before it waits.
func (s *Store) Update(ctx context.Context, _ store.Mode, meanwhile func(), f func(store.Tx) error) error {
	if err := s.transact(ctx, meanwhile, f); err != nil {
		return err
	}
	s.workspace.notify()
	return nil
}

func (s *Store) transact(ctx context.Context, meanwhile func(), f func(store.Tx) error) error {
	w := s.workspace
	if !w.writing.TryLock() {
		if meanwhile != nil {
			meanwhile()
		}
		w.writing.Lock()
	}
	defer w.writing.Unlock()
	before, err := s.current(ctx)
	if err != nil {
		return err
	}
	tx := &transaction{content: before.clone(), ctx: ctx, workspace: w}
	defer func() { _ = tx.end(false) }() // if f fails or panics; no effect after a commit
	if err := f(tx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if s.generation != w.generation {
		return errors.New("the memory was replaced while it was written")
	}
	if err := tx.end(true); err != nil {
		return fmt.Errorf("write the memory: %w", err)
	}
	w.content = tx.content
	return nil
}

// Waiting returns the zero time: no other process uses the store.
func (s *Store) Waiting() time.Time { return time.Time{} }

// Holder returns nothing.
func (s *Store) Holder() store.Holder { return store.Holder{} }

// QueryContext reads committed data of a table of a room.
func (s *Store) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return s.workspace.database().QueryContext(ctx, query, args...)
}

// QueryRowContext reads one row of the committed data of a table of a room.
func (s *Store) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return s.workspace.database().QueryRowContext(ctx, query, args...)
}

// View calls read with a Querier that shows one state of the tables of rooms.
func (s *Store) View(ctx context.Context, read func(store.Querier) error) error {
	return store.View(ctx, s.workspace.database(), func(tx *sql.Tx) error { return read(tx) })
}

// current returns the content to write to. If the content was replaced, it opens the new one
// and returns store.ErrReplaced.
func (s *Store) current(ctx context.Context) (content, error) {
	w := s.workspace
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := s.usable(); err != nil {
		return content{}, err
	}
	if s.generation != w.generation {
		s.generation = w.generation
		return content{}, store.ErrReplaced
	}
	return w.content, ctx.Err()
}

// read returns the committed content.
func (s *Store) read(ctx context.Context) (content, error) {
	w := s.workspace
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := s.usable(); err != nil {
		return content{}, err
	}
	return w.content, ctx.Err()
}

// usable returns an error if the store cannot be used. The lock must be held.
func (s *Store) usable() error {
	switch {
	case s.closed.Load():
		return store.ErrClosed
	case s.workspace.damaged:
		return store.ErrCorrupt
	}
	return nil
}

// Load reads the state. If each is not nil, it is called with the rows of each room instead.
func (s *Store) Load(ctx context.Context, each func(room string, rows []change.Row)) (store.State, error) {
	c, err := s.read(ctx)
	if err != nil {
		return store.State{}, err
	}
	state, err := c.load(ctx, s)
	if err != nil {
		return store.State{}, err
	}
	if each != nil {
		for room, rows := range state.Rows {
			each(room, rows)
		}
		state.Rows = nil
	}
	return state, nil
}

// Damage returns nil: Check finds damage.
func (s *Store) Damage() error { return nil }

// Salvage reads nothing: what is damaged here cannot be read at all.
func (s *Store) Salvage(context.Context, string, []string) (store.Salvaged, error) {
	return store.Salvaged{Lost: []string{"log", "state", "retired", "snapshot", "meta"}}, nil
}

// SalvageTable reads nothing.
func (s *Store) SalvageTable(context.Context, string, room.Table, func([]any) error) error {
	return nil
}

// Retired reads the retired rows of a room.
func (s *Store) Retired(ctx context.Context, room string) ([]change.Row, error) {
	c, err := s.read(ctx)
	rows := c.retired.byRoom()[room]
	for i := range rows {
		rows[i].Retirable, rows[i].Retired = true, true
	}
	return rows, err
}

// Newest returns the position of the newest change.
func (s *Store) Newest() int64 {
	w := s.workspace
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.content.seq()
}

// Since returns the changes after seq.
func (s *Store) Since(ctx context.Context, seq int64) ([]change.Change, error) {
	c, err := s.read(ctx)
	return c.since(seq), err
}

// Trace returns the changes that match the filter, oldest first.
func (s *Store) Trace(ctx context.Context, filter store.Filter) ([]change.Change, error) {
	c, err := s.read(ctx)
	found := c.matching(filter.Matches)
	if over := len(found) - filter.Limit; filter.Limit > 0 && over > 0 {
		found = found[over:]
	}
	return found, err
}

// Length returns the number of changes in the log.
func (s *Store) Length(ctx context.Context) (int64, error) {
	c, err := s.read(ctx)
	return int64(len(c.log)), err
}

// OverLimit returns the position of the newest change over the limits of count and age.
func (s *Store) OverLimit(ctx context.Context, maxChanges int, before time.Time) (int64, error) {
	c, err := s.read(ctx)
	var over int64
	for i, found := range c.log[:max(len(c.log)-1, 0)] {
		old := found.At.Before(before) && c.log[0].At.Before(before)
		if old || i < len(c.log)-maxChanges {
			over = found.Seq
		}
	}
	return over, err
}

// History returns the snapshot and the changes after it up to seq.
func (s *Store) History(ctx context.Context, seq int64) (store.History, error) {
	c, err := s.read(ctx)
	changes := c.matching(func(c2 change.Change) bool { return c2.Seq > c.snapshotSeq && c2.Seq <= seq })
	return store.History{Snapshot: c.snapshotOf(), Changes: changes, Cleared: c.cleared}, err
}

// Check looks for damage.
func (s *Store) Check(ctx context.Context) error {
	_, err := s.read(ctx)
	return err
}

// Notices returns a channel that receives after every commit.
func (s *Store) Notices(ctx context.Context) (<-chan struct{}, error) {
	w := s.workspace
	notices := make(chan struct{}, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listeners[notices] = true
	context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.listeners, notices)
		close(notices)
	})
	return notices, nil
}

// Shred does nothing, because deleted data is in no file.
func (s *Store) Shred(context.Context) error { return nil }

// RemoveHolding deletes the outputs, and the files that were set aside, that contain one of the
// strings.
func (s *Store) RemoveHolding(texts []string) (removed, left []string, err error) {
	w := s.workspace
	w.mu.Lock()
	defer w.mu.Unlock()
	held := func(name string, content []byte) bool {
		contains := func(t string) bool { return bytes.Contains(content, []byte(t)) }
		holds := len(texts) == 0 || slices.ContainsFunc(texts, contains)
		if holds {
			removed = append(removed, name)
		}
		return holds
	}
	maps.DeleteFunc(w.aside, held)
	maps.DeleteFunc(w.outputs, func(ref string, o output) bool { return held(ref, []byte(o.text)) })
	slices.Sort(removed)
	return removed, nil, nil
}

// RemoveCopy deletes the readable copy, and reports whether there was one.
func (s *Store) RemoveCopy() (bool, error) {
	w := s.workspace
	w.mu.Lock()
	defer w.mu.Unlock()
	was := w.copied != nil
	w.copied = nil
	return was, nil
}

// Discard deletes everything that transactions do not write, and returns the names. Files on
// the disk are moved into a folder that RemoveDiscarded deletes.
func (s *Store) Discard() ([]string, error) {
	removed, err := s.DiscardFiles(store.SessionsName)
	if err != nil {
		return nil, err
	}
	w := s.workspace
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.copied != nil {
		w.copied, removed = nil, append(removed, store.CopyName)
	}
	if len(w.outputs) > 0 {
		clear(w.outputs)
		removed = append(removed, store.CacheName)
	}
	removed = slices.AppendSeq(removed, maps.Keys(w.aside))
	clear(w.aside)
	return removed, nil
}

// KeepOutput stores a string and returns its reference.
func (s *Store) KeepOutput(text string) (string, error) {
	w, ref := s.workspace, store.OutputRef(text)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.outputs[ref] = output{text, time.Now()}
	return ref, nil
}

// ReadOutput returns a stored text.
func (s *Store) ReadOutput(ref string) (string, error) {
	w := s.workspace
	w.mu.Lock()
	defer w.mu.Unlock()
	kept, there := w.outputs[ref]
	if !there {
		return "", store.ErrNoOutput
	}
	return kept.text, nil
}

// SweepOutputs deletes the outputs that are older than maxAge, and the oldest of more than
// maxFiles.
func (s *Store) SweepOutputs(now time.Time, maxFiles int, maxAge time.Duration) (store.Sweep, error) {
	w := s.workspace
	w.mu.Lock()
	defer w.mu.Unlock()
	refs := slices.SortedFunc(maps.Keys(w.outputs), func(a, b string) int {
		return cmp.Or(w.outputs[b].at.Compare(w.outputs[a].at), strings.Compare(a, b))
	})
	sweep := store.Sweep{Scanned: len(refs)}
	for i, ref := range refs {
		if i < maxFiles && now.Sub(w.outputs[ref].at) <= maxAge {
			continue
		}
		sweep.Deleted++
		sweep.Reclaimed += int64(len(w.outputs[ref].text))
		delete(w.outputs, ref)
	}
	return sweep, nil
}

// SetRowsAside moves rows out of the tables.
func (s *Store) SetRowsAside(ctx context.Context, rows map[string][]change.Row, now time.Time) (string, error) {
	name := store.AsideName(store.RowsName, now)
	err := s.Update(ctx, store.Durable, nil, func(tx store.Tx) error {
		c := tx.(*transaction).content
		for room, list := range rows {
			for _, row := range list {
				id := rowID{room, row.Key}
				for _, table := range []map[rowID]string{c.state, c.retired} {
					if table[id] == string(row.Value) {
						delete(table, id)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	s.workspace.mu.Lock()
	defer s.workspace.mu.Unlock()
	s.workspace.aside[name] = store.PackRows(rows)
	return name, nil
}

// CopyStamp returns a value that differs after the readable copy was modified.
func (s *Store) CopyStamp() store.CopyStamp {
	w := s.workspace
	w.mu.Lock()
	defer w.mu.Unlock()
	return store.CopyStamp{Modified: w.copiedAt, Size: int64(len(w.copied))}
}

// IsWrittenCopy reports whether a stamp is that of the copy that a process wrote last.
func (s *Store) IsWrittenCopy(ctx context.Context, stamp store.CopyStamp) (is bool) {
	err := s.transact(ctx, nil, func(tx store.Tx) error {
		written, err := tx.Meta(store.CopyStampKey)
		is = written == stamp.String()
		return err
	})
	return is && err == nil
}

// ReadCopy returns the readable copy, and whether it was edited.
func (s *Store) ReadCopy(ctx context.Context) (doc []byte, edited bool, err error) {
	err = s.withCopy(ctx, func(_ store.Tx, found []byte, isEdited bool) error {
		doc, edited = found, isEdited
		return nil
	})
	return doc, edited, err
}

// WriteCopy replaces the readable copy unless it was edited.
func (s *Store) WriteCopy(ctx context.Context, build func(store.Tx) ([]byte, error)) error {
	return s.withCopy(ctx, func(tx store.Tx, found []byte, edited bool) error {
		if edited {
			return store.ErrEdited
		}
		return s.writeCopy(tx, found, build)
	})
}

// ReplaceCopy writes the readable copy unless it was edited again.
func (s *Store) ReplaceCopy(ctx context.Context, imported []byte, build func(store.Tx) ([]byte, error)) error {
	return s.withCopy(ctx, func(tx store.Tx, found []byte, _ bool) error {
		if found != nil && !bytes.Equal(found, imported) {
			return store.ErrEdited
		}
		return s.writeCopy(tx, found, build)
	})
}

// SetCopyAside renames the readable copy. Its content is replaced by the result of clean.
func (s *Store) SetCopyAside(
	_ context.Context, judged []byte, now time.Time, clean func(doc []byte) []byte,
) (string, error) {
	w := s.workspace
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.copied == nil {
		return "", fmt.Errorf("set the readable copy aside: %w", os.ErrNotExist)
	}
	if !bytes.Equal(w.copied, judged) {
		return "", store.ErrEdited
	}
	name := store.AsideName(store.CopyName, now)
	w.aside[name] = clean(w.copied)
	w.copied = nil
	return name, nil
}

func (s *Store) withCopy(ctx context.Context, f func(tx store.Tx, doc []byte, edited bool) error) error {
	return s.transact(ctx, nil, func(tx store.Tx) error {
		doc := s.copied()
		written, err := tx.Meta(store.CopyHashKey)
		if err != nil {
			return err
		}
		return f(tx, doc, doc != nil && store.CopyHash(doc) != written)
	})
}

func (s *Store) writeCopy(tx store.Tx, found []byte, build func(store.Tx) ([]byte, error)) error {
	doc, err := build(tx)
	if err != nil {
		return err
	}
	w := s.workspace
	w.mu.Lock()
	defer w.mu.Unlock()
	if !bytes.Equal(w.copied, found) {
		return store.ErrEdited
	}
	w.setCopy(doc)
	stamp := store.CopyStamp{Modified: w.copiedAt, Size: int64(len(w.copied))}
	return errors.Join(
		tx.SetMeta(store.CopyHashKey, store.CopyHash(doc)), tx.SetMeta(store.CopyStampKey, stamp.String()),
	)
}

func (s *Store) copied() []byte {
	s.workspace.mu.Lock()
	defer s.workspace.mu.Unlock()
	return slices.Clone(s.workspace.copied)
}
