package wire

// MemoryListParams request the workspace memory.
type MemoryListParams struct {
	Params
	// Only entries of these types.
	Types []string `json:"types,omitzero"`
	// Whether to include offered, superseded, evicted and removed entries.
	IncludeInactive bool `json:"includeInactive,omitzero"`
}

// MemoryListResult is the workspace memory.
type MemoryListResult struct {
	// The entries, in the order in which they were added.
	Entries []MemoryEntry `json:"entries"`
	// The limits.
	Limits MemoryLimits `json:"limits"`
	// The current size.
	Used MemoryUse `json:"used"`
}

// MemoryLimits are the limits of the workspace memory.
type MemoryLimits struct {
	// The maximum number of active entries.
	MaxEntries int `json:"maxEntries"`
	// The maximum length of the rendered text, in characters.
	MaxChars int `json:"maxChars"`
}

// MemoryUse is the current size of the workspace memory.
type MemoryUse struct {
	// The number of active entries.
	Entries int `json:"entries"`
	// The length of the rendered text, in characters.
	Chars int `json:"chars"`
}

// MemoryAddParams are a new entry.
type MemoryAddParams struct {
	Params
	// What to remember.
	Text string `json:"text"`
	// "feedback", "project", "decision", "reference", or a type that the settings add;
	// "project" by default.
	Type string `json:"type,omitzero"`
	// Why it is so.
	Rationale string `json:"rationale,omitzero"`
	// The source: "explicit" or "manual"; "manual" by default. The others are set by the
	// server.
	Source Source `json:"source,omitzero"`
	// The files that it is about, relative to the workspace, at most 1000.
	Files []string `json:"files,omitzero"`
	// Whether it is pinned.
	Pinned bool `json:"pinned,omitzero"`
}

// MemoryUpdateParams change an entry. Absent members stay as they are.
type MemoryUpdateParams struct {
	Params
	// The id of the entry.
	ID string `json:"id"`
	// The new text.
	Text *string `json:"text,omitzero"`
	// The new type.
	Type *string `json:"type,omitzero"`
	// The new rationale; an empty one removes it.
	Rationale *string `json:"rationale,omitzero"`
	// Whether it is pinned.
	Pinned *bool `json:"pinned,omitzero"`
	// Whether a person has reviewed it.
	Reviewed *bool `json:"reviewed,omitzero"`
	// The ids of all entries that a person keeps beside it: they are not shown as a pair that says nearly the same
	// or contradicts each other, until one of them is reworded.
	Beside *[]string `json:"beside,omitzero"`
	// "active" keeps an entry that is offered; "offered" makes it an offer again.
	Status *EntryStatus `json:"status,omitzero"`
	// The revision from an undo or a conflict. If the current one is different, nothing is
	// changed.
	IfRevision Revision `json:"ifRevision,omitzero"`
}

// MemoryRemoveParams name an entry, or an item of wm/memorize, to remove.
type MemoryRemoveParams struct {
	Params
	// The id of the entry or the item.
	ID string `json:"id"`
	// The id of an entry that says the same. It keeps its text, and gets the files, the rationale and
	// the pin. It must be empty with erase.
	Into string `json:"into,omitzero"`
	// True to erase its text everywhere. It cannot be restored then.
	Erase bool `json:"erase,omitzero"`
	// The revision from an undo or a conflict. If the current one is different, nothing is
	// removed. It must be empty with erase.
	IfRevision Revision `json:"ifRevision,omitzero"`
}

// MemoryRemoveResult is the removed entry.
type MemoryRemoveResult struct {
	// The entry, or the item as one; without text and rationale if it was erased.
	Entry MemoryEntry `json:"entry"`
	// If it was erased: the files that may still contain it or a former wording, relative to the folder of
	// the workspace. It is tried again, also at the next start, until there are none.
	FilesLeft []string `json:"filesLeft,omitzero"`
	// What to tell a person if there are such files.
	Message string `json:"message,omitzero"`
}

// MemoryExplainParams name an entry, or an item of wm/memorize. It need not be active, but must not be erased.
type MemoryExplainParams struct {
	Params
	// The id of the entry or item.
	ID string `json:"id"`
}

// MemoryExplainResult is the history of an entry or item and why it is kept or not.
type MemoryExplainResult struct {
	// The entry, or the item as one.
	Entry MemoryEntry `json:"entry"`
	// The item; absent if it is an entry.
	Item *MemoryItem `json:"item,omitzero"`
	// All its changes, oldest first.
	Events []TraceEvent `json:"events"`
	// How safe it is from eviction.
	Retention Retention `json:"retention"`
	// All of this as Markdown.
	Markdown string `json:"markdown"`
}

// Retention is the protection of an entry from eviction, or how long an item is recalled.
type Retention struct {
	// The rank among the active entries; 1 is the safest, 0 if it is not active or an item.
	Rank int `json:"rank"`
	// Whether it is in contexts now.
	Rendered bool `json:"rendered"`
	// The reason.
	Reason string `json:"reason"`
}

// MemoryRestoreParams name an evicted, removed or superseded entry, or a removed item.
type MemoryRestoreParams struct {
	Params
	// The id of the entry or item.
	ID string `json:"id"`
	// The revision from an undo or a conflict. If the current one is different, nothing is
	// restored.
	IfRevision Revision `json:"ifRevision,omitzero"`
}

// MemoryEntry is an entry of the workspace memory, which all sessions share.
type MemoryEntry struct {
	// The id, which never changes.
	ID string `json:"id"`
	// "feedback", "project", "decision", "reference", or a type that the
	// settings add.
	Type string `json:"type"`
	// What people are shown beside the text: the type and who put it into words, such as
	// "Decision · claude-code".
	Detail string `json:"detail"`
	// The text, redacted.
	Text string `json:"text"`
	// Why it is so.
	Rationale string `json:"rationale,omitzero"`
	// The source.
	Source Source `json:"source"`
	// Who put it into words; absent if that is not known.
	Author Author `json:"author,omitzero"`
	// 1 if explicit, 0.9 if manual, 0.75 from a compaction, 0.6 if said.
	Confidence float64 `json:"confidence"`
	// The status.
	Status EntryStatus `json:"status"`
	// Whether it is pinned. Pinned entries are never evicted.
	Pinned bool `json:"pinned,omitzero"`
	// Whether a person has reviewed it.
	Reviewed bool `json:"reviewed"`
	// The files that it is about, relative to the workspace, with /.
	Files []string `json:"files,omitzero"`
	// The ids of entries that a person keeps beside it, although they say nearly the same or contradict it.
	Beside []string `json:"beside,omitzero"`
	// Where it comes from.
	Origin *Origin `json:"origin,omitzero"`
	// Where it was taken over from, if it is from another program.
	Imported *Imported `json:"imported,omitzero"`
	// How often it was added again.
	Reinforced int `json:"reinforced"`
	// When it was added.
	CreatedAt Time `json:"createdAt"`
	// When it last changed.
	UpdatedAt Time `json:"updatedAt"`
	// When it was removed, evicted or replaced, or its time was over; absent if it is in force.
	DeletedAt Time `json:"deletedAt,omitzero"`
	// Why it may be outdated, if there is a sign of it.
	Stale *Stale `json:"stale,omitzero"`
}

// Source is the origin of an entry.
type Source string

// The sources, strongest first.
const (
	SourceExplicit   Source = "explicit"   // A person asked for it in a message.
	SourceManual     Source = "manual"     // A person or an agent added it.
	SourceCompaction Source = "compaction" // It was a candidate in the summary of a compaction.
	SourceSaid       Source = "said"       // It was said in a conversation and offered.
)

// Author is who put something into words.
type Author string

// The authors.
const (
	AuthorPerson  Author = "person"  // A person: in a message, at an editor or terminal, or by hand.
	AuthorAgent   Author = "agent"   // An agent, with a tool or in a message.
	AuthorSummary Author = "summary" // An agent's summary of a conversation.
	AuthorMachine Author = "machine" // It was taken over from another program.
)

// EntryStatus is the status of an entry.
type EntryStatus string

// The statuses.
const (
	StatusActive     EntryStatus = "active"     // It is in use.
	StatusOffered    EntryStatus = "offered"    // It is not in use until a person or an agent keeps it.
	StatusSuperseded EntryStatus = "superseded" // Another entry has replaced it.
	StatusEvicted    EntryStatus = "evicted"    // It was evicted to make room; it can be restored.
	StatusRemoved    EntryStatus = "removed"    // It was removed by hand; it can be restored.
)

// Imported is where the content of another program was read.
type Imported struct {
	// The format, see ImportSource.
	From ImportSource `json:"from"`
	// The file, relative to the workspace, or to the parent of its folder if it is outside of it.
	File string `json:"file"`
	// The line, from 1; absent if it is not known.
	Line int `json:"line,omitzero"`
}

// Origin is the session in which an entry was first added.
type Origin struct {
	// The session.
	SessionID string `json:"sessionId"`
	// The agent or editor.
	Agent string `json:"agent,omitzero"`
}

// Stale describes why an entry may be outdated.
type Stale struct {
	// A sentence, such as "src/old.go is gone".
	Reason string `json:"reason"`
}
