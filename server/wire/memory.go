package wire

// MemoryListParams ask for the workspace memory.
type MemoryListParams struct {
	Params
	// Only entries of these types.
	Types []string `json:"types,omitzero"`
	// Whether to give superseded, evicted and removed ones too.
	IncludeInactive bool `json:"includeInactive,omitzero"`
}

// MemoryListResult is the workspace memory.
type MemoryListResult struct {
	// In the order in which they were added.
	Entries []MemoryEntry `json:"entries"`
	// How much fits.
	Limits MemoryLimits `json:"limits"`
	// How much there is.
	Used MemoryUse `json:"used"`
}

// MemoryLimits say how much fits into the workspace memory.
type MemoryLimits struct {
	// Active entries at most.
	MaxEntries int `json:"maxEntries"`
	// Characters of the rendered text at most.
	MaxChars int `json:"maxChars"`
}

// MemoryUse says how much is in the workspace memory.
type MemoryUse struct {
	// Active entries.
	Entries int `json:"entries"`
	// Characters of the rendered text.
	Chars int `json:"chars"`
}

// MemoryAddParams are something to remember.
type MemoryAddParams struct {
	Params
	// What to remember.
	Text string `json:"text"`
	// Its type; "project" by default.
	Type string `json:"type,omitzero"`
	// Why it is so.
	Rationale string `json:"rationale,omitzero"`
	// How it came to be; "manual" by default, the only other one that a client
	// may give is "explicit".
	Source Source `json:"source,omitzero"`
	// Files that it is about, relative to the workspace.
	Files []string `json:"files,omitzero"`
	// Whether to pin it.
	Pinned bool `json:"pinned,omitzero"`
}

// MemoryUpdateParams change an entry; what is absent stays.
type MemoryUpdateParams struct {
	Params
	// The entry.
	ID string `json:"id"`
	// Its new text.
	Text *string `json:"text,omitzero"`
	// Its new type.
	Type *string `json:"type,omitzero"`
	// Its new rationale; an empty one takes it away.
	Rationale *string `json:"rationale,omitzero"`
	// Whether it is pinned.
	Pinned *bool `json:"pinned,omitzero"`
	// Whether a person has looked at it.
	Reviewed *bool `json:"reviewed,omitzero"`
}

// MemoryRemoveParams name an entry to forget.
type MemoryRemoveParams struct {
	Params
	// The entry.
	ID string `json:"id"`
	// True to leave no trace of its text anywhere; it cannot be restored then.
	Erase bool `json:"erase,omitzero"`
}

// MemoryRemoveResult says what was forgotten.
type MemoryRemoveResult struct {
	// The entry; without its text and rationale if it was erased.
	Entry MemoryEntry `json:"entry"`
}

// MemoryExplainParams name an entry: every id that was ever given and not
// erased.
type MemoryExplainParams struct {
	Params
	// The entry.
	ID string `json:"id"`
}

// MemoryExplainResult says how an entry came to be and why it is kept or not.
type MemoryExplainResult struct {
	// The entry.
	Entry MemoryEntry `json:"entry"`
	// Everything that happened to it, oldest first.
	Events []TraceEvent `json:"events"`
	// How safe it is from eviction.
	Retention Retention `json:"retention"`
	// All of that for a person to read.
	Markdown string `json:"markdown"`
}

// Retention says how safe an entry is.
type Retention struct {
	// Its place among the active entries, 1 the safest; 0 if it is not active.
	Rank int `json:"rank"`
	// Whether it is in contexts now.
	Rendered bool `json:"rendered"`
	// Why.
	Reason string `json:"reason"`
}

// MemoryRestoreParams name an evicted, removed or superseded entry.
type MemoryRestoreParams struct {
	Params
	// The entry.
	ID string `json:"id"`
}

// MemoryEntry is one thing that the workspace remembers across sessions.
type MemoryEntry struct {
	// Id, for good.
	ID string `json:"id"`
	// "feedback", "project", "decision", "reference", or a type that the
	// settings add.
	Type string `json:"type"`
	// What is remembered, redacted.
	Text string `json:"text"`
	// Why it is so.
	Rationale string `json:"rationale,omitzero"`
	// How it came to be.
	Source Source `json:"source"`
	// 0 to 1: 1 if explicit, 0.9 if manual, 0.75 from a compaction.
	Confidence float64 `json:"confidence"`
	// Whether it still counts.
	Status EntryStatus `json:"status"`
	// Pinned entries are never evicted.
	Pinned bool `json:"pinned,omitzero"`
	// Whether a person has looked at it.
	Reviewed bool `json:"reviewed"`
	// Files that it is about, relative to the workspace, with /.
	Files []string `json:"files,omitzero"`
	// Where it was first said.
	Origin *Origin `json:"origin,omitzero"`
	// How often it was said again or restored.
	Reinforced int `json:"reinforced"`
	// When it was added.
	CreatedAt Time `json:"createdAt"`
	// When anything about it last changed.
	UpdatedAt Time `json:"updatedAt"`
	// Why it may no longer hold, if there is a sign of that.
	Stale *Stale `json:"stale,omitzero"`
}

// Source says how a memory came to be.
type Source string

// The sources, strongest first.
const (
	SourceExplicit   Source = "explicit"   // A person asked for it in a message.
	SourceManual     Source = "manual"     // A person or an agent added it.
	SourceCompaction Source = "compaction" // It stood in the summary of a compaction.
)

// EntryStatus says whether a memory still counts.
type EntryStatus string

// The statuses of an entry.
const (
	StatusActive     EntryStatus = "active"     // It counts.
	StatusSuperseded EntryStatus = "superseded" // Another entry took its place.
	StatusEvicted    EntryStatus = "evicted"    // It made room; it can be restored.
	StatusRemoved    EntryStatus = "removed"    // Somebody removed it; it can be restored.
)

// Origin is the session in which an entry was first said.
type Origin struct {
	// The session.
	SessionID string `json:"sessionId"`
	// The agent or editor.
	Agent string `json:"agent,omitzero"`
}

// Stale says why an entry may no longer hold.
type Stale struct {
	// A sentence, such as "src/old.go is gone".
	Reason string `json:"reason"`
}
