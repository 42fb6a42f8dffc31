package wire

import (
	"encoding/json"
	"fmt"
)

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

// WorkspacePurgeParams confirm that everything about a workspace is to be
// forgotten.
type WorkspacePurgeParams struct {
	Params
	// The key of the workspace, as wm/status gives it.
	Confirm string `json:"confirm"`
}

// WorkspacePurgeResult says what is gone.
type WorkspacePurgeResult struct {
	// Everything that was removed, one line each.
	Removed []string `json:"removed"`
}

// TraceParams ask for changes in the log of the workspace.
type TraceParams struct {
	Params
	// Only changes of what has this id.
	ID string `json:"id,omitzero"`
	// Only changes of these kinds, such as "memory.added", or of all kinds of a
	// noun, such as "memory".
	Kinds []string `json:"kinds,omitzero"`
	// Only later changes.
	Since TraceStart `json:"since,omitzero"`
	// How many at most, the newest; 100 by default.
	Limit int `json:"limit,omitzero"`
}

// TraceStart is a point in the log: a number is the seq of a change, a text
// the time of one. What follows it is meant, without it.
type TraceStart struct {
	// The seq; 0 if a time is given.
	Seq int64
	// The time; empty if a seq is given.
	At Time
}

// UnmarshalJSON reads a number as a seq and a text as a time.
func (s *TraceStart) UnmarshalJSON(data []byte) error {
	*s = TraceStart{}
	if json.Unmarshal(data, &s.At) == nil {
		return nil
	}
	if err := json.Unmarshal(data, &s.Seq); err != nil {
		return fmt.Errorf("since is neither the seq of a change nor a time: %w", err)
	}
	return nil
}

// MarshalJSON writes the seq as a number or the time as a text.
func (s TraceStart) MarshalJSON() ([]byte, error) {
	if s.At != "" {
		return json.Marshal(s.At)
	}
	return json.Marshal(s.Seq)
}

// TraceResult are changes in the log of the workspace.
type TraceResult struct {
	// Oldest first.
	Events []TraceEvent `json:"events"`
}
