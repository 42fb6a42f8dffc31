package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// A deleter erases entries and items, and purges the workspace. It is used on the queue.
type deleter struct {
	key      string // of the workspace
	store    *openedStore
	rooms    *registry
	reader   *logReader
	leases   *leases
	eraser   *eraser
	notifier *notifier
	// commit is that of the workspace.
	commit func(
		ctx context.Context, who change.Actor, mode store.Mode, decide decider, also func(store.Tx) error,
	) ([]change.Change, error)
}

// Erase removes an entry and every trace of its strings: from the log, the tables, the
// snapshot, the readable copy, the rows of other rooms, the notes and histories of sessions,
// and files that were set aside. The log still contains that and when an entry was erased.
// Erase is called on the queue.
//
// The rows become the snapshot, because the log can no longer be replayed. The same
// transaction stores the strings that are to be erased from files. They are erased after it. If
// that fails, it is tried again, also by other processes. Erase returns the paths of the files
// that may still contain one of them. An entry that was erased before can be erased again as long
// as there are such files.
//
// The transaction is synced by the rewriting of the database, or by itself if that fails.
func (w *Workspace) Erase(
	ctx context.Context, who change.Actor, id string,
) (entry longterm.Entry, left []string, err error) {
	return w.deleter.erase(ctx, who, id)
}

func (d *deleter) erase(
	ctx context.Context, who change.Actor, id string,
) (entry longterm.Entry, left []string, err error) {
	var ids, texts []string
	var drops bool // an item, and no entry, is erased
	var rows map[string][]change.Row
	item, isItem, err := serviceOf[*items.Service](d.rooms).Item(ctx, id) // also if it was removed before
	if err != nil {
		return entry, nil, err
	}
	swept, err := d.sweptEntry(ctx, id)
	if err != nil {
		return entry, nil, err
	}
	_, err = d.commit(ctx, who, store.Deferred, withoutTables(func() ([]change.Change, error) {
		entries := roomIn[*longterm.Room](d.rooms)
		var there bool
		if entry, there = entries.Get(id); !there {
			entry = swept
		}
		changes, err := entries.Erase(id)
		if fault.Has(err, fault.NotFound) && swept.ID != "" {
			changes, err = entries.EraseSwept(swept)
		}
		if fault.Has(err, fault.NotFound) && isItem {
			entry = longterm.Entry{ID: item.ID, Type: item.Type}
			drops, ids, texts = true, []string{item.ID}, nonEmpty(item.Text)
			return append(items.Remove(id), change.New(erased, id, struct{}{})), nil
		}
		if err != nil {
			return nil, err
		}
		drops, ids, texts = false, nil, nil
		for _, c := range changes {
			ids, texts = append(ids, c.Subject), append(texts, textsIn(entries, c.Subject)...)
		}
		return append(changes, change.New(erased, id, struct{}{})), nil
	}), func(tx store.Tx) (err error) {
		if rows, err = eraseRows(ctx, tx, d.rooms.Load().list, ids, texts); err != nil || !drops {
			return err
		}
		return roomIn[*items.Room](d.rooms).Drop(ctx, tx, item.ID)
	})
	if fault.Has(err, fault.NotFound) && d.eraser.unfinished && roomIn[*longterm.Room](d.rooms).WasErased(id) {
		left, err = d.eraser.finishDurably(ctx)
		return longterm.Entry{ID: id}, left, err
	}
	if err != nil {
		return entry, nil, err
	}
	for _, room := range d.rooms.Load().list {
		if err := room.Load(rows[room.Name()]); err != nil {
			return entry, nil, err
		}
	}
	d.notifier.everythingChanged()
	left, err = d.eraser.finishDurably(ctx)
	return entry, left, err
}

// sweptEntry returns the latest version of a swept entry in the log. If there is none, only the
// id is set.
func (d *deleter) sweptEntry(ctx context.Context, id string) (entry longterm.Entry, err error) {
	s := d.store.Load()
	if _, there := roomIn[*longterm.Room](d.rooms).Get(id); there || s == nil {
		return entry, nil
	}
	changes, err := s.Trace(ctx, store.Filter{Subject: id})
	if err != nil {
		return entry, fmt.Errorf("%w: %w", ErrStore, err)
	}
	if len(changes) == 0 || changes[len(changes)-1].Kind != longterm.Swept {
		return entry, nil
	}
	entry.ID = id
	for _, c := range changes[:len(changes)-1] {
		var was longterm.Entry
		if c.Kind.Noun() == longterm.Noun && c.Decode(&was) == nil && was.ID == id {
			entry = was
		}
	}
	return entry, nil
}

// eraseRows erases entries and their strings, including former ones, from the database. It returns
// the rows that it rewrote.
func eraseRows(
	ctx context.Context, tx store.Tx, all []room.Room, ids, texts []string,
) (map[string][]change.Row, error) {
	changes, err := tx.Since(0)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		if c.Kind.Noun() == longterm.Noun && slices.Contains(ids, c.Subject) {
			texts = append(append(texts, textsOf(c.Before)...), textsOf(c.After)...)
		}
	}
	for _, text := range texts {
		texts = append(texts, otherwiseBegun(text))
	}
	slices.Sort(texts)
	texts = slices.Compact(texts)
	forms := formsOf(texts)
	rows, err := tx.Rewrite(func(name string, row change.Row) (change.Row, bool) {
		rest := withoutTexts(all, name, row, forms)
		return rest, !bytes.Equal(rest.Value, row.Value)
	})
	if err != nil {
		return nil, err
	}
	if err := eraseIndexed(ctx, tx, all, forms); err != nil {
		return nil, err
	}
	err = tx.Blank(func(c change.Change) bool {
		return c.Kind != longterm.Erased && c.Kind != erased && (slices.Contains(ids, c.Subject) || tells(c, texts))
	})
	if err != nil {
		return nil, err
	}
	if err := tx.TakeSnapshot(); err != nil {
		return nil, err
	}
	return rows, updateErasing(tx, func(before []string) []string { return append(before, forms...) })
}

// otherwiseBegun returns a string with a small letter at its beginning instead of a capital one, or the other way
// round: what is remembered of a sentence may begin as the sentence does, or as it would amid another one.
func otherwiseBegun(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if other := unicode.ToUpper(first); other != first {
		return string(other) + text[size:]
	}
	return string(unicode.ToLower(first)) + text[size:]
}

// withoutTexts returns a row of a room without strings.
func withoutTexts(all []room.Room, name string, row change.Row, texts []string) change.Row {
	for _, r := range all {
		if forgetter, is := r.(room.Forgetter); is && r.Name() == name {
			return forgetter.Forget(row, texts)
		}
	}
	return room.Without(row, texts)
}

// textsIn returns the strings of an entry.
func textsIn(entries *longterm.Room, id string) []string {
	entry, _ := entries.Get(id)
	return nonEmpty(entry.Text, entry.Rationale)
}

// textsOf returns the strings of an entry in JSON.
func textsOf(doc json.RawMessage) []string {
	var entry longterm.Entry
	if json.Unmarshal(doc, &entry) != nil {
		return nil
	}
	return nonEmpty(entry.Text, entry.Rationale)
}

func nonEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

// Purge deletes everything of the workspace, for all processes. It returns what was removed, and
// the files that could not be deleted yet. This is tried again, also by other processes. Purge
// is called on the queue.
func (w *Workspace) Purge(ctx context.Context, who change.Actor) (removed, left []string, err error) {
	return w.deleter.purge(ctx, who)
}

func (d *deleter) purge(ctx context.Context, who change.Actor) (removed, left []string, err error) {
	decide := func() ([]change.Change, error) {
		return []change.Change{change.New(purged, d.key, struct{}{})}, nil
	}
	var seq int64
	copied := false
	clear := func(tx store.Tx) error {
		changes, err := tx.Since(d.reader.seq.Load())
		if err != nil {
			return err
		}
		seq = changes[len(changes)-1].Seq
		if err := tx.Clear(seq); err != nil {
			return err
		}
		if err := errors.Join(tx.SetMeta(purgingKey, inFiles), tx.SetMeta(erasingKey, "[]")); err != nil {
			return err
		}
		if err := migrateTables(ctx, tx, d.rooms.Load().list); err != nil {
			return err
		}
		// The copy is deleted first, so that no process imports it as a hand edit. If that
		// fails, discardPurged reports it.
		was, _ := d.store.Load().RemoveCopy()
		copied = copied || was // it may be gone since an attempt that failed
		return nil
	}
	if _, err := d.commit(ctx, who, store.Deferred, withoutTables(decide), clear); err != nil {
		if copied {
			_ = d.eraser.writeCopy(ctx) // what fails is a problem of the workspace
		}
		return nil, nil, err
	}
	d.reader.empty()
	d.reader.seq.Store(seq)
	d.leases.drop()
	removed = []string{store.DatabaseName + ": entries, sessions, errors, files and their history"}
	if copied {
		removed = append(removed, store.CopyName)
	}
	files, _, _ := d.eraser.discardPurged(ctx) // what fails is tried again now
	left, err = d.eraser.finishDurably(ctx)
	return append(removed, files...), left, err
}
