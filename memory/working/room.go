// Package working is the room of an agent's working memory: items that are extracted from
// the outputs of tools and from messages. Slots keep the newest items of a kind. All other
// items are in a pool, in which their score decays until they are mentioned again
// (systems.md A3 to A7).
package working

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// The kinds of changes that this room writes. The subject is the session.
const (
	// Observed is one event. It increments the event counter.
	Observed change.Kind = "working.observed"
	Added    change.Kind = "working.added"
	Removed  change.Kind = "working.removed"
	Imported change.Kind = "working.imported"
)

// The built-in slots. The pool has no name.
const (
	Errors       = "error"
	Decisions    = "decision"
	Todos        = "todo"
	Dependencies = "dependency"
	Pool         = ""
)

// MaxChars is the maximum length of an item in Unicode code points.
const MaxChars = 500

// An Item is an item of a slot or of the pool.
type Item struct {
	ID      string `json:"id"`   // see idOf
	Slot    string `json:"slot"` // Pool, or the name of a slot
	Content string `json:"content"`
	// Source is where the item comes from: manual, message:user, message:assistant, or
	// tool: with the name of the tool.
	Source string `json:"source"`
	// Path is the file that the item is or is about. It may be empty.
	Path string `json:"path,omitempty"`
	// Entry is the text that the item asks to remember, "" if it asks for nothing.
	Entry string `json:"entry,omitempty"`
	// Fingerprint is the fingerprint of the error that the item describes.
	Fingerprint string `json:"fingerprint,omitempty"`
	Mentions    int    `json:"mentions"` // from 1
	// Said is true if a message mentioned it, Answered if the user wrote since about a problem that was.
	Said     bool `json:"said,omitempty"`
	Answered bool `json:"answered,omitempty"`
	// Event is the event counter when the item was last mentioned.
	Event           int       `json:"event"`
	CreatedAt       time.Time `json:"createdAt"`
	LastMentionedAt time.Time `json:"lastMentionedAt"`
}

// IsFile reports whether the item is a file.
func (i Item) IsFile() bool { return i.Path != "" && i.Path == i.Content }

// idOf returns the first 12 hex digits of the sha256 of the slot and the canonical text.
// A path is used as it is.
func idOf(item Item) string {
	text := item.Content
	if !item.IsFile() {
		text = cmp.Or(item.Fingerprint, quality.Canonical(text), text)
	}
	sum := sha256.Sum256([]byte(item.Slot + "\x00" + text))
	return hex.EncodeToString(sum[:6])
}

// Room holds the working memory of all sessions. It is safe for concurrent use.
type Room struct {
	env      room.Env
	mu       sync.RWMutex
	sessions map[string]*session
	// packed are the rows of sessions that nobody has asked for since they were loaded, by
	// session. Most sessions are over, so their rows are decoded when they are needed.
	packed  map[string][]change.Row
	bundles room.Bundles
}

// A session holds the items of one session by their key, and its event counter.
type session struct {
	items  change.Table[Item]
	events change.Table[int]
}

// New returns an empty room. It uses Settings, Tracked, Exists and Open of env.
func New(env room.Env) *Room {
	return &Room{env: env, sessions: map[string]*session{}, packed: map[string][]change.Row{}, bundles: room.Bundles{}}
}

// Name returns the name under which the room's rows are stored.
func (r *Room) Name() string { return "working" }

// Nouns returns the noun of the changes that this room writes.
func (r *Room) Nouns() []room.Noun {
	return []room.Noun{{Name: "working", Panel: []string{Section}, Context: []string{ContextSection, "meta"}}}
}

// separator stands between the session and the id of an item in the key of a row. The key
// of the event counter has no id.
const separator = "\x1f"

func keyOf(session, id string) string { return session + separator + id }

// at returns a session. It creates the session if there is none. The lock must be held.
func (r *Room) at(id string) *session {
	r.unpack(id)
	s, there := r.sessions[id]
	if !there {
		s = newSession()
		r.sessions[id] = s
	}
	return s
}

// unpack decodes the rows of a session. The lock must be held.
func (r *Room) unpack(id string) {
	rows, packed := r.packed[id]
	if !packed {
		return
	}
	delete(r.packed, id)
	s := r.at(id)
	rows, unread := room.Separate(rows)
	for _, row := range rows {
		if s.load(row) != nil {
			unread = append(unread, row)
		}
	}
	if len(unread) > 0 {
		r.env.Unreadable(r.Name(), unread)
	}
}

// read returns a session with the lock held for reading, nil if there is none.
func (r *Room) read(id string) *session {
	r.mu.RLock()
	if _, packed := r.packed[id]; packed {
		r.mu.RUnlock()
		r.mu.Lock()
		r.unpack(id)
		r.mu.Unlock()
		r.mu.RLock()
	}
	return r.sessions[id]
}

// load sets a row.
func (s *session) load(row change.Row) error {
	if strings.HasSuffix(row.Key, separator) {
		return s.events.Load(row)
	}
	return s.items.Load(row)
}

func newSession() *session {
	return &session{items: change.Table[Item]{}, events: change.Table[int]{}}
}

func (s *session) counter() int {
	for _, n := range s.events {
		return n
	}
	return 0
}

// noted is the payload of Observed and Added.
type noted struct {
	// Event is the number of the event. For an item that was added by hand it is that of the
	// previous event.
	Event     int      `json:"event"`
	Items     []Item   `json:"items,omitempty"`
	Mentioned []string `json:"mentioned,omitempty"` // ids
	Gone      []string `json:"gone,omitempty"`      // ids that were evicted or faded
	// Said is true if it was a message that mentioned them, Prompted if one of the user.
	Said     bool `json:"said,omitempty"`
	Prompted bool `json:"prompted,omitempty"`
}

// removed is the payload of Removed. It does not hold strings, because they may have to be
// erased.
type removed struct {
	IDs []string `json:"ids"`
}

// Fold applies a change.
func (r *Room) Fold(c change.Change) ([]change.Row, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch c.Kind {
	case Observed, Added:
		var p noted
		if err := c.Decode(&p); err != nil {
			return nil, err
		}
		return r.foldNoted(c, p), nil
	case Removed:
		var p removed
		if err := c.Decode(&p); err != nil {
			return nil, err
		}
		return r.drop(c.Subject, p.IDs), nil
	case Imported:
		var items []Item
		if err := c.Decode(&items); err != nil {
			return nil, err
		}
		return r.foldImported(c.Subject, items), nil
	}
	return nil, nil
}

// foldImported adds items as they are. Known items stay as they are.
func (r *Room) foldImported(session string, items []Item) []change.Row {
	s := r.at(session)
	rows := r.unbundle(session)
	for _, item := range items {
		key := keyOf(session, item.ID)
		if _, there := s.items[key]; !there {
			rows = append(rows, s.items.Put(key, item))
		}
	}
	return rows
}

// foldNoted does not depend on the order of events among processes: counts are added, and the
// latest event and time are kept. What is added by hand has the order in which it was added.
func (r *Room) foldNoted(c change.Change, p noted) []change.Row {
	s := r.at(c.Subject)
	rows := r.unbundle(c.Subject)
	if c.Kind == Observed {
		rows = append(rows, s.events.Put(keyOf(c.Subject, ""), s.counter()+1))
	}
	for _, item := range p.Items {
		key := keyOf(c.Subject, item.ID)
		known, there := s.items[key]
		if !there {
			known = item
			known.Mentions, known.CreatedAt = 0, c.At
		}
		at := c.At
		if c.Kind == Added {
			at = s.later(item.Slot, at)
		}
		rows = append(rows, s.items.Put(key, known.mentioned(p.Event, at)))
	}
	for _, id := range p.Mentioned {
		key := keyOf(c.Subject, id)
		if known, there := s.items[key]; there {
			known.Said = known.Said || p.Said
			rows = append(rows, s.items.Put(key, known.mentioned(p.Event, c.At)))
		}
	}
	if p.Prompted {
		for _, key := range slices.Sorted(maps.Keys(s.items)) {
			if item := s.items[key]; item.wasProblem() && !item.Answered {
				item.Answered = true
				rows = append(rows, s.items.Put(key, item))
			}
		}
	}
	return append(rows, r.drop(c.Subject, p.Gone)...)
}

// wasProblem reports whether the item is a fact about a problem that was.
func (i Item) wasProblem() bool {
	return i.Slot == Pool && i.Source == fromAssistant && request.IsPast(i.Content)
}

// sameTime is how far two times may be apart that say nothing of the order: they have
// milliseconds, and clocks are adjusted.
const sameTime = time.Second

// later returns at, or a millisecond after the latest item of a slot that is not before at and
// less than sameTime after it.
func (s *session) later(slot string, at time.Time) time.Time {
	latest := at.Add(-time.Millisecond)
	for _, item := range s.items {
		last := item.LastMentionedAt
		if item.Slot == slot && last.After(latest) && last.Sub(at) < sameTime {
			latest = last
		}
	}
	return latest.Add(time.Millisecond)
}

func (i Item) mentioned(event int, at time.Time) Item {
	i.Mentions++
	i.Event = max(i.Event, event)
	if at.After(i.LastMentionedAt) {
		i.LastMentionedAt = at
	}
	return i
}

// maxCount bounds the counts of items that are restored or imported, whose values can be
// anything.
const maxCount = 1_000_000

// bounded returns the item with counts that are possible after a number of events.
func (i Item) bounded(events int) Item {
	i.Mentions = min(max(i.Mentions, 1), maxCount)
	i.Event = min(max(i.Event, -maxCount), events)
	return i
}

func (r *Room) drop(session string, ids []string) []change.Row {
	s := r.at(session)
	rows := r.unbundle(session)
	for _, id := range ids {
		rows = append(rows, s.items.Drop(keyOf(session, id))...)
	}
	return rows
}

// EndSession returns nothing: a resumed session keeps its items.
func (r *Room) EndSession(string) []change.Change { return nil }

// ForgetSession drops everything of a session.
func (r *Room) ForgetSession(session string) []change.Row {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unpack(session)
	s, there := r.sessions[session]
	if !there {
		return nil
	}
	delete(r.sessions, session)
	return r.bundles.Drop(session, s.rows())
}

// Load sets rows. Those of a session that is not in use are decoded later.
func (r *Room) Load(rows []change.Row) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for len(rows) > 0 {
		id, n := sessionOf(rows[0]), 1
		if room.Bundled(rows[0]) != "" {
			delete(r.sessions, room.Bundled(rows[0]))
			errs = append(errs, r.bundles.Load(rows[0], r.packed))
		} else if _, inUse := r.sessions[id]; inUse || rows[0].Value == nil {
			errs = append(errs, r.at(id).load(rows[0]))
		} else if err := rows[0].Check(); err != nil {
			errs = append(errs, err)
		} else { // with those that follow
			for n < len(rows) && sessionOf(rows[n]) == id && rows[n].Check() == nil {
				n++
			}
			r.packed[id] = append(r.packed[id], rows[:n]...)
		}
		rows = rows[n:]
	}
	return errors.Join(errs...)
}

// sessionOf returns the session of a row.
func sessionOf(row change.Row) string {
	session, _, _ := strings.Cut(row.Key, separator)
	return session
}

// Events returns the number of tool events and messages of a session.
func (r *Room) Events(session string) int {
	s := r.read(session)
	defer r.mu.RUnlock()
	if s == nil {
		return 0
	}
	return s.counter()
}

// Slot returns the items of a slot of a session, the newest first.
func (r *Room) Slot(session, name string) []Item {
	s := r.read(session)
	defer r.mu.RUnlock()
	if s == nil {
		return nil
	}
	items := s.in(name)
	return items[:min(len(items), r.limit(name))]
}

// Pool returns the items of the pool of a session, the highest score first.
func (r *Room) Pool(session string) []Scored {
	s := r.read(session)
	defer r.mu.RUnlock()
	if s == nil {
		return nil
	}
	pool := s.pool(s.counter())
	return slices.DeleteFunc(pool, func(i Scored) bool { return i.Score < faded })
}

// in returns the items of a slot, the last mentioned first.
func (s *session) in(slot string) []Item {
	var items []Item
	for _, item := range s.items {
		if item.Slot == slot {
			items = append(items, item)
		}
	}
	slices.SortFunc(items, newestFirst)
	return items
}

func newestFirst(a, b Item) int {
	return cmp.Or(
		cmp.Compare(b.Event, a.Event), b.LastMentionedAt.Compare(a.LastMentionedAt), strings.Compare(a.ID, b.ID),
	)
}

// Slots returns all slots, in the order in which they are shown.
func (r *Room) Slots() []settings.Slot { return r.env.Settings().Working.AllSlots() }

// limit returns how many items a slot can hold, 0 if there is no such slot.
func (r *Room) limit(name string) int {
	for _, slot := range r.Slots() {
		if slot.Name == name {
			return slot.Max
		}
	}
	return 0
}
