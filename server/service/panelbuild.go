package service

import (
	"errors"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/importer"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/assembly"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/skills"
	"github.com/wm-lsp/wm-lsp/memory/working"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A panelReader is the session that the panel is built for, and its place.
type panelReader struct {
	workspace *memory.Workspace
	session   string
	own       string // the session of the reader's process; session is another one if that is named
	client    string // the name of the reader's editor or agent
	worktree  string
	// within is how long after the end of a session its work is given to the next one.
	within time.Duration
	// named reports whether the request named the session. The memory of a named
	// session is shown even if it is empty.
	named bool
	// problems are what a person should know about.
	problems []memory.Problem
	// found is the memory of other programs that is offered.
	found []importer.Found
}

// shown returns the session whose own memory the reader sees: the active one. If its memory is empty, it returns the
// one that left its work to the next, which is nil if there is none.
func (r panelReader) shown(left *sessions.Session) string {
	active := r.active()
	if r.named || hasMemory(r.workspace, active) {
		return active
	}
	if left != nil && hasMemory(r.workspace, left.ID) {
		return left.ID
	}
	return active
}

// active returns the session of the reader. If its memory is empty, as an editor's is, it returns the live session with
// a memory that was active last.
func (r panelReader) active() string {
	if r.named || hasMemory(r.workspace, r.session) {
		return r.session
	}
	for _, s := range r.workspace.Sessions().List() { // live sessions first, the latest first
		if s.Live() && hasMemory(r.workspace, s.ID) {
			return s.ID
		}
	}
	return r.session
}

// left returns the ended session whose work the next one may be given, nil if there is none.
func (r panelReader) left() *sessions.Session {
	return assembly.LastLeft(r.workspace, r.worktree, r.workspace.Now(), r.within)
}

// hasMemory reports whether a session has a memory of its own.
func hasMemory(w *memory.Workspace, session string) bool {
	return slices.ContainsFunc(w.Rooms(), func(each room.Room) bool {
		own, ok := each.(room.AgentMemory)
		return ok && own.HasMemory(session)
	})
}

// otherSections is the place in panelOrder of the sections that panelOrder does not contain.
const otherSections = ""

// panelOrder is the order of the sections.
var panelOrder = []string{
	memory.ProblemsSection, importSection, sessions.Section, hot.ErrorsSection, longterm.Section, skills.Section,
	hot.FilesSection, core.Section, working.Section, notes.Section, otherSections, pressure.Section,
}

// PanelSections returns the ids of the sections of the panel that have a place of their own, in order.
func PanelSections() []string {
	return slices.DeleteFunc(slices.Clone(panelOrder), func(id string) bool { return id == otherSections })
}

func panelPlace(section string) int {
	if i := slices.Index(panelOrder, section); i >= 0 {
		return i
	}
	return slices.Index(panelOrder, otherSections)
}

// parts returns the parts of the panel, in order. That of other programs is only there if something is offered.
func (r panelReader) parts() []panel.Part {
	all := []panel.Part{problemsPart(r.problems)}
	if len(r.found) > 0 {
		all = append(all, importPart(r.found))
	}
	for _, each := range r.workspace.Rooms() {
		if painter, ok := each.(room.Painter); ok {
			all = append(all, painter.Panels()...)
		}
	}
	slices.SortStableFunc(all, func(a, b panel.Part) int { return panelPlace(a.Section) - panelPlace(b.Section) })
	return all
}

// problemsPart returns the section of what a person should know about.
func problemsPart(problems []memory.Problem) panel.Part {
	const prefix = "problem:"
	return panel.Part{
		Section: memory.ProblemsSection,
		Paint: func(panel.Reader) panel.Section {
			section := panel.Section{Title: "Problems", Show: panel.ShowNonEmpty, Empty: "There are no problems."}
			for _, p := range problems {
				item := panel.Item{
					ID: prefix + p.Message, Kind: "problem", Icon: "warning", Label: p.Message, Detail: p.Fix,
					Severity: 2, HasMarkdown: true,
				}
				if p.Severity == string(wire.ProblemError) {
					item.Icon, item.Severity = "error", 1
				}
				section.Items = append(section.Items, item)
			}
			return section
		},
		Markdown: func(_ panel.Reader, id string) (string, bool) {
			for _, p := range problems {
				if id == prefix+p.Message {
					return panel.WithFacts(panel.Literal(p.Message), panel.Fact{Name: "What to do", Value: p.Fix}), true
				}
			}
			return "", false
		},
	}
}

// sectionIDs returns the ids of all sections, in order.
func (r panelReader) sectionIDs() []string {
	var ids []string
	for _, part := range r.parts() {
		ids = append(ids, part.Section)
	}
	return ids
}

// build returns the panel. If only is not empty, it has only those sections.
func (r panelReader) build(only []string) wire.Panel {
	painter := r.painter()
	built := wire.Panel{Sections: []panel.Section{}, Badge: unreviewed(r.workspace)}
	for _, part := range r.parts() {
		if len(only) > 0 && !slices.Contains(only, part.Section) {
			continue
		}
		section := part.Paint(painter)
		section.ID, section.Items = part.Section, withoutNil(section.Items)
		built.Sections = append(built.Sections, panel.Visible(section))
	}
	switch reason := r.workspace.NoWorkspace(); {
	case len(only) > 0:
	case reason != nil && !errors.Is(reason, ErrNothingKept): // which the first entry makes
		built.Hint = "Nothing is kept here: " + reason.Error() + "."
	case r.isNew(built.Sections):
		built.Hint = firstHint
	}
	return built
}

// firstHint is what a folder says in which nothing has happened.
const firstHint = "Rules, decisions, failing tests and open files appear here as you and your agents work: " +
	"connect an agent, or write down the first rule yourself."

// isNew reports whether the panel has nothing but the session of the reader, and files: an editor that is alone
// has opened some.
func (r panelReader) isNew(all []panel.Section) bool {
	for _, section := range all {
		if section.ID == hot.FilesSection {
			continue
		}
		for _, item := range section.Items {
			if section.Show != panel.ShowAdvanced && panel.OriginalID(item.ID) != sessions.ItemOf(r.own) {
				return false
			}
		}
	}
	return true
}

// withoutNil returns items in which no list of the wire is nil.
func withoutNil(items []panel.Item) []panel.Item {
	if items == nil {
		return []panel.Item{}
	}
	for i := range items {
		if items[i].Actions == nil {
			items[i].Actions = []panel.Action{}
		}
		if len(items[i].Children) > 0 {
			items[i].Children = withoutNil(items[i].Children)
		}
	}
	return items
}

// markdown returns the details of an item, and false if there is no such item.
func (r panelReader) markdown(id string) (string, bool) {
	painter, id := r.painter(), panel.OriginalID(id)
	for _, part := range r.parts() {
		if part.Markdown == nil {
			continue
		}
		if markdown, ok := part.Markdown(painter, id); ok {
			return tag.Visible(markdown), true
		}
	}
	return "", false
}

// painter returns what the rooms need to paint their sections for the reader.
func (r panelReader) painter() panel.Reader {
	w, left := r.workspace, r.left()
	p := panel.Reader{
		Session: r.session, Own: r.own, Client: r.client, Shown: r.shown(left), Worktree: r.worktree,
		Paused: w.Paused(), Now: w.Now(),
	}
	p.Kept = memory.RoomOf[*longterm.Room](w).Has
	p.Gauges = func() []panel.Gauge { return gauges(w, p.Shown) }
	p.SessionLink = func(session string) string {
		known, there := w.Sessions().Get(session)
		if !there || known.Deleted {
			return ""
		}
		return panel.ItemLink(known.Name(), sessions.ItemOf(session))
	}
	p.About = func(session string) []panel.About { return about(w, session) }
	if left != nil {
		p.Left, p.LeftBy = left.ID, left.Called(p.Now)
	}
	if r.named || p.Shown != p.Session {
		shown, _ := w.Sessions().Get(p.Shown)
		p.Name = shown.Called(p.Now)
	}
	return p
}

func gauges(w *memory.Workspace, session string) (all []panel.Gauge) {
	for _, each := range w.Rooms() {
		if limited, ok := each.(room.Limited); ok {
			all = append(all, limited.Budgets(session)...)
		}
	}
	return all
}

// about returns what the rooms say of a session.
func about(w *memory.Workspace, session string) (said []panel.About) {
	for _, each := range w.Rooms() {
		if describer, ok := each.(room.Describer); ok {
			said = append(said, describer.Describe(session))
		}
	}
	return said
}

func unreviewed(w *memory.Workspace) (n int) {
	for _, each := range w.Rooms() {
		if reviewed, ok := each.(room.Reviewed); ok {
			n += reviewed.Unreviewed()
		}
	}
	return n
}
