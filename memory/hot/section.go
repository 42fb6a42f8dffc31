package hot

import (
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// ContextSection is the id of the room's section.
const ContextSection = "session"

// Sections returns the section of the session state.
func (r *Room) Sections(at room.Reader) []render.Section {
	return []render.Section{{
		ID: ContextSection, MaxChars: r.Settings().Session.MaxChars,
		Render: func(maxChars int, said render.Said) render.Part { return r.part(at, maxChars, said) },
	}}
}

// part is the rendered section. It says the paths of its files, its decisions, and
// every open error of the worktree: those that it does not list are counted.
func (r *Room) part(at room.Reader, maxChars int, said render.Said) render.Part {
	isSaid := func(text string) bool { return said.Has(render.Saying(text)) }
	state := r.Render(at.Session, at.Worktree, maxChars, isSaid)
	part := render.Part{Text: state.Text}
	for _, o := range state.Omitted {
		part.Omitted = append(part.Omitted, render.Omission{ID: o.ID, Reason: o.Reason})
	}
	if state.Text == "" {
		return part
	}
	part.Says = r.openErrors(at.Worktree)
	for _, line := range state.Lines {
		part.Items = append(part.Items, render.Item{ID: line.ID, Text: line.Text})
		part.Says[line.ID], part.Says[render.Saying(line.ID)] = true, true
	}
	return part
}

// openErrors returns what says that the errors of a worktree are open.
func (r *Room) openErrors(worktree string) render.Set {
	r.mu.RLock()
	defer r.mu.RUnlock()
	open := render.Set{}
	for _, e := range r.errors {
		if e.Worktree == worktree {
			open[render.OpenError(e.Fingerprint)] = true
		}
	}
	return open
}
