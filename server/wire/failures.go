package wire

// The error codes, as in JSON-RPC and LSP.
const (
	CodeInvalidRequest       = -32600 // After shutdown.
	CodeMethodNotFound       = -32601 // Unknown method.
	CodeInvalidParams        = -32602 // With InvalidParams.
	CodeInternalError        = -32603 // Internal error of the server.
	CodeServerNotInitialized = -32002 // Before initialize.
	CodeRequestCancelled     = -32800 // Cancelled by the client.
	CodeRequestFailed        = -32803 // With Refusal.
)

// InvalidParams is the data of error -32602.
type InvalidParams struct {
	// The path of the invalid member, such as "budget.chars"; empty if the params as a
	// whole are invalid.
	Field string `json:"field"`
	// What is wrong, and what is expected.
	Reason string `json:"reason"`
}

// RefusalReason is the reason why a request with valid params failed.
type RefusalReason string

// The reasons.
const (
	RefusalLimit       RefusalReason = "limit"       // A limit would be exceeded.
	RefusalConflict    RefusalReason = "conflict"    // It was changed meanwhile.
	RefusalNotFound    RefusalReason = "notFound"    // There is nothing with this id.
	RefusalNoWorkspace RefusalReason = "noWorkspace" // No folder is open, so nothing can be stored.
	RefusalStore       RefusalReason = "store"       // It could not be written to the disk.
	RefusalPaused      RefusalReason = "paused"      // Recording is paused.
)

// Refusal is the data of error -32803. Nothing was changed.
type Refusal struct {
	// The reason.
	Reason RefusalReason `json:"reason"`
	// The id that was not found.
	ID string `json:"id,omitzero"`
	// The limit that would be exceeded.
	Max int `json:"max,omitzero"`
	// The current or requested number.
	Used int `json:"used,omitzero"`
	// The length that the block would have, in characters.
	Chars int `json:"chars,omitzero"`
	// The maximum length of the block, in characters.
	MaxChars int `json:"maxChars,omitzero"`
	// The current revision of what was changed meanwhile; absent if it is not there any more.
	Revision Revision `json:"revision,omitzero"`
	// The revision with which the rejected text can be read.
	Kept Revision `json:"kept,omitzero"`
}
