package memory_test

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// A polled is a room that records when it is called. Its methods are called on the queue.
type polled struct{ opened, atOpening, polled *int }

func (p polled) Name() string                                 { return "polled" }
func (p polled) Load([]change.Row) error                      { return nil }
func (p polled) Fold(change.Change) ([]change.Row, error)     { return nil, nil }
func (p polled) Observe(event.Event) ([]change.Change, error) { return nil, nil }
func (p polled) Opened(context.Context)                       { *p.opened++ }

func (p polled) Poll(context.Context) {
	*p.polled++
	if strings.Contains(string(debug.Stack()), ".openStore(") {
		*p.atOpening++
	}
}

// The first answer waits for the opening.
func TestWhatIsDoneEverySecondIsNotDoneWhenTheStoreIsOpened(t *testing.T) {
	var opened, atOpening, polls int
	w := newMemoryWorld(t).open(func(room.Env) room.Room { return polled{&opened, &atOpening, &polls} })
	on(w, func() {
		assert.Equal(t, 1, opened)
		memory.Poll(w)
		assert.Positive(t, polls)
		assert.Zero(t, atOpening)
		assert.Equal(t, 1, opened)
	})
}

// A queried is a store that counts the queries of tables of rooms at the opening and at the close.
type queried struct {
	memory.Store
	atOpening, atClose *atomic.Int64
}

func (q queried) count() {
	switch stack := string(debug.Stack()); {
	case strings.Contains(stack, ".openStore("):
		q.atOpening.Add(1)
	case strings.Contains(stack, ".shutDown("):
		q.atClose.Add(1)
	}
}

func (q queried) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	q.count()
	return q.Store.QueryContext(ctx, query, args...)
}

func (q queried) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	q.count()
	return q.Store.QueryRowContext(ctx, query, args...)
}

func (q queried) View(ctx context.Context, read func(store.Querier) error) error {
	q.count()
	return q.Store.View(ctx, read)
}

// A connection for them reads the schema of the database, for which the first answer waits, or the agent whose event a
// process lives for.
func TestTheTablesOfRoomsAreNotQueriedWhenTheStoreIsOpenedOrClosedUnlessItemsCameIn(t *testing.T) {
	world := newMemoryWorld(t)
	var atOpening, atClose atomic.Int64
	open := world.storage.Open
	world.storage.Open = func(ctx context.Context, dir string, log *slog.Logger) (memory.Store, error) {
		opened, err := open(ctx, dir, log)
		return queried{opened, &atOpening, &atClose}, err
	}
	for range 2 {
		w := world.open()
		on(w, func() {
			started := event.Event{Session: "s", Worktree: w.Root(), Body: event.SessionStarted{}}
			_, err := w.Observe(t.Context(), started)
			require.NoError(t, err)
		})
		w.Close(context.Background())
		assert.Zero(t, atOpening.Load())
		assert.Zero(t, atClose.Load())
	}
	w := world.open()
	memorize(t, w, items.Draft{Item: items.Item{Text: "The archive has a second cellar", Type: "fact"}})
	w.Close(context.Background())
	assert.Positive(t, atClose.Load())
}

// Nothing waits for it.
func TestALogThatIsTooLongIsFoldedSoonAfterTheOpening(t *testing.T) {
	world := newMemoryWorld(t)
	w := world.open()
	const most = 40
	for i := range 2 * most {
		add(t, w, longterm.Addition{Text: fmt.Sprintf("Rule %d of this project is kept by everybody", i)})
	}
	w.Close(context.Background())
	world.settings.Log.MaxChanges = most
	w = world.open()
	require.Eventually(t, func() bool {
		length, err := w.LogLength(context.Background())
		return err == nil && length <= most
	}, patience, tick)
}
