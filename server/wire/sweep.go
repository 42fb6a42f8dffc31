package wire

// SweepParams ask for a sweep.
type SweepParams struct {
	Params
}

// SweepResult says what a sweep did.
type SweepResult struct {
	// When it was.
	At Time `json:"at"`
	// Kept outputs that were looked at.
	Scanned int `json:"scanned"`
	// Kept outputs that were deleted, because they were too many or too old.
	Deleted int `json:"deleted"`
	// Bytes that they had.
	ReclaimedBytes int `json:"reclaimedBytes"`
	// Names of the files and folders that could not be deleted.
	Failed []string `json:"failed"`
	// Folders that were deleted of sessions that are over for too long, or that nobody
	// knows.
	Sessions int `json:"sessions"`
}
