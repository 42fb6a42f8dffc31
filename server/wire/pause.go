package wire

// PauseParams say how long to pause recording.
type PauseParams struct {
	Params
	// The duration in minutes, at most 525600, a year; 0, the default, is that of the setting recording.pauseMinutes.
	Minutes int `json:"minutes,omitzero"`
	// True to resume recording now.
	Resume bool `json:"resume,omitzero"`
}

// PauseResult is the state of recording.
type PauseResult struct {
	// When recording resumes; absent if it is not paused.
	PausedUntil Time `json:"pausedUntil,omitzero"`
}
