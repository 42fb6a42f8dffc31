package wire

// CompactionStartingParams report that the conversation is about to be summarised.
type CompactionStartingParams struct {
	Params
}

// CompactionStartingResult is what the summary must contain.
type CompactionStartingResult struct {
	// The text to add to the compaction prompt.
	Context string `json:"context"`
	// What was said in the session that holds beyond it and that nobody has kept. The context
	// lists it, and the agent keeps one by repeating it as a candidate.
	Offered []MemoryEntry `json:"offered"`
}

// CompactionFinishedParams are the summary that has replaced the conversation.
type CompactionFinishedParams struct {
	Params
	// The summary. Its last <workspace_memory_candidates> block contains what to
	// remember, in lines of the form "- [type] text".
	Summary string `json:"summary"`
}

// CompactionFinishedResult is what was remembered of the summary, and what is offered.
type CompactionFinishedResult struct {
	// A receipt for each candidate.
	Memories []Receipt `json:"memories"`
	// A receipt for each decision, rule and root cause outside of the block that is offered now.
	Promoted []Receipt `json:"promoted"`
}
