package pressure

import (
	"fmt"

	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// Section is the id of the section of the panel.
const Section = "budget"

// Panels returns the section of the budgets: that of the shown session's context, and
// those of the parts of the memory.
func (r *Room) Panels() []panel.Part {
	return []panel.Part{{Section: Section, Paint: r.paint, Markdown: r.markdown}}
}

// HasMemory reports whether a session has reported how full its context is.
func (r *Room) HasMemory(session string) bool { return r.Of(session).Limit > 0 }

// severities are how serious the levels are.
var severities = map[Level]int{Safe: 4, Moderate: 3, High: 2, Critical: 1}

// Describe returns how full the context of a session is.
func (r *Room) Describe(session string) panel.About {
	p := r.Of(session)
	if p.Limit == 0 {
		return panel.About{}
	}
	return panel.About{
		Aside:         fmt.Sprintf("%d %%", p.Percent()),
		AsideSeverity: severities[p.Level(r.env.Settings().Pressure)],
	}
}

func (r *Room) paint(at panel.Reader) panel.Section {
	section := panel.Section{
		Title: "Context", Show: panel.ShowAdvanced,
		Empty: "No agent has reported how full its context is.",
	}
	if p := r.Of(at.Shown); p.Limit > 0 {
		unit := panel.BudgetChars
		if p.Unit == string(panel.BudgetTokens) {
			unit = panel.BudgetTokens
		}
		full := fmt.Sprintf("%d %% · %s", p.Percent(), p.Level(r.env.Settings().Pressure))
		section.Summary = at.WithName(full)
		section.Budget = &panel.Budget{Used: p.Used, Max: p.Limit, Unit: unit}
		section.Items = append(section.Items, panel.Item{
			ID: "budget:context", Kind: "budget", Icon: "dashboard", Label: full,
			Detail: fmt.Sprintf("%d of %d %s, at %s", p.Used, p.Limit, p.Unit,
				p.LastChecked.Local().Format("15:04")),
			Children: p.splitItems(), HasMarkdown: true,
		})
	}
	for _, part := range at.Gauges() {
		section.Items = append(section.Items, panel.Item{
			ID: "budget:" + part.ID, Kind: "budget", Icon: "symbol-ruler", Label: part.Label,
			Detail: fmt.Sprintf("%d of %d %s", part.Used, part.Max, part.Unit.Words()), HasMarkdown: true,
		})
	}
	return section
}

// splitItems returns the items of what the host reports of the used tokens.
func (p Pressure) splitItems() (items []panel.Item) {
	for _, part := range p.Window(0) {
		if part.ID == PartRest || part.ID == PartFree {
			continue
		}
		items = append(items, panel.Item{
			ID: "budget:context:" + string(part.ID), Kind: "budget", Icon: "symbol-ruler", Label: part.Label,
			Detail: fmt.Sprintf("%d %s", part.Size, p.Unit), HasMarkdown: true,
		})
	}
	return items
}

func (r *Room) markdown(at panel.Reader, id string) (string, bool) {
	var all []panel.Item
	for _, item := range r.paint(at).Items {
		all = append(append(all, item), item.Children...)
	}
	for _, item := range all {
		if item.ID == id {
			return panel.WithFacts(panel.Escape(item.Label), panel.Fact{Name: "Used", Value: item.Detail}), true
		}
	}
	return "", false
}
