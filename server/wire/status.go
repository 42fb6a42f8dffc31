package wire

// StatusParams ask how the server is.
type StatusParams struct {
	Params
}

// StatusResult says how the server is.
type StatusResult struct {
	// Of the server.
	Version string `json:"version"`
	// Where memory is kept.
	Store StatusStore `json:"store"`
	// Which memory it is.
	Workspace StatusWorkspace `json:"workspace"`
	// Sessions of the workspace that go on.
	Sessions int `json:"sessions"`
	// How much there is.
	Sizes StatusSizes `json:"sizes"`
	// How memories are searched.
	Retrieval Retrieval `json:"retrieval"`
	// When recording goes on; absent if nothing is paused.
	PausedUntil Time `json:"pausedUntil,omitzero"`
	// What is wrong, worst first.
	Problems []StatusProblem `json:"problems"`
}

// StatusStore says where memory is kept.
type StatusStore struct {
	// The folder of the workspace's memory; empty if no folder is open.
	Path string `json:"path"`
	// False if nothing can be kept.
	Healthy bool `json:"healthy"`
}

// ResolvedBy says how the root of a workspace was found.
type ResolvedBy string

// How.
const (
	ResolvedByGit     ResolvedBy = "git"     // The repository that holds the folder.
	ResolvedByFolder  ResolvedBy = "folder"  // The folder itself: it is in no repository.
	ResolvedBySetting ResolvedBy = "setting" // The folder itself: the settings say so.
)

// StatusWorkspace says which memory a folder belongs to. All is empty if no
// folder is open.
type StatusWorkspace struct {
	// Its root, absolute.
	Root string `json:"root"`
	// First 16 hex digits of SHA-256 of the root's real path.
	Key string `json:"key"`
	// How the root was found.
	ResolvedBy ResolvedBy `json:"resolvedBy"`
}

// StatusSizes say how much is kept.
type StatusSizes struct {
	// Bytes of the database.
	DatabaseBytes int64 `json:"databaseBytes"`
	// Changes in the log, those in the snapshot left out.
	Changes int64 `json:"changes"`
	// Active entries of the workspace memory.
	Entries int `json:"entries"`
	// Active files.
	Files int `json:"files"`
	// Open errors.
	Errors int `json:"errors"`
}

// Retrieval says how memories are searched.
type Retrieval string

// How.
const (
	RetrievalLexical Retrieval = "lexical" // By words.
	RetrievalHybrid  Retrieval = "hybrid"  // By words and by meaning.
)

// ProblemSeverity says how bad a problem is.
type ProblemSeverity string

// How bad.
const (
	ProblemError   ProblemSeverity = "error"   // Something does not work.
	ProblemWarning ProblemSeverity = "warning" // Something works differently than asked for.
)

// StatusProblem is something that is wrong.
type StatusProblem struct {
	// How bad it is.
	Severity ProblemSeverity `json:"severity"`
	// What is wrong.
	Message string `json:"message"`
	// What to do about it.
	Fix string `json:"fix,omitzero"`
}
