package wire

// ProtocolVersion is the version of the wm/* methods.
const ProtocolVersion = 1

// ServerCapability is experimental.workingMemory in the server's capabilities.
type ServerCapability struct {
	// The version of the protocol: 1.
	Version int `json:"version"`
	// The wm/* methods of the server.
	Methods []string `json:"methods"`
}

// ClientCapability is experimental.workingMemory in the client's capabilities.
type ClientCapability struct {
	// Whether the client wants wm/* notifications.
	Notifications bool `json:"notifications,omitzero"`
}

// InitializationOptions are the members of initializationOptions that are not
// settings.
type InitializationOptions struct {
	// The id of the connection's session. The default is derived from the workspace, the
	// client's name and its process, so a server that an editor restarts resumes the
	// session.
	SessionID string `json:"sessionId,omitzero"`
	// The agent; the client's name by default. A client that sets neither it nor attach or
	// toolNames is an editor: what it writes into its own session is of the person who uses it.
	Agent string `json:"agent,omitzero"`
	// Whether this process is only attached to its sessions and owns none, not even with
	// wm/session/start. It is for processes that handle one event, such as a hook or a
	// command. When the process ends, the sessions stay live until
	// session.leaseMinutes have passed without an event; those of wm-lsp hook also end with the
	// process of their agent.
	Attach bool `json:"attach,omitzero"`
	// Whether a wm/* request with an unknown member is refused. Otherwise the member is
	// ignored, which is logged once, and the answers of wm/search and wm/context say it.
	Strict bool `json:"strict,omitzero"`
	// The names by which the agent can call wm/* methods, by method; the methods themselves
	// by default. The guide in a context mentions no other methods.
	ToolNames map[string]string `json:"toolNames,omitzero"`
	// What stands before the names of settings in the client, such as "workingMemory.". A
	// problem of one of the client's settings names it so.
	SettingsPrefix string `json:"settingsPrefix,omitzero"`
}
