package notes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// The tables hold the sections of notes for search, redacted, so that a search reads no files, and
// the stamps of the files that were read. They are written when a change says that a note was
// written. The files stay the authority.

// TablesVersion returns the version of the tables.
func (r *Room) TablesVersion() int { return 3 }

// Tables returns the names of the tables.
func (r *Room) Tables() []string { return []string{"notes_section", "notes_file"} }

// Migrate creates the tables. The notes of before are read by and by, see Service.Poll, and so are those that were
// read before version 2, when their names were not found, and before version 3, when the index of an overview was.
func (r *Room) Migrate(ctx context.Context, tx room.Tx, from int) error {
	if from > 0 {
		_, err := tx.ExecContext(ctx, "DELETE FROM notes_file")
		return err
	}
	_, err := tx.ExecContext(ctx, `CREATE TABLE notes_section(
			id TEXT PRIMARY KEY, session TEXT NOT NULL, path TEXT NOT NULL, n INTEGER NOT NULL, doc TEXT NOT NULL
		) WITHOUT ROWID;
		CREATE INDEX notes_of ON notes_section(session, path, n);
		CREATE TABLE notes_file(
			session TEXT NOT NULL, path TEXT NOT NULL, stamp TEXT NOT NULL, PRIMARY KEY(session, path)
		) WITHOUT ROWID`)
	return err
}

// Attach sets the database from which sections are read.
func (r *Room) Attach(db room.Database) { r.db.Store(&db) }

// A place is a note of a session.
type place struct{ session, path string }

// placeOf returns the note that a change is about.
func placeOf(c change.Change) (place, bool) {
	if c.Kind != Changed && c.Kind != Found {
		return place{}, false
	}
	var p changed
	err := c.Decode(&p)
	return place{c.Subject, p.Path}, err == nil
}

// ReadsFile reports whether a change is about a note.
func (r *Room) ReadsFile(c change.Change) bool {
	_, is := placeOf(c)
	return is
}

// Index reads the notes that changes are about.
func (r *Room) Index(ctx context.Context, tx room.Tx, changes []change.Change) error {
	r.read = map[place][]room.Document{}
	w := writer{ctx, tx}
	for _, c := range changes {
		if c.Kind == sessions.Deleted || c.Kind == sessions.Swept {
			err := errors.Join(
				w.exec("DELETE FROM notes_section WHERE session = ?", c.Subject),
				w.exec("DELETE FROM notes_file WHERE session = ?", c.Subject),
			)
			if err != nil {
				return err
			}
		}
		at, is := placeOf(c)
		if _, known := r.read[at]; !is || known {
			continue
		}
		if r.env.Deleted(at.session) {
			r.read[at] = nil
			continue
		}
		docs, stamp := r.readNote(at)
		if err := w.write(at, docs, stamp); err != nil {
			return fmt.Errorf("keep the sections of a note for search: %w", err)
		}
		r.read[at] = docs
	}
	return nil
}

// readNote returns the sections of a note, none if it cannot be read, and its stamp, "" if there is no
// such file.
func (r *Room) readNote(at place) (docs []room.Document, stamp string) {
	folder, err := r.folder(at.session)
	if err != nil {
		return nil, ""
	}
	info, err := folder.stat(at.path)
	if err != nil {
		return nil, ""
	}
	note, err := folder.Read(at.path)
	if err != nil {
		return nil, stampOf(info)
	}
	written := info.ModTime().UTC().Truncate(time.Second)
	return documentsOf(at, gate.Text(note.Content), written), stampOf(info)
}

func stampOf(info fs.FileInfo) string { return fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano()) }

const documentPrefix = "notes:"

func documentsIn(at place) string {
	return documentPrefix + room.IDPart(at.session) + "/" + room.IDPart(at.path) + "/"
}

// documentsOf returns the sections of a note. Sections that say the same are one.
func documentsOf(at place, text string, written time.Time) (docs []room.Document) {
	if at.path == Overview {
		text = overview.Said(text) // what the index lists is found itself
	}
	known := map[string]bool{}
	for _, s := range sectionsOf(text) {
		doc := room.Document{
			Store: room.StoreNotes, Text: s.Text, At: written, Thread: documentPrefix + at.session + "/" + at.path,
			Session: at.session, Path: at.path, Section: s.Heading, Importance: 0.5,
		}
		if s.Heading != "" {
			doc.Text = s.Heading + "\n" + s.Text
		}
		if s.Speaker != "" {
			doc.Store, doc.Type, doc.Text = room.StoreConversation, "message", s.Text
			doc.Speaker, doc.At = s.Speaker, s.At
		}
		if strings.HasPrefix(at.path, Archive+"/") {
			doc.Importance = 0.3
		}
		hash := fnv.New64a()
		_, _ = hash.Write([]byte(s.Heading + "\x00" + s.Text)) // it does not fail
		doc.ID = documentsIn(at) + strconv.FormatUint(hash.Sum64(), 36)
		if !known[doc.ID] {
			known[doc.ID] = true
			if len(docs) == 0 {
				doc.Words = []string{at.path} // a note is found by its name, once
			}
			docs = append(docs, doc)
		}
	}
	return docs
}

// A writer writes the tables.
type writer struct {
	ctx context.Context
	tx  room.Tx
}

func (w writer) exec(query string, args ...any) error {
	_, err := w.tx.ExecContext(w.ctx, query, args...)
	return err
}

// write replaces the sections of a note.
func (w writer) write(at place, docs []room.Document, stamp string) error {
	if err := w.exec("DELETE FROM notes_section WHERE session = ? AND path = ?", at.session, at.path); err != nil {
		return err
	}
	for n, doc := range docs {
		encoded, err := json.Marshal(doc)
		if err != nil {
			return err
		}
		err = w.exec("INSERT INTO notes_section(id, session, path, n, doc) VALUES(?, ?, ?, ?, ?)",
			doc.ID, at.session, at.path, n, string(encoded))
		if err != nil {
			return err
		}
	}
	if stamp == "" {
		return w.exec("DELETE FROM notes_file WHERE session = ? AND path = ?", at.session, at.path)
	}
	return w.exec("INSERT OR REPLACE INTO notes_file(session, path, stamp) VALUES(?, ?, ?)",
		at.session, at.path, stamp)
}

// sectionTable returns how the table of sections is read.
func sectionTable() *room.DocumentTable[room.Document] {
	return &room.DocumentTable[room.Document]{
		Name: "notes_section", Order: "session, path, n", What: "the sections of notes",
		Document: func(doc room.Document) room.Document { return doc },
		ID:       func(document string) (string, bool) { return document, strings.HasPrefix(document, documentPrefix) },
	}
}

// EraseIndexed erases strings from the sections.
func (r *Room) EraseIndexed(ctx context.Context, tx room.Tx, texts []string) error {
	return sectionTable().Erase(ctx, tx, texts)
}

// stamps returns the stamps of the notes of a session that were read for search. It returns false if
// they are not known.
func (r *Room) stamps(ctx context.Context, session string) (stamps map[string]string, known bool) {
	db := r.db.Load()
	if db == nil {
		return nil, false
	}
	rows, err := (*db).QueryContext(ctx, "SELECT path, stamp FROM notes_file WHERE session = ?", session)
	if err != nil {
		return nil, false
	}
	defer rows.Close()
	stamps = map[string]string{}
	for rows.Next() {
		var path, stamp string
		if rows.Scan(&path, &stamp) != nil {
			return nil, false
		}
		stamps[path] = stamp
	}
	return stamps, rows.Err() == nil
}

// Documents returns the sections of the note of a change, as Index has read it.
func (r *Room) Documents(c change.Change) (put []room.Document, removed []string) {
	at, is := placeOf(c)
	if !is {
		return nil, nil
	}
	put = slices.Clone(r.read[at])
	for i := range put {
		put[i].Inserted = true
	}
	return put, []string{documentsIn(at)}
}

// Ordered returns the ids of sections in the order of their note.
func (r *Room) Ordered(ctx context.Context, db room.Querier, ids []string) ([]string, error) {
	return store.Strings(ctx, db,
		"SELECT id FROM notes_section WHERE id IN (SELECT value FROM json_each(?)) ORDER BY session, path, n",
		room.Values(ids))
}

// Each yields the documents of all sections.
func (r *Room) Each(ctx context.Context, db room.Querier, yield func(room.Document) bool) error {
	return sectionTable().Each(ctx, db, yield)
}

// Find returns documents by their ids, in that order.
func (r *Room) Find(ctx context.Context, db room.Querier, ids []string) ([]room.Document, error) {
	return sectionTable().Find(ctx, db, ids)
}

var (
	_ room.Eraser  = (*Room)(nil)
	_ room.Orderer = (*Room)(nil)

	_ room.FileIndexer = (*Room)(nil)
)

// Locate returns the row of a note in the panel of its session, and the first line of a section in the file.
func (r *Room) Locate(_ string, doc room.Document) (room.Place, bool) {
	if !strings.HasPrefix(doc.ID, documentPrefix) {
		return room.Place{}, false
	}
	place := room.Place{Item: itemPrefix + doc.Path, InSession: true}
	folder, err := r.folder(doc.Session)
	if err != nil {
		return place, true
	}
	place.Location = &panel.Location{URI: panel.FileURI(folder.Path(), doc.Path)}
	if note, err := folder.Read(doc.Path); err == nil {
		if line := lineOf(note.Content, doc); line > 0 {
			place.Location.Range = panel.AtLine(line)
		}
	}
	return place, true
}

// lineOf returns the line, from 1, in which the text of a section begins in a note, 0 if it is not there.
func lineOf(note string, doc room.Document) int {
	text := doc.Text
	if doc.Store == room.StoreNotes && doc.Section != "" {
		text = strings.TrimPrefix(text, doc.Section+"\n")
	}
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	before, _, found := strings.Cut(note, first)
	if !found || first == "" {
		return 0
	}
	return 1 + strings.Count(before, "\n")
}

var _ room.Locator = (*Room)(nil)
