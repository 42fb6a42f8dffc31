// Package limits is the room of what bounds the memory of a workspace: the limits that people have set, in an editor's
// settings or in their own settings file. All processes keep to the newest ones, whichever of them was told of them.
package limits

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// The kinds of changes that this room writes. The subject is the key of the setting, such as "memory.maxEntries".
const (
	// Set means that somebody has set a limit to another value. The payload is a Limit.
	Set change.Kind = "limit.set"
	// Withdrawn means that somebody has taken a limit out of the settings. The payload is a Limit without a value.
	Withdrawn change.Kind = "limit.withdrawn"
)

// A Limit is the value of a setting in the settings of somebody.
type Limit struct {
	Key string `json:"key"`
	// By is who set it: the name of an editor or agent, or the path of the person's settings file.
	By    string          `json:"by"`
	Value json.RawMessage `json:"value,omitempty"`
	// At is when it was set, Turn its place among the settings of the key; the highest is in force. The fold sets both.
	At   time.Time `json:"at,omitzero"`
	Turn int       `json:"turn,omitempty"`
}

func (l Limit) rowKey() string { return l.Key + "\x1f" + l.By }

// Room holds the limits. It is safe for concurrent use.
type Room struct {
	mu   sync.RWMutex
	said change.Table[Limit] // by rowKey
	local
}

// local is what a room has besides its state.
type local struct {
	inForce settings.Limits // of said; replaced, never changed
}

// New returns an empty room.
func New(room.Env) *Room { return &Room{said: change.Table[Limit]{}} }

// Name returns the name of the room's rows.
func (r *Room) Name() string { return "limits" }

// Nouns returns the noun of the changes that this room writes.
func (r *Room) Nouns() []room.Noun {
	return []room.Noun{{
		Name: "limit", Panel: []string{longterm.Section, "budget"}, Context: []string{longterm.ContextSection},
	}}
}

// Observe returns nothing.
func (r *Room) Observe(event.Event) ([]change.Change, error) { return nil, nil }

// Fold applies a change.
func (r *Room) Fold(c change.Change) ([]change.Row, error) {
	if c.Kind != Set && c.Kind != Withdrawn {
		return nil, nil
	}
	var limit Limit
	if err := c.Decode(&limit); err != nil {
		return nil, err
	}
	if limit.Key != c.Subject {
		return nil, fmt.Errorf("fold change %d (%s): the limit is of %q", c.Seq, c.Kind, limit.Key)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.update()
	if c.Kind == Withdrawn {
		return r.said.Drop(limit.rowKey()), nil
	}
	limit.At, limit.Turn = c.At, 1
	if newest, there := r.newest(limit.Key); there {
		limit.Turn = newest.Turn + 1
	}
	return []change.Row{r.said.Put(limit.rowKey(), limit)}, nil
}

// Load sets rows.
func (r *Room) Load(rows []change.Row) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.update()
	return r.said.LoadAll(rows)
}

// newest returns the limit of a key that is in force.
func (r *Room) newest(key string) (newest Limit, there bool) {
	for _, limit := range r.said {
		if limit.Key == key && limit.Turn > newest.Turn {
			newest, there = limit, true
		}
	}
	return newest, there
}

// update makes the limits in force anew.
func (r *Room) update() {
	limits := settings.Limits{}
	for _, limit := range r.said {
		newest, _ := r.newest(limit.Key)
		var value any
		if json.Unmarshal(newest.Value, &value) == nil {
			limits[newest.Key] = value
		}
	}
	r.inForce = limits
}

// InForce returns the limits in force. It is the same map as before if none has changed, and must not be changed.
func (r *Room) InForce() settings.Limits {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.inForce
}

// Newest returns the limit of a key that is in force.
func (r *Room) Newest(key string) (Limit, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.newest(key)
}

// A Statement is what the settings of somebody set, as far as they are limits.
type Statement struct {
	// By is where they are set, see Limit.
	By     string
	Limits settings.Limits
}

// changesFor returns the changes that take over a statement. What is in it and was not said before is set, what was in
// the former one of this process and is not any more is withdrawn. A value that was said before is not a new one, so
// that starting an editor changes nothing.
func (r *Room) changesFor(now, former Statement) []change.Change {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var changes []change.Change
	for _, key := range slices.Sorted(maps.Keys(now.Limits)) {
		value, err := json.Marshal(now.Limits[key])
		if err != nil {
			continue // no JSON or TOML has such a value
		}
		limit := Limit{Key: key, By: now.By, Value: value}
		known, there := r.said[limit.rowKey()]
		if there && string(known.Value) == string(value) {
			continue
		}
		c := change.New(Set, key, limit)
		if newest, there := r.newest(key); there {
			c = c.WithBefore(newest)
		}
		changes = append(changes, c)
	}
	for _, key := range slices.Sorted(maps.Keys(former.Limits)) {
		limit := Limit{Key: key, By: former.By}
		known, there := r.said[limit.rowKey()]
		if _, still := now.Limits[key]; there && !still {
			changes = append(changes, change.New(Withdrawn, key, limit).WithBefore(known))
		}
	}
	return changes
}

// overruled returns the limits in force that overrule those of statements, ordered by key, with what is overruled.
func (r *Room) overruled(statements []Statement) (overruled []overrule) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, statement := range statements {
		for key := range statement.Limits {
			own, there := r.said[Limit{Key: key, By: statement.By}.rowKey()]
			newest, _ := r.newest(key)
			if there && newest.By != own.By && string(newest.Value) != string(own.Value) {
				overruled = append(overruled, overrule{own, newest})
			}
		}
	}
	slices.SortFunc(overruled, func(a, b overrule) int {
		return cmp.Or(strings.Compare(a.own.Key, b.own.Key), strings.Compare(a.own.By, b.own.By))
	})
	return overruled
}

// An overrule is a limit that a newer one overrules.
type overrule struct{ own, newest Limit }
