package working

import (
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// ContextSection is the id of the room's section of the context.
const ContextSection = "working"

// Sections returns the section of the working memory. It leaves out items that other
// sections show.
func (r *Room) Sections(at room.Reader) []render.Section {
	isOpen := func(item Item) bool { return r.env.Open(at.Worktree, item.Fingerprint) }
	return []render.Section{{
		ID: ContextSection, MaxChars: r.env.Settings().Working.MaxChars,
		Render: func(maxChars int, shown render.DedupSet) render.Part {
			view := View{
				IsOpen: isOpen, IsShown: func(item Item) bool { return isShown(item, shown) }, Query: at.Query,
			}
			return r.Render(at.Session, maxChars, view)
		},
	}}
}

func isShown(item Item, shown render.DedupSet) bool {
	return shown.Has(render.ErrorKey(item.Fingerprint)) || item.IsFile() && shown.Has(item.Path) ||
		shown.Has(render.DedupKey(item.Content))
}
