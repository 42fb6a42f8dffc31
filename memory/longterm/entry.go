package longterm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Source is where an entry comes from. It decides what is kept (systems.md B1, B5).
type Source string

// The sources, the strongest first.
const (
	Explicit   Source = "explicit"   // the user asked to remember it
	Manual     Source = "manual"     // written through a method, or into the readable copy
	Compaction Source = "compaction" // a candidate in a compaction summary
	Said       Source = "said"       // said in a conversation, without a request: it is offered
)

// confidences are the confidences that new entries start with (systems.md B1).
var confidences = map[Source]float64{Explicit: 1.0, Manual: 0.9, Compaction: 0.75, Said: 0.6}

// rank orders sources: the higher is kept. A source that is not known is the lowest.
func (s Source) rank() int {
	switch s {
	case Explicit:
		return 4
	case Manual:
		return 3
	case Compaction:
		return 2
	case Said:
		return 1
	default:
		return 0
	}
}

// deliberate says that somebody wanted exactly this text kept: the rules of taste
// do not apply to it (systems.md B4), and it need not be reviewed.
func (s Source) deliberate() bool { return s == Explicit || s == Manual }

// Status says whether an entry is in force.
type Status string

// The statuses. All but Active and Offered are kept only to be explained and restored.
const (
	StatusActive     Status = "active"
	StatusOffered    Status = "offered"    // not in force until somebody keeps it
	StatusSuperseded Status = "superseded" // another entry says the same
	StatusEvicted    Status = "evicted"    // over the limit
	StatusRemoved    Status = "removed"    // on request
)

// Entry is one thing that the workspace remembers. Its JSON form is the payload
// of the room's changes, the row, and the entry of the readable copy.
type Entry struct {
	ID         string  `json:"id"`
	Type       string  `json:"type"`
	Text       string  `json:"text"`
	Rationale  string  `json:"rationale,omitempty"`
	Source     Source  `json:"source"`
	Confidence float64 `json:"confidence"` // 0–1
	Status     Status  `json:"status"`
	Pinned     bool    `json:"pinned,omitempty"`
	Reviewed   bool    `json:"reviewed"`
	// AsWritten is true if a person asked for the text to be kept with its secrets.
	AsWritten bool `json:"asWritten,omitempty"`
	// Files are paths relative to the workspace, with /, that the entry is about.
	Files  []string `json:"files,omitempty"`
	Origin *Origin  `json:"origin,omitempty"`
	// Reinforced counts how often the entry was said again or restored.
	Reinforced   int       `json:"reinforced"`
	ReinforcedAt time.Time `json:"reinforcedAt"`
	CreatedAt    time.Time `json:"createdAt"`
	UpdatedAt    time.Time `json:"updatedAt"` // the last change of any sort
	Stale        *Stale    `json:"stale,omitempty"`
	// Ended says why the entry is not active; nil while it is.
	Ended *Ended `json:"ended,omitempty"`
}

// Origin is the session and agent that an entry came from first.
type Origin struct {
	SessionID string `json:"sessionId"`
	Agent     string `json:"agent,omitempty"`
}

// Stale says that files which an entry is about are gone.
type Stale struct {
	Reason string   `json:"reason"`
	Gone   []string `json:"gone"`
}

// Ended says when and why an entry left, so that it stays explainable for as long
// as the row lives, also after the log was folded.
type Ended struct {
	At     time.Time `json:"at"`
	Reason string    `json:"reason"`
	// By is the id of the entry that took its place, if one did.
	By string `json:"by,omitempty"`
	// Offered is true if it was only offered when it left.
	Offered bool `json:"offered,omitempty"`
}

// check says whether the entry can be a row under the key.
func (e Entry) check(key string) error {
	switch {
	case e.ID == "":
		return fmt.Errorf("an entry needs an id")
	case e.ID != key:
		return fmt.Errorf("entry %q is stored under %q", e.ID, key)
	}
	switch e.Status {
	case StatusActive, StatusOffered, StatusSuperseded, StatusEvicted, StatusRemoved:
		return nil
	default:
		return fmt.Errorf("entry %q has the unknown status %q", e.ID, e.Status)
	}
}

// clone returns the entry with nothing shared, for callers outside the room.
func (e Entry) clone() Entry {
	e.Files = slices.Clone(e.Files)
	if e.Origin != nil {
		origin := *e.Origin
		e.Origin = &origin
	}
	if e.Stale != nil {
		e.Stale = &Stale{Reason: e.Stale.Reason, Gone: slices.Clone(e.Stale.Gone)}
	}
	if e.Ended != nil {
		ended := *e.Ended
		e.Ended = &ended
	}
	return e
}

// reinforce counts that the entry was said again or asked back.
func (e *Entry) reinforce(at time.Time) {
	e.Reinforced++
	e.ReinforcedAt = at
}

// byRetention orders active entries by how long they are kept: pinned first, then
// the higher source, then the later reinforcement, then the later id. The last
// unpinned entry is the next to be evicted (systems.md B1).
func byRetention(a, b *held) int {
	if a.Pinned != b.Pinned {
		if a.Pinned {
			return -1
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(b.Source.rank(), a.Source.rank()),
		b.ReinforcedAt.Compare(a.ReinforcedAt),
		strings.Compare(b.ID, a.ID),
	)
}

// byCreation orders entries by when they were first written.
func byCreation(a, b *Entry) int {
	return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
}
