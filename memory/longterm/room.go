// Package longterm is the room of the workspace memory: the entries that a workspace keeps
// across sessions. It decides which entries are added, merged, rejected and evicted, and
// renders the active ones for a context. Entries that are no longer active are kept, up to a
// limit, so that they can be explained and restored. The room never writes: it returns
// changes.
package longterm

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// Room holds the entries of one workspace. Its rows are the entries, active or
// not, under their ids, and the ids of those that were erased. It is safe for
// concurrent use.
type Room struct {
	env   room.Env
	dedup render.DedupCache

	mu    sync.RWMutex
	state *state
	// completed is true if the state holds all entries, including those whose rows are
	// retired.
	completed bool
	// erased holds the ids of at most maxErased erased entries, by erasedKey, so that neither an
	// older copy nor a retired row restores them. Ids begin with the time at which the entry was
	// added, and those that were added first are dropped first.
	erased change.Table[struct{}]
	// swept holds the ids of entries that were swept before the state was complete, so that
	// a read of the retired rows that began earlier does not restore them.
	swept map[string]bool
	local
}

// local is what a room has besides its state.
type local struct {
	compared compared
}

// New returns an empty room. It uses Settings, Now, NewID, Relative and Retired of env. The
// last two may be nil.
func New(env room.Env) *Room {
	return &Room{env: env, state: newState(), erased: change.Table[struct{}]{}, swept: map[string]bool{}}
}

const erasedPrefix = "erased\x1f"

// maxErased bounds the ids of erased entries. What they guard against is a readable copy from
// before an erasure, which a person may put back at any time, so no event makes one needless.
const maxErased = 10_000

func erasedKey(id string) string { return erasedPrefix + id }

// Name returns "longterm", the name of the room's rows.
func (r *Room) Name() string { return "longterm" }

// Nouns returns the noun of the changes that this room writes. They hold paths
// relative to the workspace only.
func (r *Room) Nouns() []room.Noun {
	return []room.Noun{{
		Name: Noun, Shared: true, Panel: []string{Section, "working", "budget"},
		Context: []string{ContextSection, "recalled"},
	}}
}

// Fold applies a change of a "memory." kind and returns the rows it touched. It ignores the
// changes of other rooms. If the payload cannot be decoded, the state does not change.
func (r *Room) Fold(c change.Change) ([]change.Row, error) {
	if c.Kind.Noun() != Noun {
		return nil, nil
	}
	switch c.Kind {
	case Rejected:
		return nil, nil
	case Erased:
		return r.foldErased(c)
	case Swept:
		return r.foldSwept(c)
	case Added, Offered, Kept, Merged, Updated, Superseded, Removed, Evicted, Restored, Relinked, Staled, Freshened:
		return r.foldEntry(c)
	default:
		return nil, fmt.Errorf("fold change %d: this version does not know the kind %q", c.Seq, c.Kind)
	}
}

func (r *Room) foldEntry(c change.Change) ([]change.Row, error) {
	entry := new(held)
	if err := c.Decode(&entry.Entry); err != nil {
		return nil, err
	}
	if err := entry.check(c.Subject); err != nil {
		return nil, fmt.Errorf("fold change %d (%s): %w", c.Seq, c.Kind, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	row := rowOf(entry.ID, nil, r.state.find(entry.ID))
	row.Value, row.Retired = c.After, entry.retired() // as it was written, not encoded again
	r.state.put(entry)
	if entry.Status == StatusActive {
		entry.canonical() // here, because other processes wait during the next decision
	}
	return []change.Row{row}, nil
}

func (r *Room) foldErased(c change.Change) ([]change.Row, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	row := rowOf(c.Subject, nil, r.state.find(c.Subject))
	r.state.drop(c.Subject)
	rows := []change.Row{row}
	if _, known := r.erased[erasedKey(c.Subject)]; !known && len(r.erased) >= maxErased {
		rows = append(rows, r.erased.Drop(slices.Min(slices.Collect(maps.Keys(r.erased))))...)
	}
	return append(rows, r.erased.Put(erasedKey(c.Subject), struct{}{})), nil
}

// Load sets rows; a row with a nil Value is deleted. It is called with all rows at the start,
// and with the Old values to roll back a failed transaction. If a row cannot be decoded,
// nothing is loaded.
func (r *Room) Load(rows []change.Row) error {
	entries, err := r.read(rows)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, row := range rows {
		if strings.HasPrefix(row.Key, erasedPrefix) {
			if err := r.erased.Load(row); err != nil {
				return err
			}
			continue
		}
		if row.Value == nil {
			r.state.drop(row.Key)
			continue
		}
		r.state.put(entries[i])
	}
	return nil
}

// read decodes the entries of rows. The entry of a row without a value is nil.
func (r *Room) read(rows []change.Row) ([]*held, error) {
	entries := make([]*held, len(rows))
	for i, row := range rows {
		if row.Value == nil || strings.HasPrefix(row.Key, erasedPrefix) {
			continue
		}
		entry := new(held)
		if err := row.Decode(&entry.Entry); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Name(), err)
		}
		if err := entry.check(row.Key); err != nil {
			return nil, fmt.Errorf("load the row %q of %s: %w", row.Key, r.Name(), err)
		}
		entries[i] = entry
	}
	return entries, nil
}
