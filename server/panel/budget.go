package panel

import (
	"fmt"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// budgetSection shows how full the context of the session is, and how full the
// parts of the memory are that go into it.
func budgetSection(r Reader) wire.PanelSection {
	section := wire.PanelSection{
		Title: "Context budget", Show: wire.ShowAdvanced, Items: []wire.PanelItem{},
		Empty: "No agent has reported how full its context is.",
	}
	limits := r.Workspace.Settings()
	if p := memory.RoomOf[*pressure.Room](r.Workspace).Of(r.agent); p.Limit > 0 {
		unit := wire.BudgetChars
		if p.Unit == string(wire.UnitTokens) {
			unit = wire.BudgetTokens
		}
		level := p.Level(limits.Pressure)
		full := fmt.Sprintf("%.0f %% · %s", p.Percentage(), level)
		section.Summary = r.whose(full)
		section.Budget = &wire.PanelBudget{Used: p.Used, Max: p.Limit, Unit: unit}
		section.Items = append(section.Items, wire.PanelItem{
			ID: "budget:context", Kind: "budget", Icon: "dashboard", Label: full, Detail: fmt.Sprintf("%d of %d %s, at %s", p.Used, p.Limit, p.Unit, p.LastChecked.Local().Format("15:04")),
			Actions: []wire.PanelAction{},
		})
	}
	_, entries := memory.RoomOf[*longterm.Room](r.Workspace).Used()
	blocks, most := 0, 0
	for _, name := range core.Names() {
		blocks, most = blocks+memory.RoomOf[*core.Room](r.Workspace).Get(r.agent, name).Chars(), most+memory.RoomOf[*core.Room](r.Workspace).MaxChars(name)
	}
	for _, part := range []struct {
		id, label string
		used, max int
	}{{"workspace", "Workspace memory", entries, limits.Memory.MaxChars}, {"core", "Core memory", blocks, most}} {
		section.Items = append(section.Items, wire.PanelItem{
			ID: "budget:" + part.id, Kind: "budget", Icon: "symbol-ruler", Label: part.label, Detail: fmt.Sprintf("%d of %d characters", part.used, part.max),
			Actions: []wire.PanelAction{},
		})
	}
	return section
}
