package longterm

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// ContextSection is the id of the room's section: the entries that every context holds.
const ContextSection = "workspace"

// Sections returns the section of the workspace memory.
func (r *Room) Sections(room.Reader) []render.Section {
	return []render.Section{{
		ID: ContextSection, Label: PanelTitle, MaxChars: r.env.Settings().Memory.MaxChars, Gone: r.Gone,
		Render: func(maxChars int, _ render.DedupSet) render.Part {
			return r.part(opening, closingTag, maxChars, func(h *held) share {
				if h.bound() {
					return elsewhere
				}
				return shown
			})
		},
	}}
}

// A Bound says which entries Related shows. The zero value is for all.
type Bound struct {
	// None is true if no entry is shown.
	None bool
	// Types are those of the entries, MinImportance is from 0 to 1, and Since and Until are the times between which the
	// entries were said last. Zero members match all.
	Types         []string
	MinImportance float64
	Since, Until  time.Time
	// Most is how many entries are shown, MaxChars how many characters they have together. 0 is no limit.
	Most, MaxChars int
}

func (b Bound) admits(e *Entry) bool {
	at := e.lastSaid()
	return !b.None && (len(b.Types) == 0 || slices.Contains(b.Types, e.Type)) && e.importance() >= b.MinImportance &&
		!at.Before(b.Since) && (b.Until.IsZero() || !at.After(b.Until))
}

// Related returns the lines of the entries that are about something in the code, if the session of
// a reader is about the same, in at most maxChars characters. The text has no tags.
func (r *Room) Related(at room.Reader, within Bound, maxChars int) render.Part {
	if within.MaxChars > 0 {
		maxChars = min(maxChars, within.MaxChars)
	}
	offered := 0
	return r.part("", "", maxChars, func(h *held) share {
		switch {
		case !h.bound(), !within.admits(&h.Entry), within.Most > 0 && offered == within.Most:
			return elsewhere
		case h.concerns(at):
			offered++
			return shown
		}
		return unrelated
	})
}

// Warm computes what the first context needs of every entry. It begins with the last ones, so that it does not
// compute what a context that is assembled meanwhile waits for.
func (r *Room) Warm() {
	r.mu.RLock()
	active := r.state.retained()
	r.mu.RUnlock()
	for _, h := range slices.Backward(active) {
		h.bound()
		h.chars()
	}
	for _, h := range active[:min(len(active), mostWarmed)] {
		h.stance()
	}
}

// mostWarmed is how many of the entries that come first are made ready to be compared: about as many as a context
// shows.
const mostWarmed = 50

// A share is whether a section shows an entry.
type share int

const (
	shown     share = iota
	elsewhere       // it is another section's
	unrelated       // it is of another topic
)

// minBound is the length of the shortest entry that is bound to a topic, in characters. What is shorter
// costs little.
const minBound = 120

// isBound reports whether an entry is about something in the code, so that it says nothing to a session
// about something else. A pinned entry is for all, and a rule is about what comes up.
func (e Entry) isBound() bool {
	return !e.Pinned && e.Type != request.Feedback && utf8.RuneCountInString(e.Text) >= minBound &&
		quality.NamesCode(e.Text)
}

// concerns reports whether an entry is about the same as the session of a reader, which is so if it was
// added there, or that is about nothing yet.
func (e Entry) concerns(at room.Reader) bool {
	if at.About == nil || e.Origin != nil && e.Origin.SessionID == at.Session {
		return true
	}
	about := at.About()
	return len(about) == 0 || about.Touches(e.Text) || slices.ContainsFunc(e.Files, about.Touches)
}

// Gone returns the line of a delta for an entry that was superseded, removed or erased. An
// entry for which there is no room, in the section or in the memory, still holds for a reader
// who has it: of an active and of an evicted one it returns "". Of an entry that a sweep has
// deleted nothing tells whether somebody took it back.
func (r *Room) Gone(item render.Item) string {
	entry, known := r.Get(item.ID)
	switch {
	case known && (entry.Status == StatusActive || entry.Status == StatusEvicted):
		return ""
	case !known && !r.isErased(item.ID):
		return "No longer kept: " + item.Text
	}
	return "No longer holds: " + item.Text
}

func (r *Room) isErased(id string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	_, erased := r.erased[erasedKey(id)]
	return erased
}

// part returns a rendered section with the deduplication keys of its entries.
func (r *Room) part(open, shut string, maxChars int, share func(*held) share) render.Part {
	r.mu.RLock()
	defer r.mu.RUnlock()
	choice := r.choose(open, shut, maxChars, share)
	marks := choice.contrary()
	part := render.Part{Text: choice.text(marks), Omitted: choice.omitted, Withheld: render.DedupKeys{}}
	slices.SortFunc(choice.chosen, func(a, b *held) int { return byCreation(&a.Entry, &b.Entry) })
	var lines strings.Builder
	for _, h := range choice.chosen {
		item := render.Item{ID: h.ID, Text: render.Inert("[" + h.Type + "] " + h.Text)}
		if mark := marks[h]; mark != "" {
			item.Told = item.Text + mark
			item.Same = item.Told // a reader who has the entry is told that another one contradicts it
		}
		part.Items = append(part.Items, item)
		lines.WriteString(h.Text + "\n")
	}
	for _, h := range choice.unrelated {
		part.Withheld[render.DedupKey(h.Text)] = true
	}
	part.DedupKeys = r.dedup.Keys(lines.String())
	return part
}
