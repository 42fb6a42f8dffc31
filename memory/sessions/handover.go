package sessions

import (
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

// What an ended session left is handed over to a session that starts later. A person may offer it
// to the next one.
const (
	// Offered means that a person gives what a session left to the next one, or no longer does.
	Offered change.Kind = "session.offered"
	// HandedOver means that another session, or the session itself after it was resumed, was given
	// what a session left.
	HandedOver change.Kind = "session.handedOver"
)

// A Handing is the handing over of what a session left.
type Handing struct {
	// To is the session that was given it, At when.
	To string    `json:"to"`
	At time.Time `json:"at"`
	// Said and Steps are what the agent of To had done then: its messages, and tools that ran.
	Said  int `json:"said,omitempty"`
	Steps int `json:"steps,omitempty"`
}

// Over returns when the session was over: its last event, if nobody ended it.
func (s Session) Over() time.Time {
	if s.LeftAt.IsZero() {
		return s.EndedAt
	}
	return s.LeftAt
}

// Begun returns when the session was started, or else resumed last.
func (s Session) Begun() time.Time {
	if s.ResumedAt.After(s.StartedAt) {
		return s.ResumedAt
	}
	return s.StartedAt
}

// Begins reports whether the session has not got beyond the first message of the user since it was
// started or resumed.
func (s Session) Begins() bool { return s.Turn-s.ResumedTurn <= 1 }

// Returned reports whether the session goes on after it was over, and was not given what it had left.
func (s Session) Returned() bool {
	return s.Live() && !s.ResumedAt.IsZero() && (s.Handed == nil || s.Handed.At.Before(s.ResumedAt))
}

// WasHanded returns to whom what the session left was handed over since it was over.
func (s Session) WasHanded() (Handing, bool) {
	if s.Handed == nil || s.Handed.To == s.ID || s.Handed.At.Before(s.Over()) {
		return Handing{}, false
	}
	return *s.Handed, true
}

// IsOffered reports whether a person gave what the session left to the next one, and nobody was given it
// since.
func (s Session) IsOffered() bool {
	return !s.OfferedAt.IsZero() && (s.Handed == nil || s.Handed.At.Before(s.OfferedAt))
}

// Offer returns the change that gives what an ended session left to the next one, or no longer does.
func (r *Room) Offer(session string, offers bool) []change.Change {
	return []change.Change{change.New(Offered, session, offers)}
}

// HandOver returns the change by which what a session left is handed over, none if that has happened
// since former was read.
func (r *Room) HandOver(former Session, to Handing) []change.Change {
	now, known := r.Get(former.ID)
	same := (now.Handed == nil) == (former.Handed == nil) && now.EndedAt.Equal(former.EndedAt)
	if same && now.Handed != nil {
		same = now.Handed.To == former.Handed.To && now.Handed.At.Equal(former.Handed.At)
	}
	if !known || !same {
		return nil
	}
	return []change.Change{change.New(HandedOver, former.ID, to)}
}

// Past returns the sessions that have ended, the one that was over last first.
func (r *Room) Past() []Session {
	var list []Session
	for _, session := range r.List() {
		if !session.Live() && !session.Deleted {
			list = append(list, session)
		}
	}
	slices.SortFunc(list, func(a, b Session) int {
		if c := b.Over().Compare(a.Over()); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return list
}

// foldHandover folds the changes of a handover into a session.
func (s *Session) foldHandover(c change.Change) error {
	if c.Kind == HandedOver {
		var to Handing
		if err := c.Decode(&to); err != nil {
			return err
		}
		s.Handed = &to
		return nil
	}
	var offers bool
	if err := c.Decode(&offers); err != nil {
		return err
	}
	s.OfferedAt = time.Time{}
	if offers {
		s.OfferedAt = c.At
	}
	return nil
}
