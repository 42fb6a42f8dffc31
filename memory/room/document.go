package room

import (
	"context"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

// The stores of documents.
const (
	StoreWorkspace    = "workspace"    // the entries of the workspace memory
	StoreErrors       = "errors"       // errors with what closed them
	StoreNotes        = "notes"        // the notes of agents
	StoreConversation = "conversation" // what was said in sessions
)

// A Document is a text that search finds.
type Document struct {
	// ID is unique among all rooms: the noun of the room's changes, a colon, and the id of what
	// the text belongs to, such as "memory:01J…".
	ID string
	// Store and Type say what the text is, such as "workspace" and "decision".
	Store, Type string
	Text        string
	// At is when the text was written. The zero time is unknown.
	At time.Time
	// Thread is the session or channel in which texts follow each other, Speaker who said the
	// text. They and the following may be empty.
	Thread, Speaker               string
	Session, Agent, Task, Episode string
	Worktree                      string
	Tags                          []string
	// Importance is from 0 to 1.
	Importance float64
	// Until is when the text is no longer recalled. The zero time is never.
	Until time.Time
}

// A Source is a room with documents. The texts stay in the room; the index keeps what it needs
// to find them.
type Source interface {
	// Documents returns the documents that a change puts into the index, or replaces there, and
	// the ids of those that it removes. It is called in the transaction of the change, after the
	// fold, and depends only on the change and the state.
	Documents(c change.Change) (put []Document, removed []string)
	// Each yields all documents, in any order, until yield returns false.
	Each(ctx context.Context, db Querier, yield func(Document) bool) error
	// Find returns documents by their ids, in that order. Those that are gone, or belong to
	// another room, are left out. It may be called in a transaction, with which db reads.
	Find(ctx context.Context, db Querier, ids []string) ([]Document, error)
}
