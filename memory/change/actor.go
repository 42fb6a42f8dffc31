package change

import "time"

// An Actor is the session and agent that make a change. They are set in changes without a
// session or agent.
type Actor struct {
	Session, Agent string
	// Person is the editor or terminal at which a person asks for the change, empty if it is not known that a
	// person does.
	Person string
	// At is the time of the change. Zero means now.
	At time.Time
}

// Name returns who makes the change, as the trace says it: the agent, or the person and where.
func (a Actor) Name() string {
	if a.Person != "" {
		return "a person in " + a.Person
	}
	return a.Agent
}
