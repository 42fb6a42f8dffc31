package longterm

import (
	"maps"
	"slices"
)

// held is an entry with its canonical text, which dedupe compares. It is never
// changed once it is in a state.
type held struct {
	Entry
	canonical string
}

// state is a set of entries. A state may lie over another one, which it reads
// through and never changes: that is how a decision of several steps is tried.
type state struct {
	below   *state
	entries map[string]*held // nil: hides the entry below
	active  map[string]*held // all of them, also those from below
}

func newState() *state {
	return &state{entries: map[string]*held{}, active: map[string]*held{}}
}

// over returns a state that starts equal to s.
func (s *state) over() *state {
	return &state{below: s, entries: map[string]*held{}, active: maps.Clone(s.active)}
}

// find returns the entry with the id, nil if there is none.
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

func (s *state) put(entry Entry) {
	h := &held{Entry: entry, canonical: canonical(entry.Text)}
	s.entries[entry.ID] = h
	if entry.Status == StatusActive {
		s.active[entry.ID] = h
		return
	}
	delete(s.active, entry.ID)
}

func (s *state) drop(id string) {
	delete(s.active, id)
	if s.below == nil {
		delete(s.entries, id)
		return
	}
	s.entries[id] = nil
}

// all returns the entries that match, in the order of their creation.
func (s *state) all(match func(*held) bool) []*Entry {
	found := map[string]*Entry{}
	for layer := s; layer != nil; layer = layer.below {
		for id, h := range layer.entries {
			if _, hidden := found[id]; hidden {
				continue
			}
			found[id] = nil
			if h != nil && match(h) {
				found[id] = &h.Entry
			}
		}
	}
	maps.DeleteFunc(found, func(_ string, e *Entry) bool { return e == nil })
	return slices.SortedFunc(maps.Values(found), byCreation)
}

// retained returns the active entries, the one to keep longest first.
func (s *state) retained() []*Entry {
	entries := make([]*Entry, 0, len(s.active))
	for _, h := range s.active {
		entries = append(entries, &h.Entry)
	}
	slices.SortFunc(entries, byRetention)
	return entries
}

// twin returns the active entry other than id that says the same as text
// (systems.md B5), nil if there is none. Several can only exist in a state that
// was not made by this room; the one kept longest is the twin then.
func (s *state) twin(text, id string) *Entry {
	key := canonical(text)
	var twin *Entry
	for _, h := range s.active {
		if h.canonical != key || h.ID == id {
			continue
		}
		if twin == nil || byRetention(&h.Entry, twin) < 0 {
			twin = &h.Entry
		}
	}
	return twin
}

// pinned counts the active pinned entries.
func (s *state) pinned() int {
	n := 0
	for _, h := range s.active {
		if h.Pinned {
			n++
		}
	}
	return n
}
