package assembly

import (
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/render"
)

// A History is the part of the conversation that the host has to keep.
type History struct {
	// ActiveTurn is true if only the active turn has to be kept, otherwise all turns.
	ActiveTurn bool
	Reason     string
}

// advice returns which part of the conversation has to be kept with a context (systems.md
// D4).
func (c *Composition) advice(context render.Context) History {
	all := func(reason string) History { return History{Reason: reason} }
	at := slices.IndexFunc(context.Sections, func(r render.Rendered) bool { return r.ID == notes.ContextSection })
	switch {
	case at < 0:
		return all("the overview is not asked for")
	case c.overview.Problem != nil:
		return all("the overview cannot be read: " + c.overview.Problem.Error())
	case !c.overview.Exists():
		return all("no overview of the session is kept that could stand for its history")
	case !c.overview.Maintained && c.overview.Compacted:
		return all("the overview tells what was compacted, and of nothing since: " +
			"what is left of the history is needed")
	case !c.overview.Maintained:
		return all("the overview is still the template; nothing stands for the history yet")
	case context.Sections[at].Text == "" || len(context.Sections[at].Omitted) > 0:
		return all("not all of the overview is in this context")
	}
	return History{
		ActiveTurn: true, Reason: "the overview is maintained and stands for what was before the active turn",
	}
}
