package wire

// CoreReadParams ask for an agent's core memory.
type CoreReadParams struct {
	Params
}

// CoreReadResult is the core memory of a session.
type CoreReadResult struct {
	// Its blocks.
	Blocks CoreBlocks `json:"blocks"`
}

// CoreBlocks are the blocks of a core memory.
type CoreBlocks struct {
	// What the agent is working towards.
	Goal CoreBlock `json:"goal"`
	// What is done and what comes next.
	Progress CoreBlock `json:"progress"`
	// What else it has to have at hand.
	Context CoreBlock `json:"context"`
}

// CoreBlock is one block.
type CoreBlock struct {
	// The text.
	Content string `json:"content"`
	// Its characters.
	Chars int `json:"chars"`
	// Characters that it may have.
	MaxChars int `json:"maxChars"`
	// When it was last written; empty if it never was.
	UpdatedAt Time `json:"updatedAt"`
}

// CoreOperation says what an update does with what was there.
type CoreOperation string

// The operations.
const (
	CoreReplace CoreOperation = "replace" // The content takes its place.
	CoreAppend  CoreOperation = "append"  // The content follows on a new line.
)

// CoreUpdateParams write a block.
type CoreUpdateParams struct {
	Params
	// goal, progress or context.
	Block string `json:"block"`
	// What to do with what is there.
	Operation CoreOperation `json:"operation"`
	// The text.
	Content string `json:"content"`
}

// CoreUpdateResult is the block as it is now.
type CoreUpdateResult struct {
	// The block.
	Block CoreBlock `json:"block"`
	// The call that brings back what it said before.
	Undo *Undo `json:"undo,omitzero"`
}
