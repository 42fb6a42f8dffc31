package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// Erase removes an entry and every trace of its texts: from the log, the tables,
// the snapshot, the readable copy, what other rooms noted of it, the notes and
// histories of sessions, and files that were set aside. That something was erased,
// and when, stays in the log. It is called on the queue.
//
// The log no longer holds what the rows were made of, so the rows become the
// snapshot. What is to be taken out of files is noted in the same transaction and
// done after it: if that fails, or the process ends, it is done later.
func (w *Workspace) Erase(ctx context.Context, who change.Actor, id string) (longterm.Entry, error) {
	var entry longterm.Entry
	var ids, texts []string
	var rows map[string][]change.Row
	_, err := w.apply(ctx, who, func() ([]change.Change, error) {
		entries := RoomOf[*longterm.Room](w)
		changes, err := entries.Erase(id)
		if err != nil {
			return nil, err
		}
		entry, _ = entries.Get(id)
		ids, texts = nil, nil
		for _, c := range changes {
			ids, texts = append(ids, c.Subject), append(texts, textsIn(entries, c.Subject)...)
		}
		return append(changes, change.New(erased, id, struct{}{})), nil
	}, func(tx store.Tx) (err error) {
		rows, err = w.forget(ctx, tx, ids, texts)
		return err
	})
	if err != nil {
		return entry, err
	}
	for _, room := range w.rooms.Load().list {
		if err := room.Load(rows[room.Name()]); err != nil {
			return entry, err
		}
	}
	w.everythingChanged()
	w.unfinished = true
	return entry, w.finishErasing(ctx)
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
	forms := encodings(texts)
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

// erasingKey is the key, beside the log, of the texts that may still be in files: a
// list in JSON. It is empty while only the files of the database may hold them, and
// "" when all is done.
const erasingKey = "erasing"

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

// finishAgain is when another attempt is made to erase from files.
const finishAgain = time.Minute

// finishErasingIfDue erases from files what was not erased from them yet.
func (w *Workspace) finishErasingIfDue(ctx context.Context) {
	if !w.unfinished || w.now().Before(w.finishAt) {
		return
	}
	if err := w.finishErasing(ctx); err != nil {
		w.options.Log.Warn("erase from files", "workspace", w.key, "error", err)
	}
}

// finishErasing takes what was erased out of files and makes sure that it cannot be
// read any more from those of the database.
func (w *Workspace) finishErasing(ctx context.Context) error {
	if err := w.eraseFromFiles(ctx); err != nil {
		w.finishAt = w.now().Add(finishAgain)
		w.setProblem(aboutErasing, room.Failure("What was erased may still be in files: "+err.Error(),
			"Check the folder "+w.dir+". It is tried again every minute, and at the next start."))
		return fmt.Errorf("%w: the entry was erased, but files may still hold it; it is tried again every minute: %w",
			ErrStore, err)
	}
	w.unfinished = false
	w.clearProblem(aboutErasing)
	return nil
}

func (w *Workspace) eraseFromFiles(ctx context.Context) error {
	s := w.store.Load()
	if s == nil {
		return w.storeError()
	}
	state, err := s.Load(ctx, nil)
	if err != nil {
		return err
	}
	doc := state.Meta[erasingKey]
	if doc == "" { // another process has done it
		return nil
	}
	texts, err := erasingIn(doc)
	if err != nil {
		return err
	}
	if len(texts) > 0 {
		if err := errors.Join(w.writeCopy(ctx), s.EraseFromSessions(texts)); err != nil {
			return err
		}
		if _, err := s.RemoveHolding(texts); err != nil { // also of a copy that was just set aside
			return err
		}
		err = s.Update(ctx, store.Durable, func(tx store.Tx) error {
			return updateErasing(tx, func(before []string) []string {
				return slices.DeleteFunc(before, func(text string) bool { return slices.Contains(texts, text) })
			})
		})
		if err != nil {
			return err
		}
	}
	if err := s.Shred(ctx); err != nil {
		return err
	}
	return s.Update(ctx, store.Durable, func(tx store.Tx) error {
		if doc, err := tx.Meta(erasingKey); err != nil || doc != "[]" { // another text is erased by now
			return err
		}
		return tx.SetMeta(erasingKey, "")
	})
}

// writeCopy writes the readable copy, also if another process does so meanwhile.
func (w *Workspace) writeCopy(ctx context.Context) (err error) {
	for range 5 {
		if err = ServiceOf[*longterm.Service](w).WriteCopy(ctx); !errors.Is(err, store.ErrEdited) {
			break
		}
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

func holds(c change.Change, texts []string) bool {
	return holdsText(c.Before, texts) || holdsText(c.After, texts) || slices.ContainsFunc(texts, func(t string) bool {
		return strings.Contains(c.Subject, t) || strings.Contains(c.Reason, t)
	})
}

func holdsText(doc json.RawMessage, texts []string) bool {
	return slices.ContainsFunc(encodings(texts), func(t string) bool { return bytes.Contains(doc, []byte(t)) })
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

// Purge forgets everything of the workspace, for all processes, and returns what
// was removed. It is called on the queue.
func (w *Workspace) Purge(ctx context.Context, who change.Actor) ([]string, error) {
	decide := func() ([]change.Change, error) {
		return []change.Change{change.New(purged, w.key, struct{}{})}, nil
	}
	var seq int64
	clear := func(tx store.Tx) error {
		changes, err := tx.Since(w.seq)
		if err != nil {
			return err
		}
		seq = changes[len(changes)-1].Seq
		if err := tx.Clear(seq); err != nil {
			return err
		}
		return migrateTables(ctx, tx, w.rooms.Load().list)
	}
	if _, err := w.apply(ctx, who, decide, clear); err != nil {
		return nil, err
	}
	w.empty()
	w.seq, w.unfinished = seq, false
	s := w.store.Load()
	for session, lease := range w.leases {
		delete(w.leases, session)
		_ = lease.Release()
	}
	w.attached = map[string]bool{}
	removed := []string{store.DatabaseName + ": entries, sessions, errors, files and their history"}
	files, err := s.RemoveAll()
	if err == nil {
		var aside []string
		aside, err = s.RemoveHolding(nil)
		files = append(files, aside...)
	}
	if err == nil {
		err = s.Shred(ctx)
	}
	return append(removed, files...), err
}

// Pause stops recording until a time, for all processes; the zero time resumes.
func (w *Workspace) Pause(ctx context.Context, who change.Actor, until time.Time) error {
	_, err := w.Apply(ctx, who, func() ([]change.Change, error) { return w.Sessions().Pause(until), nil })
	return err
}
