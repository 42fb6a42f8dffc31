package wire

// MessageReceivedParams are a new message of a conversation.
type MessageReceivedParams struct {
	Params
	// The author.
	Role Role `json:"role"`
	// The text.
	Text string `json:"text"`
	// The host's id of the message. A repeated id is ignored.
	MessageID string `json:"messageId,omitzero"`
	// The length in tokens, if known.
	Tokens int `json:"tokens,omitzero"`
}

// Role is the author of a message.
type Role string

// The roles.
const (
	RoleUser      Role = "user"      // The person. Each message begins a turn.
	RoleAssistant Role = "assistant" // The model.
	RoleSystem    Role = "system"    // The host.
	RoleTool      Role = "tool"      // A tool.
)

// MessageReceivedResult is what was recorded of a message.
type MessageReceivedResult struct {
	// A receipt for each request to remember something, and for each entry that is offered.
	Memories []Receipt `json:"memories"`
	// What the user said that directs the work: corrections, rules, preferences and choices,
	// with the sentence that they answer after " → " if they have none of their own.
	Decisions []string `json:"decisions"`
	// The todos in the message.
	Todos []string `json:"todos"`
	// The number of secrets that were removed from the text.
	Redactions int `json:"redactions,omitzero"`
	// What was removed: the rules, such as "secret" or "email".
	Redacted []string `json:"redacted,omitzero"`
}
