package memory_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/briefing"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/skills"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// tablesOfRooms returns the names of the tables of the built-in rooms.
func tablesOfRooms(w *memory.Workspace) (names []string) {
	for _, r := range room.All[room.Indexer](w.Rooms()) {
		names = append(names, r.Tables()...)
	}
	return names
}

// rowsOf returns the rows of tables, each as JSON, in any order.
func rowsOf(t *testing.T, dir string, tables []string) map[string][]string {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, store.DatabaseName))
	require.NoError(t, err)
	defer db.Close()
	found := map[string][]string{}
	for _, table := range tables {
		rows, err := db.QueryContext(t.Context(), "SELECT * FROM "+table)
		require.NoError(t, err, table)
		columns, err := rows.Columns()
		require.NoError(t, err)
		found[table] = []string{}
		for rows.Next() {
			values, to := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				to[i] = &values[i]
			}
			require.NoError(t, rows.Scan(to...))
			found[table] = append(found[table], fmt.Sprintf("%v", values))
		}
		require.NoError(t, rows.Err())
		slices.Sort(found[table])
	}
	return found
}

func TestRoomsNameTheTablesThatTheyCreate(t *testing.T) {
	w := newWorld(t).open()
	of := "(SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB '*_*' AND name NOT GLOB 'sqlite_*')"
	var named []string
	for _, name := range tablesOfRooms(w) {
		named = append(named, "["+name+"]")
	}
	assert.ElementsMatch(t, rowsOf(t, w.Dir(), []string{of})[of], named)
}

// lived returns a world in whose memory every table of rooms that follows from the log or from files has rows, and the
// names of these tables. Those of the keys of items are not among them: keys wait in one until they are in the other.
func lived(t *testing.T) (world *world, tables []string) {
	t.Helper()
	world = newWorld(t)
	w := world.open()
	tables = slices.DeleteFunc(tablesOfRooms(w), func(name string) bool {
		return name == "reads_read" || strings.HasPrefix(name, "index_") || slices.Contains(tablesOfKeys, name)
	})
	goesOn(t, w, "Hall 7 is watered on Monday")
	memorize(t, w, items.Draft{Item: items.Item{
		Text: "The cart rounds half up, on the total", Store: "semantic", Episode: "E-2",
	}})
	w.Close(context.Background())
	for table, rows := range rowsOf(t, w.Dir(), tables) {
		assert.NotEmpty(t, rows, table)
	}
	return world, tables
}

// tablesOfKeys are the tables with the keys of items.
var tablesOfKeys = []string{"items_key", "items_newkey"}

// goesOn does what writes every table of rooms.
func goesOn(t *testing.T, w *memory.Workspace, text string) {
	t.Helper()
	memorize(t, w, items.Draft{Item: items.Item{Text: text, Store: "semantic", Episode: "E-1"}})
	failed, passed := 1, 0
	input := json.RawMessage(`{"command":"go vet ./..."}`)
	observe(t, w, "s", event.MessageReceived{Role: "user", Text: "Make go vet pass again: " + text})
	observe(t, w, "s", event.ToolRan{
		Tool: "bash", Input: input, ExitCode: &failed, Output: "./a.go:1:1: undefined: gate\n",
	})
	observe(t, w, "s", event.FileTouched{Path: "a.go", Action: event.Edit})
	observe(t, w, "s", event.ToolRan{Tool: "bash", Input: input, ExitCode: &passed})
	on(w, func() {
		ctx, who := context.Background(), event.Event{Session: "s", Agent: "s", Worktree: w.Root()}
		_, err := memory.ServiceOf[*notes.Service](w).Write(ctx, who, "detail/a.md", "# Gate\n\n"+text+"\n", "")
		require.NoError(t, err)
		_, err = w.Apply(ctx, change.Actor{Session: "s", Agent: "s"}, func() ([]change.Change, error) {
			return []change.Change{
				change.New(briefing.Told, "s", briefing.Report{Items: []briefing.Item{{ID: "a", Text: text}}}),
				change.New(items.Committed, "s", map[string]int{"turn": 1}),
			}, nil
		})
		require.NoError(t, err)
		memory.Flush(w)
	})
}

func TestATableOfARoomThatIsGoneIsFilledAgain(t *testing.T) {
	slow.Test(t)
	seed, tables := lived(t)
	dirOf := func(world *world) string {
		found, err := filepath.Glob(filepath.Join(world.data, "*", "*", store.DatabaseName))
		require.NoError(t, err)
		require.Len(t, found, 1)
		return filepath.Dir(found[0])
	}
	copied := func(t *testing.T) *world {
		t.Helper()
		note := filepath.Join(store.SessionsName, store.SessionKey("s"), store.NotesName, "detail", "a.md")
		info, err := os.Stat(filepath.Join(dirOf(seed), note))
		require.NoError(t, err)
		world := seed.copied(t)
		require.NoError(t, os.Chtimes(filepath.Join(dirOf(world), note), info.ModTime(), info.ModTime()))
		return world
	}
	before := rowsOf(t, dirOf(seed), tables)
	cases := map[string][]string{
		"the rows of versions": {"DELETE FROM meta"}, "the table of versions": {"DROP TABLE meta"},
		"a version that is not a number": {"UPDATE meta SET value = x'ff00' WHERE key = 'tables items'"},
		"the version of a table with other columns": {
			"ALTER TABLE skills_practice ADD COLUMN later TEXT", "DELETE FROM meta WHERE key = 'tables skills'",
		},
		"all tables of a room": {
			"DROP TABLE items_item", "DROP TABLE items_key", "DROP TABLE items_count", "DROP TABLE items_step",
			"DROP TABLE items_episode", "DROP TABLE items_in", "DROP TABLE items_newkey",
		},
		"tables of the store and of a room": {"DROP TABLE state", "DROP TABLE fixes_error"},
	}
	for _, table := range append(slices.Concat(tables, tablesOfKeys), "reads_read", "index_record") {
		cases[table] = []string{"DROP TABLE " + table}
	}
	for name, statements := range cases {
		t.Run(name, func(t *testing.T) {
			world := copied(t)
			inDatabase(t, dirOf(world), statements...)
			w := world.open()
			assert.Equal(t, name != "index_record", len(w.Problems()) > 0, "what follows from other tables is not lost")
			hits, _ := found(t, w, "cart rounds half")
			assert.Contains(t, hits, "The cart rounds half up, on the total")
			w.Close(context.Background())
			assert.Equal(t, before, rowsOf(t, dirOf(world), tables))
			again := world.open()
			assert.Empty(t, again.Problems())
			goesOn(t, again, "Snow is cleared before eight")
		})
		if !strings.HasPrefix(statements[0], "DROP TABLE") || name == "the table of versions" || name == "reads_read" {
			continue // nothing here reads them
		}
		t.Run(name+", of an open database", func(t *testing.T) {
			world := copied(t)
			w := world.open()
			inDatabase(t, dirOf(world), statements...)
			goesOn(t, w, "Snow is cleared before eight")
			hits, _ := found(t, w, "cart rounds half")
			assert.Contains(t, hits, "The cart rounds half up, on the total")
			w.Close(context.Background())
			after := rowsOf(t, dirOf(world), tables)
			assert.Subset(t, after["items_item"], before["items_item"])
			assert.Empty(t, world.open().Problems())
		})
	}
}

func TestPracticeThatCannotBeReadIsLeftOut(t *testing.T) {
	world := newWorld(t)
	w := world.open()
	goesOn(t, w, "Hall 7 is watered on Monday")
	before, err := memory.RoomOf[*skills.Room](w).Episodes(t.Context())
	require.NoError(t, err)
	require.Len(t, before, 1)
	w.Close(context.Background())
	inDatabase(t, w.Dir(),
		"INSERT INTO skills_practice(n, session, turn, at, steps) VALUES(9000, 's', 7, 0, x'ff00')",
		"INSERT INTO skills_practice(n, session, turn, at, steps) VALUES(9001, 's', 'seven', 0, '[]')")
	after, err := memory.RoomOf[*skills.Room](world.open()).Episodes(t.Context())
	require.NoError(t, err)
	assert.Equal(t, before, after)
}
