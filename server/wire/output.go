package wire

// OutputReadParams name a pruned output.
type OutputReadParams struct {
	Params
	// The reference from the pruned output.
	Ref string `json:"ref"`
	// The first character.
	Offset int `json:"offset,omitzero"`
	// The maximum number of characters; all if absent or 0.
	Limit int `json:"limit,omitzero"`
}

// OutputReadResult is the full output, or a part of it.
type OutputReadResult struct {
	// The output without secrets.
	Output string `json:"output"`
	// The length of the full output in characters.
	TotalChars int `json:"totalChars"`
}
