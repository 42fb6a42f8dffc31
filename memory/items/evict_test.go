package items

import (
	"context"
	"database/sql"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/recall"
)

// A plannedTx fails the test if a statement reads or sorts all items.
type plannedTx struct {
	*sql.DB
	t *testing.T
}

func (p plannedTx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	p.plan(ctx, query, args)
	return p.DB.QueryContext(ctx, query, args...)
}

func (p plannedTx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	p.plan(ctx, query, args)
	return p.DB.QueryRowContext(ctx, query, args...)
}

func (p plannedTx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	p.plan(ctx, query, args)
	return p.DB.ExecContext(ctx, query, args...)
}

func (p plannedTx) plan(ctx context.Context, query string, args []any) {
	if !strings.Contains(query, "items_item") {
		return
	}
	rows, err := p.DB.QueryContext(ctx, "EXPLAIN QUERY PLAN "+query, args...)
	require.NoError(p.t, err)
	for rows.Next() {
		var id, parent, unused int
		var step string
		require.NoError(p.t, rows.Scan(&id, &parent, &unused, &step))
		assert.NotContains(p.t, step, "SCAN items_item", query)
		assert.NotContains(p.t, step, "FOR ORDER BY", query)
	}
	require.NoError(p.t, rows.Err())
}

func TestNoStatementThatMakesRoomReadsAllItems(t *testing.T) {
	db := emptyDatabase(t)
	r := &Room{}
	require.NoError(t, r.Migrate(t.Context(), db, 0))
	tx := plannedTx{db, t}
	w := writer{ctx: t.Context(), tx: tx, counts: map[countKey]count{}, episodes: map[string]int64{}, ended: 1}
	n := int64(0)
	for _, store := range []Store{
		{Name: gating.Episodic}, {Name: gating.Working, PerSession: true, First: true},
	} {
		const most = 2 * maxConsidered
		store.Max = most
		for i := range most {
			item := Item{ID: store.Name + strconv.Itoa(i), Store: store.Name, Session: "s", Own: store.PerSession}
			n++
			w.add(n, &memorized{item: &item}, []byte("{}"))
		}
		require.NoError(t, w.finish())
		shelf, err := readShelf(t.Context(), tx, store, "s", 1, usefulness{})
		require.NoError(t, err)
		assert.Equal(t, most, shelf.items, store.Name)
		if !store.First {
			assert.Equal(t, n, shelf.newest, "the newest is looked at, too")
		}
	}
	_, err := expired(t.Context(), tx, time.Now())
	require.NoError(t, err)
	for _, kind := range []change.Kind{Evicted, Restored, sessions.Swept} {
		require.NoError(t, w.change(change.Change{Kind: kind, Subject: "s", At: time.Now()}), kind)
	}
	require.NoError(t, w.finish())
}

// A valued item is what a shelf is told of one.
type valued struct {
	id         string
	importance float64
	tokens     int
	at         time.Time
}

// toEvict returns the place of the item that has to make room, of items in the order in which they came.
func toEvict(store Store, all []valued, now time.Time, decay float64) int {
	others := all[:max(1, len(all)-1)]
	least := func(of []valued, value func(valued) float64) (place int) {
		for i := range of {
			if value(of[i]) < value(of[place]) {
				place = i
			}
		}
		return place
	}
	if !store.First {
		return least(others, func(v valued) float64 {
			return v.importance * recall.Recency(v.at, now, decay) / float64(max(1, v.tokens))
		})
	}
	for i, v := range others {
		if store.Guard == 0 || v.importance < store.Guard {
			return i
		}
	}
	return least(all, func(v valued) float64 { return v.importance })
}

func TestTheItemsOfABatchAreEvictedAsIfEachWereLookedAtAlone(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 1))
		store := Store{Max: 1 + random.IntN(2*maxConsidered), First: seed%2 == 0, Guard: float64(seed%3) / 3}
		s := &shelf{store: store, use: usefulness{now, 0.01}, most: math.MaxInt}
		var all []valued
		for i := range 2 * store.Max {
			v := valued{
				id: strconv.Itoa(i), importance: float64(random.IntN(11)) / 10, tokens: random.IntN(50),
				at: now.Add(-time.Duration(random.IntN(9000)) * time.Hour),
			}
			all = append(all, v)
			s.add(&Item{ID: v.id, Importance: v.importance, Tokens: v.tokens, At: v.at})
			for s.over() {
				place := toEvict(store, all, now, 0.01)
				victim, _ := s.evict()
				require.Equal(t, all[place].id, victim.id, "seed %d, item %d", seed, i)
				all = slices.Delete(all, place, place+1)
			}
			require.Len(t, all, s.items)
		}
	}
}
