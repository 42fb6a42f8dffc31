package wire

import "encoding/json"

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

// ReceiptStatus says what became of what was to be remembered.
type ReceiptStatus string

// What can become of it.
const (
	ReceiptAdded     ReceiptStatus = "added"     // A new entry.
	ReceiptMerged    ReceiptStatus = "merged"    // It was known; the entry is reinforced.
	ReceiptUpdated   ReceiptStatus = "updated"   // The entry was changed.
	ReceiptUnchanged ReceiptStatus = "unchanged" // The entry already was like that.
	ReceiptRejected  ReceiptStatus = "rejected"  // It is not kept; reason says why.
)

// Receipt says what became of something that was to be remembered. It is sent
// only after that is on the disk.
type Receipt struct {
	// What became of it.
	Status ReceiptStatus `json:"status"`
	// The entry's id; absent if it was rejected.
	ID string `json:"id,omitzero"`
	// The entry as it is now. Its status is "evicted" if it was itself the
	// weakest of too many.
	Entry *MemoryEntry `json:"entry,omitzero"`
	// The text of the entry, or the one that was rejected; redacted.
	Text string `json:"text,omitzero"`
	// Code of the rule that rejected it (systems.md B4), or why it was merged.
	Reason string `json:"reason,omitzero"`
	// Secrets that were removed from it.
	Redactions int `json:"redactions,omitzero"`
	// Ids of the entries that made room for it.
	Evicted []string `json:"evicted,omitzero"`
	// The call that takes it back.
	Undo *Undo `json:"undo,omitzero"`
}

// Undo is a call that takes back what was done.
type Undo struct {
	// Method to call.
	Method string `json:"method"`
	// Its params.
	Params Object `json:"params"`
}

// FileAction is what was done to a file.
type FileAction string

// The actions, heaviest first.
const (
	FileEdit  FileAction = "edit"  // Its content was changed.
	FileWrite FileAction = "write" // It was written or saved as a whole.
	FileGrep  FileAction = "grep"  // It was searched or listed.
	FileRead  FileAction = "read"  // It was read or opened.
)

// ActiveFile is a file that is being worked with.
type ActiveFile struct {
	// Relative to the workspace, with /.
	Path string `json:"path"`
	// The heaviest thing that was done to it.
	Action FileAction `json:"action"`
	// How often anything was done to it.
	Count int `json:"count"`
	// Weight of the action + 3 × count (systems.md B8).
	Rank int `json:"rank"`
	// When something was last done to it.
	LastSeen Time `json:"lastSeen"`
	// The session that did it.
	SessionID string `json:"sessionId"`
	// The agent or editor that did it.
	By string `json:"by,omitzero"`
	// SHA-256 of its content then, hex, where known.
	Hash string `json:"hash,omitzero"`
}

// ErrorOrigin says who reported an error.
type ErrorOrigin string

// The origins.
const (
	OriginDiagnostic ErrorOrigin = "diagnostic" // A language server.
	OriginCommand    ErrorOrigin = "command"    // A command that failed.
)

// OpenError is an error that nobody has yet seen fixed.
type OpenError struct {
	// 12 hex digits; the same error on another line has the same one.
	Fingerprint string `json:"fingerprint"`
	// "typecheck", "test", "lint", "build", "runtime", or a category that the
	// settings add.
	Category string `json:"category"`
	// The error in one line; that of a failing test begins with the test's id.
	Summary string `json:"summary"`
	// The file, relative to the workspace, absolute outside it.
	Path string `json:"path,omitzero"`
	// The line, from 1.
	Line int `json:"line,omitzero"`
	// The language server or tool that reports it.
	Tool string `json:"tool,omitzero"`
	// The command that failed.
	Command string `json:"command,omitzero"`
	// How often it was reported.
	Count int `json:"count"`
	// When it was first reported.
	FirstSeen Time `json:"firstSeen"`
	// When it was last reported.
	LastSeen Time `json:"lastSeen"`
	// False from a restart of the server until it is reported again.
	Verified bool `json:"verified"`
	// True once its file was edited.
	MaybeFixed bool `json:"maybeFixed,omitzero"`
	// True if the command ended with code 0 because of a pipe, and it is the test
	// runner's own summary that says that tests failed.
	Masked bool `json:"masked,omitzero"`
	// All who report it; it is closed when each of them has closed it.
	Sources []ErrorSource `json:"sources"`
}

// ErrorSource is one who reports an error.
type ErrorSource struct {
	// A language server or a command.
	Origin ErrorOrigin `json:"origin"`
	// The session in which it was reported.
	SessionID string `json:"sessionId"`
	// Whether that session goes on.
	Live bool `json:"live"`
}

// PressureLevel says how full the agent's context is.
type PressureLevel string

// The levels.
const (
	PressureSafe     PressureLevel = "safe"     // Under 70 %.
	PressureModerate PressureLevel = "moderate" // 70 to 84 %.
	PressureHigh     PressureLevel = "high"     // 85 to 94 %.
	PressureCritical PressureLevel = "critical" // 95 % and over.
)

// PressureHint says how hard to compress.
type PressureHint string

// The hints.
const (
	HintNormal    PressureHint = "normal"                // Under 20 %.
	HintLight     PressureHint = "light_compression"     // From 20 %.
	HintMedium    PressureHint = "medium_compression"    // From 40 %.
	HintHeavy     PressureHint = "heavy_compression"     // From 60 %.
	HintEmergency PressureHint = "emergency_compression" // From 75 %.
)

// PressureUnit is what usage is counted in.
type PressureUnit string

// The units.
const (
	UnitChars  PressureUnit = "chars"  // Characters.
	UnitTokens PressureUnit = "tokens" // Tokens of the agent's model.
)

// UsageReportedParams say how full an agent's context is, in tokens where both
// are given, else in characters.
type UsageReportedParams struct {
	Params
	// Characters of the prompt.
	PromptChars *int `json:"promptChars,omitzero"`
	// Characters that it can have; by default the setting pressure.charLimit.
	CharLimit *int `json:"charLimit,omitzero"`
	// Tokens of the prompt.
	TokensUsed *int `json:"tokensUsed,omitzero"`
	// Tokens that it can have.
	TokensMax *int `json:"tokensMax,omitzero"`
	// Messages in the history of the host.
	MessagesInHistory *int `json:"messagesInHistory,omitzero"`
	// The prompt itself, for the intervention.
	VisiblePrompt string `json:"visiblePrompt,omitzero"`
}

// PressureParams ask how full the agent's context is.
type PressureParams struct {
	Params
}

// Pressure is how much of its context an agent has used.
type Pressure struct {
	// How full it is.
	Level PressureLevel `json:"level"`
	// How hard to compress.
	Hint PressureHint `json:"hint"`
	// What to compress then.
	Advice string `json:"advice,omitzero"`
	// 100 × used / limit.
	Percentage float64 `json:"percentage"`
	// Used, in units.
	Used int `json:"used"`
	// The limit, in units.
	Limit int `json:"limit"`
	// What is counted.
	Unit PressureUnit `json:"unit"`
	// How often the client was told that the level is critical.
	InterventionsSent int `json:"interventionsSent"`
	// When usage was last reported; empty if it never was.
	LastChecked Time `json:"lastChecked"`
	// Earlier reports, oldest first.
	History []PressurePoint `json:"history"`
}

// PressurePoint is one earlier report of usage.
type PressurePoint struct {
	// When.
	At Time `json:"at"`
	// 100 × used / limit.
	Percentage float64 `json:"percentage"`
}

// TraceEvent is one change in the log of the workspace.
type TraceEvent struct {
	// Position in the log, rising from 1.
	Seq int64 `json:"seq"`
	// When.
	At Time `json:"at"`
	// What was done, as noun.participle, such as "memory.added".
	Kind string `json:"kind"`
	// Id of what it was done to: an entry's id, a fingerprint, a path.
	Subject string `json:"subject"`
	// The session in which it was done.
	SessionID string `json:"sessionId,omitzero"`
	// The agent or editor that did it.
	By string `json:"by,omitzero"`
	// What it was before.
	Before json.RawMessage `json:"before,omitzero"`
	// What it is since.
	After json.RawMessage `json:"after,omitzero"`
	// Why, as a code or a sentence.
	Reason string `json:"reason,omitzero"`
}
