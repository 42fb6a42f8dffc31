package panel

import (
	"fmt"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/working"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// slotIcons of the slots; those of the settings have a common one.
var slotIcons = map[string]string{
	working.Errors: "error", working.Decisions: "law", working.Todos: "checklist", working.Dependencies: "package",
}

// workingSection shows the working memory of the session that looks at the
// panel: a group for every slot, and the pool.
func workingSection(r Reader) wire.PanelSection {
	section := wire.PanelSection{
		Title: "Working memory", Show: wire.ShowNonEmpty, Items: []wire.PanelItem{},
		Empty: "Nothing yet. What tools print and what is decided in the conversation of an agent appears here.",
	}
	room := memory.RoomOf[*working.Room](r.Workspace)
	total := 0
	for _, slot := range room.Slots() {
		items := room.Slot(r.agent, slot.Name)
		if len(items) == 0 {
			continue
		}
		icon, known := slotIcons[slot.Name]
		if !known {
			icon = "symbol-field"
		}
		group := wire.PanelItem{
			ID: "slot:" + slot.Name, Kind: "slot", Icon: icon, Label: working.Title(slot.Name), Detail: fmt.Sprintf("%d of %d", len(items), slot.Max),
			Actions: []wire.PanelAction{{
				Title: "Clear", Icon: "clear-all", Key: "d", Method: "wm/working/clear", Params: r.of(wire.Object{"slot": slot.Name}),
				Destructive: true, Undoable: true,
			}},
		}
		for _, item := range items {
			group.Children = append(group.Children, workingItem(r, item, icon))
		}
		section.Items = append(section.Items, group)
		total += len(items)
	}
	if pool := room.Pool(r.agent); len(pool) > 0 {
		group := wire.PanelItem{ID: "slot:", Kind: "slot", Icon: "symbol-misc", Label: "Pool", Detail: fmt.Sprint(len(pool)), Actions: []wire.PanelAction{}}
		for _, scored := range pool {
			item := workingItem(r, scored.Item, "note")
			item.Detail = fmt.Sprintf("%.2f · %s", scored.Score, item.Detail)
			group.Children = append(group.Children, item)
		}
		section.Items = append(section.Items, group)
		total += len(pool)
	}
	if total > 0 {
		section.Summary = r.whose(fmt.Sprint(total))
		section.Actions = []wire.PanelAction{{Title: "Clear all", Icon: "clear-all", Method: "wm/working/clear", Params: r.of(wire.Object{}), Destructive: true, Undoable: true}}
	}
	return section
}

func workingItem(r Reader, item working.Item, icon string) wire.PanelItem {
	shown := wire.PanelItem{
		ID: "working:" + item.ID, Kind: "item", Icon: icon, Label: oneLine(item.Content), Detail: item.Source, HasMarkdown: true,
		Actions: []wire.PanelAction{{
			Title: "Remove", Icon: "trash", Key: "d", Method: "wm/working/remove", Params: r.of(wire.Object{"id": item.ID}), Inline: true,
			Destructive: true, Undoable: true,
		}},
	}
	if item.Mentions > 1 {
		shown.Detail += fmt.Sprintf(" · %d×", item.Mentions)
	}
	if item.Path != "" {
		shown.Location = &wire.PanelLocation{URI: fileURI(r.Worktree, item.Path)}
	}
	if item.IsFile() {
		shown.Icon = "file"
	} else {
		shown.Actions = append(shown.Actions, promoteAction(r, item))
	}
	return shown
}

// promoteAction makes an item, which is of one session, an entry of the workspace
// memory, which every session is told.
func promoteAction(r Reader, item working.Item) wire.PanelAction {
	proposed := "project"
	if item.Slot == working.Decisions {
		proposed = "decision"
	}
	return wire.PanelAction{
		Title: "Promote", Icon: "arrow-up", Key: "p", Method: "wm/memory/add", Params: wire.Object{"text": item.Content}, Inline: true,
		Inputs: []wire.PanelInput{typeInput(typesOf(r.Workspace.Settings().Memory.Types), proposed)},
	}
}

// workingMarkdown is what there is to read about an item.
func workingMarkdown(r Reader, id string) (string, bool) {
	items, err := memory.RoomOf[*working.Room](r.Workspace).Matching(r.agent, working.Everywhere, "")
	if err != nil {
		return "", false
	}
	for _, item := range items {
		if item.ID == id {
			return list(shown(item.Content), [][2]string{
				{"From", item.Source}, {"Mentioned", times(item.Mentions)}, {"File", item.Path},
				{"First", clock(item.CreatedAt)}, {"Last", clock(item.LastMentionedAt)},
			}), true
		}
	}
	return "", false
}
