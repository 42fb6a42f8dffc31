package working

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// Section is the id of the section of the panel.
const Section = "working"

// Panels returns the section of the working memory of the shown session.
func (r *Room) Panels() []panel.Part {
	return []panel.Part{{Section: Section, Paint: r.paint, Markdown: r.markdown}}
}

// HasMemory reports whether a session has had an event.
func (r *Room) HasMemory(session string) bool { return r.Events(session) > 0 }

// slotIcons are the icons of the built-in slots.
var slotIcons = map[string]string{Errors: "error", Decisions: "law", Todos: "checklist", Dependencies: "package"}

// PanelTitle is the title of the section of the panel.
const PanelTitle = "Recent"

// SaidTitle is the title of the slot of decisions there. What is chosen for the project stands with the project memory,
// so the slot is what the session has said and chosen.
const SaidTitle = "Said and chosen"

// itemPrefix is the prefix of the ids of items. The id of the working memory's item follows.
const itemPrefix = "working:"

// paint returns a section with a group for every slot with items, and one for the pool.
func (r *Room) paint(at panel.Reader) panel.Section {
	section := panel.Section{
		Title: PanelTitle, Show: panel.ShowNonEmpty, Folded: true,
		Empty: "Nothing yet. What tools print and what is decided in the conversation of an agent appears here.",
	}
	for _, slot := range r.Slots() {
		if slot.Name == Errors { // they are shown as what fails now
			continue
		}
		items := slices.DeleteFunc(r.Slot(at.Shown, slot.Name), func(i Item) bool { return i.isKept(at) })
		if len(items) > 0 {
			section.Items = append(section.Items, r.slotItem(at, slot, items))
		}
	}
	pool := slices.DeleteFunc(r.Pool(at.Shown), func(s Scored) bool { return s.isKept(at) })
	if len(pool) > 0 {
		group := panel.Item{
			ID: "slot:", Kind: "slot", Icon: "symbol-misc", Label: "Mentioned", Detail: fmt.Sprint(len(pool)),
		}
		for _, scored := range pool {
			group.Children = append(group.Children, r.item(at, scored.Item, "note"))
		}
		section.Items = append(section.Items, group)
	}
	total := 0
	for _, group := range section.Items {
		total += len(group.Children)
	}
	if total > 0 {
		section.Summary = at.WithName(fmt.Sprint(total))
		section.Actions = []panel.Action{{
			Title: "Clear all", Icon: "clear-all", Method: "wm/working/clear", Params: at.WithSession(map[string]any{}),
			Undoable: true,
		}}
	}
	return section
}

// isKept reports whether the item stands in the project memory, as it is or as the entry that it asks for.
func (i Item) isKept(at panel.Reader) bool {
	return at.Kept != nil && (at.Kept(i.Content) || i.Entry != "" && at.Kept(i.Entry))
}

func (r *Room) slotItem(at panel.Reader, slot settings.Slot, items []Item) panel.Item {
	icon, known := slotIcons[slot.Name]
	if !known {
		icon = "symbol-field"
	}
	group := panel.Item{
		ID: "slot:" + slot.Name, Kind: "slot", Icon: icon, Label: slotTitle(slot.Name),
		Detail: fmt.Sprintf("%d of %d", len(items), slot.Max),
		Actions: []panel.Action{{
			Title: "Clear", Icon: "clear-all", Key: "d", Method: "wm/working/clear",
			Params: at.WithSession(map[string]any{"slot": slot.Name}), Undoable: true,
		}},
	}
	for _, item := range items {
		group.Children = append(group.Children, r.item(at, item, icon))
	}
	return group
}

// slotTitle returns the title of a slot.
func slotTitle(slot string) string {
	if slot == Decisions {
		return SaidTitle
	}
	return Title(slot)
}

func (r *Room) item(at panel.Reader, item Item, icon string) panel.Item {
	shown := panel.Item{
		ID: itemPrefix + item.ID, Kind: "item", Icon: icon,
		Label: shorten.Line(item.Content), Detail: item.from(), HasMarkdown: true,
		Actions: []panel.Action{{
			Title: "Remove", Icon: "trash", Key: "d", Method: "wm/working/remove",
			Params: at.WithSession(map[string]any{"id": item.ID}), Inline: true, Undoable: true,
		}},
	}
	if item.Mentions > 1 {
		shown.Detail += fmt.Sprintf(" · %d×", item.Mentions)
	}
	if item.Path != "" {
		shown.Location = &panel.Location{URI: panel.FileURI(at.Worktree, item.Path)}
	}
	if item.IsFile() {
		shown.Icon = "file"
	} else {
		shown.Actions = append(shown.Actions, r.promoteAction(item))
	}
	return shown
}

// from returns in words where the item comes from. What a tool showed has the name of the tool.
func (i Item) from() string {
	switch i.Source {
	case fromUser:
		return "person"
	case fromAssistant:
		return "agent"
	case manual:
		return "noted"
	}
	return strings.TrimPrefix(i.Source, fromTool)
}

// promoteAction returns the action that copies an item of a session into the workspace
// memory, which all sessions share.
func (r *Room) promoteAction(item Item) panel.Action {
	proposed := "project"
	if item.Slot == Decisions {
		proposed = "decision"
	}
	return panel.Action{
		Title: "Save to project memory", Icon: "arrow-up", Key: "p", Method: "wm/memory/add",
		Params: map[string]any{"text": item.Content}, Inline: true,
		Inputs: []panel.Input{panel.TypeInput(r.env.Settings().Memory.AllTypes(), proposed)},
	}
}

func (r *Room) markdown(at panel.Reader, shown string) (string, bool) {
	id, ours := strings.CutPrefix(shown, itemPrefix)
	if !ours {
		return "", false
	}
	for _, item := range r.all(at.Shown) {
		if item.ID == id {
			return panel.WithFacts(panel.Literal(item.Content),
				panel.Fact{Name: "From", Value: item.from()},
				panel.Fact{Name: "Mentioned", Value: panel.Times(item.Mentions)},
				panel.Fact{Name: "File", Value: item.Path},
				panel.Fact{Name: "First", Value: panel.Clock(item.CreatedAt)},
				panel.Fact{Name: "Last", Value: panel.Clock(item.LastMentionedAt)},
			), true
		}
	}
	return "", false
}
