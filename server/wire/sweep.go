package wire

// SweepParams request a sweep.
type SweepParams struct {
	Params
}

// SweepResult is the result of a sweep.
type SweepResult struct {
	// The time of the sweep.
	At Time `json:"at"`
	// The number of stored outputs.
	Scanned int `json:"scanned"`
	// The number of outputs that were deleted because there were too many or they were too
	// old.
	Deleted int `json:"deleted"`
	// The size of the deleted outputs in bytes.
	ReclaimedBytes int `json:"reclaimedBytes"`
	// The names of files and folders that could not be deleted.
	Failed []string `json:"failed"`
	// The number of deleted folders of sessions that ended too long ago or are unknown.
	Sessions int `json:"sessions"`
	// The number of entries that were deleted because too many were no longer in force.
	Entries int `json:"entries"`
}
