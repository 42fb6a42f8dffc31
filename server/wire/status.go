package wire

// StatusParams request the status of the server.
type StatusParams struct {
	Params
}

// StatusResult is the status of the server.
type StatusResult struct {
	// The version of the server.
	Version string `json:"version"`
	// Where the memory is stored.
	Store StatusStore `json:"store"`
	// The workspace.
	Workspace StatusWorkspace `json:"workspace"`
	// The number of live sessions.
	Sessions int `json:"sessions"`
	// The size of the memory.
	Sizes StatusSizes `json:"sizes"`
	// The memory types that hold items; empty if no folder is open.
	MemoryTypes []MemoryType `json:"memoryTypes"`
	// How entries are searched.
	Retrieval Retrieval `json:"retrieval"`
	// How what is found is rated.
	Rating *StatusRating `json:"rating,omitzero"`
	// The endpoint for embeddings; absent if the settings name none.
	Embeddings *StatusEmbeddings `json:"embeddings,omitzero"`
	// How much of the index of search is made; absent if it is complete or nobody needs it yet.
	Index *StatusIndex `json:"index,omitzero"`
	// When recording resumes; absent if it is not paused.
	PausedUntil Time `json:"pausedUntil,omitzero"`
	// The problems, worst first.
	Problems []StatusProblem `json:"problems"`
}

// StatusStore is where the memory is stored.
type StatusStore struct {
	// The folder of the memory; empty if no folder is open.
	Path string `json:"path"`
	// False if nothing can be stored.
	Healthy bool `json:"healthy"`
}

// ResolvedBy is the way in which the root of a workspace was found.
type ResolvedBy string

// The ways.
const (
	ResolvedByGit     ResolvedBy = "git"     // The repository that contains the folder.
	ResolvedByFolder  ResolvedBy = "folder"  // The folder itself, because it is in no repository.
	ResolvedBySetting ResolvedBy = "setting" // The folder itself, because of the settings.
)

// StatusWorkspace is the workspace of a folder. All members are empty if no folder is open.
type StatusWorkspace struct {
	// The absolute path of the root.
	Root string `json:"root"`
	// The first 16 hex digits of the SHA-256 of the root's real path.
	Key string `json:"key"`
	// How the root was found.
	ResolvedBy ResolvedBy `json:"resolvedBy"`
}

// StatusSizes are the sizes of the memory.
type StatusSizes struct {
	// The size of the database in bytes, with its write-ahead log.
	DatabaseBytes int64 `json:"databaseBytes"`
	// The number of changes in the log, without the snapshot.
	Changes int64 `json:"changes"`
	// The number of active entries.
	Entries int `json:"entries"`
	// The number of active files.
	Files int `json:"files"`
	// The number of open errors.
	Errors int `json:"errors"`
}

// StatusIndex is the progress of making the index of search.
type StatusIndex struct {
	// The number of documents that are in it.
	Done int `json:"done"`
	// The number of documents that there are.
	Total int `json:"total"`
}

// Coefficients say how much each part of a score counts, see recall in the settings.
type Coefficients struct {
	// How much counts how well a document fits the query, 0 to 1.
	Similarity float64 `json:"similarity"`
	// How much counts how new a document is, 0 to 1.
	Recency float64 `json:"recency"`
	// How much counts how important a document is, 0 to 1.
	Importance float64 `json:"importance"`
	// How much is taken away from a document whose words are those of a better one, 0 to 1.
	Duplication float64 `json:"duplication"`
	// How fast a document is no longer new: after d days, exp(-decay·d) of its recency is left; 0 to 10.
	Decay float64 `json:"decay"`
}

// StatusRating has the coefficients with which hits are rated, and better ones.
type StatusRating struct {
	// The coefficients in force.
	Coefficients Coefficients `json:"coefficients"`
	// True if they were applied with wm/search/tune, and are not those of the settings.
	Tuned bool `json:"tuned"`
	// Coefficients that would have put what was used further to the front; absent if none would, or
	// too little was searched and used yet. They are not applied without wm/search/tune.
	Proposal *RatingProposal `json:"proposal,omitzero"`
}

// RatingProposal is other coefficients with what they gain.
type RatingProposal struct {
	// The coefficients.
	Coefficients Coefficients `json:"coefficients"`
	// The mean reciprocal rank of what was used first, with the coefficients in force, 0 to 1.
	Now float64 `json:"now"`
	// What is added to it, measured on searches on which the proposal was not chosen.
	Gain float64 `json:"gain"`
	// The number of searches of which something was used.
	Searches int `json:"searches"`
}

// StatusEmbeddings is what is known of the endpoint for embeddings.
type StatusEmbeddings struct {
	// The name of the model.
	Model string `json:"model"`
	// The length of its vectors; 0 if there is none yet.
	Dimensions int `json:"dimensions"`
	// The number of documents that have a vector.
	Done int `json:"done"`
	// The number of documents that there are.
	Total int `json:"total"`
	// Why search goes by words now; absent if it does not.
	Fallback string `json:"fallback,omitzero"`
}

// Retrieval is the way in which entries are searched.
type Retrieval string

// The ways.
const (
	RetrievalLexical Retrieval = "lexical" // By words.
	RetrievalHybrid  Retrieval = "hybrid"  // By words and by vectors of an endpoint for embeddings.
)

// ProblemSeverity is the severity of a problem.
type ProblemSeverity string

// The severities.
const (
	ProblemError   ProblemSeverity = "error"   // Something does not work.
	ProblemWarning ProblemSeverity = "warning" // Something does not work as configured.
)

// StatusProblem is a problem.
type StatusProblem struct {
	// The severity.
	Severity ProblemSeverity `json:"severity"`
	// What is wrong.
	Message string `json:"message"`
	// How to fix it.
	Fix string `json:"fix,omitzero"`
}
