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
	return []render.Section{{ID: ContextSection, Label: PanelTitle, MaxChars: limit, Render: part, Gone: gone}}
}

// part returns the rendered section, with the deduplication keys of its lines.
func (r *Room) part(session string, maxChars int) render.Part {
	text, fits := r.Render(session, maxChars)
	if !fits {
		return render.Part{Omitted: []render.Omission{{ID: ContextSection, Reason: "budget"}}}
	}
	var lines strings.Builder
	var items []render.Item
	for _, name := range names {
		block := r.Get(session, name)
		lines.WriteString(block.Content + "\n")
		if block.Content != "" {
			items = append(items, render.Item{ID: name, Text: "core " + name + ": " + render.Inert(block.Content)})
		}
	}
	return render.Part{Text: text, Items: items, DedupKeys: r.dedup.Keys(lines.String())}
}

// gone returns the line of a delta for a block that was emptied.
func gone(item render.Item) string { return "Emptied: the core block " + item.ID }
