package wire

// The codes of errors, as in JSON-RPC and LSP.
const (
	CodeInvalidRequest       = -32600 // After shutdown.
	CodeMethodNotFound       = -32601 // There is no such method.
	CodeInvalidParams        = -32602 // With InvalidParams.
	CodeInternalError        = -32603 // A fault of the server.
	CodeServerNotInitialized = -32002 // Before initialize.
	CodeRequestCancelled     = -32800 // The client cancelled it.
	CodeRequestFailed        = -32803 // With Refusal.
)

// InvalidParams is the data of error -32602: what is wrong with the params.
type InvalidParams struct {
	// The member that is wrong, with dots for members within, such as
	// "budget.chars"; empty if the params as a whole are.
	Field string `json:"field"`
	// What is wrong with it, and what would be right.
	Reason string `json:"reason"`
}

// RefusalReason says why a request with right params failed.
type RefusalReason string

// Why.
const (
	RefusalLimit       RefusalReason = "limit"       // A limit would be passed.
	RefusalConflict    RefusalReason = "conflict"    // Somebody else changed it meanwhile.
	RefusalNotFound    RefusalReason = "notFound"    // There is nothing with that id.
	RefusalNoWorkspace RefusalReason = "noWorkspace" // No folder is open, so nothing can be kept.
	RefusalStore       RefusalReason = "store"       // The disk did not take it.
	RefusalPaused      RefusalReason = "paused"      // Recording is paused.
)

// Refusal is the data of error -32803: why the request failed. Nothing was
// changed by it.
type Refusal struct {
	// Why.
	Reason RefusalReason `json:"reason"`
	// Id of what was not found.
	ID string `json:"id,omitzero"`
	// The limit that would be passed.
	Max int `json:"max,omitzero"`
	// How much there is or would be.
	Used int `json:"used,omitzero"`
	// Characters that a block would have.
	Chars int `json:"chars,omitzero"`
	// Characters that it may have.
	MaxChars int `json:"maxChars,omitzero"`
	// Of a note that was changed meanwhile: its revision now.
	Revision Revision `json:"revision,omitzero"`
	// The revision under which the text that was not written can be read.
	Kept Revision `json:"kept,omitzero"`
}
