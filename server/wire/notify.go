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
