package wire

// ContextParams request the context for an agent.
type ContextParams struct {
	Params
	// The prompt. The files, errors and items that it names come first in their lists, and what is
	// remembered and fits it well is recalled. Days such as "yesterday" are seen from at.
	Query string `json:"query,omitzero"`
	// What is recalled. A member that is left out has the value of recall.defaultFilters in the
	// settings. Pinned feedback is always recalled.
	Filters *RecallFilters `json:"filters,omitzero"`
	// The maximum number of documents that are recalled for the prompt, 1 to 50; if absent or 0,
	// recall.topK of the settings.
	TopK int `json:"topK,omitzero"`
	// True if the agent has not been told yet what it does with the memory. The context then
	// begins with the guide, otherwise with one line. A difference holds neither.
	Guide bool `json:"guide,omitzero"`
	// The maximum length.
	Budget *ContextBudget `json:"budget,omitzero"`
	// The ids of the sections to include, such as workspace and core; all by default.
	Include []string `json:"include,omitzero"`
	// The ids of the sections to leave out.
	Exclude []string `json:"exclude,omitzero"`
	// The revision that the agent has. The result is then the difference, or the whole if
	// the conversation was compacted since.
	Since Revision `json:"since,omitzero"`
	// What the session is told, which is recorded, also for other processes. An agent whose
	// process lives for one event uses it instead of since.
	Tell Tell `json:"tell,omitzero"`
	// True if it is for a person and not for an agent. No overview is created, and a
	// deleted session is an error.
	Preview bool `json:"preview,omitzero"`
}

// RecallFilters say what may be recalled. Of a list, one has to match.
type RecallFilters struct {
	// Only what is in these stores, such as "semantic".
	Stores []string `json:"stores,omitzero"`
	// Only what is of these types, such as "decision".
	Types []string `json:"types,omitzero"`
	// Only what has one of these tags.
	Tags []string `json:"tags,omitzero"`
	// Only what this agent recorded.
	AgentID string `json:"agentId,omitzero"`
	// Only what belongs to this task.
	TaskID string `json:"taskId,omitzero"`
	// Only what belongs to this episode.
	EpisodeID string `json:"episodeId,omitzero"`
	// Only what was written at this time or later.
	Since Time `json:"since,omitzero"`
	// Only what was written at this time or before.
	Until Time `json:"until,omitzero"`
	// Only what is at least so important, 0 to 1.
	MinImportance *float64 `json:"minImportance,omitzero"`
}

// Tell selects the part of the context that a session is told.
type Tell string

// What is told. No overview is created. The difference has at most 1,500 tokens; the rest is told
// later. While recording is paused nothing is recorded, and there is no news.
const (
	TellWhole Tell = "whole" // The whole, because the conversation begins, is resumed or was compacted.
	TellNews  Tell = "news"  // The difference to what it was told; the whole if that is not known any more.
)

// ContextBudget is the maximum length of a context. If it is exceeded, sections are
// shortened in this order: what the prompt recalls, working, session, workspace, guide, overview, core; pressure and
// meta never are. The guide and an unchanged template of the overview get at most a quarter
// of what the prefix may use.
//
// Each section gets what those behind it in that order leave. One that can only be whole, as
// core and the guide, and does not fit, leaves its place to the sections before it, so a budget
// of less than 250 characters may hold the session and not the core memory. The prefix does not
// use the last 80 characters, after a report of the usage the last 500, which meta, pressure,
// session and working share: the prefix stays the same whatever these hold.
type ContextBudget struct {
	// In characters; 0 means no limit.
	Chars int `json:"chars,omitzero"`
	// In tokens; 0 means no limit. Both limits apply.
	Tokens int `json:"tokens,omitzero"`
}

// ContextResult has one of three forms: the whole context; with since, {unchanged, revision}
// if there is nothing to tell the agent, or {delta, revision}.
type ContextResult struct {
	*Context
	// True if nothing has changed that the agent has to be told.
	Unchanged bool `json:"unchanged,omitzero"`
	// The difference.
	Delta *ContextDelta `json:"delta,omitzero"`
	// The revision, for since in the next request.
	Revision Revision `json:"revision"`
	// What the section recalled of the context holds. Absent if that is nothing and the request has
	// no query.
	Recalled *Recalled `json:"recalled,omitzero"`
	// The first ten members of the params that were ignored because they are not known, such as a misspelt filter,
	// each with those that are; absent if there are none.
	Ignored []string `json:"ignored,omitzero"`
}

// Recalled is what was recalled.
type Recalled struct {
	// The items, in the order of their lines.
	Items []RecalledItem `json:"items"`
}

// RecalledItem is something remembered that a context shows because of what the session is about.
type RecalledItem struct {
	// The id in its store: for the workspace memory, the id of the entry.
	ID string `json:"id"`
	// The store, such as "workspace".
	Store string `json:"store"`
	// The sum of the parts, without duplication, which is subtracted, and fit. It is 1 for pinned
	// feedback, and 0 for entries about the same code as the session that the query does not find.
	Score float64 `json:"score"`
	// What made the score.
	Parts RecalledParts `json:"parts"`
}

// RecalledParts are the parts of a score, see SearchParts.
type RecalledParts struct {
	SearchParts
	// How well the passage that is shown fits the query, which must be at least recall.floor. 0 for what was
	// remembered of a past time, if the query asks what was then and nothing else.
	Fit float64 `json:"fit"`
}

// Context is what an agent should know, for its prompt.
type Context struct {
	// The prefix and the suffix.
	Text string `json:"text"`
	// The stable sections. They are byte for byte the same until their content changes, so
	// a provider can cache the prompt.
	Prefix string `json:"prefix"`
	// The volatile sections.
	Suffix string `json:"suffix"`
	// The length of the text in characters.
	Chars int `json:"chars"`
	// The estimated length of the text in tokens.
	Tokens int `json:"tokens"`
	// The sections of the text, in order.
	Sections []ContextSection `json:"sections"`
	// How much of the conversation is still needed.
	History History `json:"history"`
	// How full the agent's context is.
	Pressure Pressure `json:"pressure"`
	// What the agent's whole window holds, in the unit of the pressure. Absent if its host never reported how full
	// it is.
	Window []WindowPart `json:"window,omitzero"`
}

// WindowPart is a part of an agent's context window.
type WindowPart struct {
	// "memory" is this context; "system", "tools" and "history" are what the host reports of the rest; "rest" is used
	// by what the host does not name; "free" is not used.
	ID string `json:"id"`
	// What it is, in words.
	Label string `json:"label"`
	// Its size, in the unit of the pressure.
	Size int `json:"size"`
}

// ContextSection is a section of a context.
type ContextSection struct {
	// The id; in order: "guide", "workspace", "core", "overview" (prefix); "recalled", "handover", "working",
	// "session", "pressure", "meta" (suffix).
	ID string `json:"id"`
	// What it is, for a person.
	Label string `json:"label"`
	// The text.
	Text string `json:"text"`
	// The length in characters.
	Chars int `json:"chars"`
	// The estimated length in tokens.
	Tokens int `json:"tokens"`
	// Whether it belongs to the prefix.
	Stable bool `json:"stable"`
	// What was left out, the first 30 of it. wm/memory/explain, wm/errors/list, wm/files/list and
	// wm/working/read tell of the others.
	Omitted []Omission `json:"omitted"`
	// How many more were left out.
	OmittedMore int `json:"omittedMore,omitzero"`
}

// Omission is something that was left out.
type Omission struct {
	// The id.
	ID string `json:"id"`
	// The reason.
	Reason string `json:"reason"`
}

// HistoryKeep is how much of a conversation is still needed.
type HistoryKeep string

// The parts.
const (
	KeepAll        HistoryKeep = "all"        // All of it.
	KeepActiveTurn HistoryKeep = "activeTurn" // Only the current turn.
)

// History is how much of the conversation is still needed.
type History struct {
	// The part that is needed.
	Keep HistoryKeep `json:"keep"`
	// The reason.
	Reason string `json:"reason"`
}

// ContextDelta is what an agent that has a context has to be told of another one.
type ContextDelta struct {
	// What it has to be told, for the prompt, the most important first. It does not tell
	// what the agent did or reported itself.
	Text string `json:"text"`
	// The ids of new and changed items.
	Added []string `json:"added"`
	// The ids of items that no longer hold.
	Removed []string `json:"removed"`
}
