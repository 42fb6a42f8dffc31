package longterm

import (
	"slices"
	"unicode/utf8"
)

// List returns the entries of some types, or of all types if types is empty, ordered by
// creation. Inactive entries are included if includeInactive is true.
func (r *Room) List(types []string, includeInactive bool) []Entry {
	if includeInactive {
		_ = r.complete() // if it fails, which is logged, only the loaded ones are returned
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	matching := r.state.all(func(e *Entry) bool {
		return (includeInactive || e.Status == StatusActive) && (len(types) == 0 || slices.Contains(types, e.Type))
	})
	entries := make([]Entry, len(matching))
	for i, entry := range matching {
		entries[i] = entry.clone()
	}
	return entries
}

// About returns the active entries that are linked to a file, in the order of retention.
func (r *Room) About(path string) []Entry {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var linked []*held
	for _, h := range r.state.active {
		if slices.Contains(h.Files, path) {
			linked = append(linked, h)
		}
	}
	slices.SortFunc(linked, byRetention)
	entries := make([]Entry, len(linked))
	for i, h := range linked {
		entries[i] = h.clone()
	}
	return entries
}

// Get returns the entry with the id, active or not.
func (r *Room) Get(id string) (Entry, bool) {
	entry, err := r.lookUp(id)
	if err != nil || entry == nil {
		return Entry{}, false
	}
	return entry.clone(), true
}

// Has reports whether an entry that is in force or offered has the same canonical text as a string (systems.md B5).
func (r *Room) Has(text string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	key := canonical(text)
	for _, entries := range []map[string]*held{r.state.active, r.state.offers} {
		for _, h := range entries {
			if h.canonical() == key {
				return true
			}
		}
	}
	return false
}

// Retention returns the active entries in the order of retention: pinned ones first, then by
// source, by reinforcement and by id. The last unpinned one is evicted first.
func (r *Room) Retention() []Entry {
	r.mu.RLock()
	defer r.mu.RUnlock()
	retained := r.state.retained()
	entries := make([]Entry, len(retained))
	for i, h := range retained {
		entries[i] = h.clone()
	}
	return entries
}

// Used returns the number of active entries, and the number of characters of their
// rendering within the limit of the settings.
func (r *Room) Used() (entries, chars int) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.state.active), r.charsWithin(r.env.Settings().Memory.MaxChars)
}

// charsWithin returns the number of characters of the rendering in at most maxChars. Several parts of a panel ask for
// it, and most events change no entry.
func (r *Room) charsWithin(maxChars int) int {
	if known := r.state.size.Load(); known != nil && known.within == maxChars {
		return known.chars
	}
	choice := r.chooseAll(maxChars)
	chars := choice.chars
	for _, mark := range choice.contrary() {
		chars += utf8.RuneCountInString(mark)
	}
	r.state.size.Store(&size{maxChars, chars})
	return chars
}

// Unreviewed returns the number of entries that a person has to decide about.
func (r *Room) Unreviewed() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.state.all((*Entry).toReview))
}

// Explanation explains the state of an entry.
type Explanation struct {
	Entry Entry
	// Rank is the position in the order of retention, from 1. It is 0 for an inactive entry.
	Rank int
	// Rendered is true if the text is in contexts, within the limit of the settings.
	Rendered bool
	// Reason is why the entry is rendered or not.
	Reason string
}

// Explain explains the state of an entry. The fault is NotFound.
func (r *Room) Explain(id string) (Explanation, error) {
	if _, err := r.lookUp(id); err != nil {
		return Explanation{}, err
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	entry := r.state.find(id)
	if entry == nil {
		return Explanation{}, notFound(id)
	}
	explained := Explanation{Entry: entry.clone()}
	if entry.Status != StatusActive {
		explained.Reason = string(entry.Status)
		if entry.Ended != nil {
			explained.Reason = entry.Ended.Reason
		}
		if entry.isOffered() {
			explained.Reason = "offered; not in force until somebody keeps it or it is said again in another session"
		}
		return explained, nil
	}
	explained.Rank = 1 + slices.IndexFunc(r.state.retained(), func(h *held) bool { return h.ID == id })
	explained.Rendered, explained.Reason = r.chooseAll(r.env.Settings().Memory.MaxChars).explain(entry)
	return explained, nil
}
