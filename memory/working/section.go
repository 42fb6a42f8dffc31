package working

import (
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// ContextSection is the id of the room's section.
const ContextSection = "working"

// Sections returns the section of the working memory. It leaves out what the
// sections that are kept longer say.
func (r *Room) Sections(at room.Reader) []render.Section {
	open := func(item Item) bool { return r.Open(at.Worktree, item.Fingerprint) }
	return []render.Section{{
		ID: ContextSection, MaxChars: r.Settings().Working.MaxChars,
		Render: func(maxChars int, said render.Said) render.Part {
			view := View{Open: open, Said: func(item Item) bool { return isSaid(item, said) }}
			return r.Render(at.Session, maxChars, view)
		},
	}}
}

func isSaid(item Item, said render.Said) bool {
	return said.Has(render.OpenError(item.Fingerprint)) || item.IsFile() && said.Has(item.Path) ||
		said.Has(render.Saying(item.Content))
}
