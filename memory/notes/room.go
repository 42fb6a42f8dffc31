package notes

import (
	"sync"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// The changes of the room. Their subject is the session; what a note says is in
// its file alone.
const (
	// Changed says that a note was written, by whomever.
	Changed change.Kind = "notes.changed"
	// Indexed says that there are other files in detail/ than before.
	Indexed change.Kind = "notes.indexed"
)

// A Seen is what is known of the overview of a session.
type Seen struct {
	// Revision is that of what was written in it, without what the server
	// maintains in it.
	Revision string `json:"revision"`
	// Turn and At are those of the session when it was last changed.
	Turn int       `json:"turn"`
	At   time.Time `json:"at"`
}

// Options are what the room needs to know from outside.
type Options struct {
	Settings func() *settings.Settings
	// SessionDir returns the folder that holds the files of a session.
	SessionDir func(session string) (string, error)
	// Read returns the overview of a session, an empty note if there is none.
	Read func(session string) (Note, error)
}

// Room knows how the overviews changed. It is safe for concurrent use.
type Room struct {
	Options

	outlines render.Recent[string, Outline] // by revision
	portions render.Recent[portionKey, portion]
	sayings  render.Sayings

	mu        sync.RWMutex
	overviews change.Table[Seen] // by session
}

// New returns an empty room.
func New(options Options) *Room { return &Room{Options: options, overviews: change.Table[Seen]{}} }

// Name names the rows of the room.
func (r *Room) Name() string { return "notes" }

// Nouns returns the noun of the changes that this room writes.
func (r *Room) Nouns() []room.Noun {
	return []room.Noun{{Name: "notes", Panel: []string{"notes"}, Context: []string{"overview", "meta"}}}
}

type changed struct {
	Path     string `json:"path"`
	Revision string `json:"revision"`
	Turn     int    `json:"turn"`
}

// Observe answers nothing: notes change as files.
func (r *Room) Observe(event.Event) ([]change.Change, error) { return nil, nil }

// Written answers that a note has changed in a turn of a session. It is nothing
// for an overview in which only the server has written.
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

// OwnRevision is that of an overview without the blocks of the server.
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

// Overview is what is known of the overview of a session; false if it was never
// seen.
func (r *Room) Overview(session string) (Seen, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	seen, there := r.overviews[session]
	return seen, there
}
