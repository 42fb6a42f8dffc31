package wire

// PauseParams say how long nothing is to be recorded.
type PauseParams struct {
	Params
	// How long; the setting recording.pauseMinutes by default.
	Minutes int `json:"minutes,omitzero"`
	// True to record again, now.
	Resume bool `json:"resume,omitzero"`
}

// PauseResult says whether anything is recorded.
type PauseResult struct {
	// When recording goes on; absent if nothing is paused.
	PausedUntil Time `json:"pausedUntil,omitzero"`
}
