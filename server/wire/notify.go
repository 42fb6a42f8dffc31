package wire

// NotificationChanged is the method of the notification with Changed.
const NotificationChanged = "wm/changed"

// Changed tells a client that what it shows is out of date, whichever process
// made the change. A client that is slow gets the newest only.
type Changed struct {
	// URI of the workspace folder.
	Workspace string `json:"workspace"`
	// Rises within a connection; the seq of wm/panel.
	Seq int64 `json:"seq"`
	// Ids of the panel's sections that changed.
	Sections []string `json:"sections"`
}

// NotificationIntervention is the method of the notification with Intervention.
const NotificationIntervention = "wm/intervention"

// Intervention tells a client that the context of one of its agents has become
// critical, once for each time that it does.
type Intervention struct {
	// The session of the agent.
	SessionID string `json:"sessionId"`
	// How full its context is.
	Pressure Pressure `json:"pressure"`
	// The prompt that came with the report; without one, the text of wm/context.
	VisiblePrompt string `json:"visiblePrompt"`
}

// NotificationHistoryCompacted is the method of the notification with HistoryCompacted.
const NotificationHistoryCompacted = "wm/history/compacted"

// HistoryCompacted tells a client that the server itself has compacted the
// conversation of one of its agents, because its context is full enough for that and
// nobody else did.
type HistoryCompacted struct {
	// The session of the agent.
	SessionID string `json:"sessionId"`
	// Ids of the messages that left.
	Removed []string `json:"removed"`
	// What stands for them.
	Summary string `json:"summary"`
	// The note that has them.
	ArchivedTo string `json:"archivedTo"`
}
