package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// Erase removes an entry and every trace of its texts: from the log, the tables, the
// snapshot, the readable copy, the rows of other rooms, the notes and histories of sessions,
// and files that were set aside. The log still says that something was erased, and when.
// It is called on the queue.
//
// The rows become the snapshot, because the log can no longer be replayed. The same
// transaction notes the texts that are to be erased from files. That is done after it, and
// tried again, also by other processes, until it is done. Erase returns the paths of the
// files that may still hold a text. An entry that was erased before can be erased again as
// long as there are such files.
func (w *Workspace) Erase(
	ctx context.Context, who change.Actor, id string,
) (entry longterm.Entry, left []string, err error) {
	var ids, texts []string
	var rows map[string][]change.Row
	swept, err := w.sweptEntry(ctx, id)
	if err != nil {
		return entry, nil, err
	}
	_, err = w.apply(ctx, who, func() ([]change.Change, error) {
		entries := RoomOf[*longterm.Room](w)
		var there bool
		if entry, there = entries.Get(id); !there {
			entry = swept
		}
		changes, err := entries.Erase(id)
		if fault.Has(err, fault.NotFound) && swept.ID != "" {
			changes, err = entries.EraseSwept(swept)
		}
		if err != nil {
			return nil, err
		}
		ids, texts = nil, nil
		for _, c := range changes {
			ids, texts = append(ids, c.Subject), append(texts, textsIn(entries, c.Subject)...)
		}
		return append(changes, change.New(erased, id, struct{}{})), nil
	}, func(tx store.Tx) (err error) {
		rows, err = w.forget(ctx, tx, ids, texts)
		return err
	})
	if fault.Has(err, fault.NotFound) && w.unfinished && RoomOf[*longterm.Room](w).WasErased(id) {
		return longterm.Entry{ID: id}, w.finishErasing(ctx), nil
	}
	if err != nil {
		return entry, nil, err
	}
	for _, room := range w.rooms.Load().list {
		if err := room.Load(rows[room.Name()]); err != nil {
			return entry, nil, err
		}
	}
	w.everythingChanged()
	return entry, w.finishErasing(ctx), nil
}

// sweptEntry returns an entry that was swept, as far as the log still has it.
func (w *Workspace) sweptEntry(ctx context.Context, id string) (entry longterm.Entry, err error) {
	if _, there := RoomOf[*longterm.Room](w).Get(id); there || w.store.Load() == nil {
		return entry, nil
	}
	changes, err := w.Trace(ctx, store.Filter{Subject: id})
	if err != nil || len(changes) == 0 || changes[len(changes)-1].Kind != longterm.Swept {
		return entry, err
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

// forget takes entries and their texts, also former ones, out of everything that a
// transaction writes, and returns the rows that it rewrote.
func (w *Workspace) forget(ctx context.Context, tx store.Tx, ids, texts []string) (map[string][]change.Row, error) {
	changes, err := tx.Since(0)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		if c.Kind.Noun() == longterm.Noun && slices.Contains(ids, c.Subject) {
			texts = append(append(texts, textsOf(c.Before)...), textsOf(c.After)...)
		}
	}
	slices.Sort(texts)
	texts = slices.Compact(texts)
	forms := formsOf(texts)
	all := w.rooms.Load().list
	rows, err := tx.Rewrite(func(name string, row change.Row) (change.Row, bool) {
		without := withoutTexts(all, name, row, forms)
		return without, !bytes.Equal(without.Value, row.Value)
	})
	if err != nil {
		return nil, err
	}
	if err := eraseIndexed(ctx, tx, all, texts); err != nil {
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

// withoutTexts returns a row of a room without texts.
func withoutTexts(all []room.Room, name string, row change.Row, texts []string) change.Row {
	for _, r := range all {
		if forgetter, is := r.(room.Forgetter); is && r.Name() == name {
			return forgetter.Forget(row, texts)
		}
	}
	return room.Without(row, texts)
}

// textsIn returns the texts of an entry.
func textsIn(entries *longterm.Room, id string) []string {
	entry, _ := entries.Get(id)
	return nonEmpty(entry.Text, entry.Rationale)
}

// textsOf returns the texts of an entry in JSON.
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

// The keys, beside the log, of what is still to be done.
const (
	// erasingKey is the key of the texts that files may still hold, a JSON array. It is
	// empty if only the files of the database and discarded files may hold them. The value
	// is "" when everything is done.
	erasingKey = "erasing"
	// purgingKey is the key of what is still in place from before a purge: inFiles, inShown
	// or "".
	purgingKey = "purging"
	inFiles    = "files" // and documents
	inShown    = "shown" // documents that were opened in an editor
)

// updateErasing replaces the texts that may still be in files.
func updateErasing(tx store.Tx, update func(before []string) []string) error {
	doc, err := tx.Meta(erasingKey)
	if err != nil {
		return err
	}
	before, err := erasingIn(doc)
	if err != nil {
		return err
	}
	after, err := json.Marshal(slices.Concat([]string{}, update(before)))
	if err != nil {
		return err
	}
	return tx.SetMeta(erasingKey, string(after))
}

func erasingIn(doc string) (texts []string, err error) {
	if doc == "" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(doc), &texts); err != nil {
		return nil, fmt.Errorf("%w: the list of what is to be erased from files: %w", store.ErrCorrupt, err)
	}
	return texts, nil
}

const (
	// finishSoon is when erasing from files is tried again for the first time. The interval
	// doubles up to finishLate.
	finishSoon = time.Second
	finishLate = time.Minute
	// finishForOther is when a process tries to erase from files after another process has
	// begun to.
	finishForOther = 5 * time.Second
)

// finishErasingIfDue erases from files what was not erased from them yet.
func (w *Workspace) finishErasingIfDue(ctx context.Context) {
	if w.unfinished && !w.now().Before(w.finishAt) {
		w.finishErasing(ctx)
	}
}

// finishErasing takes what was erased out of files, and makes sure that it cannot be read
// any more from those of the database. It returns the files that may still hold it. If there
// are any, people are told and it is tried again.
func (w *Workspace) finishErasing(ctx context.Context) (left []string) {
	left, err := w.eraseFromFiles(context.WithoutCancel(ctx))
	if err != nil {
		w.regain(ctx, err)
	}
	slices.Sort(left)
	left = slices.Compact(left)
	if w.unfinished = len(left) > 0; !w.unfinished {
		w.finishAfter = 0
		w.problems.clear(aboutErasing)
		return nil
	}
	w.finishAfter = min(max(2*w.finishAfter, finishSoon), finishLate)
	w.finishAt = w.now().Add(w.finishAfter)
	w.problems.set(aboutErasing, room.Failure(
		fmt.Sprintf("What was erased is gone from the memory, but files may still hold it: %s (%v).",
			strings.Join(left, ", "), err),
		"Check the folder "+w.dir+". It is tried again at intervals, and at the next start."))
	return left
}

// eraseFromFiles takes out of files what was erased from the memory. It goes on where
// something fails, and returns the files that may still hold it, and why.
func (w *Workspace) eraseFromFiles(ctx context.Context) (left []string, err error) {
	s, err := w.store.opened()
	if err != nil {
		return []string{store.DatabaseName}, err
	}
	var errs []error
	note := func(files []string, err error) {
		if left, errs = append(left, files...), append(errs, err); err != nil && len(files) == 0 {
			left = append(left, store.DatabaseName)
		}
	}
	state, err := s.Load(ctx, nil)
	if err != nil {
		return []string{store.DatabaseName}, err
	}
	if state.Meta[purgingKey] != "" {
		_, inPlace, err := w.discardPurged(ctx)
		note(inPlace, err)
	}
	doc := state.Meta[erasingKey]
	if doc == "" { // another process has done it
		return left, errors.Join(errs...)
	}
	texts, err := erasingIn(doc)
	note(nil, err)
	if len(texts) > 0 {
		note(w.eraseTexts(ctx, s, texts))
	}
	note(s.RemoveDiscarded())
	if len(left) > 0 { // the database holds what is still to be done
		return append(left, store.DatabaseName), errors.Join(errs...)
	}
	if err := s.Shred(ctx); err != nil {
		return []string{store.DatabaseName}, err
	}
	err = s.Update(ctx, store.Durable, func(tx store.Tx) error {
		if doc, err := tx.Meta(erasingKey); err != nil || doc != "[]" { // another text is erased by now
			return err
		}
		return tx.SetMeta(erasingKey, "")
	})
	if err != nil {
		return []string{store.DatabaseName}, err
	}
	return nil, nil
}

// eraseTexts takes texts out of all files but those of the database, and then out of the
// list of what is to be erased. It returns the files that may still hold one, and why.
func (w *Workspace) eraseTexts(ctx context.Context, s Store, texts []string) (left []string, err error) {
	if err = w.writeCopy(ctx); err != nil {
		left = append(left, store.CopyName)
	}
	sessions, sessionsErr := s.EraseFromSessions(texts)
	_, besides, besidesErr := s.RemoveHolding(texts) // also of a copy that was just set aside
	shown, shownErr := w.eraseShown(texts)
	left = slices.Concat(left, sessions, besides, shown)
	if err := errors.Join(err, sessionsErr, besidesErr, shownErr); err != nil {
		return left, err
	}
	return nil, s.Update(ctx, store.Durable, func(tx store.Tx) error {
		return updateErasing(tx, func(before []string) []string {
			return slices.DeleteFunc(before, func(text string) bool { return slices.Contains(texts, text) })
		})
	})
}

// eraseShown deletes the documents that were opened in an editor and hold one of the texts,
// or all of them if there are no texts. It returns those that it cannot delete, and why.
func (w *Workspace) eraseShown(texts []string) (left []string, err error) {
	dir := filepath.Join(w.options.DataDir, store.ShownName)
	documents, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	errs := []error{err}
	for _, document := range documents {
		if _, err := files.RemoveHolding(filepath.Join(dir, document.Name()), texts); err != nil {
			left, errs = append(left, path.Join(store.ShownName, document.Name())), append(errs, err)
		}
	}
	return left, errors.Join(errs...)
}

// writeCopy writes the readable copy. It tries again if the copy is edited meanwhile, and
// waits until an edit is complete.
func (w *Workspace) writeCopy(ctx context.Context) (err error) {
	for range 5 {
		if err = ServiceOf[*longterm.Service](w).WriteCopy(ctx); !errors.Is(err, store.ErrEdited) {
			break
		}
		time.Sleep(longterm.SettleFor)
	}
	return err
}

// tells reports whether a change holds one of the texts: an entry as a whole,
// because others may quote it, anything else also as a part.
func tells(c change.Change, texts []string) bool {
	if c.Kind.Noun() != longterm.Noun {
		return holds(c, texts)
	}
	return slices.ContainsFunc(texts, func(t string) bool { return longterm.Tells(c, longterm.Entry{Text: t}) })
}

func holds(c change.Change, texts []string) bool { return holdsForm(c, texts, encodings(texts)) }

// holdsForm is holds with the encodings of the texts.
func holdsForm(c change.Change, texts, forms []string) bool {
	return holdsText(c.Before, forms) || holdsText(c.After, forms) || slices.ContainsFunc(texts, func(t string) bool {
		return strings.Contains(c.Subject, t) || strings.Contains(c.Reason, t)
	})
}

func holdsText(doc json.RawMessage, forms []string) bool {
	return slices.ContainsFunc(forms, func(t string) bool { return bytes.Contains(doc, []byte(t)) })
}

// formsOf returns the texts as they may stand in files: as they are, and as they are shown
// in a context, in plain text and in JSON.
func formsOf(texts []string) []string {
	all := slices.Clone(texts)
	for _, text := range texts {
		all = append(all, render.Flat(text))
	}
	return encodings(all)
}

// encodings returns the texts as they stand in files: as they are, and as JSON
// has them, also in a text of JSON, with and without the escapes that are for HTML.
func encodings(texts []string) []string {
	all := slices.Clone(texts)
	for range 2 {
		for _, text := range all {
			for _, escape := range []bool{true, false} {
				all = append(all, quoted(text, escape))
			}
		}
		slices.Sort(all)
		all = slices.Compact(all)
	}
	return all
}

// quoted is a text as it stands between the quotes of JSON.
func quoted(text string, escape bool) string {
	var doc bytes.Buffer
	encoder := json.NewEncoder(&doc)
	encoder.SetEscapeHTML(escape)
	if encoder.Encode(text) != nil {
		return text
	}
	line := strings.TrimSuffix(doc.String(), "\n")
	return line[1 : len(line)-1]
}

// Purge forgets everything of the workspace, for all processes. It returns what was removed,
// and the files that could not be deleted yet, which is tried again, also by other processes.
// It is called on the queue.
func (w *Workspace) Purge(ctx context.Context, who change.Actor) (removed, left []string, err error) {
	decide := func() ([]change.Change, error) {
		return []change.Change{change.New(purged, w.key, struct{}{})}, nil
	}
	var seq int64
	copied := false
	clear := func(tx store.Tx) error {
		changes, err := tx.Since(w.seq)
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
		if err := migrateTables(ctx, tx, w.rooms.Load().list); err != nil {
			return err
		}
		// It goes first, so that no process takes it for a hand edit. If it cannot be deleted
		// here, discardPurged reports that.
		copied, _ = w.store.Load().RemoveCopy()
		return nil
	}
	if _, err := w.apply(ctx, who, decide, clear); err != nil {
		if copied {
			_ = w.writeCopy(ctx) // what fails is a problem of the workspace
		}
		return nil, nil, err
	}
	w.empty()
	w.seq = seq
	w.leases.drop()
	removed = []string{store.DatabaseName + ": entries, sessions, errors, files and their history"}
	if copied {
		removed = append(removed, store.CopyName)
	}
	files, _, _ := w.discardPurged(ctx) // what fails is tried again now
	return append(removed, files...), w.finishErasing(ctx), nil
}

// discardPurged takes the files from before a purge away, once for all processes: what is
// written later stays. It returns the names of what it took away, and of what is still in
// place, and why.
func (w *Workspace) discardPurged(ctx context.Context) (discarded, left []string, err error) {
	s, err := w.store.opened()
	if err != nil {
		return nil, []string{store.DatabaseName}, err
	}
	unlock := s.LockSessions()
	defer unlock()
	var shownErr error
	err = s.Update(ctx, store.Durable, func(tx store.Tx) error {
		inPlace, err := tx.Meta(purgingKey)
		if err != nil || inPlace == "" {
			return err
		}
		if inPlace == inFiles {
			if discarded, err = s.Discard(); err != nil {
				return err
			}
		}
		if left, shownErr = w.eraseShown(nil); shownErr != nil {
			return tx.SetMeta(purgingKey, inShown)
		}
		return tx.SetMeta(purgingKey, "")
	})
	if err == nil {
		return discarded, left, shownErr
	}
	for _, name := range []string{store.CopyName, store.SessionsName, store.CacheName} {
		if _, err := os.Lstat(filepath.Join(w.dir, name)); err == nil {
			left = append(left, name)
		}
	}
	return discarded, left, err
}

// Pause stops recording until a time, for all processes; the zero time resumes.
func (w *Workspace) Pause(ctx context.Context, who change.Actor, until time.Time) error {
	_, err := w.Apply(ctx, who, func() ([]change.Change, error) { return w.Sessions().Pause(until), nil })
	return err
}
