package hot

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// ContextSection is the id of the section of the session state.
const ContextSection = "session"

// Sections returns the section of the session state.
func (r *Room) Sections(at room.Reader) []render.Section {
	return []render.Section{{
		ID: ContextSection, Label: "Errors and files", MaxChars: r.env.Settings().Session.MaxChars,
		Render: func(maxChars int, shown render.DedupSet) render.Part { return r.part(at, maxChars, shown) },
		Gone:   func(item render.Item) string { return r.gone(at, item) },
	}}
}

// part returns the rendered section. Its keys are those of its lines and of all open
// errors of the worktree, because errors that are not listed are counted. What it has, but does
// not find worth a line, is withheld; what it has no room for is not.
func (r *Room) part(at room.Reader, maxChars int, shown render.DedupSet) render.Part {
	state := r.Render(at, maxChars, View{IsShown: shown.Has})
	part := render.Part{
		Text: state.Text, Omitted: state.Omitted, Withheld: make(render.DedupKeys, 2*len(state.Omitted)),
	}
	for _, o := range state.Omitted {
		if o.Reason != overBudget {
			part.Withheld[o.ID], part.Withheld[render.ErrorKey(o.ID)] = true, true
		}
	}
	for _, statement := range state.Withheld {
		part.Withheld[render.DedupKey(statement)] = true
	}
	if state.Text == "" {
		return part
	}
	part.DedupKeys = r.errorKeys(at.Worktree)
	for _, line := range state.Lines {
		part.Items = append(part.Items, r.item(at, line, state.moreErrors))
		part.DedupKeys[render.DedupKey(line.ID)] = true
		for _, id := range append(line.Also, line.ID) {
			part.DedupKeys[id] = true
		}
	}
	return part
}

// Whole returns the session state for a summary of the session: with the statements of earlier
// tasks, and without what other sessions do.
func (r *Room) Whole(at room.Reader) string {
	return r.Render(at, r.env.Settings().Session.MaxChars, View{Whole: true}).Text
}

// item returns the item of a line. It is news when it begins and not when a count or a line
// number in it changes. more is how many errors are left out.
func (r *Room) item(at room.Reader, line Line, more int) render.Item {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if e, open := r.errors[key(errorTable, at.Worktree, line.ID)]; open {
		item := render.Item{
			ID: line.ID, Text: line.Text, Told: e.head(), Same: line.ID, Path: e.Path, At: e.LastSeen,
		}
		if more > 0 {
			item.Rest = fmt.Sprintf("(%d more open)", more)
		}
		return item
	}
	return render.Item{ID: line.ID, Text: line.Text, Same: line.ID, Silent: line.Known}
}

// gone returns what a delta says of an error that is not open any more, with what it went
// with. If other files were changed, too, it is not known which change fixed it. Other items
// that have left the text still hold.
func (r *Room) gone(at room.Reader, item render.Item) string {
	e, kept := r.kept(at.Worktree, item.ID)
	switch {
	case kept && e.isDismissed():
		return "Dismissed by the user: " + item.Told
	case kept || item.At.IsZero():
		return ""
	}
	with := "no longer reported"
	switch edited := r.editedSince(at, item.At); {
	case len(edited) == 1 && edited[0] == item.Path:
		with = "fixed by the edit of " + render.Flat(item.Path)
	case len(edited) > 0 && len(edited) <= maxEdited:
		with = "gone since the edit of " + render.Flat(strings.Join(edited, ", "))
	}
	return "No longer open: " + item.Told + " (" + with + ")"
}

// maxEdited is how many edited files are named with an error that is gone.
const maxEdited = 3

// editedSince returns the files that were changed after a time, sorted.
func (r *Room) editedSince(at room.Reader, since time.Time) []string {
	var paths []string
	for _, file := range r.Files(at.Session, at.Worktree, 0) {
		changed := !file.ChangedAt.IsZero() && !file.ChangedAt.Before(since)
		if changed && !file.isScratch() {
			paths = append(paths, file.Path)
		}
	}
	slices.Sort(paths)
	return paths
}

// errorKeys returns the deduplication keys of the open errors of a worktree.
func (r *Room) errorKeys(worktree string) render.DedupKeys {
	r.mu.RLock()
	defer r.mu.RUnlock()
	keys := make(render.DedupKeys, len(r.errors))
	for _, e := range r.errors {
		if e.Worktree == worktree && slices.ContainsFunc(e.Sources, r.isLive) {
			keys[render.ErrorKey(e.Fingerprint)] = true
		}
	}
	return keys
}
