package memory_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// shelf is a room that keeps what is said in a table, and nothing in memory.
type shelf struct {
	version  int
	durable  bool
	migrated *[]int // the versions from which it came
	loaded   int    // how many rows it was given
	db       room.Querier
}

const shelved change.Kind = "shelf.kept"

func newShelf(version int, durable bool, migrated *[]int) room.Maker {
	return func(room.Env) room.Room { return &shelf{version: version, durable: durable, migrated: migrated} }
}

func (r *shelf) Name() string       { return "shelf" }
func (r *shelf) Nouns() []room.Noun { return []room.Noun{{Name: "shelf"}} }
func (r *shelf) TablesVersion() int { return r.version }
func (r *shelf) Tables() []string   { return []string{"shelf_texts"} }

func (r *shelf) Attach(db room.Database) { r.db = db }

func (r *shelf) Observe(ev event.Event) ([]change.Change, error) {
	said, is := ev.Body.(event.MessageReceived)
	if !is {
		return nil, nil
	}
	c := change.New(shelved, ev.Session, said.Text)
	c.Hot = !r.durable
	return []change.Change{c}, nil
}

func (r *shelf) Fold(change.Change) ([]change.Row, error) { return nil, nil }

func (r *shelf) Load(rows []change.Row) error {
	r.loaded += len(rows)
	return nil
}

func (r *shelf) Migrate(ctx context.Context, tx room.Tx, from int) error {
	*r.migrated = append(*r.migrated, from)
	if from > 0 {
		return nil
	}
	_, err := tx.ExecContext(ctx, `CREATE VIRTUAL TABLE shelf_texts USING fts5(body, seq UNINDEXED);
		INSERT INTO shelf_texts(shelf_texts, rank) VALUES('secure-delete', 1)`)
	return err
}

var errRefused = errors.New("the shelf is full")

func (r *shelf) Index(ctx context.Context, tx room.Tx, changes []change.Change) error {
	for _, c := range changes {
		if c.Kind != shelved {
			continue
		}
		var body string
		if err := c.Decode(&body); err != nil {
			return err
		}
		if body == "refuse this" {
			return errRefused
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO shelf_texts(body, seq) VALUES(?, ?)", body, c.Seq)
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *shelf) EraseIndexed(ctx context.Context, tx room.Tx, texts []string) error {
	for _, text := range texts {
		if _, err := tx.ExecContext(ctx, "DELETE FROM shelf_texts WHERE instr(body, ?) > 0", text); err != nil {
			return err
		}
	}
	return nil
}

// search returns the numbers of the changes that said a word.
func (r *shelf) search(t *testing.T, word string) []int64 {
	t.Helper()
	const query = "SELECT seq FROM shelf_texts WHERE shelf_texts MATCH ? ORDER BY rowid"
	rows, err := r.db.QueryContext(t.Context(), query, word)
	require.NoError(t, err)
	defer rows.Close()
	var found []int64
	for rows.Next() {
		var seq int64
		require.NoError(t, rows.Scan(&seq))
		found = append(found, seq)
	}
	require.NoError(t, rows.Err())
	return found
}

func say(t *testing.T, w *memory.Workspace, text string) error {
	t.Helper()
	var err error
	on(w, func() {
		_, err = w.Observe(context.Background(), event.Event{
			Session: "s", Agent: "s", Worktree: w.Root(), Body: event.MessageReceived{Role: "user", Text: text},
		})
	})
	return err
}

// eachStorage runs a test on both implementations of a store.
func eachStorage(t *testing.T, test func(t *testing.T, world *world)) {
	for name, world := range map[string]func(*testing.T) *world{"on the disk": newWorld, "in memory": newMemoryWorld} {
		t.Run(name, func(t *testing.T) { test(t, world(t)) })
	}
}

func TestARoomsTableIsWrittenWithItsChangesAndNotLoaded(t *testing.T) {
	for name, durable := range map[string]bool{"durable": true, "hot": false} {
		t.Run(name, func(t *testing.T) {
			eachStorage(t, func(t *testing.T, world *world) {
				var migrated []int
				w := world.open(newShelf(1, durable, &migrated))
				other := world.open(newShelf(1, durable, &migrated))
				require.NoError(t, say(t, w, "the launch is near"))
				require.NoError(t, say(t, other, "the launch is far"))
				trace, err := w.Trace(t.Context(), store.Filter{Kinds: []string{string(shelved)}})
				require.NoError(t, err)
				var seqs []int64
				for _, c := range trace {
					seqs = append(seqs, c.Seq)
				}
				mine, theirs := memory.RoomOf[*shelf](w), memory.RoomOf[*shelf](other)
				require.Eventually(t, func() bool { return len(mine.search(t, "launch")) == 2 }, patience, tick)
				assert.Len(t, theirs.search(t, "launch"), 2, "each change is indexed once, by its writer")
				if durable {
					assert.Equal(t, seqs, mine.search(t, "launch"))
				}
				w.Close(context.Background())
				other.Close(context.Background())

				again := memory.RoomOf[*shelf](world.open(newShelf(1, durable, &migrated)))
				assert.Len(t, again.search(t, "launch"), 2)
				assert.Zero(t, again.loaded)
				assert.Equal(t, []int{0}, migrated, "once for all processes")
			})
		})
	}
}

func TestATransactionThatARoomRefusesWritesNothing(t *testing.T) {
	eachStorage(t, func(t *testing.T, world *world) {
		var migrated []int
		w := world.open(newShelf(1, true, &migrated))
		require.NoError(t, say(t, w, "the launch is near"))
		length, err := w.LogLength(t.Context())
		require.NoError(t, err)
		err = say(t, w, "refuse this")
		require.ErrorIs(t, err, errRefused)
		require.ErrorIs(t, err, memory.ErrStore)
		after, err := w.LogLength(t.Context())
		require.NoError(t, err)
		assert.Equal(t, length, after)

		on(w, func() {
			_, err = w.Apply(t.Context(), change.Actor{}, func() ([]change.Change, error) {
				refused := change.New(shelved, "s", "refuse this")
				return []change.Change{change.New(shelved, "s", "the moon"), refused}, nil
			})
		})
		require.ErrorIs(t, err, errRefused)
		assert.Empty(t, memory.RoomOf[*shelf](w).search(t, "moon"), "what was indexed before it is taken back")
		require.NoError(t, say(t, w, "the launch is nearer"))
		assert.Len(t, memory.RoomOf[*shelf](w).search(t, "launch"), 2)
	})
}

func TestTablesOfAnotherVersionAreMigratedAndNewerOnesRefused(t *testing.T) {
	eachStorage(t, func(t *testing.T, world *world) {
		var migrated []int
		w := world.open(newShelf(1, true, &migrated))
		require.NoError(t, say(t, w, "the launch is near"))
		w.Close(context.Background())
		w = world.open(newShelf(3, true, &migrated))
		assert.Equal(t, []int{0, 1}, migrated)
		assert.Len(t, memory.RoomOf[*shelf](w).search(t, "launch"), 1)
		w.Close(context.Background())

		w = world.open(newShelf(2, true, &migrated))
		assert.Equal(t, []int{0, 1}, migrated)
		assert.False(t, w.Healthy())
		require.NotEmpty(t, w.Problems())
		assert.Contains(t, w.Problems()[0].Message, "newer wm-lsp")
	})
}

func TestPurgingEmptiesTheTablesOfRooms(t *testing.T) {
	eachStorage(t, func(t *testing.T, world *world) {
		var migrated []int
		w := world.open(newShelf(1, true, &migrated))
		other := world.open(newShelf(1, true, &migrated))
		plain := world.open() // which knows nothing of the tables
		require.NoError(t, say(t, w, "the launch is near"))
		on(w, func() {
			_, _, err := w.Purge(context.Background(), change.Actor{})
			require.NoError(t, err)
		})
		assert.Empty(t, memory.RoomOf[*shelf](w).search(t, "launch"))
		require.NoError(t, say(t, other, "the launch is far"))
		assert.Len(t, memory.RoomOf[*shelf](w).search(t, "launch"), 1)

		on(plain, func() {
			_, _, err := plain.Purge(context.Background(), change.Actor{})
			require.NoError(t, err)
		})
		require.Eventually(t, func() bool { return say(t, other, "the launch is off") == nil }, patience, tick)
		assert.Len(t, memory.RoomOf[*shelf](other).search(t, "launch"), 1)
	})
}

func TestErasingTakesStringsOutOfTheTablesOfRooms(t *testing.T) {
	const text = "The launch codename is Halcyon Meridian"
	world := newWorld(t)
	var migrated []int
	w := world.open(newShelf(1, true, &migrated))
	id := add(t, w, longterm.Addition{Text: text}).ID
	require.NoError(t, say(t, w, fmt.Sprintf("I heard this: %q, and more", text)))
	require.NoError(t, say(t, w, "Something else"))
	on(w, func() {
		_, _, err := w.Erase(context.Background(), change.Actor{}, id)
		require.NoError(t, err)
	})
	assert.Empty(t, memory.RoomOf[*shelf](w).search(t, "Halcyon"))
	assert.Len(t, memory.RoomOf[*shelf](w).search(t, "something"), 1)
	for path, content := range files(t, world.data) {
		assert.NotContains(t, string(content), "Halcyon", path)
		assert.NotContains(t, string(content), "halcyon", path)
	}
}
