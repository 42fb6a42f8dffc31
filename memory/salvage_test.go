package memory_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// inDatabase runs statements in the database of a workspace, as another program does.
func inDatabase(t *testing.T, dir string, statements ...string) {
	t.Helper()
	path := filepath.Join(dir, store.DatabaseName)
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(10000)")
	require.NoError(t, err)
	for _, statement := range statements {
		_, err := db.ExecContext(t.Context(), statement)
		require.NoError(t, err, statement)
	}
	require.NoError(t, db.Close())
}

// filled opens a workspace and writes four entries, one of which is removed, and the hot
// state of a session.
func (w *world) filled() (opened *memory.Workspace, kept []string, removed string) {
	w.t.Helper()
	opened = w.open()
	for i := range 3 {
		kept = append(kept, fmt.Sprintf("Rule %d of this project is kept by everybody", i))
		add(w.t, opened, longterm.Addition{Text: kept[i]})
	}
	removed = add(w.t, opened, longterm.Addition{Text: "This rule was given up"}).ID
	on(opened, func() {
		_, err := opened.Apply(context.Background(), change.Actor{}, func() ([]change.Change, error) {
			return memory.RoomOf[*longterm.Room](opened).Remove(removed)
		})
		require.NoError(w.t, err)
	})
	observe(w.t, opened, "s", event.FileTouched{Path: "a.go", Action: event.Edit})
	observe(w.t, opened, "s", event.FileTouched{Path: "b.go", Action: event.Edit})
	observe(w.t, opened, "s", event.MessageReceived{Role: "user", Text: "We decided to use PostgreSQL."})
	written(w.t, filepath.Join(opened.Dir(), store.CopyName), 3)
	on(opened, func() { memory.Flush(opened) })
	return opened, kept, removed
}

func hotFiles(w *memory.Workspace) int {
	return len(memory.RoomOf[*hot.Room](w).Files("s", w.Root(), 0))
}

func TestARowThatCannotBeReadIsSetAsideAndTheRestIsThere(t *testing.T) {
	slow.Test(t)
	const bad = `{"id": "half a ro`
	first := func(room string) string {
		return fmt.Sprintf("room = '%s' AND key = (SELECT min(key) FROM state WHERE room = '%[1]s')", room)
	}
	set := func(table, where string) string {
		return fmt.Sprintf("UPDATE %s SET value = '%s' WHERE %s", table, bad, where)
	}
	cases := map[string]string{
		"an entry": set("state", first("longterm")),
		"entries, binary": "UPDATE state SET value = x'7b226964223a202268616c66206120726fff00' " +
			"WHERE room = 'longterm'",
		"an item that is empty": "UPDATE state SET value = '' WHERE room = 'working'",
		"a file":                set("state", first("hot")),
		"a session":             set("state", "room = 'sessions'"),
		"an item":               set("state", "room = 'working'"),
		"a count":               set("state", "room = 'sweeps'"),
		"an entry that left":    set("retired", "room = 'longterm'"),
		"several":               set("state", "room IN ('hot', 'longterm')"),
	}
	for name, statement := range cases {
		t.Run(name, func(t *testing.T) {
			world := newWorld(t)
			w, kept, removed := world.filled()
			w.Close(context.Background())
			inDatabase(t, w.Dir(), statement)

			again := world.open()
			assert.ElementsMatch(t, kept, texts(again), "the log tells what the row was")
			assert.Equal(t, 2, hotFiles(again))
			entry, there := memory.RoomOf[*longterm.Room](again).Get(removed)
			if name == "an entry that left" { // it is read when it is asked for
				assert.False(t, there)
				require.Eventually(t, func() bool { return len(again.Problems()) == 1 }, patience, tick)
			} else {
				assert.True(t, there)
				assert.Equal(t, longterm.StatusRemoved, entry.Status)
			}
			require.Len(t, again.Problems(), 1)
			assert.Contains(t, again.Problems()[0].Message, "could not be read")
			aside, err := filepath.Glob(filepath.Join(again.Dir(), store.RowsName+".corrupt-*"))
			require.NoError(t, err)
			require.Len(t, aside, 1)
			assert.Contains(t, again.Problems()[0].Message, filepath.Base(aside[0]))
			content, err := os.ReadFile(aside[0])
			require.NoError(t, err)
			if name != "an item that is empty" {
				assert.Contains(t, string(content), `{"id": "half a ro`)
			}
			add(t, again, longterm.Addition{Text: "The session goes on after it"})
			again.Close(context.Background())

			third := world.open()
			assert.Empty(t, third.Problems(), "it is told once")
			_, there = memory.RoomOf[*longterm.Room](third).Get(removed)
			assert.True(t, there)
			assert.Len(t, texts(third), len(kept)+1)
		})
	}
}

func TestARowOfTheLogThatCannotBeReadHidesNothing(t *testing.T) {
	world := newWorld(t)
	w, kept, _ := world.filled()
	w.Close(context.Background())
	inDatabase(t, w.Dir(), "UPDATE log SET at = 'never', after = '{', scope = x'00ff' WHERE seq = 2",
		"UPDATE log SET kind = x'ff00', subject = x'ff' WHERE seq = 3")
	world.settings.Log.MaxChanges = 8
	again := world.open()
	assert.ElementsMatch(t, kept, texts(again))
	for i := range 20 { // the log is folded
		add(t, again, longterm.Addition{Text: fmt.Sprintf("Rule %d of this project came later", i)})
	}
	settle(again)
	length, err := again.LogLength(t.Context())
	require.NoError(t, err)
	assert.LessOrEqual(t, length, int64(8))
	assert.Subset(t, texts(again), kept)
	assert.Empty(t, again.Problems())
}

func TestATableThatIsGoneIsFilledAgain(t *testing.T) {
	slow.Test(t)
	everything := []string{"log", "state", "retired", "snapshot", "meta"}
	cases := map[string][]string{
		"state": {"state"}, "log": {"log"}, "retired": {"retired"}, "snapshot": {"snapshot"}, "meta": {"meta"},
		"state and log": {"state", "log"}, "all": everything,
	}
	for name, tables := range cases {
		for _, running := range []bool{false, true} {
			if running && (name == "snapshot" || name == "meta") {
				continue // no write needs them
			}
			t.Run(fmt.Sprintf("%s, running: %t", name, running), func(t *testing.T) {
				world := newWorld(t)
				again, kept, removed := world.filled()
				if !running {
					again.Close(context.Background())
				}
				for _, table := range tables {
					inDatabase(t, again.Dir(), "DROP TABLE "+table)
				}
				if running { // the next write finds it
					kept = append(kept, "The session goes on meanwhile")
					add(t, again, longterm.Addition{Text: kept[3]})
				} else {
					again = world.open()
				}
				assert.ElementsMatch(t, kept, texts(again))
				if len(tables) == 1 {
					assert.Equal(t, 2, hotFiles(again))
					_, there := memory.RoomOf[*longterm.Room](again).Get(removed)
					assert.True(t, there)
				}
				require.NotEmpty(t, again.Problems())
				assert.Contains(t, again.Problems()[0].Message, tables[0])
				add(t, again, longterm.Addition{Text: "The session goes on after it"})
				again.Close(context.Background())
				third := world.open()
				assert.Len(t, texts(third), len(kept)+1)
				assert.Empty(t, third.Problems())
				last := store.Filter{Kinds: []string{string(longterm.Added)}, Limit: 1}
				changes, err := third.Trace(t.Context(), last)
				require.NoError(t, err)
				require.Len(t, changes, 1)
				assert.Contains(t, string(changes[0].After), "after it")
			})
		}
	}
}

// memorize stores items in the session s.
func memorize(t *testing.T, w *memory.Workspace, drafts ...items.Draft) []items.Outcome {
	t.Helper()
	outcomes, err := tryMemorize(t, w, drafts...)
	require.NoError(t, err)
	return outcomes
}

func tryMemorize(t *testing.T, w *memory.Workspace, drafts ...items.Draft) (outcomes []items.Outcome, err error) {
	t.Helper()
	on(w, func() { outcomes, err = memorizeOnQueue(t, w, drafts...) })
	return outcomes, err
}

// memorizeOnQueue memorizes items in one transaction. It is called on the queue.
func memorizeOnQueue(
	t *testing.T, w *memory.Workspace, drafts ...items.Draft,
) (outcomes []items.Outcome, err error) {
	t.Helper()
	held, now := memory.RoomOf[*items.Room](w), w.AgeNow()
	registry := items.RegistryOf(w.Rooms(), w.Settings().Items)
	batch, prepareErr := held.Prepare(drafts, items.Item{Session: "s", At: now}, registry, nil)
	require.NoError(t, prepareErr)
	who := event.Event{Session: "s", Worktree: w.Root()}
	_, err = w.ApplyReading(t.Context(), who, func(tables room.Querier) (changes []change.Change, err error) {
		changes, outcomes, err = held.Decide(t.Context(), tables, batch, now)
		return changes, err
	})
	return outcomes, err
}

// storedItems returns items by their ids.
func storedItems(t *testing.T, w *memory.Workspace, ids ...string) (found []items.Item) {
	t.Helper()
	on(w, func() {
		who := event.Event{Session: "s", Worktree: w.Root()}
		_, err := w.ApplyReading(t.Context(), who, func(tables room.Querier) (_ []change.Change, err error) {
			found, err = memory.RoomOf[*items.Room](w).Get(t.Context(), tables, ids)
			return nil, err
		})
		require.NoError(t, err)
	})
	return found
}

func TestAnItemThatCannotBeReadIsToldAndTheRestIsThere(t *testing.T) {
	slow.Test(t)
	for name, set := range map[string]string{
		"what is not an item": "doc = x'ff00fe'", "another text": "doc = replace(doc, 'Monday', 'Sunday')",
		"another checksum": "checksum = x'00'", "a time that is none": "accessed = 'yesterday'",
	} {
		t.Run(name, func(t *testing.T) {
			world := newWorld(t)
			w := world.open()
			var ids []string
			for _, outcome := range memorize(t, w,
				items.Draft{Item: items.Item{Text: "Hall 7 is watered on Monday", Store: "semantic"}},
				items.Draft{Item: items.Item{Text: "Hall 7 is cleaned by whoever comes last", Store: "semantic"}},
			) {
				ids = append(ids, outcome.ID)
			}
			w.Close(context.Background())
			inDatabase(t, w.Dir(), "UPDATE items_item SET "+set+" WHERE id = '"+ids[0]+"'")

			again := world.open()
			kept := storedItems(t, again, ids...)
			require.Len(t, kept, 1)
			assert.Equal(t, ids[1], kept[0].ID)
			texts, _ := found(t, again, "hall 7")
			assert.Equal(t, []string{"Hall 7 is cleaned by whoever comes last"}, texts)
			require.Eventually(t, func() bool { return len(again.Problems()) > 0 }, patience, tick)
			assert.Contains(t, again.Problems()[0].Message, "1 items of the memory")
			assert.Contains(t, again.Problems()[0].Message, ids[0])
		})
	}
}

func TestE1_ItemsOfADamagedDatabaseAreTakenOver(t *testing.T) {
	slow.Test(t)
	const stored = 400
	plant := func(i int) string {
		return fmt.Sprintf("The plant %d in hall %d is watered on day %d%s", i, i*7, i*i,
			strings.Repeat(" of the month", 12))
	}
	world := newWorld(t)
	world.settings.Items.MinNovelty = 0
	w := world.open()
	ids := map[int]string{}
	var drafts []items.Draft
	for i := range stored {
		drafts = append(drafts, items.Draft{Item: items.Item{Text: plant(i), Store: "semantic", Episode: "E-1"}})
	}
	for i, outcome := range memorize(t, w, drafts...) {
		require.Equal(t, items.Stored, outcome.Status)
		ids[i] = outcome.ID
	}
	thought := memorize(t, w, items.Draft{Item: items.Item{Text: "I wonder who waters the plants", Type: "thought"}})[0]
	on(w, func() {
		_, err := w.Apply(t.Context(), change.Actor{}, func() ([]change.Change, error) {
			return []change.Change{change.New(items.Evicted, ids[0], struct{}{})}, nil
		})
		require.NoError(t, err)
	})
	w.Close(context.Background())
	inDatabase(t, w.Dir(), "UPDATE items_item SET doc = replace(doc, 'watered', 'burnt') "+
		"WHERE id IN ('"+ids[100]+"', '"+ids[101]+"')", "UPDATE log SET after = NULL WHERE subject = '"+ids[101]+"'",
		"PRAGMA wal_checkpoint(TRUNCATE)")
	damagePages(t, w.Dir(), func(page []byte) bool { // of the table, not of the log
		return bytes.Count(page, []byte("is watered on day")) > 2 && !bytes.Contains(page, []byte("item.memorized"))
	})

	again := world.open()
	require.Eventually(t, func() bool { return len(again.Problems()) > 0 }, patience, tick)
	settle(again)
	message := again.Problems()[0].Message
	assert.Contains(t, message, "was damaged")
	assert.Regexp(t, `\d{3} items could be read from it\.`, message)
	assert.Contains(t, message, "Other items may be lost.")
	known := map[string]items.Item{}
	for _, item := range storedItems(t, again, slices.Collect(maps.Values(ids))...) {
		known[item.ID] = item
	}
	kept := storedItems(t, again, thought.ID)
	require.Len(t, kept, 1)
	assert.Equal(t, "month", kept[0].Retention, "its session is not known any more")
	assert.Len(t, known, stored-2, "the log has those of the damaged pages")
	assert.NotContains(t, known, ids[0], "it was evicted")
	assert.NotContains(t, known, ids[101], "the log has not this one any more")
	assert.Contains(t, message, "1 were damaged and are left out.")
	assert.Equal(t, plant(100), known[ids[100]].Text, "it was changed by something else")
	counts, _, err := memory.RoomOf[*items.Room](again).Counts(t.Context())
	require.NoError(t, err)
	assert.Contains(t, []int{len(known), len(known) + 1}, counts["semantic"],
		"what follows from them is made anew; the episode may have a summary")
	for i, id := range ids {
		if item, there := known[id]; there {
			assert.Equal(t, plant(i), item.Text)
			assert.Equal(t, "E-1", item.Episode)
			texts, _ := found(t, again, fmt.Sprintf("plant %d hall %d", i, i*7))
			assert.Contains(t, texts, plant(i))
			break
		}
	}
	same := memorize(t, again, items.Draft{Item: known[anyKey(known)]})[0]
	assert.Equal(t, items.Unchanged, same.Status)
	again.Close(context.Background())
	assert.Empty(t, world.open().Problems(), "it is told once")
}

func anyKey(known map[string]items.Item) string { return slices.Sorted(maps.Keys(known))[0] }

// damagePages overwrites three pages of a database that has been closed.
func damagePages(t *testing.T, dir string, is func(page []byte) bool) {
	t.Helper()
	const size = 4096
	path := filepath.Join(dir, store.DatabaseName)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	var pages [][]byte
	for page := range slices.Chunk(content, size) {
		if is(page) {
			pages = append(pages, page)
		}
	}
	require.Greater(t, len(pages), 10)
	for _, i := range []int{1, len(pages) / 2, len(pages) - 2} {
		copy(pages[i], bytes.Repeat([]byte{0xff}, size))
	}
	require.NoError(t, os.WriteFile(path, content, 0o600))
}

// SQLite opens no database that is shorter than its first page says.
func TestWhatIsLeftOfATruncatedDatabaseIsTakenOver(t *testing.T) {
	slow.Test(t)
	const stored = 400
	for _, c := range []struct {
		name  string
		left  float64 // of the pages
		extra int     // bytes of the next page
		least int     // items
	}{
		{"without its last page", 1, -4096, stored},
		{"in the middle of its last page", 1, -1000, stored},
		{"three quarters of it", 0.75, 0, stored},
		{"half of it", 0.5, 0, stored / 2},
		{"half of it and a half of a page", 0.5, 2048, stored / 2},
		{"one page", 0, 4096, 0},
		{"less than one page", 0, 1000, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			world := newWorld(t)
			world.settings.Items.MinNovelty = 0
			w, kept, _ := world.filled()
			var drafts []items.Draft
			for i := range stored {
				text := fmt.Sprintf("The plant %d in hall %d is watered on day %d", i, i*7, i*i)
				drafts = append(drafts, items.Draft{Item: items.Item{Text: text, Store: "semantic"}})
			}
			var ids []string
			for _, outcome := range memorize(t, w, drafts...) {
				ids = append(ids, outcome.ID)
			}
			settle(w)
			w.Close(context.Background())
			inDatabase(t, w.Dir(), "PRAGMA wal_checkpoint(TRUNCATE)")
			path := filepath.Join(w.Dir(), store.DatabaseName)
			info, err := os.Stat(path)
			require.NoError(t, err)
			pages := int(c.left * float64(info.Size()/4096))
			require.NoError(t, os.Truncate(path, int64(pages*4096+c.extra)))

			again := world.open()
			require.Eventually(t, func() bool { return len(again.Problems()) > 0 }, patience, tick)
			settle(again)
			assert.Contains(t, again.Problems()[0].Message, "was damaged")
			assert.ElementsMatch(t, kept, texts(again))
			rescued := storedItems(t, again, ids...)
			assert.GreaterOrEqual(t, len(rescued), c.least, again.Problems()[0].Message)
			for _, item := range rescued {
				assert.Regexp(t, `^The plant \d+ in hall \d+ is watered on day \d+$`, item.Text)
			}
			if len(rescued) > 0 {
				hits, _ := found(t, again, strings.TrimPrefix(rescued[0].Text, "The "))
				assert.Contains(t, hits, rescued[0].Text)
			}
			add(t, again, longterm.Addition{Text: "The session goes on after it"})
			again.Close(context.Background())
			assert.Empty(t, world.open().Problems(), "it is told once")
		})
	}
}
