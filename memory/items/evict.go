package items

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/recall"
)

// maxConsidered is the number of the oldest items of a store that are considered for eviction, besides as many as have
// to go, maxSampled that of others.
const maxConsidered, maxSampled = 512, 128

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
			out, _, err := r.takeOut(ctx, tx, registry, store, victim.id, why)
			if err != nil {
				return nil, err
			}
			changes = append(changes, out)
		}
	}
	return changes, nil
}

// takeOut returns the change with which a stored item leaves a store that is over its limit, and the item as it was put
// away, or nil if it is evicted. One that cannot be read is.
func (r *Room) takeOut(
	ctx context.Context, tx room.Querier, registry *Registry, from Store, id, why string,
) (change.Change, *Item, error) {
	evicted := change.New(Evicted, id, struct{}{}).Because(why)
	if from.Overflow == "" {
		return evicted, nil, nil
	}
	known, err := r.Get(ctx, tx, []string{id})
	if err != nil || len(known) == 0 || !registry.putsAway(from, &known[0]) {
		return evicted, nil, err
	}
	return change.New(Updated, id, known[0]).Because(why), &known[0], nil
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
	held   []held // those that may be evicted, oldest first; unless the store is First, a heap by their density
	newest int64  // the number of the item that came last
	most   int    // how many may be evicted in this transaction
}

// A held is an item that may be evicted.
type held struct {
	n          int64 // the higher, the later it came
	id         string
	importance float64
	density    float64 // see usefulness
	added      *Item   // by this transaction, or nil
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
	oldest := s.most + maxConsidered
	err := s.read(ctx, tx, where+live+" ORDER BY n LIMIT ?", append(args, oldest)...)
	if err != nil || store.First {
		return s, err
	}
	if len(s.held) == oldest {
		err = s.sample(ctx, tx, where+live, args)
	}
	heap.Init((*byDensity)(s))
	return s, err
}

// sample holds some of the items that came after those that are held: they may be less useful. Half of them are of the
// last eighth, because there is what came when the store was full.
func (s *shelf) sample(ctx context.Context, tx room.Querier, live string, args []any) error {
	var last int64
	row := tx.QueryRowContext(ctx, "SELECT max(n) FROM items_item"+live, args...)
	if err := row.Scan(&last); err != nil {
		return fmt.Errorf("look for items to evict: %w", err)
	}
	first := s.newest + 1
	if last < first {
		return nil
	}
	_, shift := math.Modf(float64(last) * math.Phi) // other ones the next time
	var from [maxSampled]int64
	for i := range from {
		share := (float64(i) + shift) / maxSampled
		from[i] = last - int64(share*share*share*float64(last-first))
	}
	next := "(SELECT n FROM items_item" + live + " AND n >= value ORDER BY n LIMIT 1)"
	return s.read(ctx, tx, " WHERE n IN (SELECT "+next+" FROM json_each(?))", append(args, room.Values(from[:]))...)
}

// read holds the items that a condition selects.
func (s *shelf) read(ctx context.Context, tx room.Querier, where string, args ...any) error {
	rows, err := tx.QueryContext(ctx, "SELECT n, id, importance, tokens, at FROM items_item"+where, args...)
	if err != nil {
		return fmt.Errorf("look for items to evict: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var n, at int64
		var id string
		var importance float64
		var tokens int
		if err := rows.Scan(&n, &id, &importance, &tokens, &at); err != nil {
			return fmt.Errorf("look for items to evict: %w", err)
		}
		s.hold(n, id, importance, tokens, time.UnixMilli(at))
	}
	return rows.Err()
}

// fill returns how full the store is, from 0.
func (s *shelf) fill() float64 {
	if s.store.Max == 0 {
		return 0
	}
	return float64(s.items) / float64(s.store.Max)
}

// hold takes an item for one that may be evicted.
func (s *shelf) hold(n int64, id string, importance float64, tokens int, at time.Time) {
	density := s.use.density(importance, tokens, at)
	s.held = append(s.held, held{n: n, id: id, importance: importance, density: density})
	s.newest = max(s.newest, n)
}

// add puts a new item into the store.
func (s *shelf) add(item *Item) {
	s.items++
	s.hold(s.newest+1, item.ID, item.Importance, item.Tokens, item.At)
	s.held[len(s.held)-1].added = item
	if !s.store.First {
		heap.Fix((*byDensity)(s), len(s.held)-1)
	}
}

// remove takes items out that are no longer in the store, which is First.
func (s *shelf) remove(ids []string) {
	s.items -= len(ids)
	s.held = slices.DeleteFunc(s.held, func(h held) bool { return slices.Contains(ids, h.id) })
}

// over reports whether an item has to go.
func (s *shelf) over() bool {
	return s.store.Max > 0 && s.items > s.store.Max && len(s.held) > 0 && s.most > 0
}

// evict takes the item out that has to make room, and says why. The newest item is taken only if all others are
// guarded, and more important.
func (s *shelf) evict() (victim held, why string) {
	if s.store.First {
		victim, why = s.takeOldest()
	} else {
		victim, why = s.takeLeast(), "the least useful for its size"
	}
	s.items--
	s.most--
	return victim, fmt.Sprintf("over the limit of %d items of %s; %s", s.store.Max, s.store.Name, why)
}

// takeOldest takes the oldest item out that is not guarded, or the oldest of the least important ones.
func (s *shelf) takeOldest() (victim held, why string) {
	others := s.held[:max(1, len(s.held)-1)]
	i := slices.IndexFunc(others, func(h held) bool { return s.store.Guard == 0 || h.importance < s.store.Guard })
	switch {
	case i < 0:
		i, why = leastBy(s.held, func(h held) float64 { return h.importance }), "the oldest of the least important"
	case s.store.Guard == 0:
		why = "the oldest"
	default:
		why = "the oldest that is not guarded"
	}
	victim = s.held[i]
	s.held = slices.Delete(s.held, i, i+1)
	return victim, why
}

// takeLeast takes the item out that is the least useful for its size.
func (s *shelf) takeLeast() held {
	least := (*byDensity)(s)
	victim := heap.Pop(least).(held)
	if victim.n == s.newest && len(s.held) > 0 {
		newest := victim
		victim = heap.Pop(least).(held)
		heap.Push(least, newest)
	}
	return victim
}

// byDensity is the heap of the items of a shelf, with the least useful for its size first, of several the oldest.
type byDensity shelf

func (s *byDensity) Len() int { return len(s.held) }

func (s *byDensity) Less(i, k int) bool {
	return cmp.Or(cmp.Compare(s.held[i].density, s.held[k].density), cmp.Compare(s.held[i].n, s.held[k].n)) < 0
}

func (s *byDensity) Swap(i, k int) { s.held[i], s.held[k] = s.held[k], s.held[i] }
func (s *byDensity) Push(h any)    { s.held = append(s.held, h.(held)) }

func (s *byDensity) Pop() any {
	last := s.held[len(s.held)-1]
	s.held = s.held[:len(s.held)-1]
	return last
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
