package wire

// HistoryTarget is the part of a conversation that is compacted.
type HistoryTarget string

// The targets.
const (
	TargetConversation HistoryTarget = "conversation" // Turns, with the tool outputs in them.
	TargetTools        HistoryTarget = "tools"        // Tool outputs.
	TargetAll          HistoryTarget = "all"          // Both.
)

// HistoryStrategy is what happens to the removed messages.
type HistoryStrategy string

// The strategies.
const (
	StrategyArchive   HistoryStrategy = "archive"   // They are written to a note.
	StrategySummarize HistoryStrategy = "summarize" // Only the summary is kept.
)

// HistoryCompactParams request a compaction.
type HistoryCompactParams struct {
	Params
	// Which part of the conversation.
	Target HistoryTarget `json:"target"`
	// What happens to the removed messages; archive by default.
	Strategy HistoryStrategy `json:"strategy,omitzero"`
	// The number of turns, or tool outputs, to keep, 1 to 10000; the setting
	// history.keepRecent if absent or 0.
	KeepRecent int `json:"keepRecent,omitzero"`
	// A note in detail/ for the removed messages; a new one by default. An existing note
	// is extended.
	ArchiveTo string `json:"archiveTo,omitzero"`
	// The summary of the model; by default the server makes one. A missing task, next
	// step or decision is added. It is read as that of wm/compaction/finished.
	Summary string `json:"summary,omitzero"`
}

// HistoryCompactResult is the result of a compaction.
type HistoryCompactResult struct {
	// The ids of the removed messages and outputs; may be empty. An id is the messageId or the
	// callId of the report. What was reported without one has an id that the server has made
	// and the client does not know: "m" and 26 letters and digits.
	Removed []string `json:"removed"`
	// The ids of the kept messages and outputs, in the order in which they were reported. The
	// newest one is the last, so a client without ids counts from the end.
	Kept []string `json:"kept"`
	// The summary of the removed messages.
	Summary string `json:"summary"`
	// The note with the removed messages.
	ArchivedTo string `json:"archivedTo,omitzero"`
	// The length before, in tokens.
	TokensBefore int `json:"tokensBefore"`
	// The length now, with the summary, in tokens.
	TokensAfter int `json:"tokensAfter"`
	// A receipt for each candidate of the given summary; see wm/compaction/finished.
	Memories []Receipt `json:"memories,omitempty"`
	// A receipt for each other decision, rule and root cause of it that is offered now.
	Promoted []Receipt `json:"promoted,omitempty"`
}
