package longterm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Source is the origin of an entry. Entries of higher sources are kept longer (systems.md B1,
// B5).
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

// rank returns the rank of a source. Entries with a higher rank are kept longer. The rank of
// an unknown source is 0.
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

// An Author is who put an entry into words.
type Author string

// The authors.
const (
	Person  Author = "person"  // in a message, at an editor, on the command line or in the readable copy
	Agent   Author = "agent"   // with a tool or in a message
	Summary Author = "summary" // an agent's summary of a conversation
	Machine Author = "machine" // it was taken over from another program
)

// Writer returns who put the entry into words, "" if that is not known: older entries do not say it.
func (e *Entry) Writer() Author {
	switch {
	case e.Imported != nil:
		return Machine
	case e.Author != "":
		return e.Author
	case e.Source == Explicit:
		return Person
	case e.Source == Compaction:
		return Summary
	}
	return ""
}

// Words returns the author in words.
func (a Author) Words() string {
	switch a {
	case Person:
		return "a person"
	case Agent:
		return "an agent"
	case Summary:
		return "a summary"
	case Machine:
		return "another program"
	}
	return "a person or an agent"
}

// deliberate reports whether somebody asked to keep exactly this text. The rules about
// quality do not apply to it then (systems.md B4), and it need not be reviewed.
func (s Source) deliberate() bool { return s == Explicit || s == Manual }

// Status is the status of an entry.
type Status string

// The statuses. Entries that are neither active nor offered are kept to be explained and
// restored.
const (
	StatusActive     Status = "active"
	StatusOffered    Status = "offered"    // not in force until somebody keeps it
	StatusSuperseded Status = "superseded" // another entry says the same
	StatusEvicted    Status = "evicted"    // over the limit
	StatusRemoved    Status = "removed"    // on request
)

// Words returns the status in words.
func (s Status) Words() string {
	switch s {
	case StatusSuperseded:
		return "replaced"
	case StatusEvicted:
		return "moved out of contexts"
	case StatusRemoved:
		return "forgotten"
	}
	return string(s)
}

// Entry is one thing that the workspace remembers. Its JSON form is the payload
// of the room's changes, the row, and the entry of the readable copy.
type Entry struct {
	ID         string  `json:"id"`
	Type       string  `json:"type"`
	Text       string  `json:"text"`
	Rationale  string  `json:"rationale,omitempty"`
	Source     Source  `json:"source"`
	Author     Author  `json:"author,omitempty"`
	Confidence float64 `json:"confidence"` // 0–1
	Status     Status  `json:"status"`
	Pinned     bool    `json:"pinned,omitempty"`
	Reviewed   bool    `json:"reviewed"`
	// AsWritten is true if a person asked for the text to be kept with its secrets.
	AsWritten bool `json:"asWritten,omitempty"`
	// Files are paths relative to the workspace, with /, that the entry is about.
	Files []string `json:"files,omitempty"`
	// Beside are the ids of entries that a person keeps beside this one, which is in their lists, too: they are
	// no pairs. A new text of one of both ends that.
	Beside []string `json:"beside,omitempty"`
	Origin *Origin  `json:"origin,omitempty"`
	// Imported is where the entry was taken over from. It is nil if it was written here.
	Imported *Imported `json:"imported,omitempty"`
	// Reinforced counts how often the entry was said again. ReinforcedAt is also the time of a restore.
	Reinforced   int       `json:"reinforced"`
	ReinforcedAt time.Time `json:"reinforcedAt"`
	CreatedAt    time.Time `json:"createdAt"`
	UpdatedAt    time.Time `json:"updatedAt"` // the last change of any sort
	Stale        *Stale    `json:"stale,omitempty"`
	// Ended tells when and why the entry was deactivated. It is nil if the entry is active or
	// offered.
	Ended *Ended `json:"ended,omitempty"`
}

// Origin is the session and agent of the first event that led to an entry.
type Origin struct {
	SessionID string `json:"sessionId"`
	Agent     string `json:"agent,omitempty"`
}

// Imported is where an entry of another program was read.
type Imported struct {
	Program string `json:"program"`
	// File is relative to the workspace, or to the parent of its folder if it is outside of it. Line counts
	// from 1 and is 0 if the file has none.
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
}

// String returns the file and the line.
func (i Imported) String() string {
	if i.Line == 0 {
		return i.File
	}
	return fmt.Sprintf("%s:%d", i.File, i.Line)
}

// Stale lists linked files that were deleted.
type Stale struct {
	Reason string   `json:"reason"`
	Gone   []string `json:"gone"`
}

// Ended tells when and why an entry was deactivated. It is part of the row, so that it can be
// explained also after the log was folded.
type Ended struct {
	At     time.Time `json:"at"`
	Reason string    `json:"reason"`
	// By is the id of the entry that took its place, if one did.
	By string `json:"by,omitempty"`
	// Offered is true if the entry was offered before.
	Offered bool `json:"offered,omitempty"`
	// Gave is what the entry gave to the one that it was merged into on request, nil if it was not.
	Gave *Given `json:"gave,omitempty"`
}

// Given is what an entry got from one that was merged into it, and had not before. It holds none of its words, so
// that nothing of them is left when they are erased.
type Given struct {
	Pin       bool     `json:"pin,omitempty"`
	Review    bool     `json:"review,omitempty"`
	Rationale bool     `json:"rationale,omitempty"`
	Files     []string `json:"files,omitempty"`
}

// check returns an error if an entry cannot be the row with a key.
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

// clone returns a deep copy of an entry, for callers outside the room.
func (e Entry) clone() Entry {
	e.Files, e.Beside = slices.Clone(e.Files), slices.Clone(e.Beside)
	if e.Origin != nil {
		origin := *e.Origin
		e.Origin = &origin
	}
	if e.Imported != nil {
		imported := *e.Imported
		e.Imported = &imported
	}
	if e.Stale != nil {
		e.Stale = &Stale{Reason: e.Stale.Reason, Gone: slices.Clone(e.Stale.Gone)}
	}
	if e.Ended != nil {
		ended := *e.Ended
		if ended.Gave != nil {
			gave := *ended.Gave
			gave.Files = slices.Clone(gave.Files)
			ended.Gave = &gave
		}
		e.Ended = &ended
	}
	return e
}

// reinforce counts that the entry was said again.
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
