package wire

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

// PanelShow says when a section is shown.
type PanelShow string

// When.
const (
	ShowAlways   PanelShow = "always"   // Always.
	ShowNonEmpty PanelShow = "nonEmpty" // When it has items.
	ShowAdvanced PanelShow = "advanced" // When the person asks for more.
)

// PanelSection is one list of the panel.
type PanelSection struct {
	// Its id, for good: "memory", "errors", "files", "core", "working", "notes",
	// "sessions" or "budget".
	ID string `json:"id"`
	// What to write above it.
	Title string `json:"title"`
	// When to show it.
	Show PanelShow `json:"show"`
	// What to write beside the title.
	Summary string `json:"summary,omitzero"`
	// Its items, in order.
	Items []PanelItem `json:"items"`
	// What can be done with the section.
	Actions []PanelAction `json:"actions,omitzero"`
	// How much of its room is used.
	Budget *PanelBudget `json:"budget,omitzero"`
	// What to write when it is empty: what to do.
	Empty string `json:"empty,omitzero"`
}

// BudgetUnit is what room is counted in.
type BudgetUnit string

// The units.
const (
	BudgetChars   BudgetUnit = "chars"   // Characters.
	BudgetEntries BudgetUnit = "entries" // Entries.
	BudgetTokens  BudgetUnit = "tokens"  // Tokens.
)

// PanelBudget is how much of its room a section uses.
type PanelBudget struct {
	// Used, in units.
	Used int `json:"used"`
	// The most, in units.
	Max int `json:"max"`
	// What is counted.
	Unit BudgetUnit `json:"unit"`
}

// PanelItem is one line of the panel.
type PanelItem struct {
	// Its id, unique in the panel and stable; a memory's is "memory:" and the entry's.
	ID string `json:"id"`
	// What it is: "memory", "error", "file", "session".
	Kind string `json:"kind"`
	// Name of a codicon.
	Icon string `json:"icon"`
	// What to write.
	Label string `json:"label"`
	// What to write beside it, less prominent.
	Detail string `json:"detail,omitzero"`
	// 1 error, 2 warning, 3 information, 4 hint.
	Severity int `json:"severity,omitzero"`
	// Whether to paint it faintly.
	Dimmed bool `json:"dimmed,omitzero"`
	// What to open when it is chosen.
	Location *PanelLocation `json:"location,omitzero"`
	// What can be done with it.
	Actions []PanelAction `json:"actions"`
	// Items below it.
	Children []PanelItem `json:"children,omitzero"`
	// Whether wm/panel/resolve has a text for it.
	HasMarkdown bool `json:"hasMarkdown,omitzero"`
}

// PanelLocation is a place that can be opened.
type PanelLocation struct {
	// The file.
	URI string `json:"uri"`
	// The place in it.
	Range *Range `json:"range,omitzero"`
}

// PanelAction is a call that a person can make from the panel.
type PanelAction struct {
	// What to write.
	Title string `json:"title"`
	// Name of a codicon.
	Icon string `json:"icon,omitzero"`
	// A key that is proposed for it, one character.
	Key string `json:"key,omitzero"`
	// Method to call.
	Method string `json:"method"`
	// Its params; what the person fills in under inputs is added to them.
	Params Object `json:"params"`
	// Whether to show it on the line itself rather than in a menu.
	Inline bool `json:"inline,omitzero"`
	// Whether to ask before it is done.
	Destructive bool `json:"destructive,omitzero"`
	// The action that takes it back.
	Undo *PanelAction `json:"undo,omitzero"`
	// Whether the answer holds the call that takes it back, as its undo.
	Undoable bool `json:"undoable,omitzero"`
	// What to ask the person for first.
	Inputs []PanelInput `json:"inputs,omitzero"`
}

// InputKind says how a person is asked.
type InputKind string

// How.
const (
	InputText   InputKind = "text"   // They write.
	InputChoice InputKind = "choice" // They choose.
)

// PanelInput is one thing that a person is asked for before an action.
type PanelInput struct {
	// The member of params that it becomes.
	Param string `json:"param"`
	// What to ask.
	Prompt string `json:"prompt"`
	// How to ask.
	Kind InputKind `json:"kind"`
	// What to choose from.
	Choices []PanelChoice `json:"choices,omitzero"`
	// Whether the text may have several lines.
	Multiline bool `json:"multiline,omitzero"`
	// What is filled in already.
	Value string `json:"value,omitzero"`
}

// PanelChoice is one thing to choose.
type PanelChoice struct {
	// What to write.
	Label string `json:"label"`
	// A few words on what it is for.
	Detail string `json:"detail,omitzero"`
	// What it means.
	Value string `json:"value"`
}

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
