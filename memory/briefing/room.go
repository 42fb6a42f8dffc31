// Package briefing is the room of what sessions were told of their contexts, so that a process
// that lives for one event tells only what is new. Its service records it.
package briefing

import (
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// Told is the kind of the changes of this room. The subject is the session.
const Told change.Kind = "context.told"

// maxItems is how many items are known per session. Those that the session was told longest
// ago are forgotten first.
const maxItems = 300

// An Item is an item of a context that a session was told.
type Item struct {
	Section string `json:"section"`
	ID      string `json:"id"`
	// Text and Told are the fields of render.Item, cut to maxText.
	Text string `json:"text,omitempty"`
	Told string `json:"told,omitempty"`
	// Sum is equal as long as the item is no news, Key as long as it says the same.
	Sum string `json:"sum"`
	Key string `json:"key,omitempty"`
	// Path and At are the fields of render.Item.
	Path string    `json:"path,omitempty"`
	At   time.Time `json:"at,omitzero"`
}

// A Key identifies an item.
type Key struct {
	Section string `json:"section"`
	ID      string `json:"id"`
}

// A Report is what a session was told.
type Report struct {
	// Whole is true if it is the whole context: what was told before does not count any more.
	Whole bool `json:"whole,omitempty"`
	// Start is true if it was told because the session or its conversation began anew.
	Start bool `json:"start,omitempty"`
	// Turn is the turn of the session, Compactions the number of compactions of its
	// conversation.
	Turn        int `json:"turn,omitempty"`
	Compactions int `json:"compactions,omitempty"`
	// Items are the new and changed items, Gone those of which it was told that they no longer
	// hold.
	Items []Item `json:"items,omitempty"`
	Gone  []Key  `json:"gone,omitempty"`
}

// A State is what a session knows of its context.
type State struct {
	Start       bool `json:"start,omitempty"`
	Turn        int  `json:"turn,omitempty"`
	Compactions int  `json:"compactions,omitempty"`
	// Items are ordered by when they were told.
	Items []Item `json:"items"`
}

// Holds reports whether the session still knows what it was told, in a turn and after a number
// of compactions. A compaction takes it away, unless the host reports the compaction after the
// whole was told because of it. That is before the next turn is over.
func (s *State) Holds(turn, compactions int) bool {
	if s == nil {
		return false
	}
	return s.Compactions == compactions || s.Start && turn <= s.Turn+1 && s.Compactions+1 == compactions
}

// Room holds what sessions were told. It is safe for concurrent use.
type Room struct {
	mu sync.RWMutex
	// sessions are the encoded States by session. Most are never read, so they are decoded
	// when they are.
	sessions change.Table[json.RawMessage]
}

// New returns an empty room.
func New(room.Env) *Room { return &Room{sessions: change.Table[json.RawMessage]{}} }

// Name returns the name under which the room's rows are stored.
func (r *Room) Name() string { return "briefing" }

// Nouns returns the noun of the changes that this room writes. They affect no section.
func (r *Room) Nouns() []room.Noun { return []room.Noun{{Name: Told.Noun()}} }

// Observe returns no changes: the service writes them.
func (r *Room) Observe(event.Event) ([]change.Change, error) { return nil, nil }

// Fold applies a change.
func (r *Room) Fold(c change.Change) ([]change.Row, error) {
	if c.Kind != Told {
		return nil, nil
	}
	var report Report
	if err := c.Decode(&report); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var state *State
	if !report.Whole {
		var err error
		if state, err = r.known(c.Subject); err != nil {
			return nil, err
		}
	}
	if state == nil {
		state = &State{}
	}
	state.add(report)
	doc, err := json.Marshal(state)
	if err != nil {
		return nil, err
	}
	return []change.Row{r.sessions.Put(c.Subject, doc)}, nil
}

func (s *State) add(report Report) {
	if report.Whole {
		s.Items = nil
	}
	s.Start, s.Turn, s.Compactions = report.Start, report.Turn, report.Compactions
	replaced := map[Key]bool{}
	for _, key := range report.Gone {
		replaced[key] = true
	}
	for _, item := range report.Items {
		replaced[Key{item.Section, item.ID}] = true
	}
	s.Items = slices.DeleteFunc(s.Items, func(i Item) bool { return replaced[Key{i.Section, i.ID}] })
	s.Items = append(s.Items, report.Items...)
	s.Items = slices.Concat([]Item{}, s.Items[max(0, len(s.Items)-maxItems):])
}

// EndSession returns no changes: a session that is resumed knows what it was told.
func (r *Room) EndSession(string) []change.Change { return nil }

// ForgetSession drops what a session was told.
func (r *Room) ForgetSession(session string) []change.Row {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sessions.Drop(session)
}

// Load sets rows.
func (r *Room) Load(rows []change.Row) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sessions.LoadAll(rows)
}

// Of returns what a session was told, nil if nothing is known.
func (r *Room) Of(session string) *State {
	r.mu.RLock()
	defer r.mu.RUnlock()
	state, err := r.known(session)
	if err != nil {
		return nil // it is told anew
	}
	return state
}

// known decodes what a session was told, nil if nothing is known. The caller holds the lock.
func (r *Room) known(session string) (*State, error) {
	doc, there := r.sessions[session]
	if !there {
		return nil, nil
	}
	var state State
	if err := (change.Row{Key: session, Value: doc}).Decode(&state); err != nil {
		return nil, err
	}
	return &state, nil
}
