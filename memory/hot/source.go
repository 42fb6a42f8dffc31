package hot

import (
	"context"
	"hash/fnv"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

const (
	// errorPrefix begins the ids of the documents of open errors. The worktree, "/" and the
	// fingerprint follow.
	errorPrefix = "error:"
	// saidPrefix begins those of statements. The session, the kind and a hash follow, with "/"
	// between them.
	saidPrefix = "said:"
)

// isDocument reports whether search finds an open error. Diagnostics come and go while somebody
// types; those that lasted are found when they are gone, see Fix. What was dismissed is not found.
func (e Error) isDocument() bool {
	return slices.ContainsFunc(e.Sources, func(s Source) bool { return s.Origin != Diagnostic && !s.Dismissed })
}

func errorsIn(worktree string) string { return errorPrefix + shortHash(worktree) + "/" }

// document returns the document of an open error.
func (e Error) document() room.Document {
	doc := room.Document{
		ID: errorsIn(e.Worktree) + e.Fingerprint, Store: room.StoreErrors, Type: e.Category, Text: e.Summary,
		State: room.Open, Path: e.Path, At: e.LastSeen, Worktree: e.Worktree, Importance: 0.6,
	}
	if e.Path != "" {
		doc.Text = e.Path + ": " + e.Summary
	}
	if e.Command != "" {
		doc.Text += "\nReported by: " + e.Command
	}
	for _, s := range e.Sources {
		if s.Origin != Diagnostic && doc.Session == "" {
			doc.Session, doc.Agent = s.Session, s.By
		}
	}
	if e.isRuntime() {
		doc.Until = e.LastSeen.Add(runtimeAge)
	}
	return doc
}

// Locate returns the row of an open error in the panel, and its place in a file.
func (r *Room) Locate(worktree string, doc room.Document) (room.Place, bool) {
	rest, is := strings.CutPrefix(doc.ID, errorPrefix)
	if !is {
		return room.Place{}, false
	}
	fingerprint := rest[strings.LastIndexByte(rest, '/')+1:]
	place := room.Place{Item: errorItems + fingerprint}
	if e, there := r.Open(doc.Worktree, fingerprint); there {
		place.Location = e.location(worktree)
	}
	return place, true
}

// Diagnosed returns documents of the open errors of a worktree that only language servers report. They are
// not in the index.
func (r *Room) Diagnosed(reader, worktree string) (docs []room.Document) {
	for _, e := range r.Errors(reader, worktree) {
		if !e.isDocument() {
			docs = append(docs, e.document())
		}
	}
	return docs
}

// First returns what the user asked of a session first, "" if that is not known.
func (r *Room) First(session string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.firsts[key(firstTable, session)]
}

func saidIn(session string, kind StatementKind) string {
	return saidPrefix + room.IDPart(session) + "/" + string(kind) + "/"
}

// document returns the document of a statement.
func (s Statement) document(session string, kind StatementKind) room.Document {
	doc := room.Document{
		ID: saidIn(session, kind) + shortHash(s.Text), Store: room.StoreDecisions, Type: string(kind), Text: s.Text,
		At: s.At, Thread: saidPrefix + session, Speaker: "user", Session: session, Importance: 0.5,
	}
	switch {
	case kind == Cause:
		doc.Speaker = "assistant"
	case kind == Todo, s.Once:
		doc.Importance = 0.3 // it was for that session
	case s.Rule:
		doc.Importance = 0.7
	}
	return doc
}

// Documents returns the documents of the errors and statements that a change concerns.
func (r *Room) Documents(c change.Change) (put []room.Document, removed []string) {
	switch c.Kind {
	case ErrorSeen, ErrorClosed, ErrorDismissed, FileRenamed, FileDeleted, CommandSucceeded:
		return r.errorDocuments(c)
	case StatementTaken, StatementForgotten:
		var in struct {
			Kind StatementKind `json:"kind"`
		}
		if c.Decode(&in) != nil {
			return nil, nil
		}
		session := c.Session
		if c.Kind == StatementForgotten {
			session = c.Subject
		}
		r.mu.RLock()
		defer r.mu.RUnlock()
		for _, s := range r.statements[key(statementTable, session, string(in.Kind))] {
			put = append(put, s.document(session, in.Kind))
		}
		return put, []string{saidIn(session, in.Kind)}
	}
	return nil, nil
}

func (r *Room) errorDocuments(c change.Change) (put []room.Document, removed []string) {
	var in struct {
		Worktree string `json:"worktree"`
	}
	if c.Decode(&in) != nil {
		return nil, nil
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	if c.Kind == ErrorSeen || c.Kind == ErrorClosed || c.Kind == ErrorDismissed {
		e, there := r.errors[key(errorTable, in.Worktree, c.Subject)]
		if there && e.isDocument() {
			return []room.Document{e.document()}, nil
		}
		return nil, []string{errorsIn(in.Worktree) + c.Subject}
	}
	for _, e := range r.errors { // any may be concerned
		if e.Worktree == in.Worktree && e.isDocument() {
			put = append(put, e.document())
		}
	}
	return put, []string{errorsIn(in.Worktree)}
}

// Each yields the documents of all errors and statements.
func (r *Room) Each(_ context.Context, _ room.Querier, yield func(room.Document) bool) error {
	room.Yield(r.documents(), yield)
	return nil
}

func (r *Room) documents() (docs []room.Document) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, k := range sortedKeys(r.errors) {
		if e := r.errors[k]; e.isDocument() {
			docs = append(docs, e.document())
		}
	}
	for _, k := range sortedKeys(r.statements) {
		parts := strings.Split(k, separator)
		for _, s := range r.statements[k] {
			docs = append(docs, s.document(parts[1], StatementKind(parts[2])))
		}
	}
	return docs
}

// Find returns documents by their ids, in that order.
func (r *Room) Find(_ context.Context, _ room.Querier, ids []string) (found []room.Document, err error) {
	for _, id := range ids {
		var among []room.Document
		if rest, is := strings.CutPrefix(id, errorPrefix); is {
			among = r.errorsWith(rest[strings.LastIndexByte(rest, '/')+1:])
		}
		if rest, is := strings.CutPrefix(id, saidPrefix); is {
			among = r.saidWith(strings.Split(rest, "/"))
		}
		for _, doc := range among {
			if doc.ID == id {
				found = append(found, doc)
			}
		}
	}
	return found, nil
}

// errorsWith returns the documents of the errors with a fingerprint.
func (r *Room) errorsWith(fingerprint string) (docs []room.Document) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, e := range r.errors {
		if e.Fingerprint == fingerprint && e.isDocument() {
			docs = append(docs, e.document())
		}
	}
	return docs
}

// saidWith returns the documents of the statements of the session and kind in an id.
func (r *Room) saidWith(parts []string) (docs []room.Document) {
	session, err := url.PathUnescape(parts[0])
	if err != nil || len(parts) != 3 {
		return nil
	}
	kind := StatementKind(parts[1])
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, s := range r.statements[key(statementTable, session, string(kind))] {
		docs = append(docs, s.document(session, kind))
	}
	return docs
}

func shortHash(text string) string {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(text)) // it does not fail
	return strconv.FormatUint(hash.Sum64(), 36)
}

// Drops reports whether a statement goes when strings are erased, see Forget.
func (r *Room) Drops(doc room.Document, texts []string) bool {
	return strings.HasPrefix(doc.ID, saidPrefix) && (holdsOne(doc.Text, texts) || isPartOfOne(doc.Text, texts))
}

var (
	_ room.Dropper = (*Room)(nil)
	_ room.Locator = (*Room)(nil)
)
