package hot

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// NoteKind says what a note is.
type NoteKind string

// The kinds of notes.
const (
	Decision NoteKind = "decision"
	Todo     NoteKind = "todo"
)

// maxNotes is how many notes of a kind are kept of a session.
const maxNotes = 50

// A Note is something that was said in a session and matters in it: a decision
// or something to do (systems.md B12).
type Note struct {
	Text string    `json:"text"`
	At   time.Time `json:"at"`
}

// taken is the payload of NoteTaken.
type taken struct {
	Kind NoteKind `json:"kind"`
	Text string   `json:"text"`
}

// forgotten is the payload of NoteForgotten. It does not hold the text, which may
// have to be erased.
type forgotten struct {
	Kind NoteKind `json:"kind"`
	Hash string   `json:"hash"`
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(quality.Canonical(text)))
	return hex.EncodeToString(sum[:])
}

func observeMessage(body event.MessageReceived) []change.Change {
	if body.Role != "user" && body.Role != "assistant" {
		return nil
	}
	var changes []change.Change
	for _, text := range request.Decisions(body.Text) {
		changes = append(changes, TakeNote(Decision, text).AsHot())
	}
	if body.Role == "user" {
		for _, text := range request.Todos(body.Text) {
			changes = append(changes, TakeNote(Todo, text).AsHot())
		}
	}
	return changes
}

// TakeNote answers that a note is taken, in the session in which that happens.
func TakeNote(kind NoteKind, text string) change.Change {
	return change.New(NoteTaken, "", taken{kind, text})
}

// TakenIn returns the notes of a kind that are among changes, in order.
func TakenIn(changes []change.Change, kind NoteKind) []string {
	texts := []string{}
	for _, c := range changes {
		var p taken
		if c.Kind == NoteTaken && c.Decode(&p) == nil && p.Kind == kind {
			texts = append(texts, p.Text)
		}
	}
	return texts
}

// foldTaken keeps a note. One that says the same as an earlier one takes its place.
func (r *Room) foldTaken(c change.Change) ([]change.Row, error) {
	var p taken
	if err := c.Decode(&p); err != nil {
		return nil, err
	}
	k := key(noteTable, c.Session, string(p.Kind))
	notes := append(r.notesBut(k, hashOf(p.Text)), Note{p.Text, c.At})
	return []change.Row{r.notes.Put(k, notes[max(0, len(notes)-maxNotes):])}, nil
}

func (r *Room) foldForgotten(c change.Change) ([]change.Row, error) {
	var p forgotten
	if err := c.Decode(&p); err != nil {
		return nil, err
	}
	k := key(noteTable, c.Subject, string(p.Kind))
	return []change.Row{r.notes.Put(k, r.notesBut(k, p.Hash))}, nil
}

func (r *Room) notesBut(k, hash string) []Note {
	return slices.DeleteFunc(slices.Clone(r.notes[k]), func(n Note) bool { return hashOf(n.Text) == hash })
}

func (r *Room) foldTodos(c change.Change) ([]change.Row, error) {
	var todos []event.Todo
	if err := c.Decode(&todos); err != nil {
		return nil, err
	}
	return []change.Row{r.todos.Put(key(todoTable, c.Subject), todos)}, nil
}

// Notes returns the notes of a kind of a session, the newest last.
func (r *Room) Notes(session string, kind NoteKind) []Note {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.notes[key(noteTable, session, string(kind))])
}

// Todos returns the host's own list.
func (r *Room) Todos(session string) []event.Todo {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.todos[key(todoTable, session)])
}

// ForgetNotes answers that the notes of a session that say the same as one of the
// texts are dropped.
func (r *Room) ForgetNotes(session string, texts []string) []change.Change {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var changes []change.Change
	for _, kind := range []NoteKind{Decision, Todo} {
		for _, n := range r.notes[key(noteTable, session, string(kind))] {
			if slices.ContainsFunc(texts, func(t string) bool { return hashOf(t) == hashOf(n.Text) }) {
				changes = append(changes, change.New(NoteForgotten, session, forgotten{kind, hashOf(n.Text)}))
			}
		}
	}
	return changes
}

// Forget returns a row without the notes and todos that hold one of the texts, and
// without the notes that are a part of one.
func (r *Room) Forget(row change.Row, texts []string) change.Row {
	holds := func(said string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(said, text) })
	}
	isPart := func(said string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, said) })
	}
	switch table, _, _ := strings.Cut(row.Key, "\x1f"); table {
	case noteTable:
		row.Value = withoutItems(row.Value, func(n Note) bool { return holds(n.Text) || isPart(n.Text) })
	case todoTable:
		row.Value = withoutItems(row.Value, func(t event.Todo) bool { return holds(t.Content) })
	}
	return room.Without(row, texts)
}

// withoutItems returns a list in JSON without the items that match.
func withoutItems[T any](doc json.RawMessage, matches func(T) bool) json.RawMessage {
	var list []T
	if json.Unmarshal(doc, &list) != nil || !slices.ContainsFunc(list, matches) {
		return doc
	}
	kept, err := json.Marshal(slices.DeleteFunc(list, matches))
	if err != nil {
		return doc
	}
	return kept
}
