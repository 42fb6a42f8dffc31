package items

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/recall"
)

// maxConsidered is the number of the oldest items of a store that are considered for eviction,
// besides as many as have to go.
const maxConsidered = 512

// maxTrimmed bounds the items of a store that one transaction evicts or expires.
const maxTrimmed = 500

// Trim returns the changes that end what has to go from the stores, however it came in: what is over its time, and
// what is over the limit of its store. A batch makes room for itself; tools, messages and summaries do not. It reads
// the tables in the transaction in which the changes are written. If there is more, it is to be called again.
func (r *Room) Trim(
	ctx context.Context, tx room.Querier, registry *Registry, now time.Time,
) (changes []change.Change, err error) {
	if changes, err = expired(ctx, tx, now); err != nil || len(changes) > 0 {
		return changes, err // what is over its time counts until it is written
	}
	full, err := overLimits(ctx, tx, registry)
	if err != nil {
		return nil, err
	}
	decay := r.env.Settings().Recall.Decay
	for _, key := range full {
		store, _ := registry.Store(key.store)
		shelf, err := readShelf(ctx, tx, store, key.session, 0, usefulness{now, decay})
		if err != nil {
			return nil, err
		}
		for shelf.over() {
			victim, why := shelf.evict()
			changes = append(changes, change.New(Evicted, victim, struct{}{}).Because(why))
		}
	}
	return changes, nil
}

// overLimits returns the stores that hold more than they may; of those that every session has, with the session.
func overLimits(ctx context.Context, db room.Querier, registry *Registry) (full []countKey, err error) {
	rows, err := db.QueryContext(ctx, "SELECT store, session, items FROM items_count ORDER BY store, session")
	if err != nil {
		return nil, fmt.Errorf("count items: %w", err)
	}
	defer rows.Close()
	total := map[countKey]int{}
	for rows.Next() {
		var key countKey
		var n int
		if err := rows.Scan(&key.store, &key.session, &n); err != nil {
			return nil, fmt.Errorf("count items: %w", err)
		}
		store, there := registry.Store(key.store)
		if !there || store.Max == 0 {
			continue
		}
		if !store.PerSession {
			key.session = ""
		}
		before := total[key]
		if total[key] += n; before <= store.Max && total[key] > store.Max {
			full = append(full, key)
		}
	}
	return full, rows.Err()
}

// expired returns the changes that end items whose time is over.
func expired(ctx context.Context, tx room.Querier, now time.Time) (changes []change.Change, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT id FROM items_item
		WHERE until > 0 AND until <= ? AND deleted = 0 ORDER BY until, n LIMIT ?`, now.UnixMilli(), maxTrimmed)
	if err != nil {
		return nil, fmt.Errorf("look for expired items: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("look for expired items: %w", err)
		}
		changes = append(changes, change.New(Expired, id, struct{}{}).Because("its time is over"))
	}
	return changes, rows.Err()
}

// NeedsTrim reports whether Trim has something to do.
func (r *Room) NeedsTrim(ctx context.Context, registry *Registry, now time.Time) (bool, error) {
	if r.db == nil {
		return false, nil
	}
	over := 0
	row := r.db.QueryRowContext(ctx, `SELECT EXISTS(SELECT 1 FROM items_item
		WHERE until > 0 AND until <= ? AND deleted = 0)`, now.UnixMilli())
	if err := row.Scan(&over); err != nil || over > 0 {
		return over > 0, err
	}
	full, err := overLimits(ctx, r.db, registry)
	return len(full) > 0, err
}

// A shelf is a store of one session, or of all, while it is decided what has to go.
type shelf struct {
	store  Store
	use    usefulness
	items  int
	oldest []held // those that may be evicted, oldest first; the items of the batch are at the end
	most   int    // how many may be evicted in this transaction
}

// A held is an item that may be evicted.
type held struct {
	id         string
	importance float64
	density    float64 // see usefulness
}

// usefulness says how useful items are at a time, with what fades by recall.decay.
type usefulness struct {
	now   time.Time
	decay float64
}

// density returns the usefulness of an item per token: importance × recency.
func (u usefulness) density(importance float64, tokens int, at time.Time) float64 {
	return importance * recall.Recency(at, u.now, u.decay) / float64(max(1, tokens))
}

// readShelf reads a store into which some items are put. session is "" for a store of all sessions.
func readShelf(
	ctx context.Context, tx room.Querier, store Store, session string, more int, use usefulness,
) (*shelf, error) {
	s := &shelf{store: store, use: use}
	where, live, args := " WHERE store = ?", " AND deleted = 0", []any{store.Name}
	if store.PerSession {
		where, live, args = where+" AND session = ?", live+" AND own = 1", append(args, session)
	}
	row := tx.QueryRowContext(ctx, "SELECT coalesce(sum(items), 0) FROM items_count"+where, args...)
	if err := row.Scan(&s.items); err != nil {
		return s, fmt.Errorf("count items: %w", err)
	}
	if store.Max == 0 || s.items+more <= store.Max {
		s.most = more
		return s, nil
	}
	s.most = max(0, min(s.items-store.Max, maxTrimmed)) + more
	rows, err := tx.QueryContext(ctx, "SELECT id, importance, tokens, at FROM items_item"+where+live+
		" ORDER BY n LIMIT ?", append(args, s.most+maxConsidered)...)
	if err != nil {
		return s, fmt.Errorf("look for items to evict: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var importance float64
		var tokens int
		var at int64
		if err := rows.Scan(&id, &importance, &tokens, &at); err != nil {
			return s, fmt.Errorf("look for items to evict: %w", err)
		}
		s.hold(id, importance, tokens, time.UnixMilli(at))
	}
	return s, rows.Err()
}

// fill returns how full the store is, from 0.
func (s *shelf) fill() float64 {
	if s.store.Max == 0 {
		return 0
	}
	return float64(s.items) / float64(s.store.Max)
}

// hold takes an item for one that may be evicted.
func (s *shelf) hold(id string, importance float64, tokens int, at time.Time) {
	s.oldest = append(s.oldest, held{id, importance, s.use.density(importance, tokens, at)})
}

// add puts a new item into the store.
func (s *shelf) add(item *Item) {
	s.items++
	s.hold(item.ID, item.Importance, item.Tokens, item.At)
}

// remove takes items out that are no longer in the store.
func (s *shelf) remove(ids []string) {
	s.items -= len(ids)
	s.oldest = slices.DeleteFunc(s.oldest, func(h held) bool { return slices.Contains(ids, h.id) })
}

// over reports whether an item has to go.
func (s *shelf) over() bool {
	return s.store.Max > 0 && s.items > s.store.Max && len(s.oldest) > 0 && s.most > 0
}

// evict takes the item out that has to make room, and says why. The newest item is not evicted.
func (s *shelf) evict() (id, why string) {
	others := s.oldest[:max(1, len(s.oldest)-1)]
	i := -1
	if s.store.First {
		i = slices.IndexFunc(others, func(h held) bool { return s.store.Guard == 0 || h.importance < s.store.Guard })
		why = "the oldest"
		if i < 0 {
			i, why = leastBy(others, func(h held) float64 { return h.importance }), "all are important, the least so"
		}
	} else {
		considered := others[:min(len(others), maxConsidered)]
		i = leastBy(considered, func(h held) float64 { return h.density })
		why = "the least useful for its size"
	}
	victim := s.oldest[i]
	s.oldest = slices.Delete(s.oldest, i, i+1)
	s.items--
	s.most--
	return victim.id, fmt.Sprintf("over the limit of %d items of %s; %s", s.store.Max, s.store.Name, why)
}

// leastBy returns the index of the first item with the least value.
func leastBy(items []held, value func(held) float64) int {
	least := 0
	for i := range items {
		if cmp.Compare(value(items[i]), value(items[least])) < 0 {
			least = i
		}
	}
	return least
}
