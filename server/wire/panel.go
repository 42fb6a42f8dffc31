package wire

import "github.com/wm-lsp/wm-lsp/memory/panel"

// PanelParams ask for what an editor paints. A sessionId says whose memory to show;
// where that session is not known, or was deleted, it is as if none was named.
type PanelParams struct {
	Params
	// Ids of the sections to give: memory, errors, files, core, working, notes, sessions, budget; all by default.
	Sections []string `json:"sections,omitzero"`
	// The seq that the editor has painted.
	IfSeq *int64 `json:"ifSeq,omitzero"`
}

// PanelResult takes one of two forms: the panel, or {unchanged, seq} if ifSeq
// is still right.
type PanelResult struct {
	// Rises within a connection with each change of the panel.
	Seq int64 `json:"seq"`
	// True if nothing changed.
	Unchanged bool `json:"unchanged,omitzero"`
	*Panel
}

// Panel is what an editor paints. It adds nothing of its own, so a section
// that is new on the server appears in every editor.
type Panel struct {
	// In the order in which to show them.
	Sections []PanelSection `json:"sections"`
	// How full the agent's context is, once usage was reported.
	Pressure *Pressure `json:"pressure,omitzero"`
	// Memories that wait for review.
	Badge int `json:"badge"`
}

// What memory/panel declares has these names on the wire.
type (
	PanelShow     = panel.Show
	PanelSection  = panel.Section
	BudgetUnit    = panel.BudgetUnit
	PanelBudget   = panel.Budget
	PanelItem     = panel.Item
	PanelLocation = panel.Location
	Position      = panel.Position
	Range         = panel.Range
	PanelAction   = panel.Action
	InputKind     = panel.InputKind
	PanelInput    = panel.Input
	PanelChoice   = panel.Choice
)

// PanelResolveParams name an item of the panel.
type PanelResolveParams struct {
	Params
	// The item's id.
	ID string `json:"id"`
}

// PanelResolveResult is what there is to read about an item.
type PanelResolveResult struct {
	// As Markdown.
	Markdown string `json:"markdown"`
}
