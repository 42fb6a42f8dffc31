package hot

import (
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// ContextSection is the id of the section of the session state.
const ContextSection = "session"

// Sections returns the section of the session state.
func (r *Room) Sections(at room.Reader) []render.Section {
	return []render.Section{{
		ID: ContextSection, MaxChars: r.env.Settings().Session.MaxChars,
		Render: func(maxChars int, shown render.DedupSet) render.Part { return r.part(at, maxChars, shown) },
	}}
}

// part returns the rendered section. Its keys are those of its lines and of all open
// errors of the worktree, because errors that are not listed are counted.
func (r *Room) part(at room.Reader, maxChars int, shown render.DedupSet) render.Part {
	isShown := func(text string) bool { return shown.Has(render.DedupKey(text)) }
	state := r.Render(at.Session, at.Worktree, maxChars, isShown)
	part := render.Part{Text: state.Text}
	for _, o := range state.Omitted {
		part.Omitted = append(part.Omitted, render.Omission{ID: o.ID, Reason: o.Reason})
	}
	if state.Text == "" {
		return part
	}
	part.DedupKeys = r.errorKeys(at.Worktree)
	for _, line := range state.Lines {
		part.Items = append(part.Items, render.Item{ID: line.ID, Text: line.Text})
		part.DedupKeys[line.ID], part.DedupKeys[render.DedupKey(line.ID)] = true, true
	}
	return part
}

// errorKeys returns the deduplication keys of the open errors of a worktree.
func (r *Room) errorKeys(worktree string) render.DedupKeys {
	r.mu.RLock()
	defer r.mu.RUnlock()
	keys := render.DedupKeys{}
	for _, e := range r.errors {
		if e.Worktree == worktree {
			keys[render.ErrorKey(e.Fingerprint)] = true
		}
	}
	return keys
}
