package wire

// CoreReadParams request the core memory of a session.
type CoreReadParams struct {
	Params
}

// CoreReadResult is the core memory of a session.
type CoreReadResult struct {
	// The blocks.
	Blocks CoreBlocks `json:"blocks"`
}

// CoreBlocks are the blocks of a core memory.
type CoreBlocks struct {
	// The goal of the agent.
	Goal CoreBlock `json:"goal"`
	// What is done and what is next.
	Progress CoreBlock `json:"progress"`
	// Other facts that the agent needs.
	Context CoreBlock `json:"context"`
}

// CoreBlock is one block.
type CoreBlock struct {
	// The text.
	Content string `json:"content"`
	// The length in characters.
	Chars int `json:"chars"`
	// The maximum length in characters.
	MaxChars int `json:"maxChars"`
	// When it was last written; empty if never.
	UpdatedAt Time `json:"updatedAt"`
}

// CoreOperation is what an update does to the current text.
type CoreOperation string

// The operations.
const (
	CoreReplace CoreOperation = "replace" // Replace it with the content.
	CoreAppend  CoreOperation = "append"  // Append the content on a new line.
)

// CoreBlockName is the name of a block.
type CoreBlockName string

// The blocks.
const (
	CoreGoal     CoreBlockName = "goal"     // The goal of the agent.
	CoreProgress CoreBlockName = "progress" // What is done and what is next.
	CoreContext  CoreBlockName = "context"  // Other facts that the agent needs.
)

// CoreUpdateParams write a block.
type CoreUpdateParams struct {
	Params
	// The block to write.
	Block CoreBlockName `json:"block"`
	// What to do with the current text; replace by default.
	Operation CoreOperation `json:"operation,omitzero"`
	// The text.
	Content string `json:"content"`
	// The revision from an undo or a conflict. If the current one is different, nothing is
	// written.
	IfRevision Revision `json:"ifRevision,omitzero"`
}

// CoreUpdateResult is the updated block.
type CoreUpdateResult struct {
	// The block.
	Block CoreBlock `json:"block"`
	// The number of secrets that were removed from the content.
	Redactions int `json:"redactions,omitzero"`
	// What was removed: the rules, such as "secret" or "email".
	Redacted []string `json:"redacted,omitzero"`
	// The call that restores the previous text.
	Undo *Undo `json:"undo,omitzero"`
}
