// Package briefing is the room of what sessions were told of their contexts, so that a process
// that lives for one event tells only what is new. Its service records it.
package briefing

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
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
	// Sum is equal as long as the item is not new, Key as long as it says the same.
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

// Room writes and reads the table of what sessions were told. It is safe for concurrent use. Nothing of it is held in
// memory or read at the start, because a process needs that of its own sessions at most.
type Room struct {
	db room.Database // nil until it is attached
}

// New returns a room.
func New(room.Env) *Room { return &Room{} }

// Name returns the name of the room.
func (r *Room) Name() string { return "briefing" }

// Nouns returns the noun of the changes that this room writes. They affect no section.
func (r *Room) Nouns() []room.Noun { return []room.Noun{{Name: Told.Noun()}} }

// Observe returns no changes: the service writes them.
func (r *Room) Observe(event.Event) ([]change.Change, error) { return nil, nil }

// Fold returns nothing, because nothing is held in memory.
func (r *Room) Fold(change.Change) ([]change.Row, error) { return nil, nil }

// Load does nothing, because there are no rows.
func (r *Room) Load([]change.Row) error { return nil }

// TablesVersion returns the version of the tables.
func (r *Room) TablesVersion() int { return 1 }

// Tables returns the names of the tables.
func (r *Room) Tables() []string { return []string{"briefing_told"} }

// Attach sets the database from which the room reads.
func (r *Room) Attach(db room.Database) { r.db = db }

// Migrate creates the table. id is the session, doc its State.
func (r *Room) Migrate(ctx context.Context, tx room.Tx, _ int) error {
	_, err := tx.ExecContext(ctx, "CREATE TABLE briefing_told(id TEXT PRIMARY KEY, doc TEXT NOT NULL)")
	return err
}

// Index updates the table for changes. A session that has ended and is resumed knows what it was told.
func (r *Room) Index(ctx context.Context, tx room.Tx, changes []change.Change) error {
	for _, c := range changes {
		switch c.Kind {
		case Told:
			if err := index(ctx, tx, c); err != nil {
				return fmt.Errorf("keep what a session was told: %w", err)
			}
		case sessions.Deleted, sessions.Swept:
			if _, err := tx.ExecContext(ctx, "DELETE FROM briefing_told WHERE id = ?", c.Subject); err != nil {
				return err
			}
		}
	}
	return nil
}

// index adds a report to what its session was told.
func index(ctx context.Context, tx room.Tx, c change.Change) error {
	var report Report
	if err := c.Decode(&report); err != nil {
		return err
	}
	state := &State{}
	if !report.Whole {
		known, err := read(ctx, tx, c.Subject)
		if err != nil {
			return err
		}
		if known != nil {
			state = known
		}
	}
	state.add(report)
	doc, err := json.Marshal(state)
	if err == nil {
		_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO briefing_told(id, doc) VALUES(?, ?)",
			c.Subject, string(doc))
	}
	return err
}

// EraseIndexed erases strings from what sessions were told.
func (r *Room) EraseIndexed(ctx context.Context, tx room.Tx, texts []string) error {
	for _, text := range texts {
		if _, err := tx.ExecContext(ctx, "DELETE FROM briefing_told WHERE instr(id, ?)", text); err != nil {
			return err
		}
	}
	table := room.DocumentTable[State]{Name: "briefing_told", What: "what sessions were told"}
	return table.Erase(ctx, tx, texts)
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

// Of returns what a session was told, nil if nothing is known. What is not written yet is not known.
func (r *Room) Of(ctx context.Context, session string) (*State, error) {
	if r.db == nil {
		return nil, nil
	}
	return read(ctx, r.db, session)
}

// read returns what a session was told, nil if nothing is known. It is told anew what cannot be decoded.
func read(ctx context.Context, db room.Querier, session string) (*State, error) {
	var doc string
	err := db.QueryRowContext(ctx, "SELECT doc FROM briefing_told WHERE id = ?", session).Scan(&doc)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what a session was told: %w", err)
	}
	state := &State{}
	if (change.Row{Key: session, Value: json.RawMessage(doc)}).Decode(state) != nil {
		return nil, nil
	}
	return state, nil
}

var _ room.Eraser = (*Room)(nil)
