package working

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

// ContextSection is the id of the room's section of the context.
const ContextSection = "working"

// Sections returns the section of the working memory. It leaves out items that other
// sections show.
func (r *Room) Sections(at room.Reader) []render.Section {
	isOpen := func(item Item) bool { return r.env.Open(at.Worktree, item.Fingerprint) }
	isGone := func(item Item) bool { return !r.env.Exists(at.Worktree, item.Path) }
	return []render.Section{{
		ID: ContextSection, Label: PanelTitle, MaxChars: r.env.Settings().Working.MaxChars,
		Render: func(maxChars int, shown render.DedupSet) render.Part {
			view := View{
				IsOpen: isOpen, IsShown: func(item Item) bool { return isShown(item, shown) },
				IsNamed: r.isNamed, IsGone: isGone, Query: at.Query,
			}
			return r.Render(at.Session, maxChars, view)
		},
	}}
}

// isNamed reports whether an item was found in the output of a command.
func (r *Room) isNamed(item Item) bool {
	name, isTool := strings.CutPrefix(item.Source, fromTool)
	return isTool && tool.KindOf(r.env.Settings().Tools, name) == tool.Shell
}

func isShown(item Item, shown render.DedupSet) bool {
	return shown.Has(render.ErrorKey(item.Fingerprint)) || item.IsFile() && shown.Has(item.Path) ||
		shown.Has(render.DedupKey(item.Content)) || item.Entry != "" && shown.Has(render.DedupKey(item.Entry))
}
