package change

import "time"

// An Actor is the session and agent that make a change. They are set in changes without a
// session or agent.
type Actor struct {
	Session, Agent string
	// At is the time of the change. Zero means now.
	At time.Time
}
