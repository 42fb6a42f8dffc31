package items

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/items/gating"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
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
	for _, store := range []Store{
		{Name: gating.Episodic}, {Name: gating.Working, PerSession: true, First: true},
	} {
		store.Max = 1
		w.count(store.Name, "s", 2, 20)
		require.NoError(t, w.finish())
		shelf, err := readShelf(t.Context(), tx, store, "s", 1)
		require.NoError(t, err)
		assert.Equal(t, 2, shelf.items, store.Name)
	}
	_, err := expired(t.Context(), tx, time.Now())
	require.NoError(t, err)
	for _, kind := range []change.Kind{Evicted, Restored, sessions.Swept} {
		require.NoError(t, w.change(change.Change{Kind: kind, Subject: "s", At: time.Now()}), kind)
	}
	require.NoError(t, w.finish())
}
