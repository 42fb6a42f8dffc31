package wire

// ProtocolVersion is the version of the wm/* methods that is offered.
const ProtocolVersion = 1

// ServerCapability is the server's experimental.workingMemory in the result
// of initialize.
type ServerCapability struct {
	// Version of the protocol: 1.
	Version int `json:"version"`
	// The wm/* methods that the server offers.
	Methods []string `json:"methods"`
}

// ClientCapability is the client's experimental.workingMemory in the params of
// initialize.
type ClientCapability struct {
	// Whether the client wants wm/* notifications; no others get them.
	Notifications bool `json:"notifications,omitzero"`
}

// InitializationOptions are the members of initializationOptions that are not
// settings.
type InitializationOptions struct {
	// Id of the connection's session; by default made from the workspace, the
	// client's name and its process, so that a server that an editor restarts
	// resumes its session.
	SessionID string `json:"sessionId,omitzero"`
	// The agent or editor; the client's name by default.
	Agent string `json:"agent,omitzero"`
	// Whether this process only speaks for sessions that outlive it, such as a hook or
	// a command that lives for one event: it owns none, also not with wm/session/start.
	// When it leaves, they go on until session.leaseMinutes pass without a sign of life.
	Attach bool `json:"attach,omitzero"`
}
