package longterm

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/wm-lsp/wm-lsp/extract/quality"
)

// held is an entry with values that are computed when they are first needed. It does not change
// once it is in a state.
type held struct {
	Entry

	lineOnce, charsOnce, keyOnce, boundOnce, stanceOnce sync.Once

	rendered, key string
	length        int
	isTopical     bool
	means         quality.Stance
}

// stance returns what the entry is for and against.
func (h *held) stance() quality.Stance {
	h.stanceOnce.Do(func() { h.means = quality.StanceOf(h.Text) })
	return h.means
}

// line returns the rendered line of the entry.
func (h *held) line() string {
	h.lineOnce.Do(func() { h.rendered = line(h.Entry) })
	return h.rendered
}

// chars returns the length of the line, in characters.
func (h *held) chars() int {
	h.charsOnce.Do(func() { h.length = lineChars(h.Entry) })
	return h.length
}

// bound returns isBound.
func (h *held) bound() bool {
	h.boundOnce.Do(func() { h.isTopical = h.isBound() })
	return h.isTopical
}

// canonical returns the canonical text of the entry. It is computed when it is first needed,
// because computing all of them would delay the start.
func (h *held) canonical() string {
	h.keyOnce.Do(func() { h.key = canonical(h.Text) })
	return h.key
}

// state is a set of entries. A state may be an overlay of another one, which it reads and
// never changes. A decision of several steps is made in such an overlay.
type state struct {
	below   *state
	entries map[string]*held // nil for an entry below that was dropped
	active  map[string]*held // including those below
	offers  map[string]*held // the offered ones, including those below
	stale   int              // number of stale entries, including those below
	// order is what retained returns, and size what charsWithin returned last, nil if that is not known.
	order atomic.Pointer[[]*held]
	size  atomic.Pointer[size]
}

// A size is the number of characters of the rendering in at most so many.
type size struct{ within, chars int }

func newState() *state {
	return &state{entries: map[string]*held{}, active: map[string]*held{}, offers: map[string]*held{}}
}

// over returns an overlay of s.
func (s *state) over() *state {
	return &state{
		below: s, entries: map[string]*held{}, active: maps.Clone(s.active), offers: maps.Clone(s.offers),
		stale: s.stale,
	}
}

// find returns the entry with the id, or nil if there is none.
func (s *state) find(id string) *Entry {
	for ; s != nil; s = s.below {
		if h, ok := s.entries[id]; ok {
			if h == nil {
				return nil
			}
			return &h.Entry
		}
	}
	return nil
}

// put adds an entry, or replaces it.
func (s *state) put(h *held) {
	s.drop(h.ID) // which forgets the order
	switch {
	case h.Status == StatusActive:
		s.active[h.ID] = h
	case h.isOffered():
		s.offers[h.ID] = h
	}
	if h.Stale != nil {
		s.stale++
	}
	s.entries[h.ID] = h
}

func (s *state) drop(id string) {
	if old := s.find(id); old != nil && old.Stale != nil {
		s.stale--
	}
	delete(s.active, id)
	delete(s.offers, id)
	s.order.Store(nil)
	s.size.Store(nil)
	if s.below == nil {
		delete(s.entries, id)
		return
	}
	s.entries[id] = nil
}

// each yields every entry once, in no particular order.
func (s *state) each() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for _, h := range s.entries {
			if h != nil && !yield(&h.Entry) {
				return
			}
		}
		if s.below == nil {
			return
		}
		for entry := range s.below.each() {
			if _, hidden := s.entries[entry.ID]; !hidden && !yield(entry) {
				return
			}
		}
	}
}

// all returns the entries that match, ordered by creation.
func (s *state) all(match func(*Entry) bool) []*Entry {
	var found []*Entry
	for entry := range s.each() {
		if match(entry) {
			found = append(found, entry)
		}
	}
	slices.SortFunc(found, byCreation)
	return found
}

// sortedOffers returns the offered entries, ordered by creation.
func (s *state) sortedOffers() []*Entry {
	offers := make([]*Entry, 0, len(s.offers))
	for _, h := range s.offers {
		offers = append(offers, &h.Entry)
	}
	slices.SortFunc(offers, byCreation)
	return offers
}

// retained returns the active entries in the order of retention. The list must not be changed. They are sorted once
// for all sections of a context.
func (s *state) retained() []*held {
	if known := s.order.Load(); known != nil {
		return *known
	}
	order := slices.SortedFunc(maps.Values(s.active), byRetention)
	s.order.Store(&order)
	return order
}

// twin returns the active entry other than id with the same canonical text (systems.md B5),
// or nil if there is none. If there are several, which this room does not create, it returns
// the first one in the order of retention.
func (s *state) twin(text, id string) *Entry {
	key := canonical(text)
	var twin *held
	for _, h := range s.active {
		if h.canonical() != key || h.ID == id {
			continue
		}
		if twin == nil || byRetention(h, twin) < 0 {
			twin = h
		}
	}
	if twin == nil {
		return nil
	}
	return &twin.Entry
}

// pinned returns the number of active pinned entries.
func (s *state) pinned() int {
	n := 0
	for _, h := range s.active {
		if h.Pinned {
			n++
		}
	}
	return n
}

// canonical returns the form in which strings are compared. A string of punctuation only has no
// canonical form; it is compared as it is.
func canonical(text string) string {
	if key := quality.Canonical(text); key != "" {
		return key
	}
	return strings.TrimSpace(text)
}
