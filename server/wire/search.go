package wire

// SearchParams are what to search for, and a filter. Of a list of the filter, one has to match.
// agentId and taskId are a part of it: they find only what that agent recorded, and for that task. at is when it is
// asked: from it days such as "last Tuesday", which are those of UTC, and the ages of what is found are seen.
type SearchParams struct {
	Params
	// The words to search for, or a question; at most 10000 characters.
	Query string `json:"query"`
	// The maximum number of hits, 1 to 100; 10 if absent or 0.
	Limit int `json:"limit,omitzero"`
	// Only what is in these stores, such as "workspace".
	Stores []string `json:"stores,omitzero"`
	// Only what is of these types, such as "decision".
	Types []string `json:"types,omitzero"`
	// Only what has one of these tags.
	Tags []string `json:"tags,omitzero"`
	// Only what belongs to this episode.
	EpisodeID string `json:"episodeId,omitzero"`
	// Only what was written at this time or later.
	Since Time `json:"since,omitzero"`
	// Only what was written at this time or before.
	Until Time `json:"until,omitzero"`
	// Only what is at least so important, 0 to 1.
	MinImportance float64 `json:"minImportance,omitzero"`
	// Whether to find entries that somebody took out of force, too; true by default, but false for the tool of MCP.
	// Removed items are not found.
	IncludeRemoved *bool `json:"includeRemoved,omitzero"`
	// Whether to say which words of the query made a hit similar.
	Explain bool `json:"explain,omitzero"`
}

// SearchTuneParams apply coefficients to the rating of what is found, such as those that wm/status
// proposes. They replace those of the settings until the settings change.
type SearchTuneParams struct {
	Params
	// The coefficients; absent takes back what was applied, so that the settings are in force.
	Coefficients *Coefficients `json:"coefficients,omitzero"`
}

// SearchTuneResult is what is in force.
type SearchTuneResult struct {
	// The coefficients before.
	Before Coefficients `json:"before"`
	// The coefficients now.
	After Coefficients `json:"after"`
}

// SearchResult is what was found.
type SearchResult struct {
	// The hits, the best first.
	Hits []SearchHit `json:"hits"`
	// How long the search took, in microseconds.
	TookMicros int64 `json:"tookMicros"`
	// How it was searched.
	Mode SearchMode `json:"mode"`
	// Why the endpoint for embeddings took no part; absent if it did or the settings name none.
	Fallback string `json:"fallback,omitzero"`
	// The first ten members of the params that were ignored because they are not known, such as a misspelt filter,
	// each with those that are; absent if there are none.
	Ignored []string `json:"ignored,omitzero"`
}

// SearchMode is the method with which a search was done.
type SearchMode string

// The ways.
const (
	SearchHybrid  SearchMode = "hybrid"  // By the words in the index, and by vectors of an endpoint for embeddings.
	SearchLexical SearchMode = "lexical" // By the words in the index.
	SearchScan    SearchMode = "scan"    // By the words of at most 5000 documents, if no index finds any.
)

// SearchHit is a document that was found.
type SearchHit struct {
	// The text with its data.
	Item SearchItem `json:"item"`
	// The store of the item: workspace, errors, decisions, core, notes, conversation, sessions, or one of
	// the items'.
	Store string `json:"store"`
	// A line that says where it is from and in which state it is, such as
	// "Agent notes · detail/api.md › Retries · claude: Fix the totals". That of an entry also says who put it
	// into words, as in "Project memory · Decision · person".
	From string `json:"from"`
	// Where it stands.
	Place SearchPlace `json:"place"`
	// The sum of the parts, without duplication, which is subtracted.
	Score float64 `json:"score"`
	// What made the score.
	Parts SearchParts `json:"parts"`
	// What made it similar, if explain is true.
	Reasons []SearchReason `json:"reasons,omitzero"`
}

// SearchPlace is where something stands that was found: the file, if there is a location, or else the item
// of the panel.
type SearchPlace struct {
	// The id for wm/panel/resolve: of the item of the panel that shows it, or of the text itself if the
	// panel has no such item.
	ItemID string `json:"itemId"`
	// The session whose panel has that item; absent if the panel that the client is shown has it.
	SessionID string `json:"sessionId,omitzero"`
	// The file and the place in it.
	Location *PanelLocation `json:"location,omitzero"`
}

// SearchItem is an item of a store.
type SearchItem struct {
	// The id in its store: for the workspace memory, the id of the entry.
	ID string `json:"id"`
	// The type, such as "decision".
	Type string `json:"type,omitzero"`
	// The text.
	Text string `json:"text"`
	// What to know before trusting the text; absent if it holds.
	State SearchState `json:"state,omitzero"`
	// The file that the text is in or about: that of a note relative to the folder of the notes of its
	// session, others to the worktree.
	Path string `json:"path,omitzero"`
	// The heading in that file under which the text is.
	Section string `json:"section,omitzero"`
	// When it was written.
	At Time `json:"at,omitzero"`
	// Until when it is recalled; absent if it always is.
	Until Time `json:"until,omitzero"`
	// When an entry was removed or evicted; absent if it is in force.
	DeletedAt Time `json:"deletedAt,omitzero"`
	// The importance, 0 to 1.
	Importance float64 `json:"importance"`
	// Who said it.
	Speaker string `json:"speaker,omitzero"`
	// Who put it into words, if it is an entry; absent if that is not known.
	Author Author `json:"author,omitzero"`
	// The session to which it belongs.
	SessionID string `json:"sessionId,omitzero"`
	// The agent that recorded it.
	AgentID string `json:"agentId,omitzero"`
	// The task to which it belongs.
	TaskID string `json:"taskId,omitzero"`
	// The episode to which it belongs.
	EpisodeID string `json:"episodeId,omitzero"`
	// The tags.
	Tags []string `json:"tags,omitzero"`
}

// SearchState is the state of a document.
type SearchState string

// The states.
const (
	SearchStale   SearchState = "stale"   // It may be outdated.
	SearchEvicted SearchState = "evicted" // It had to make room for others, and is not in force.
	SearchRemoved SearchState = "removed" // Somebody took it out of force.
	SearchOpen    SearchState = "open"    // The error is there.
	SearchClosed  SearchState = "closed"  // The error is gone; the text says why.
)

// SearchParts are the parts of a score. Each is weighted by its setting, see recall in the
// settings.
type SearchParts struct {
	// How well the text fits the query: the square of its share of what the best one fits.
	Similarity float64 `json:"similarity"`
	// How new the text is.
	Recency float64 `json:"recency"`
	// How important the text is.
	Importance float64 `json:"importance"`
	// How much of it better hits say; this is subtracted.
	Duplication float64 `json:"duplication"`
}

// SearchReason is something that made a document similar to a query.
type SearchReason struct {
	// What it is, such as "word", "thread" or "date".
	Reason string `json:"reason"`
	// The word, if it is one.
	Word string `json:"word,omitzero"`
	// What it added.
	Score float64 `json:"score"`
}
