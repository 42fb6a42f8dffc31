package wire

// ContextParams ask for what an agent should know before it goes on.
type ContextParams struct {
	Params
	// The prompt that it is for.
	Query string `json:"query,omitzero"`
	// How long it may be.
	Budget *ContextBudget `json:"budget,omitzero"`
	// Ids of the sections to give: guide, workspace, core, overview, working, session, pressure, meta; all by default.
	Include []string `json:"include,omitzero"`
	// Ids of the sections to leave out.
	Exclude []string `json:"exclude,omitzero"`
	// The revision that the agent has; the answer is then what changed since.
	Since Revision `json:"since,omitzero"`
	// True if a person only looks: the session is given no overview to maintain, and
	// one that was deleted is refused.
	Preview bool `json:"preview,omitzero"`
}

// ContextBudget is how long a context may be. Where it is short, sections give way
// in this order: working, session, workspace, guide, overview, core; pressure and meta
// never do. The guide and an overview that is still the template take a quarter of it
// at most.
type ContextBudget struct {
	// In characters; 0 is none.
	Chars int `json:"chars,omitzero"`
	// In tokens; 0 is none. Both hold where both are given.
	Tokens int `json:"tokens,omitzero"`
}

// ContextResult takes one of three forms: the whole context; with since,
// {unchanged, revision} if nothing changed, or {delta, revision} if the
// changes are shorter than the whole.
type ContextResult struct {
	*Context
	// True if nothing changed.
	Unchanged bool `json:"unchanged,omitzero"`
	// What changed.
	Delta *ContextDelta `json:"delta,omitzero"`
	// What to send as since the next time.
	Revision Revision `json:"revision"`
}

// Context is what an agent should know, as text for its prompt.
type Context struct {
	// The prefix and the suffix.
	Text string `json:"text"`
	// The stable sections: byte for byte the same as long as nothing in them
	// changes, so that a provider's prompt cache holds.
	Prefix string `json:"prefix"`
	// The volatile sections.
	Suffix string `json:"suffix"`
	// Length of the text in characters.
	Chars int `json:"chars"`
	// Length of the text in tokens, estimated.
	Tokens int `json:"tokens"`
	// What the text is made of, in order.
	Sections []ContextSection `json:"sections"`
	// How much of the conversation is still needed beside it.
	History History `json:"history"`
	// How full the agent's context is.
	Pressure Pressure `json:"pressure"`
}

// ContextSection is one part of a context.
type ContextSection struct {
	// In order: "guide", "workspace", "core", "overview" (prefix); "working", "session",
	// "pressure", "meta" (suffix).
	ID string `json:"id"`
	// Its text.
	Text string `json:"text"`
	// Length in characters.
	Chars int `json:"chars"`
	// Length in tokens, estimated.
	Tokens int `json:"tokens"`
	// Whether it belongs to the prefix.
	Stable bool `json:"stable"`
	// What did not fit or does not hold any more.
	Omitted []Omission `json:"omitted"`
}

// Omission is something that was left out.
type Omission struct {
	// Id of what was left out.
	ID string `json:"id"`
	// Why.
	Reason string `json:"reason"`
}

// HistoryKeep says how much of a conversation is needed.
type HistoryKeep string

// How much.
const (
	KeepAll        HistoryKeep = "all"        // All of it.
	KeepActiveTurn HistoryKeep = "activeTurn" // Only the turn that is going on.
)

// History says how much of the conversation an agent still needs.
type History struct {
	// How much.
	Keep HistoryKeep `json:"keep"`
	// Why.
	Reason string `json:"reason"`
}

// ContextDelta is what changed in a context.
type ContextDelta struct {
	// The changes as text for the prompt; what no longer holds is said so.
	Text string `json:"text"`
	// Ids of what is new.
	Added []string `json:"added"`
	// Ids of what no longer holds.
	Removed []string `json:"removed"`
}
