package memory_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

func TestE1_ItemsOfAnOlderDatabaseAreMigrated(t *testing.T) {
	down := []string{ // from the sixth version on
		"DROP INDEX items_held; DROP INDEX items_own;" +
			"CREATE INDEX items_live ON items_item(store, session, n) WHERE deleted = 0",
		"DROP TABLE items_newkey",
		"DROP TABLE items_episode; DROP TABLE items_in",
		"ALTER TABLE items_key DROP COLUMN tag",
		"DROP TABLE items_step",
	}
	for version := 5; version > 0; version-- {
		t.Run(fmt.Sprintf("version %d", version), func(t *testing.T) {
			world := newWorld(t)
			w := world.open()
			var drafts []items.Draft
			for i := range 40 {
				drafts = append(drafts, items.Draft{Item: items.Item{
					Text: fmt.Sprintf("Shelf %d of the archive holds the ledgers of year %d", i, 1900+i*3),
					Type: "fact", Episode: fmt.Sprintf("E-%d", i%2),
				}})
			}
			var ids []string
			on(w, func() { // at once, so that no keys are moved before all are there: the rest would be too few
				for _, draft := range drafts {
					outcomes, err := memorizeOnQueue(t, w, draft)
					if assert.NoError(t, err) && assert.Equal(t, items.Stored, outcomes[0].Status) {
						ids = append(ids, outcomes[0].ID)
					}
				}
			})
			require.Len(t, ids, len(drafts))
			require.Eventually(t, func() bool {
				on(w, func() { memory.Poll(w) })
				return len(rowsOf(t, w.Dir(), []string{"items_newkey"})["items_newkey"]) == 0
			}, patience, tick, "so many keys are moved in the background")
			before := storedItems(t, w, ids...)
			w.Close(context.Background())
			inDatabase(t, w.Dir(), append(slices.Clone(down[:6-version]),
				fmt.Sprintf("UPDATE meta SET value = '%d' WHERE key = '%s'", version, store.TablesKey("items")))...)

			again := world.open()
			assert.Equal(t, before, storedItems(t, again, ids...))
			on(again, func() {
				who := event.Event{Session: "s", Worktree: again.Root()}
				_, err := again.ApplyReading(t.Context(), who, func(tables room.Querier) ([]change.Change, error) {
					n := 0
					err := memory.RoomOf[*items.Room](again).EachOf(t.Context(), tables, "E-1", 100,
						func(*items.Item) { n++ })
					assert.Equal(t, 20, n, "episodes know the items that were named for them")
					return nil, err
				})
				assert.NoError(t, err)
			})
			texts, _ := found(t, again, "ledgers of year 1963")
			assert.Contains(t, texts, drafts[21].Text)
			assert.Equal(t, items.Unchanged, memorize(t, again, drafts[3])[0].Status)
			other := items.Draft{Item: items.Item{Text: "The archive has a second cellar", Type: "fact"}}
			assert.Equal(t, items.Stored, memorize(t, again, other)[0].Status)
			assert.Empty(t, again.Problems())
		})
	}
}

func TestE10_DuplicatesAreMergedInTheBackground(t *testing.T) {
	world := newWorld(t)
	w := world.open()
	const former = "the server of the archive begins to copy the old ledgers at noon on the first day of each month"
	draft := func(text string) items.Draft { return items.Draft{Item: items.Item{Text: text, Type: "fact"}} }
	first := memorize(t, w, draft(former))[0]
	w.Close(context.Background())
	inDatabase(t, w.Dir(), "DELETE FROM items_newkey") // so that the next one does not find it

	again := world.open()
	next := memorize(t, again, draft(strings.Replace(former, "begins", "starts", 1)))[0]
	require.Equal(t, items.Stored, next.Status)
	require.Eventually(t, func() bool {
		on(again, func() { memory.Poll(again) })
		return storedItems(t, again, first.ID)[0].Ended == "superseded"
	}, patience, tick)
	assert.Equal(t, []string{first.ID}, storedItems(t, again, next.ID)[0].Lineage)
}

func TestAnEraseTakesTheKeysOfAnItem(t *testing.T) {
	w := newWorld(t).open()
	draft := func(text string) items.Draft { return items.Draft{Item: items.Item{Text: text, Type: "fact"}} }
	memorize(t, w, draft("The ledgers of the archive are copied at noon"))
	gone := memorize(t, w, draft("Nobody opens the western cellar of the museum before nine"))[0]
	left, err := erase(w, gone.ID)
	require.NoError(t, err)
	require.Empty(t, left)
	const nobodys = "items_key WHERE n NOT IN (SELECT n FROM items_item)"
	item := fmt.Sprintf("items_item WHERE id = '%s'", gone.ID)
	rows := rowsOf(t, w.Dir(), []string{nobodys, item, "items_key", "items_newkey"})
	assert.Empty(t, rows[item])
	assert.Empty(t, rows[nobodys])
	assert.NotEmpty(t, rows["items_key"])
	assert.Empty(t, rows["items_newkey"], "a row there has the keys of several items")
}
