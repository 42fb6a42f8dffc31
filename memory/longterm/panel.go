package longterm

import (
	"fmt"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// Section is the id of the section of the panel.
const Section = "memory"

// Panels returns the section of the workspace memory.
func (r *Room) Panels() []panel.Part {
	return []panel.Part{{Section: Section, Paint: r.paint, Markdown: r.markdown}}
}

// Budgets returns how much of its budget the workspace memory uses in contexts.
func (r *Room) Budgets(string) []panel.Gauge {
	_, chars := r.Used()
	return []panel.Gauge{{ID: "workspace", Label: PanelTitle, Budget: r.budget(chars)}}
}

// PanelTitle is the title of the section of the panel.
const PanelTitle = "Project memory"

func (r *Room) budget(chars int) panel.Budget {
	return panel.Budget{Used: chars, Max: r.env.Settings().Memory.MaxChars, Unit: panel.BudgetChars}
}

func (r *Room) paint(at panel.Reader) panel.Section {
	limits := r.env.Settings().Memory
	used, chars := r.Used()
	types := limits.AllTypes()
	section := panel.Section{
		Title: PanelTitle, Show: panel.ShowAlways, Empty: "Nothing yet: add a first rule.",
		Actions: []panel.Action{addAction(types)},
	}
	section.Budget, section.Summary = r.limiting(used, chars)
	var review, kept, gone []Entry
	for _, entry := range r.List(nil, true) {
		switch {
		case entry.toReview():
			review = append(review, entry)
		case entry.Status == StatusActive:
			kept = append(kept, entry)
		default:
			gone = append(gone, entry)
		}
	}
	if len(review) > 0 {
		// First, because a narrow view cuts the end, and without the unit, so that it cuts nothing.
		limit := section.Budget
		section.Summary = fmt.Sprintf("%d to review, %d of %d", len(review), limit.Used, limit.Max)
		section.Items = reviewItems(at, review, types)
	}
	section.Items = append(section.Items, r.fullItems()...)
	section.Items = append(section.Items, pairItems(r.Pairs())...)
	slices.SortStableFunc(kept, func(a, b Entry) int { return slices.Compare(a.place(types), b.place(types)) })
	for _, entry := range kept {
		section.Items = append(section.Items, entryItem(at, entry, types))
	}
	if len(gone) > 0 {
		section.Items = append(section.Items, panel.Item{
			ID: "memory:inactive", Kind: "group", Icon: "history", Label: "Forgotten",
			Detail: fmt.Sprint(len(gone)), Dimmed: true, Children: inactiveItems(gone), Folded: true,
		})
	}
	return section
}

// limiting returns how much is used of the limit that is reached first, and says so in few characters.
func (r *Room) limiting(entries, chars int) (*panel.Budget, string) {
	limits := r.env.Settings().Memory
	budget, unit := r.budget(chars), "chars"
	count := panel.Budget{Used: entries, Max: limits.MaxEntries, Unit: panel.BudgetEntries}
	if count.Used*budget.Max >= budget.Used*count.Max {
		budget, unit = count, "entries"
	}
	return &budget, fmt.Sprintf("%d of %d %s", budget.Used, budget.Max, unit)
}

// toReview reports whether a person has to decide about an entry.
func (e *Entry) toReview() bool {
	return e.Status == StatusOffered || e.Status == StatusActive && !e.Reviewed
}

// Standing returns in words why the entry is not simply in force: it is offered, waits for review, or is no longer in
// force. It is "" of any other.
func (e *Entry) Standing() string {
	switch {
	case e.Status != StatusActive:
		return e.Status.Words()
	case e.toReview():
		return "to review"
	}
	return ""
}

// Outdated returns why the entry may be out of date, "" if it is not in force or there is no such reason.
func (e *Entry) Outdated() string {
	if e.Stale == nil || e.isPast() {
		return ""
	}
	return e.Stale.Reason
}

// place returns where an entry stands in the panel: pinned ones first, then by type.
func (e *Entry) place(types []string) []int {
	place := []int{1, slices.Index(types, e.Type)}
	if e.Pinned {
		place[0] = 0
	}
	return place
}

// maxToReview is how many entries to review the panel lists; the others are children of an item.
const maxToReview = 5

// reviewItems returns the items of the entries that a person has to decide about, the latest first.
func reviewItems(at panel.Reader, entries []Entry, types []string) []panel.Item {
	var items []panel.Item
	for _, e := range slices.Backward(entries) {
		item := memoryItem(at, e)
		item.Actions = reviewActions(e, types)
		items = append(items, item)
	}
	if len(items) <= maxToReview {
		return items
	}
	more := items[maxToReview:]
	return append(items[:maxToReview:maxToReview], panel.Item{
		ID: "memory:review", Kind: "group", Icon: "inbox", Label: fmt.Sprintf("%d more to review", len(more)),
		Children: more, Folded: true,
	})
}

func reviewActions(e Entry, types []string) []panel.Action {
	keep, edit := map[string]any{"id": e.ID, "reviewed": true}, withID(e)
	if e.Status == StatusOffered {
		keep = map[string]any{"id": e.ID, "status": string(StatusActive)}
		edit = keep
	}
	return []panel.Action{
		{Title: "Keep", Icon: "check", Key: "c", Method: "wm/memory/update", Params: keep, Inline: true},
		{
			Title: "Drop", Icon: "trash", Key: "d", Method: "wm/memory/remove", Params: withID(e), Inline: true,
			Undo: restoreAction(e),
		},
		editAction(e, edit, types), explainAction(e), eraseAction(e),
	}
}

func editAction(e Entry, params map[string]any, types []string) panel.Action {
	return panel.Action{
		Title: "Edit", Icon: "edit", Key: "e", Method: "wm/memory/update", Params: params, Inputs: editInputs(e, types),
	}
}

// editInputs returns the inputs for the text and the type of an entry.
func editInputs(e Entry, types []string) []panel.Input {
	return []panel.Input{
		{Param: "text", Prompt: "What is remembered", Kind: panel.InputText, Multiline: true, Value: e.Text},
		typeToChange(types, e.Type),
	}
}

// maxInactive is how many inactive entries are shown, the latest first.
const maxInactive = 20

func inactiveItems(entries []Entry) []panel.Item {
	slices.SortFunc(entries, func(a, b Entry) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
	var items []panel.Item
	for _, e := range entries[:min(len(entries), maxInactive)] {
		item := e.row()
		item.Icon, item.Dimmed = "circle-slash", true
		item.Detail += " · " + e.Standing()
		item.Actions = []panel.Action{{
			Title: "Restore", Icon: "discard", Key: "r", Method: "wm/memory/restore", Inline: true,
			Params: withID(e),
		}, explainAction(e), eraseAction(e)}
		items = append(items, item)
	}
	return items
}

// itemPrefix precedes the id of an entry in the id of its item.
const itemPrefix = "memory:"

func withID(e Entry) map[string]any { return map[string]any{"id": e.ID} }

func entryItem(at panel.Reader, e Entry, types []string) panel.Item {
	item := memoryItem(at, e)
	item.Actions = entryActions(e, types)
	return item
}

// memoryItem returns the item of an entry that is active or offered, without its actions.
func memoryItem(at panel.Reader, e Entry) panel.Item {
	item := e.row()
	item.Tint = panel.TypeTint(e.Type)
	if e.Pinned {
		item.Icon, item.Detail = "pinned", item.Detail+" · pinned"
	}
	if standing := e.Standing(); standing != "" {
		item.Detail += " · " + standing
	}
	if outdated := e.Outdated(); outdated != "" {
		item.Severity, item.Detail = 2, item.Detail+" · "+outdated
	}
	if files := e.there(); len(files) > 0 {
		item.Location, item.Aside = &panel.Location{URI: panel.FileURI(at.Worktree, files[0])}, files[0]
	}
	return item
}

func entryActions(e Entry, types []string) []panel.Action {
	pin := "Pin"
	if e.Pinned {
		pin = "Unpin"
	}
	return []panel.Action{
		{
			Title: pin, Icon: "pin", Key: "p", Method: "wm/memory/update",
			Params: map[string]any{"id": e.ID, "pinned": !e.Pinned}, Inline: true,
		},
		editAction(e, withID(e), types),
		{
			Title: "Forget", Icon: "trash", Key: "d", Method: "wm/memory/remove", Params: withID(e), Inline: true,
			Undo: restoreAction(e),
		},
		explainAction(e),
		eraseAction(e),
	}
}

func eraseAction(e Entry) panel.Action {
	return panel.Action{
		Title: "Erase every trace", Icon: "flame", Method: "wm/memory/remove",
		Params: map[string]any{"id": e.ID, "erase": true}, Destructive: true,
	}
}

func restoreAction(e Entry) *panel.Action {
	return &panel.Action{Title: "Restore", Icon: "discard", Method: "wm/memory/restore", Params: withID(e)}
}

func explainAction(e Entry) panel.Action {
	return panel.Action{Title: "History", Icon: "question", Key: "x", Method: "wm/memory/explain", Params: withID(e)}
}

func addAction(types []string) panel.Action {
	text := panel.Input{
		Param: "text", Prompt: "What should every later session know?", Kind: panel.InputText, Multiline: true,
	}
	return panel.Action{
		Title: "Remember", Icon: "add", Key: "i", Method: "wm/memory/add", Params: map[string]any{}, Inline: true,
		Inputs: []panel.Input{text, panel.TypeInput(types, "project")},
	}
}

// typeToChange returns the input for a type, which marks the current one.
func typeToChange(types []string, now string) panel.Input {
	input := panel.TypeInput(types, now)
	for i := range input.Choices {
		if input.Choices[i].Value == now {
			input.Choices[i].Label += " (now)"
		}
	}
	return input
}
