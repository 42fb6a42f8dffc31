package memory_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/store"
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
		"a file":             set("state", first("hot")),
		"a session":          set("state", "room = 'sessions'"),
		"an item":            set("state", "room = 'working'"),
		"a count":            set("state", "room = 'sweeps'"),
		"an entry that left": set("retired", "room = 'longterm'"),
		"several":            set("state", "room IN ('hot', 'longterm')"),
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
			assert.Contains(t, string(content), `{"id": "half a ro`)
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
