package wire

// SessionStartParams name a session that begins or resumes.
type SessionStartParams struct {
	Params `required:"sessionId"`
	// The agent or editor whose session it is.
	Agent string `json:"agent,omitzero"`
	// What to call it in lists.
	Title string `json:"title,omitzero"`
	// Whether to keep the conversation of the session, so that wm/history/compact can
	// make it shorter.
	History bool `json:"history,omitzero"`
}

// SessionStartResult says which session began.
type SessionStartResult struct {
	// The session.
	SessionID string `json:"sessionId"`
	// The key of its folder: the first 32 hex digits of SHA-256 of its id.
	Key string `json:"key"`
	// False if the session was known and resumes.
	Created bool `json:"created"`
}

// SessionEndParams name a session that is over.
type SessionEndParams struct {
	Params `required:"sessionId"`
}

// SessionDeleteParams name a session that is to be forgotten.
type SessionDeleteParams struct {
	Params `required:"sessionId"`
}

// SessionDeleteResult says what is gone.
type SessionDeleteResult struct {
	// Everything that was removed, one line each.
	Removed []string `json:"removed"`
}

// SessionListParams ask for the sessions of the workspace.
type SessionListParams struct {
	Params
}

// SessionListResult are the sessions of the workspace.
type SessionListResult struct {
	// Newest first.
	Sessions []Session `json:"sessions"`
	// The session whose memory a panel shows to the caller: the named one, else its own, or, if that has no
	// memory as in an editor, that of the most recently active agent.
	Shown string `json:"shown,omitzero"`
}

// Session is the time that one agent or editor spends in a workspace.
type Session struct {
	// Its id.
	SessionID string `json:"sessionId"`
	// The agent or editor.
	Agent string `json:"agent,omitzero"`
	// What to call it.
	Title string `json:"title,omitzero"`
	// Whether it goes on: the process of its owner lives, or its lease holds.
	Live bool `json:"live"`
	// When it is over without another sign of life; absent while a process owns it.
	LeaseUntil Time `json:"leaseUntil,omitzero"`
	// When it began.
	StartedAt Time `json:"startedAt"`
	// When something last happened in it.
	UpdatedAt Time `json:"updatedAt"`
	// Messages of the user so far.
	Turn int `json:"turn"`
}
