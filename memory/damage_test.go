package memory_test

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/index"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// damageTree overwrites the pages of a table or an index of a closed database with bytes that
// are none of SQLite's, and reports whether there is more than its first page.
func damageTree(t *testing.T, dir, tree string) {
	t.Helper()
	path := filepath.Join(dir, store.DatabaseName)
	inDatabase(t, dir, "PRAGMA wal_checkpoint(TRUNCATE)")
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	require.NoError(t, err)
	rows, err := db.QueryContext(t.Context(), "SELECT pageno FROM dbstat WHERE name = ?", tree)
	require.NoError(t, err)
	var pages []int
	for rows.Next() {
		var page int
		require.NoError(t, rows.Scan(&page))
		pages = append(pages, page)
	}
	require.NoError(t, rows.Err())
	require.NoError(t, db.Close())
	require.NotEmpty(t, pages, tree)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	const size = 4096
	for _, page := range pages {
		copy(content[(page-1)*size:page*size], bytes.Repeat([]byte{0xff}, size))
	}
	require.NoError(t, os.WriteFile(path, content, 0o600))
}

// sound reports whether SQLite finds no damage in a database.
func sound(t *testing.T, dir string) bool {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, store.DatabaseName)+"?mode=ro")
	require.NoError(t, err)
	defer db.Close()
	var verdict string
	err = db.QueryRowContext(t.Context(), "PRAGMA integrity_check(1)").Scan(&verdict)
	return err == nil && verdict == "ok"
}

// readAll reads what the parts of the memory hold, as commands and hooks do.
func readAll(t *testing.T, w *memory.Workspace) {
	t.Helper()
	for range 2 {
		_, _ = memory.RoomOf[*index.Room](w).Search(t.Context(), index.Query{Text: "rule project", Limit: 10})
		_, _, _ = memory.RoomOf[*items.Room](w).Counts(t.Context())
		_, _ = tryMemorize(t, w, items.Draft{Item: items.Item{Text: "The greenhouse is watered at noon"}})
		_, _ = w.Trace(t.Context(), store.Filter{})
		_, _ = w.Trace(t.Context(), store.Filter{Subject: "none"})
		_ = memory.RoomOf[*longterm.Room](w).List(nil, true)
		on(w, func() { w.Mend(t.Context(), w.Damage()) })
	}
}

func TestWhoeverMeetsDamageFirstRepairsIt(t *testing.T) {
	slow.Test(t)
	const everything = ", and everything that was kept could be read from it."
	world := newWorld(t)
	w, kept, removed := world.filled()
	item := memorize(t, w, items.Draft{Item: items.Item{Text: "The greenhouse is watered at noon"}})[0]
	require.Equal(t, items.Stored, item.Status)
	on(w, func() { memory.Flush(w) })
	w.Close(context.Background())
	inDatabase(t, w.Dir(), `INSERT INTO snapshot(room, key, value) VALUES('nobody', 'k', '{}')`)

	cases := map[string]string{ // what is said, by the damaged tree
		"index_document": everything, "index_record": everything,
		"index_chunk": everything, "items_item": "1 items could be read from it", "items_key": everything,
		"log": "Parts of log could not be read", "log_subject": everything,
		"state": "Parts of state could not be read", "retired": "Parts of retired could not be read",
		"snapshot": "Parts of snapshot could not be read", "meta": "Parts of meta", "sqlite_schema": "readable copy",
	}
	for tree, said := range cases {
		for _, brief := range []bool{false, true} {
			if tree == "snapshot" && brief {
				continue // no command reads it
			}
			name := tree + map[bool]string{false: ", met by a server", true: ", met by a hook"}[brief]
			t.Run(name, func(t *testing.T) {
				world := world.copied(t)
				dir := filepath.Join(world.data, "workspaces", filepath.Base(w.Dir()))
				damageTree(t, dir, tree)
				var first *memory.Workspace
				if brief {
					first = world.openBrief()
					readAll(t, first)
				} else {
					first = world.open()
				}
				require.Eventually(t, func() bool { return len(first.Problems()) > 0 }, patience, tick)
				settle(first)
				message := first.Problems()[0].Message
				assert.Contains(t, message, "The memory database was damaged. It was set aside as memory.db.corrupt-")
				assert.Contains(t, message, said)
				assert.ElementsMatch(t, kept, texts(first))
				if tree != "sqlite_schema" {
					assert.Equal(t, 2, hotFiles(first), "what is known of files")
					_, there := memory.RoomOf[*longterm.Room](first).Get(removed)
					assert.True(t, there, "what is not in force")
				}
				add(t, first, longterm.Addition{Text: "The session goes on after it"})
				first.Close(context.Background())
				assert.True(t, sound(t, dir))
				aside, err := filepath.Glob(filepath.Join(dir, "memory.db.corrupt-*Z"))
				require.NoError(t, err)
				assert.Len(t, aside, 1)

				next := world.open()
				assert.Len(t, texts(next), len(kept)+1)
				if brief {
					require.Len(t, next.Problems(), 1, "nobody has read what the hook said")
					assert.Equal(t, message, next.Problems()[0].Message)
				} else {
					assert.Empty(t, next.Problems(), "it is told once")
				}
				hits, _ := found(t, next, "session goes on")
				assert.Contains(t, hits, "The session goes on after it")
				if tree != "sqlite_schema" { // the log has the item, too
					assert.Len(t, storedItems(t, next, item.ID), 1)
				}
				next.Close(context.Background())
				assert.Empty(t, world.open().Problems(), "it is told once")
			})
		}
	}
}

// A database that is missing, or has no bytes, beside a readable copy was not emptied by a person.
func TestADatabaseThatIsMissingBesideItsReadableCopyIsTold(t *testing.T) {
	for name, lose := range map[string]func(path string) error{
		"missing": os.Remove,
		"empty":   func(path string) error { return os.Truncate(path, 0) },
	} {
		for _, brief := range []bool{false, true} {
			t.Run(name+map[bool]string{false: ", server", true: ", hook"}[brief], func(t *testing.T) {
				world := newWorld(t)
				w, kept, _ := world.filled()
				w.Close(context.Background())
				for _, suffix := range []string{"-wal", "-shm"} {
					require.NoError(t, os.Remove(filepath.Join(w.Dir(), store.DatabaseName+suffix)))
				}
				require.NoError(t, lose(filepath.Join(w.Dir(), store.DatabaseName)))
				again := world.open
				if brief {
					again = func(...room.Maker) *memory.Workspace { return world.openBrief() }
				}
				first := again()
				require.Len(t, first.Problems(), 1)
				assert.Equal(t, "The memory database was missing or empty, but there was a readable copy. "+
					"It was made anew from the copy.", first.Problems()[0].Message)
				told := first.Problems()
				assert.ElementsMatch(t, kept, texts(first))
				id := memory.RoomOf[*longterm.Room](first).List(nil, false)[0].ID
				first.Close(context.Background())
				next := world.open()
				if brief {
					assert.Equal(t, told, next.Problems(), "nobody has read what the hook said")
				} else {
					assert.Empty(t, next.Problems(), "it is told once")
				}
				assert.ElementsMatch(t, kept, texts(next))
				assert.True(t, slices.ContainsFunc(memory.RoomOf[*longterm.Room](next).List(nil, false),
					func(e longterm.Entry) bool { return e.ID == id }), "with their ids")
			})
		}
	}
}

func TestNothingIsToldOfADatabaseThatIsNew(t *testing.T) {
	world := newWorld(t)
	w := world.open()
	assert.Empty(t, w.Problems())
	on(w, func() {
		_, _, err := w.Purge(context.Background(), change.Actor{})
		require.NoError(t, err)
	})
	w.Close(context.Background())
	assert.Empty(t, world.open().Problems())
}
