// Package panel is the model of the panel that every editor shows, with helpers that the
// rooms share. Editors add nothing of their own: a section that a room paints appears in
// every editor.
package panel

// Show is the condition under which a section is shown.
type Show string

// When.
const (
	ShowAlways   Show = "always"   // Always.
	ShowNonEmpty Show = "nonEmpty" // When it has items.
	ShowAdvanced Show = "advanced" // When the person asks for more.
)

// Section is one list of the panel.
type Section struct {
	// Its id, such as "memory" or "errors". It does not change in later versions.
	ID string `json:"id"`
	// What to write above it.
	Title string `json:"title"`
	// When to show it.
	Show Show `json:"show"`
	// What to write beside the title.
	Summary string `json:"summary,omitzero"`
	// Its items, in order.
	Items []Item `json:"items"`
	// What can be done with the section.
	Actions []Action `json:"actions,omitzero"`
	// Whether it is folded until the person opens it.
	Folded bool `json:"folded,omitzero"`
	// How much of its room is used.
	Budget *Budget `json:"budget,omitzero"`
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

// Words returns the unit in full.
func (u BudgetUnit) Words() string {
	if u == BudgetChars {
		return "characters"
	}
	return string(u)
}

// Budget is how much of its room a section uses.
type Budget struct {
	// Used, in units.
	Used int `json:"used"`
	// The most, in units.
	Max int `json:"max"`
	// What is counted.
	Unit BudgetUnit `json:"unit"`
}

// Item is one line of the panel.
type Item struct {
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
	// What to write at the right edge, shortened from the left if there is no room: where it is, or
	// how much.
	Aside string `json:"aside,omitzero"`
	// How serious the aside is, as severity; it has the color of that.
	AsideSeverity int `json:"asideSeverity,omitzero"`
	// The color of the icon, unless it has a severity.
	Tint Tint `json:"tint,omitzero"`
	// Name of a codicon for who said it: "person", "hubot" for an agent, "terminal" for a command that no person
	// typed, "fold" for a summary, "desktop-download" for another program; the detail names them. Absent if
	// nobody said it or that is not known.
	AuthorIcon string `json:"authorIcon,omitzero"`
	// 1 error, 2 warning, 3 information, 4 hint.
	Severity int `json:"severity,omitzero"`
	// Whether to paint it faintly.
	Dimmed bool `json:"dimmed,omitzero"`
	// What to open when it is chosen.
	Location *Location `json:"location,omitzero"`
	// What can be done with it.
	Actions []Action `json:"actions"`
	// Items below it.
	Children []Item `json:"children,omitzero"`
	// Whether these are folded until the person opens it.
	Folded bool `json:"folded,omitzero"`
	// Whether wm/panel/resolve has a string for it.
	HasMarkdown bool `json:"hasMarkdown,omitzero"`
}

// Tint is a color that tells items of one list apart.
type Tint string

// The tints.
const (
	TintBlue   Tint = "blue"   // Blue.
	TintGreen  Tint = "green"  // Green.
	TintPurple Tint = "purple" // Purple.
	TintYellow Tint = "yellow" // Yellow.
)

// Beside returns what is written beside the label where a line has no right edge.
func (i Item) Beside() string {
	if i.Detail == "" || i.Aside == "" {
		return i.Detail + i.Aside
	}
	return i.Detail + " · " + i.Aside
}

// Location is a place that can be opened.
type Location struct {
	// The file.
	URI string `json:"uri"`
	// The place in it.
	Range *Range `json:"range,omitzero"`
}

// Position is a place in a document.
type Position struct {
	// Line, from 0.
	Line int `json:"line"`
	// Offset in the line from 0, in UTF-16 code units.
	Character int `json:"character"`
}

// Range is a span of a document; its end is exclusive.
type Range struct {
	// Where it begins.
	Start Position `json:"start"`
	// Where it ends.
	End Position `json:"end"`
}

// Action is a call that a person can make from the panel.
type Action struct {
	// What to write.
	Title string `json:"title"`
	// Name of a codicon.
	Icon string `json:"icon,omitzero"`
	// A key that is proposed for it, one character.
	Key string `json:"key,omitzero"`
	// Method to call.
	Method string `json:"method"`
	// Its params; what the person fills in under inputs is added to them.
	Params map[string]any `json:"params"`
	// Whether to show it on the line itself rather than in a menu.
	Inline bool `json:"inline,omitzero"`
	// Whether to ask before it is done.
	Destructive bool `json:"destructive,omitzero"`
	// The action that takes it back.
	Undo *Action `json:"undo,omitzero"`
	// Whether the answer holds the call that takes it back, as its undo.
	Undoable bool `json:"undoable,omitzero"`
	// What to ask the person for first.
	Inputs []Input `json:"inputs,omitzero"`
}

// InputKind is the way in which a person is asked.
type InputKind string

// How.
const (
	InputText   InputKind = "text"   // They write.
	InputChoice InputKind = "choice" // They choose.
)

// Input is one thing that a person is asked for before an action.
type Input struct {
	// The member of params that it becomes.
	Param string `json:"param"`
	// What to ask.
	Prompt string `json:"prompt"`
	// How to ask.
	Kind InputKind `json:"kind"`
	// What to choose from.
	Choices []Choice `json:"choices,omitzero"`
	// Whether the text may have several lines.
	Multiline bool `json:"multiline,omitzero"`
	// What is filled in already.
	Value string `json:"value,omitzero"`
}

// Choice is one thing to choose.
type Choice struct {
	// What to write.
	Label string `json:"label"`
	// A few words on what it is for.
	Detail string `json:"detail,omitzero"`
	// What it means.
	Value string `json:"value"`
}
