package room

import (
	"context"
	"net/url"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// The stores of documents.
const (
	StoreWorkspace    = "workspace"    // the entries of the workspace memory
	StoreErrors       = "errors"       // errors with what closed them
	StoreDecisions    = "decisions"    // what users decided in sessions, open work, causes
	StoreCore         = "core"         // the core memory of agents
	StoreNotes        = "notes"        // the notes of agents
	StoreConversation = "conversation" // what was said in sessions
	StoreSessions     = "sessions"     // the sessions themselves
)

// Stores returns the stores above.
func Stores() []string {
	return []string{
		StoreWorkspace, StoreErrors, StoreDecisions, StoreCore, StoreNotes, StoreConversation, StoreSessions,
	}
}

// A Document is a string that search finds.
type Document struct {
	// ID is unique among all rooms: the noun of the room's changes, a colon, and the id of what
	// the text belongs to, such as "memory:01J…".
	ID string
	// Store and Type say what the text is, such as "workspace" and "decision".
	Store, Type string
	Text        string
	// At is when the text was written. The zero time is unknown.
	At time.Time
	// Thread is the session or channel in which documents follow each other, Speaker who said the
	// text. They and the following may be empty.
	Thread, Speaker               string
	Session, Agent, Task, Episode string
	Worktree                      string
	Tags                          []string
	// Words are further words by which the text is found. They are not shown.
	Words []string
	// State is what a reader has to know before trusting the text. It is empty if it holds.
	State State
	// Path is the file that the text is in or about, Section the heading in that file. The file
	// of a note is relative to the folder of the notes of its session, others to the worktree.
	Path, Section string
	// Importance is from 0 to 1.
	Importance float64
	// From and Until are the times between which the text is recalled. The zero time is always.
	From, Until time.Time
	// SessionEnd is when the session of a text ended that only the session recalls from then on. It is the zero time
	// for others, and while the session is live.
	SessionEnd time.Time
	// Inserted is true if the document may stand between others of its thread, in the order of an
	// Orderer. Others stand behind those that were there before.
	Inserted bool
}

// A State is the state of a document.
type State string

// The states.
const (
	Stale   State = "stale"   // it may be outdated
	Evicted State = "evicted" // it had to make room for others
	Removed State = "removed" // somebody took it out of force
	Open    State = "open"    // the error is there
	Closed  State = "closed"  // the error is gone, and the text says why
)

// A Source is a room with documents. Their content stays in the room; the index keeps what it needs
// to find them.
type Source interface {
	// Documents returns the documents that a change puts into the index, or replaces there, and
	// the ids of those that it removes. It is called in the transaction of the change, after the
	// fold, and depends only on the change and the state. An id that ends with "/" removes all
	// documents whose ids begin with it, but for those that the change puts. The deletion of a
	// session need not be handled: the index looks up with Find which of its documents are left.
	Documents(c change.Change) (put []Document, removed []string)
	// Each yields all documents, in any order, until yield returns false.
	Each(ctx context.Context, db Querier, yield func(Document) bool) error
	// Find returns documents by their ids, in that order. Those that are gone, or belong to
	// another room, are left out. It may be called in a transaction, with which db reads.
	Find(ctx context.Context, db Querier, ids []string) ([]Document, error)
}

// A Tabled is a Source that finds its documents in tables only. They change in a transaction that changes the index, so
// what was found holds until then.
type Tabled interface {
	Source
	Tabled()
}

// Yield calls yield with documents until it returns false, for the Each of a Source that holds its
// documents in memory.
func Yield(docs []Document, yield func(Document) bool) {
	for _, doc := range docs {
		if !yield(doc) {
			return
		}
	}
}

// A SessionBound is a Source with documents that only their session recalls when it has ended.
type SessionBound interface {
	Source
	// OfSession returns these documents of a session, as they are after the change by which it ended or was resumed. db
	// reads with the transaction of that change.
	OfSession(ctx context.Context, db Querier, session string) ([]Document, error)
}

// A Dropper is a Source that erases some documents as a whole.
type Dropper interface {
	Source
	// Drops reports whether a document goes when strings in it are erased. Others lose only these.
	Drops(doc Document, texts []string) bool
}

// An Orderer is a Source with documents that are inserted into their threads.
type Orderer interface {
	Source
	// Ordered returns those of some ids that are of documents of the room, in the order of Each.
	Ordered(ctx context.Context, db Querier, ids []string) ([]string, error)
}

// A Locator is a Source with documents that stand elsewhere than in the item of the panel that has the id of
// the document.
type Locator interface {
	Source
	// Locate returns where a document of the room stands, false if it is of another room. The paths of errors are
	// relative to a worktree.
	Locate(worktree string, doc Document) (Place, bool)
}

// A Place is where a document stands.
type Place struct {
	// Item is the id of the item of the panel that shows the document. InSession is true if only the panel
	// of the session of the document has it.
	Item      string
	InSession bool
	// Location is the place in a file, nil if the document is in none.
	Location *panel.Location
}

// IDPart returns a part of the id of a document, such as the id of a session, without a "/".
func IDPart(text string) string { return url.PathEscape(text) }
