package change

import "time"

// An Actor says in whose name something is done. Changes that do not say so
// themselves get its session and agent.
type Actor struct {
	Session, Agent string
	// At is when it was done; zero means now.
	At time.Time
}
