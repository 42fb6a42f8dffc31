package wire

// OutputReadParams name an output that was pruned.
type OutputReadParams struct {
	Params
	// The reference that came with the pruned output.
	Ref string `json:"ref"`
	// The character to begin at.
	Offset int `json:"offset,omitzero"`
	// How many characters at most; all by default.
	Limit int `json:"limit,omitzero"`
}

// OutputReadResult is the full text of an output, or a part of it.
type OutputReadResult struct {
	// The text without its secrets.
	Output string `json:"output"`
	// Characters of the whole.
	TotalChars int `json:"totalChars"`
}
