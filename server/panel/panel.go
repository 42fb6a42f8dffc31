// Package panel makes of what the rooms know the model of the panel that every
// editor paints. What an editor shows, in what order, with which actions and
// which words, is decided here and nowhere else.
package panel

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/working"
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

	agent string // see Agent
}

// Agent is the session whose own memory is shown to a reader: the reader's, or where
// that has none, as an editor's, the agent's that lives and was heard of last.
func Agent(r Reader) string {
	if r.Named || r.hasMemory(r.Session) {
		return r.Session
	}
	for _, s := range r.Workspace.Sessions().List() { // those that live come first, the latest first
		if s.Live() && r.hasMemory(s.ID) {
			return s.ID
		}
	}
	return r.Session
}

// hasMemory reports whether a session has a memory of its own.
func (r Reader) hasMemory(session string) bool {
	w := r.Workspace
	if memory.RoomOf[*working.Room](w).Events(session) > 0 || memory.RoomOf[*pressure.Room](w).Of(session).Limit > 0 {
		return true
	}
	if _, there := memory.RoomOf[*notes.Room](w).Overview(session); there {
		return true
	}
	return slices.ContainsFunc(core.Names(), func(name string) bool { return memory.RoomOf[*core.Room](w).Get(session, name).Content != "" })
}

// whose says whose memory a section shows, where it is not the reader's.
func (r Reader) whose(summary string) string {
	if r.agent == r.Session && !r.Named {
		return summary
	}
	known, _ := r.Workspace.Sessions().Get(r.agent)
	if summary == "" {
		return sessionName(known)
	}
	return summary + " · " + sessionName(known)
}

// of completes the params of an action on the memory of the agent that is shown.
func (r Reader) of(params wire.Object) wire.Object {
	params["sessionId"] = r.agent
	return params
}

// builders make the sections, in the order in which they are shown.
var builders = []struct {
	id    string
	build func(Reader) wire.PanelSection
}{
	{"memory", memorySection},
	{"errors", errorsSection},
	{"files", filesSection},
	{"core", coreSection},
	{"working", workingSection},
	{"notes", notesSection},
	{"sessions", sessionsSection},
	{"budget", budgetSection},
}

// SectionIDs are the ids of all sections.
func SectionIDs() []string {
	ids := make([]string, 0, len(builders))
	for _, b := range builders {
		ids = append(ids, b.id)
	}
	return ids
}

// Build returns the panel, with the sections named only if any are.
func Build(r Reader, only []string) wire.Panel {
	r.agent = Agent(r)
	panel := wire.Panel{Sections: []wire.PanelSection{}, Badge: memory.RoomOf[*longterm.Room](r.Workspace).Unreviewed()}
	for _, b := range builders {
		if len(only) > 0 && !slices.Contains(only, b.id) {
			continue
		}
		section := b.build(r)
		section.ID = b.id
		panel.Sections = append(panel.Sections, section)
	}
	return panel
}

func memorySection(r Reader) wire.PanelSection {
	room, limits := memory.RoomOf[*longterm.Room](r.Workspace), r.Workspace.Settings().Memory
	used, chars := room.Used()
	section := wire.PanelSection{
		Title: "Workspace memory", Show: wire.ShowAlways, Items: []wire.PanelItem{},
		Budget:  &wire.PanelBudget{Used: chars, Max: limits.MaxChars, Unit: wire.BudgetChars},
		Summary: fmt.Sprintf("%d of %d entries", used, limits.MaxEntries),
		Empty:   "Nothing yet: add a decision or a rule.",
		Actions: []wire.PanelAction{addAction(typesOf(limits.Types))},
	}
	var inactive []longterm.Entry
	for _, entry := range room.List(nil, true) {
		if entry.Status == longterm.StatusActive {
			section.Items = append(section.Items, entryItem(r, entry, typesOf(limits.Types)))
		} else {
			inactive = append(inactive, entry)
		}
	}
	if gone := inactiveItems(inactive); len(gone) > 0 {
		section.Items = append(section.Items, wire.PanelItem{
			ID: "memory:inactive", Kind: "group", Icon: "history", Label: fmt.Sprintf("%d no longer in force", len(gone)),
			Dimmed: true, Actions: []wire.PanelAction{}, Children: gone,
		})
	}
	return section
}

func typesOf(custom []string) []string {
	return slices.Concat([]string{"feedback", "project", "decision", "reference"}, custom)
}

// maxInactive is how many entries that are not in force are shown, the latest.
const maxInactive = 20

func inactiveItems(entries []longterm.Entry) []wire.PanelItem {
	slices.SortFunc(entries, func(a, b longterm.Entry) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
	items := []wire.PanelItem{}
	for _, e := range entries[:min(len(entries), maxInactive)] {
		items = append(items, wire.PanelItem{
			ID: "memory:" + e.ID, Kind: "memory", Icon: "circle-slash", Label: oneLine(e.Text), Detail: e.Type + " · " + string(e.Status),
			Dimmed: true, HasMarkdown: true, Actions: []wire.PanelAction{{
				Title: "Restore", Icon: "discard", Key: "r", Method: "wm/memory/restore", Params: wire.Object{"id": e.ID}, Inline: true,
			}, explainAction(e.ID)},
		})
	}
	return items
}

// icons of the types of entries.
// builtin has the icons of the builtin types, and what they are for.
var builtin = map[string]struct{ icon, use string }{
	"feedback":  {"feedback", "how you want the work to be done"},
	"project":   {"project", "what holds in this project"},
	"decision":  {"law", "what was chosen, and why"},
	"reference": {"link", "where something is found"},
}

func entryItem(r Reader, e longterm.Entry, types []string) wire.PanelItem {
	item := wire.PanelItem{
		ID: "memory:" + e.ID, Kind: "memory", Icon: iconOf(e.Type), Label: oneLine(e.Text), Detail: e.Type, HasMarkdown: true,
	}
	if e.Pinned {
		item.Icon, item.Detail = "pinned", item.Detail+" · pinned"
	}
	if !e.Reviewed {
		item.Detail += " · to review"
		item.Actions = append(item.Actions, wire.PanelAction{
			Title: "Keep", Icon: "check", Key: "c", Method: "wm/memory/update", Params: wire.Object{"id": e.ID, "reviewed": true}, Inline: true,
		})
	}
	files := e.Files
	if e.Stale != nil {
		item.Severity, item.Detail = 2, item.Detail+" · "+e.Stale.Reason
		files = slices.DeleteFunc(slices.Clone(files), func(file string) bool { return slices.Contains(e.Stale.Gone, file) })
	}
	if len(files) > 0 {
		item.Location = &wire.PanelLocation{URI: fileURI(r.Worktree, files[0])}
	}
	pin := "Pin"
	if e.Pinned {
		pin = "Unpin"
	}
	restore := wire.PanelAction{Title: "Restore", Icon: "discard", Method: "wm/memory/restore", Params: wire.Object{"id": e.ID}}
	item.Actions = append(item.Actions,
		wire.PanelAction{Title: pin, Icon: "pin", Key: "p", Method: "wm/memory/update", Params: wire.Object{"id": e.ID, "pinned": !e.Pinned}, Inline: true},
		wire.PanelAction{Title: "Edit", Icon: "edit", Key: "e", Method: "wm/memory/update", Params: wire.Object{"id": e.ID}, Inputs: []wire.PanelInput{
			{Param: "text", Prompt: "What is remembered", Kind: wire.InputText, Multiline: true, Value: e.Text},
			typeToChange(types, e.Type),
		}},
		wire.PanelAction{
			Title: "Forget", Icon: "trash", Key: "d", Method: "wm/memory/remove", Params: wire.Object{"id": e.ID},
			Inline: true, Destructive: true, Undo: &restore,
		},
		explainAction(e.ID),
		wire.PanelAction{Title: "Erase every trace", Icon: "flame", Method: "wm/memory/remove", Params: wire.Object{"id": e.ID, "erase": true}, Destructive: true},
	)
	return item
}

func explainAction(id string) wire.PanelAction {
	return wire.PanelAction{Title: "Explain", Icon: "question", Key: "x", Method: "wm/memory/explain", Params: wire.Object{"id": id}}
}

func iconOf(memoryType string) string {
	if kind, known := builtin[memoryType]; known {
		return kind.icon
	}
	return "bookmark"
}

func addAction(types []string) wire.PanelAction {
	return wire.PanelAction{
		Title: "Remember", Icon: "add", Key: "i", Method: "wm/memory/add", Params: wire.Object{}, Inline: true,
		Inputs: []wire.PanelInput{{Param: "text", Prompt: "What should every later session know?", Kind: wire.InputText, Multiline: true}, typeInput(types, "project")},
	}
}

// typeInput asks for a type and proposes one.
func typeInput(types []string, proposed string) wire.PanelInput {
	input := wire.PanelInput{Param: "type", Prompt: "Type", Kind: wire.InputChoice, Value: proposed}
	for _, t := range types {
		input.Choices = append(input.Choices, wire.PanelChoice{Label: t, Detail: builtin[t].use, Value: t})
	}
	return input
}

// typeToChange asks for a type and says which it is now.
func typeToChange(types []string, now string) wire.PanelInput {
	input := typeInput(types, now)
	for i := range input.Choices {
		if input.Choices[i].Value == now {
			input.Choices[i].Label += " (now)"
		}
	}
	return input
}

func errorsSection(r Reader) wire.PanelSection {
	section := wire.PanelSection{
		Title: "Open errors", Show: wire.ShowAlways, Items: []wire.PanelItem{},
		Empty: "No open errors. What fails appears here.",
	}
	list := memory.RoomOf[*hot.Room](r.Workspace).Errors(r.Session, r.Worktree)
	if len(list) > 0 {
		section.Summary = fmt.Sprint(len(list))
	}
	shown, rest := map[string]int{}, map[string]int{} // by command: errors shown, and the item of the others
	for _, e := range list {
		item := errorItem(r, e)
		if e.Command == "" || shown[e.Command] < shownOfACommand {
			shown[e.Command]++
			section.Items = append(section.Items, item)
			continue
		}
		at, there := rest[e.Command]
		if !there {
			at = len(section.Items)
			rest[e.Command] = at
			section.Items = append(section.Items, wire.PanelItem{
				ID: "errors:" + e.Command, Kind: "group", Icon: "ellipsis", Dimmed: true, Actions: []wire.PanelAction{},
			})
		}
		more := &section.Items[at]
		more.Children = append(more.Children, item)
		more.Label = fmt.Sprintf("%d more of %s", len(more.Children), oneLine(e.Command))
	}
	return section
}

// shownOfACommand is how many errors of one command stand in the panel; the
// others are counted, and stand below the count.
const shownOfACommand = 5

func errorItem(r Reader, e hot.Error) wire.PanelItem {
	item := wire.PanelItem{
		ID: "error:" + e.Fingerprint, Kind: "error", Icon: "error", Label: oneLine(e.Summary), Detail: errorDetail(e),
		Severity: 1, Dimmed: !e.Verified(), HasMarkdown: true, Actions: []wire.PanelAction{},
	}
	if e.Path != "" {
		item.Location = &wire.PanelLocation{URI: fileURI(r.Worktree, e.Path)}
		if e.Line > 0 {
			start := wire.Position{Line: e.Line - 1}
			item.Location.Range = &wire.Range{Start: start, End: start}
		}
	}
	return item
}

func errorDetail(e hot.Error) string {
	parts := []string{e.Category}
	if e.Path != "" {
		place := e.Path
		if e.Line > 0 {
			place += fmt.Sprintf(":%d", e.Line)
		}
		parts = append(parts, place)
	}
	if e.Count > 1 {
		parts = append(parts, fmt.Sprintf("%d×", e.Count))
	}
	if e.Masked {
		parts = append(parts, "a pipe hid the exit code")
	}
	if e.MaybeFixed {
		parts = append(parts, "maybe fixed")
	}
	if !e.Verified() {
		parts = append(parts, "not reported since the restart")
	}
	return strings.Join(parts, " · ")
}

// actionIcons of what was done to a file.
var actionIcons = map[string]string{"edit": "edit", "write": "save", "grep": "search", "read": "eye"}

func filesSection(r Reader) wire.PanelSection {
	section := wire.PanelSection{
		Title: "Active files", Show: wire.ShowAlways, Items: []wire.PanelItem{},
		Empty: "No active files. Opened ones appear here.",
	}
	list := memory.RoomOf[*hot.Room](r.Workspace).Files(r.Session, r.Worktree, 0)
	if len(list) > 0 {
		section.Summary = fmt.Sprint(len(list))
	}
	for _, f := range list {
		detail := fmt.Sprintf("%s, %dx", f.Action, f.Count)
		if f.Session != r.Session && f.By != "" {
			detail += " · " + f.By
		}
		section.Items = append(section.Items, wire.PanelItem{
			ID: "file:" + f.Path, Kind: "file", Icon: actionIcons[string(f.Action)], Label: f.Path, Detail: detail,
			Location: &wire.PanelLocation{URI: fileURI(r.Worktree, f.Path)}, HasMarkdown: true, Actions: []wire.PanelAction{},
		})
	}
	return section
}

// coreSection shows the core memory of the session that looks at the panel.
func coreSection(r Reader) wire.PanelSection {
	section := wire.PanelSection{
		Title: "Core memory", Show: wire.ShowNonEmpty, Items: []wire.PanelItem{},
		Empty: "The agent has noted no goal yet. It writes its core memory itself.",
	}
	budget := wire.PanelBudget{Unit: wire.BudgetChars}
	room := memory.RoomOf[*core.Room](r.Workspace)
	for _, name := range core.Names() {
		block := room.Get(r.agent, name)
		budget.Used, budget.Max = budget.Used+block.Chars(), budget.Max+room.MaxChars(name)
		if block.Content == "" {
			continue
		}
		section.Items = append(section.Items, wire.PanelItem{
			ID: "core:" + name, Kind: "block", Icon: "symbol-string", Label: name + ": " + oneLine(block.Content),
			Detail: fmt.Sprintf("%d/%d", block.Chars(), room.MaxChars(name)), HasMarkdown: true,
			Actions: []wire.PanelAction{{
				Title: "Edit", Icon: "edit", Key: "e", Method: "wm/core/update", Params: r.of(wire.Object{"block": name, "operation": "replace"}),
				Inputs: []wire.PanelInput{{Param: "content", Prompt: "What the block " + name + " says", Kind: wire.InputText, Multiline: true, Value: block.Content}},
			}},
		})
	}
	if len(section.Items) > 0 {
		section.Budget, section.Summary = &budget, r.whose("")
	}
	return section
}

func sessionsSection(r Reader) wire.PanelSection {
	section := wire.PanelSection{
		Title: "Sessions", Show: wire.ShowAdvanced, Items: []wire.PanelItem{},
		Empty: "No sessions yet. An editor or agent that does something in this workspace appears here.",
	}
	if until := r.Workspace.Sessions().PausedUntil(); r.Workspace.Paused() {
		section.Summary = "paused until " + until.Local().Format("15:04")
		section.Actions = []wire.PanelAction{{Title: "Resume recording", Icon: "play", Method: "wm/pause", Params: wire.Object{"resume": true}, Inline: true}}
	} else {
		section.Actions = []wire.PanelAction{{Title: "Pause recording", Icon: "debug-pause", Method: "wm/pause", Params: wire.Object{}, Inline: true}}
	}
	for _, s := range r.Workspace.Sessions().List() {
		if !s.Deleted {
			section.Items = append(section.Items, sessionItem(s, r.Session))
		}
	}
	return section
}

func sessionItem(s sessions.Session, mine string) wire.PanelItem {
	item := wire.PanelItem{
		ID: "session:" + s.ID, Kind: "session", Icon: "circle-filled", Label: sessionName(s), Detail: "live",
		HasMarkdown: true, Actions: []wire.PanelAction{},
	}
	if s.ID == mine {
		item.Detail = "this one"
	}
	if !s.Live() {
		item.Icon, item.Dimmed, item.Detail = "circle-outline", true, "ended "+s.EndedAt.Local().Format("2 Jan 15:04")
		item.Actions = append(item.Actions, wire.PanelAction{
			Title: "Delete", Icon: "trash", Key: "d", Method: "wm/session/delete", Params: wire.Object{"sessionId": s.ID}, Destructive: true,
		})
	}
	if s.Turn > 0 {
		item.Detail += fmt.Sprintf(" · turn %d", s.Turn)
	}
	return item
}

func sessionName(s sessions.Session) string {
	for _, name := range []string{s.Title, s.Agent, s.ID} {
		if name != "" {
			return oneLine(name)
		}
	}
	return "session"
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func fileURI(worktree, path string) string {
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(worktree, path)
	}
	return string(uri.File(path))
}
