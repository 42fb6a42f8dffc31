package notes

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// The kinds of changes that this room writes. The subject is the session. The contents of
// notes are only in their files.
const (
	// Changed means that a note was written, by anyone.
	Changed change.Kind = "notes.changed"
	// Found means that a note was written, moved or deleted by others, or was not read for search
	// yet.
	Found change.Kind = "notes.found"
	// Indexed means that the list of files in detail/ changed.
	Indexed change.Kind = "notes.indexed"
)

// A Seen is the latest known state of the overview of a session.
type Seen struct {
	// Revision is the OwnRevision of the overview.
	Revision string `json:"revision"`
	// Turn and At are the turn and the time of the last change.
	Turn int       `json:"turn"`
	At   time.Time `json:"at"`
}

// Room holds the latest known states of the overviews. It is safe for concurrent use.
type Room struct {
	env room.Env

	outlines render.Cache[string, Outline] // by revision
	portions render.Cache[portionKey, portion]
	dedup    render.DedupCache

	local

	mu        sync.RWMutex
	overviews change.Table[Seen] // by session
}

// local is what the process knows beside the tables. It is not state.
type local struct {
	db atomic.Pointer[room.Database] // nil until it is attached
	// read are the sections that the last call of Index has read. It is used in a transaction only.
	read map[place][]room.Document
}

// New returns an empty room. It uses Settings, SessionDir and Deleted of env.
func New(env room.Env) *Room { return &Room{env: env, overviews: change.Table[Seen]{}} }

// Name returns the name under which the room's rows are stored.
func (r *Room) Name() string { return "notes" }

// Nouns returns the noun of the changes that this room writes.
func (r *Room) Nouns() []room.Noun {
	return []room.Noun{{Name: "notes", Panel: []string{Section}, Context: []string{ContextSection, "meta"}}}
}

type changed struct {
	Path     string `json:"path"`
	Revision string `json:"revision"`
	Turn     int    `json:"turn"`
}

// found is the payload of Found.
type found struct {
	Path string `json:"path"`
}

func foundAt(session, path string) change.Change {
	return change.New(Found, session, found{path}).AsHot()
}

// Observe returns nothing: notes change as files.
func (r *Room) Observe(event.Event) ([]change.Change, error) { return nil, nil }

// Written returns the change that records that a note was written in a turn of a session.
// There is none for an overview in which only the blocks of the server changed.
func (r *Room) Written(session string, note Note, turn int) []change.Change {
	p := changed{note.Path, note.Revision, turn}
	if note.Path == Overview {
		p.Revision = OwnRevision(note.Content)
		if seen, there := r.Overview(session); there && seen.Revision == p.Revision {
			return nil
		}
	}
	return []change.Change{change.New(Changed, session, p).AsHot()}
}

// OwnRevision returns the revision of an overview without the blocks of the server.
func OwnRevision(text string) string {
	return RevisionOf(overview.SetBlock(overview.SetBlock(text, overview.Index, ""), overview.History, ""))
}

// Fold applies a change.
func (r *Room) Fold(c change.Change) ([]change.Row, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch c.Kind {
	case Changed:
		var p changed
		if err := c.Decode(&p); err != nil || p.Path != Overview {
			return nil, err
		}
		return []change.Row{r.overviews.Put(c.Subject, Seen{p.Revision, p.Turn, c.At})}, nil
	}
	return nil, nil
}

// EndSession returns nothing: notes outlive their session.
func (r *Room) EndSession(string) []change.Change { return nil }

// ForgetSession drops what is kept of a session.
func (r *Room) ForgetSession(session string) []change.Row {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.overviews.Drop(session)
}

// Load sets rows.
func (r *Room) Load(rows []change.Row) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.overviews.LoadAll(rows)
}

// Overview returns the latest known state of the overview of a session. It returns false
// if the overview was never seen.
func (r *Room) Overview(session string) (Seen, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	seen, there := r.overviews[session]
	return seen, there
}
