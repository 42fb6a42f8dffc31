package wire

// CompactionStartingParams say that the conversation is about to be summarised.
type CompactionStartingParams struct {
	Params
}

// CompactionStartingResult is what the summary must not lose.
type CompactionStartingResult struct {
	// What to add to the compaction prompt.
	Context string `json:"context"`
}

// CompactionFinishedParams are the summary that replaced the conversation.
type CompactionFinishedParams struct {
	Params
	// The summary. Its last <workspace_memory_candidates> block holds what to
	// remember, as lines of the form "- [type] text".
	Summary string `json:"summary"`
}

// CompactionFinishedResult says what was taken from the summary.
type CompactionFinishedResult struct {
	// One for each candidate.
	Memories []Receipt `json:"memories"`
	// One for each decision of the session that became a memory.
	Promoted []Receipt `json:"promoted"`
}
