// Package panel builds the panel that every editor shows of what the rooms paint.
// It knows the order of the sections and whose memory is shown to whom; what a
// section says is its room's business.
package panel

import (
	"slices"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A Reader is who looks at the panel, and where.
type Reader struct {
	Workspace *memory.Workspace
	Session   string
	Worktree  string
	// Named is whether the session was asked for by its name: then its memory is
	// shown even if it has none.
	Named bool
}

// Agent returns the session whose own memory is shown to a reader: the reader's, or
// where that has none, as an editor's, the agent's that lives and was heard of last.
func Agent(r Reader) string {
	if r.Named || hasMemory(r.Workspace, r.Session) {
		return r.Session
	}
	for _, s := range r.Workspace.Sessions().List() { // those that live come first, the latest first
		if s.Live() && hasMemory(r.Workspace, s.ID) {
			return s.ID
		}
	}
	return r.Session
}

// hasMemory reports whether a session has a memory of its own.
func hasMemory(w *memory.Workspace, session string) bool {
	return slices.ContainsFunc(w.Rooms(), func(each room.Room) bool {
		own, keeps := each.(room.AgentMemory)
		return keeps && own.HasMemory(session)
	})
}

// others stands in the order of the sections for those that it does not name.
const others = ""

// order is that of the sections.
var order = []string{"memory", "errors", "files", "core", "working", "notes", others, "sessions", "budget"}

func place(section string) int {
	if i := slices.Index(order, section); i >= 0 {
		return i
	}
	return slices.Index(order, others)
}

// parts returns what the rooms add to the panel, in the order of the sections.
func parts(w *memory.Workspace) []panel.Part {
	var all []panel.Part
	for _, each := range w.Rooms() {
		if painter, paints := each.(room.Painter); paints {
			all = append(all, painter.Panels()...)
		}
	}
	slices.SortStableFunc(all, func(a, b panel.Part) int { return place(a.Section) - place(b.Section) })
	return all
}

// SectionIDs returns the ids of all sections, in their order.
func SectionIDs(w *memory.Workspace) []string {
	var ids []string
	for _, part := range parts(w) {
		ids = append(ids, part.Section)
	}
	return ids
}

// Build returns the panel, with the sections named only if any are.
func Build(r Reader, only []string) wire.Panel {
	at := readerOf(r)
	built := wire.Panel{Sections: []panel.Section{}, Badge: unreviewed(r.Workspace)}
	for _, part := range parts(r.Workspace) {
		if len(only) > 0 && !slices.Contains(only, part.Section) {
			continue
		}
		section := part.Paint(at)
		section.ID, section.Items = part.Section, complete(section.Items)
		built.Sections = append(built.Sections, section)
	}
	return built
}

// complete returns items with every list that is always there.
func complete(items []panel.Item) []panel.Item {
	if items == nil {
		return []panel.Item{}
	}
	for i := range items {
		if items[i].Actions == nil {
			items[i].Actions = []panel.Action{}
		}
		if len(items[i].Children) > 0 {
			items[i].Children = complete(items[i].Children)
		}
	}
	return items
}

// Markdown returns what there is to read about an item, and false if there is no
// such item.
func Markdown(r Reader, id string) (string, bool) {
	at := readerOf(r)
	for _, part := range parts(r.Workspace) {
		if part.Markdown == nil {
			continue
		}
		if text, there := part.Markdown(at, id); there {
			return text, true
		}
	}
	return "", false
}

func readerOf(r Reader) panel.Reader {
	w := r.Workspace
	at := panel.Reader{Session: r.Session, Shown: Agent(r), Worktree: r.Worktree, Paused: w.Paused()}
	at.Gauges = func() []panel.Gauge { return gauges(w, at.Shown) }
	if r.Named || at.Shown != at.Session {
		shown, _ := w.Sessions().Get(at.Shown)
		at.Name = shown.Name()
	}
	return at
}

func gauges(w *memory.Workspace, session string) (all []panel.Gauge) {
	for _, each := range w.Rooms() {
		if limited, is := each.(room.Limited); is {
			all = append(all, limited.Budgets(session)...)
		}
	}
	return all
}

func unreviewed(w *memory.Workspace) (n int) {
	for _, each := range w.Rooms() {
		if reviewed, is := each.(room.Reviewed); is {
			n += reviewed.Unreviewed()
		}
	}
	return n
}
