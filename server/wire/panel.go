package wire

import "github.com/wm-lsp/wm-lsp/memory/panel"

// PanelParams request the panel. It shows the memory of the session with the sessionId. An
// unknown or deleted session is ignored.
type PanelParams struct {
	Params
	// The ids of the sections to include, such as memory and errors; all by default.
	Sections []string `json:"sections,omitzero"`
	// The seq of the panel that the client has.
	IfSeq *int64 `json:"ifSeq,omitzero"`
}

// PanelResult has one of two forms: the panel, or {unchanged, seq} if ifSeq is current.
type PanelResult struct {
	// A number that grows with each change of the panel during a connection.
	Seq int64 `json:"seq"`
	// True if nothing has changed.
	Unchanged bool `json:"unchanged,omitzero"`
	*Panel
}

// Panel is what an editor displays. Editors add no content of their own, so a new section
// of the server appears in every editor.
type Panel struct {
	// The sections, in the order of display.
	Sections []PanelSection `json:"sections"`
	// How full the context of the agent is; absent before the first report.
	Pressure *Pressure `json:"pressure,omitzero"`
	// The number of entries that a person has to decide about.
	Badge int `json:"badge"`
	// A sentence to write above the sections as long as there is nothing in them: what will appear and how, or why
	// nothing is kept.
	Hint string `json:"hint,omitzero"`
	// When recording resumes; absent while it is on.
	PausedUntil Time `json:"pausedUntil,omitzero"`
}

// The types of memory/panel, with their names on the wire.
type (
	PanelShow     = panel.Show
	PanelSection  = panel.Section
	BudgetUnit    = panel.BudgetUnit
	PanelBudget   = panel.Budget
	PanelItem     = panel.Item
	PanelTint     = panel.Tint
	PanelLocation = panel.Location
	Position      = panel.Position
	Range         = panel.Range
	PanelAction   = panel.Action
	InputKind     = panel.InputKind
	PanelInput    = panel.Input
	PanelChoice   = panel.Choice
)

// PanelResolveParams name an item of the panel, or a document that wm/search found.
type PanelResolveParams struct {
	Params
	// The id of the item.
	ID string `json:"id"`
	// Whether to include which agents were told of it, what happened to it, and what can be done with it.
	Full bool `json:"full,omitzero"`
}

// PanelResolveResult are the details of an item.
type PanelResolveResult struct {
	// The details as Markdown. A link with the scheme wm: leads to the item of the panel with the id that
	// follows, percent-encoded.
	Markdown string `json:"markdown"`
	// With full: what to write above it.
	Title string `json:"title,omitzero"`
	// With full: what can be done with the item.
	Actions []PanelAction `json:"actions,omitzero"`
	// With full: what the item opens.
	Location *PanelLocation `json:"location,omitzero"`
}
