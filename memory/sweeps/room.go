// Package sweeps is the room of how much has happened in a workspace, and of the
// latest sweep of what it keeps in files (systems.md A12).
package sweeps

import (
	"sync"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// The kinds of changes that this room writes.
const (
	// Claimed says that a process is about to sweep. Its payload is a claim.
	Claimed change.Kind = "sweep.claimed"
	// Swept says what a sweep did. Its payload is the record of the sweep.
	Swept change.Kind = "outputs.swept"
)

// A claim says how many events there had been.
type claim struct {
	Events int `json:"events"`
}

// Every is after how many tool events and messages of a workspace, in all its
// processes, it is swept.
const Every = 500

// A Record says what a sweep did.
type Record struct {
	// At is when it was, zero if there was none.
	At time.Time `json:"at,omitzero"`
	// Scanned, Deleted and Reclaimed are kept outputs, and their bytes.
	Scanned   int   `json:"scanned"`
	Deleted   int   `json:"deleted"`
	Reclaimed int64 `json:"reclaimed"`
	// Failed names the files and folders that could not be deleted.
	Failed []string `json:"failed"`
	// Sessions is how many folders of sessions were deleted.
	Sessions int `json:"sessions"`
	// Events is how many there had been before it.
	Events int `json:"events"`
}

// Room knows the count and the latest sweep. It is safe for concurrent use.
type Room struct {
	mu     sync.RWMutex
	counts change.Table[int]    // by eventsKey and claimedKey
	latest change.Table[Record] // by latestKey
}

const (
	eventsKey  = "events"
	claimedKey = "claimed" // how many events there had been when a sweep began
	latestKey  = "latest"
)

// New returns an empty room.
func New() *Room { return &Room{counts: change.Table[int]{}, latest: change.Table[Record]{}} }

// Name names the rows of the room.
func (r *Room) Name() string { return "sweeps" }

// Nouns returns the nouns of the changes that this room writes.
func (r *Room) Nouns() []room.Noun { return []room.Noun{{Name: "outputs"}, {Name: "sweep"}} }

// Observe returns nothing: what is counted are the changes of others.
func (r *Room) Observe(event.Event) ([]change.Change, error) { return nil, nil }

// Fold applies a change. The working memory writes one for each tool event and
// message; it is counted, so that no event is written twice.
func (r *Room) Fold(c change.Change) ([]change.Row, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch c.Kind {
	case "working.observed":
		return []change.Row{r.counts.Put(eventsKey, r.counts[eventsKey]+1)}, nil
	case Claimed:
		var now claim
		if err := c.Decode(&now); err != nil {
			return nil, err
		}
		return []change.Row{r.counts.Put(claimedKey, now.Events)}, nil
	case Swept:
		var record Record
		if err := c.Decode(&record); err != nil {
			return nil, err
		}
		record.At = c.At
		return []change.Row{r.latest.Put(latestKey, record)}, nil
	}
	return nil, nil
}

// Load sets rows.
func (r *Room) Load(rows []change.Row) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, row := range rows {
		load := r.counts.Load
		if row.Key == latestKey {
			load = r.latest.Load
		}
		if err := load(row); err != nil {
			return err
		}
	}
	return nil
}

// Due reports whether Every events have passed since one was due last.
func (r *Room) Due() bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.counts[eventsKey]/Every > r.begun()/Every
}

// begun is how many events there had been when the latest sweep began.
func (r *Room) begun() int { return max(r.counts[claimedKey], r.latest[latestKey].Events) }

// Claim returns that a sweep begins.
func (r *Room) Claim() change.Change {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return change.New(Claimed, "", claim{r.counts[eventsKey]})
}

// Done returns that the claimed sweep is done.
func (r *Room) Done(record Record) change.Change {
	r.mu.RLock()
	defer r.mu.RUnlock()
	record.Events = r.counts[claimedKey]
	if record.Failed == nil {
		record.Failed = []string{}
	}
	return change.New(Swept, "", record)
}

// Latest is the record of the latest sweep.
func (r *Room) Latest() Record {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.latest[latestKey]
}
