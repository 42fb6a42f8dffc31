package wire

// NotificationChanged is the method of the notification Changed.
const NotificationChanged = "wm/changed"

// Changed notifies a client that sections of the panel have changed, in this or another process. A slow
// client receives one notification for several changes.
type Changed struct {
	// The URI of the workspace folder.
	Workspace string `json:"workspace"`
	// The seq of wm/panel, which grows during a connection.
	Seq int64 `json:"seq"`
	// The ids of the changed sections.
	Sections []string `json:"sections"`
}

// NotificationIntervention is the method of the notification Intervention.
const NotificationIntervention = "wm/intervention"

// Intervention notifies a client that the context of an agent has become critical.
type Intervention struct {
	// The session of the agent.
	SessionID string `json:"sessionId"`
	// How full the context is.
	Pressure Pressure `json:"pressure"`
	// The prompt in the report, or else the text of wm/context.
	VisiblePrompt string `json:"visiblePrompt"`
}

// NotificationHistoryCompacted is the method of the notification HistoryCompacted.
const NotificationHistoryCompacted = "wm/history/compacted"

// HistoryCompacted notifies a client that the server has compacted the conversation of an agent, because
// its context was too full.
type HistoryCompacted struct {
	// The session of the agent.
	SessionID string `json:"sessionId"`
	// The ids of the removed messages and outputs, as in the result of wm/history/compact.
	Removed []string `json:"removed"`
	// The summary of the removed messages.
	Summary string `json:"summary"`
	// The note with the removed messages.
	ArchivedTo string `json:"archivedTo"`
}
