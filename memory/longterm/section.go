package longterm

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// ContextSection is the id of the room's section.
const ContextSection = "workspace"

// Sections returns the section of the workspace memory.
func (r *Room) Sections(room.Reader) []render.Section {
	return []render.Section{{
		ID: ContextSection, MaxChars: r.env.Settings().Memory.MaxChars, Render: r.part, Gone: r.gone,
	}}
}

// gone returns the line of a delta for an entry that was superseded, removed or erased. An
// entry for which there is no room, in the section or in the memory, still holds for a reader
// who has it: of an active and of an evicted one it returns "". Of an entry that a sweep has
// deleted nothing tells whether somebody took it back.
func (r *Room) gone(item render.Item) string {
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

// part returns the rendered section with the deduplication keys of its entries.
func (r *Room) part(maxChars int, _ render.DedupSet) render.Part {
	text, omitted := r.Render(maxChars)
	part := render.Part{Text: text, Omitted: omitted}
	gone := make(map[string]bool, len(omitted))
	for _, o := range omitted {
		gone[o.ID] = true
	}
	var lines strings.Builder
	for _, entry := range r.shown(gone) {
		text := render.Inert("[" + entry.Type + "] " + entry.Text)
		part.Items = append(part.Items, render.Item{ID: entry.ID, Text: text})
		lines.WriteString(entry.Text + "\n")
	}
	part.DedupKeys = r.dedup.Keys(lines.String())
	return part
}
