package wire

// MessageReceivedParams are a message that was added to a conversation.
type MessageReceivedParams struct {
	Params
	// Who speaks.
	Role Role `json:"role"`
	// What they say.
	Text string `json:"text"`
	// The host's id of the message; the same one twice counts once.
	MessageID string `json:"messageId,omitzero"`
	// Its length in tokens, where known.
	Tokens int `json:"tokens,omitzero"`
}

// Role says who speaks.
type Role string

// The roles.
const (
	RoleUser      Role = "user"      // The person; each of their messages begins a turn.
	RoleAssistant Role = "assistant" // The model.
	RoleSystem    Role = "system"    // The host.
	RoleTool      Role = "tool"      // A tool.
)

// MessageReceivedResult says what was taken from the message.
type MessageReceivedResult struct {
	// One for each request to remember something.
	Memories []Receipt `json:"memories"`
	// Decisions that it states.
	Decisions []string `json:"decisions"`
	// Things to do that it states.
	Todos []string `json:"todos"`
}
