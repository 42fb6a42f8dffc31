// Package sweeps is the room that counts the events of a workspace and records the latest
// sweep of its files (systems.md A12).
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
	// Claimed means that a process is about to sweep. The payload is a claim.
	Claimed change.Kind = "sweep.claimed"
	// Swept means that a sweep is done. The payload is a Record.
	Swept change.Kind = "outputs.swept"
)

// A claim is the payload of Claimed.
type claim struct {
	Events int `json:"events"` // before the sweep
}

// Every is the number of tool events, messages and entries that went out of force, of all
// processes, after which a workspace is swept.
const Every = 500

// A Record is the result of a sweep.
type Record struct {
	// At is the time of the sweep, zero if there was none.
	At time.Time `json:"at,omitzero"`
	// Scanned and Deleted are numbers of outputs, Reclaimed is the size of the deleted ones.
	Scanned   int   `json:"scanned"`
	Deleted   int   `json:"deleted"`
	Reclaimed int64 `json:"reclaimed"`
	// Failed names the files and folders that could not be deleted.
	Failed []string `json:"failed"`
	// Sessions is the number of deleted folders of sessions.
	Sessions int `json:"sessions"`
	// Entries is the number of deleted entries that were no longer in force.
	Entries int `json:"entries,omitempty"`
	// Events is the number of events, as Every counts them, before the sweep.
	Events int `json:"events"`
}

// Room holds the counters and the latest sweep. It is safe for concurrent use.
type Room struct {
	mu     sync.RWMutex
	counts change.Table[int]    // by eventsKey and claimedKey
	latest change.Table[Record] // by latestKey
}

const (
	eventsKey  = "events"
	claimedKey = "claimed" // the number of events when a sweep began
	latestKey  = "latest"
)

// New returns an empty room.
func New(room.Env) *Room { return &Room{counts: change.Table[int]{}, latest: change.Table[Record]{}} }

// Name returns the name under which the room's rows are stored.
func (r *Room) Name() string { return "sweeps" }

// Nouns returns the nouns of the changes that this room writes.
func (r *Room) Nouns() []room.Noun { return []room.Noun{{Name: "outputs"}, {Name: "sweep"}} }

// Observe returns nothing. Fold counts the changes of another room.
func (r *Room) Observe(event.Event) ([]change.Change, error) { return nil, nil }

// Fold applies a change. It counts tool events and messages by the changes that the
// working memory writes for them, and entries by those of the workspace memory.
func (r *Room) Fold(c change.Change) ([]change.Row, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch c.Kind {
	case "working.observed", "memory.evicted", "memory.superseded", "memory.removed":
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

// Due reports whether the number of events has passed a multiple of Every since the latest
// sweep.
func (r *Room) Due() bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.counts[eventsKey]/Every > r.begun()/Every
}

// begun returns the number of events when the latest sweep began.
func (r *Room) begun() int { return max(r.counts[claimedKey], r.latest[latestKey].Events) }

// Claim returns the change that claims a sweep.
func (r *Room) Claim() change.Change {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return change.New(Claimed, "", claim{r.counts[eventsKey]})
}

// Done returns the change that records the claimed sweep.
func (r *Room) Done(record Record) change.Change {
	r.mu.RLock()
	defer r.mu.RUnlock()
	record.Events = r.counts[claimedKey]
	if record.Failed == nil {
		record.Failed = []string{}
	}
	return change.New(Swept, "", record)
}

// Latest returns the record of the latest sweep.
func (r *Room) Latest() Record {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.latest[latestKey]
}
