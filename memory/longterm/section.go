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
	return []render.Section{{ID: ContextSection, MaxChars: r.options.Settings().Memory.MaxChars, Render: r.part}}
}

// part is the rendered section. It says what its entries say.
func (r *Room) part(maxChars int, _ render.Said) render.Part {
	text, omitted := r.Render(maxChars)
	part := render.Part{Text: text}
	gone := map[string]bool{}
	for _, o := range omitted {
		gone[o.ID] = true
		part.Omitted = append(part.Omitted, render.Omission{ID: o.ID, Reason: o.Reason})
	}
	var says strings.Builder
	for _, entry := range r.shown(gone) {
		text := render.Inert("[" + entry.Type + "] " + entry.Text)
		part.Items = append(part.Items, render.Item{ID: entry.ID, Text: text})
		says.WriteString(entry.Text + "\n")
	}
	part.Says = r.sayings.Of(says.String())
	return part
}
