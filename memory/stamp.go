package memory

import (
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

// A stamper completes the changes that this process writes. It is used on the queue only.
type stamper struct {
	now    func() time.Time
	origin *origin
	rooms  *registry
	lastAt time.Time // of a change, by the own clock
}

// maxSetBack is the largest step back of the clock after which the times of changes do not
// decrease.
const maxSetBack = time.Minute

// stamp sets the time, session, agent, origin and scope of changes that were decided together. Those without a time
// get one and the same: what orders them by it has to find the ones of an event equal.
func (s *stamper) stamp(changes []change.Change, who change.Actor) {
	now := s.now()
	for i := range changes {
		s.complete(&changes[i], who, now)
	}
}

func (s *stamper) complete(c *change.Change, who change.Actor, now time.Time) {
	if c.At.IsZero() {
		c.At = who.At
	}
	if c.At.IsZero() || c.At.After(now) {
		c.At = now
	}
	if who.At.IsZero() { // times of the own clock do not decrease, unless it was set back
		if back := s.lastAt.Sub(c.At); 0 < back && back <= maxSetBack {
			c.At = s.lastAt
		}
		s.lastAt = c.At
	}
	c.At = c.At.UTC().Truncate(time.Millisecond)
	if c.Session == "" {
		c.Session = who.Session
	}
	if c.By == "" {
		c.By = who.Name()
	}
	c.Origin = s.origin.name
	if s.rooms.nouns[c.Kind.Noun()].Shared {
		c.Scope = change.Shared
	}
}
