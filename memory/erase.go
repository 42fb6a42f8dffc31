package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
// histories of sessions, and files that were set aside. That something was erased, and when, stays in the log. It is
// called on the queue.
func (w *Workspace) Erase(ctx context.Context, who change.Actor, id string) (longterm.Entry, error) {
	entry, _ := RoomOf[*longterm.Room](w).Get(id)
	texts, err := w.textsOf(ctx, id)
	if err != nil {
		return entry, err
	}
	var erased []string
	var rows map[string][]change.Row
	forms := encodings(texts)
	_, err = w.apply(ctx, who, func() ([]change.Change, error) {
		changes, err := RoomOf[*longterm.Room](w).Erase(id)
		if err != nil {
			return nil, err
		}
		for _, c := range changes {
			erased = append(erased, c.Subject)
		}
		for _, text := range texts {
			for _, r := range w.rooms.Load().list {
				if holder, holds := r.(room.Forgetter); holds {
					changes = append(changes, holder.Forget(text)...)
				}
			}
		}
		return append(changes, change.New(rewritten, w.key, struct{}{})), nil
	}, func(tx store.Tx) error {
		var err error
		if rows, err = tx.Rewrite(func(room string, row change.Row) (change.Row, bool) {
			return w.withoutTexts(room, row, forms)
		}); err != nil {
			return err
		}
		if err := eraseIndexed(ctx, tx, w.rooms.Load().list, texts); err != nil {
			return err
		}
		return tx.Blank(
			func(c change.Change) bool {
				return c.Kind != longterm.Erased && (slices.Contains(erased, c.Subject) || tells(c, id, texts))
			},
			func(room string, row change.Row) bool {
				if room == RoomOf[*longterm.Room](w).Name() {
					return slices.Contains(erased, row.Key)
				}
				return holdsText(row.Value, texts)
			})
	})
	if err != nil {
		return entry, err
	}
	for _, room := range w.rooms.Load().list {
		if err := room.Load(rows[room.Name()]); err != nil {
			return entry, err
		}
	}
	ServiceOf[*longterm.Service](w).WriteCopy(ctx)
	s := w.store.Load()
	_, err = s.Shred(ctx, forms)
	if err = errors.Join(err, s.EraseFromSessions(forms)); err != nil {
		return entry, w.failed(err)
	}
	return entry, nil
}

// withoutTexts is a row of another room without the texts that are erased, and
// whether that is another row. One whose key tells them goes as a whole.
func (w *Workspace) withoutTexts(room string, row change.Row, texts []string) (change.Row, bool) {
	if room == RoomOf[*longterm.Room](w).Name() {
		return row, false // entries are erased by themselves, and others may quote them
	}
	if store.Without(row.Key, texts) != row.Key {
		row.Value = nil
		return row, true
	}
	decoder := json.NewDecoder(bytes.NewReader(row.Value))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return row, false
	}
	changed := false
	value = eachText(value, func(text string) string {
		without := store.Without(text, texts)
		changed = changed || without != text
		return without
	})
	if !changed {
		return row, false
	}
	doc, err := json.Marshal(value)
	row.Value = doc
	return row, err == nil
}

// eachText returns a value of JSON with every text that is not a key replaced.
func eachText(value any, replace func(string) string) any {
	switch value := value.(type) {
	case string:
		return replace(value)
	case []any:
		for i := range value {
			value[i] = eachText(value[i], replace)
		}
	case map[string]any:
		for key := range value {
			value[key] = eachText(value[key], replace)
		}
	}
	return value
}

// textsOf returns every text that an entry ever had.
func (w *Workspace) textsOf(ctx context.Context, id string) ([]string, error) {
	var texts []string
	add := func(doc json.RawMessage) {
		var entry longterm.Entry
		if json.Unmarshal(doc, &entry) != nil {
			return
		}
		for _, text := range []string{entry.Text, entry.Rationale} {
			if text != "" && !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	if entry, there := RoomOf[*longterm.Room](w).Get(id); there {
		doc, err := json.Marshal(entry)
		if err != nil {
			return nil, err
		}
		add(doc)
	}
	changes, err := w.Trace(ctx, store.Filter{Subject: id})
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		add(c.Before)
		add(c.After)
	}
	return texts, nil
}

// tells reports whether a change holds one of the texts: an entry as a whole,
// because others may quote it, anything else also as a part.
func tells(c change.Change, id string, texts []string) bool {
	if c.Kind.Noun() != longterm.Noun {
		return holds(c, texts)
	}
	return slices.ContainsFunc(texts, func(t string) bool { return longterm.Tells(c, longterm.Entry{ID: id, Text: t}) })
}

func holds(c change.Change, texts []string) bool {
	return holdsText(c.Before, texts) || holdsText(c.After, texts) ||
		slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(c.Subject, t) || strings.Contains(c.Reason, t) })
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
	w.seq = seq
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
		aside, err = s.Shred(ctx, nil)
		files = append(files, aside...)
	}
	return append(removed, files...), err
}

// Pause stops recording until a time, for all processes; the zero time resumes.
func (w *Workspace) Pause(ctx context.Context, who change.Actor, until time.Time) error {
	_, err := w.Apply(ctx, who, func() ([]change.Change, error) { return w.Sessions().Pause(until), nil })
	return err
}
