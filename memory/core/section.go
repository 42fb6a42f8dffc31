package core

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// ContextSection is the id of the room's section of the context.
const ContextSection = "core"

// maxMarkup is the maximum length of the tags around the blocks, in characters.
const maxMarkup = 200

// Sections returns the section of the blocks.
func (r *Room) Sections(at room.Reader) []render.Section {
	limit := maxMarkup
	for _, name := range names {
		limit += r.MaxChars(name)
	}
	part := func(maxChars int, _ render.DedupSet) render.Part { return r.part(at.Session, maxChars) }
	return []render.Section{{ID: ContextSection, MaxChars: limit, Render: part}}
}

// part returns the rendered section, with the deduplication keys of its lines.
func (r *Room) part(session string, maxChars int) render.Part {
	text, fits := r.Render(session, maxChars)
	switch {
	case !fits:
		return render.Part{Omitted: []render.Omission{{ID: ContextSection, Reason: "budget"}}}
	case text == "":
		return render.Part{}
	}
	var lines strings.Builder
	for _, name := range names {
		lines.WriteString(r.Get(session, name).Content + "\n")
	}
	items := []render.Item{{ID: ContextSection, Text: text}}
	return render.Part{Text: text, Items: items, DedupKeys: r.dedup.Keys(lines.String())}
}
