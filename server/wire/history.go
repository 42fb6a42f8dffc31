package wire

// HistoryTarget says what of a conversation is compacted.
type HistoryTarget string

// The targets.
const (
	TargetConversation HistoryTarget = "conversation" // Turns, with the outputs of tools in them.
	TargetTools        HistoryTarget = "tools"        // Outputs of tools.
	TargetAll          HistoryTarget = "all"          // Both.
)

// HistoryStrategy says what becomes of messages that leave a conversation.
type HistoryStrategy string

// The strategies.
const (
	StrategyArchive   HistoryStrategy = "archive"   // They are written to a note.
	StrategySummarize HistoryStrategy = "summarize" // Only the summary stands for them.
)

// HistoryCompactParams say what to compact.
type HistoryCompactParams struct {
	Params
	// What of the conversation.
	Target HistoryTarget `json:"target"`
	// What becomes of it; archive if absent.
	Strategy HistoryStrategy `json:"strategy,omitzero"`
	// Turns, or outputs of tools, that stay, from 1; the setting history.keepRecent if absent or 0.
	KeepRecent int `json:"keepRecent,omitzero"`
	// A note in detail/ for what leaves; a new one if absent. One that is there is continued.
	ArchiveTo string `json:"archiveTo,omitzero"`
	// The model's own summary; without one the server takes what matters from the
	// messages. The task, the next step and decisions that it forgets are added.
	Summary string `json:"summary,omitzero"`
}

// HistoryCompactResult is what became of the conversation.
type HistoryCompactResult struct {
	// Ids of the messages that left; none where there was nothing to leave.
	Removed []string `json:"removed"`
	// Ids of those that stay, in order.
	Kept []string `json:"kept"`
	// What stands for those that left.
	Summary string `json:"summary"`
	// The note that has them.
	ArchivedTo string `json:"archivedTo,omitzero"`
	// Tokens of the conversation before.
	TokensBefore int `json:"tokensBefore"`
	// Tokens of it now, with the summary.
	TokensAfter int `json:"tokensAfter"`
}
