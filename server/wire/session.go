package wire

// SessionStartParams start or resume a session.
type SessionStartParams struct {
	Params `required:"sessionId"`
	// The agent or editor.
	Agent string `json:"agent,omitzero"`
	// The title for lists.
	Title string `json:"title,omitzero"`
	// Whether to keep the conversation, for wm/history/compact.
	History bool `json:"history,omitzero"`
}

// SessionStartResult is the session that was started.
type SessionStartResult struct {
	// The id of the session.
	SessionID string `json:"sessionId"`
	// The name of its folder: the first 32 hex digits of the SHA-256 of its id.
	Key string `json:"key"`
	// False if the session was known already.
	Created bool `json:"created"`
}

// SessionEndParams end a session.
type SessionEndParams struct {
	Params `required:"sessionId"`
}

// SessionEndResult is what the session leaves to decide.
type SessionEndResult struct {
	// What was said in the session that holds beyond it and that nobody has kept. To keep
	// one, call wm/memory/update with its id and status "active".
	Offered []MemoryEntry `json:"offered"`
}

// SessionDeleteParams delete a session.
type SessionDeleteParams struct {
	Params `required:"sessionId"`
}

// SessionDeleteResult is what was removed.
type SessionDeleteResult struct {
	// What was removed, one line each.
	Removed []string `json:"removed"`
}

// SessionListParams request the sessions of the workspace.
type SessionListParams struct {
	Params
}

// SessionListResult are the sessions of the workspace.
type SessionListResult struct {
	// The sessions, newest first.
	Sessions []Session `json:"sessions"`
	// The session whose context is shown to a person: the named session, or the client's own. If
	// the memory of that is empty, as an editor's is, the live session with a memory that was
	// active last. The panel has its memory, too, or else that of the session whose handover is offered.
	Shown string `json:"shown,omitzero"`
}

// Session is the time that one agent or editor spends in a workspace.
type Session struct {
	// The id.
	SessionID string `json:"sessionId"`
	// The agent or editor.
	Agent string `json:"agent,omitzero"`
	// The title.
	Title string `json:"title,omitzero"`
	// Whether it is that of an editor, in which a person works.
	Editor bool `json:"editor,omitzero"`
	// Whether it is live: its owner process runs, or its lease has not expired.
	Live bool `json:"live"`
	// When the lease expires unless there is an event; absent if a process owns it.
	LeaseUntil Time `json:"leaseUntil,omitzero"`
	// When it was started.
	StartedAt Time `json:"startedAt"`
	// The time of its last event.
	UpdatedAt Time `json:"updatedAt"`
	// The number of messages of the user.
	Turn int `json:"turn"`
}

// SessionHandoverParams request what a session left when it ended. Without a session, and for one that is live,
// it is the one that a person gives to the next agent, or else the one that ended last.
type SessionHandoverParams struct {
	Params
}

// SessionHandoverResult is what a session left.
type SessionHandoverResult struct {
	// Absent if there is no session that has ended in which anything was done.
	Handover *Handover `json:"handover,omitzero"`
}

// Handover is what an ended session left, as far as it still holds.
type Handover struct {
	// The session.
	SessionID string `json:"sessionId"`
	// The agent.
	Agent string `json:"agent,omitzero"`
	// When it ended, or the time of its last event if nobody ended it.
	EndedAt Time `json:"endedAt"`
	// The title of the session, or else what the user asked for first.
	Title string `json:"title,omitzero"`
	// The goal that the agent noted, or else what the user asked for last. Absent if it is reached.
	Goal string `json:"goal,omitzero"`
	// The open errors that its commands reported, and then what its language servers reported last, each last seen
	// first. lastSeen is when one was last checked.
	Errors []OpenError `json:"errors"`
	// The files that it edited and that exist, relative to the workspace, last edited first.
	Files []string `json:"files"`
	// Its notes.
	Notes []NoteFile `json:"notes"`
	// How full its context was, by its last report.
	Usage *Pressure `json:"usage,omitzero"`
	// Whether something is open: an error, a todo, the goal, or a message that was not answered.
	Open bool `json:"open"`
	// Whether a person gives it to the next agent.
	Offered bool `json:"offered"`
	// The text for an agent, of at most 1,500 characters.
	Text string `json:"text"`
}

// SessionContinueParams give what an ended session left to the next agent that starts in the workspace.
type SessionContinueParams struct {
	Params `required:"sessionId"`
	// Whether to take it back instead.
	Cancel bool `json:"cancel,omitzero"`
}

// SessionContinueResult is what the next agent is given.
type SessionContinueResult struct {
	// What the session left.
	Handover Handover `json:"handover"`
}
