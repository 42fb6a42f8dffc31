package briefing

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/sqlite"
)

// A table is a room with the store of a folder.
type table struct {
	*testing.T
	room  *Room
	store *sqlite.Store
}

func newTable(t *testing.T) *table {
	opened, err := sqlite.Open(context.Background(), t.TempDir(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { _ = opened.Close() })
	b := &table{T: t, room: New(room.Env{}), store: opened}
	b.update(func(tx store.Tx) error { return b.room.Migrate(t.Context(), tx, 0) })
	b.room.Attach(opened)
	return b
}

func (b *table) update(write func(tx store.Tx) error) {
	b.Helper()
	require.NoError(b, b.store.Update(context.Background(), store.Fast, nil, write))
}

func (b *table) index(changes ...change.Change) {
	b.Helper()
	b.update(func(tx store.Tx) error { return b.room.Index(b.Context(), tx, changes) })
}

func (b *table) tell(session string, reports ...Report) {
	b.Helper()
	var changes []change.Change
	for _, report := range reports {
		changes = append(changes, change.New(Told, session, report))
	}
	b.index(changes...)
}

func (b *table) of(session string) *State {
	b.Helper()
	state, err := b.room.Of(b.Context(), session)
	require.NoError(b, err)
	return state
}

func ids(s *State) (ids []string) {
	for _, item := range s.Items {
		ids = append(ids, item.ID)
	}
	return ids
}

func item(id string) Item { return ItemOf("workspace", render.Item{ID: id, Text: "text of " + id}) }

func TestASessionKnowsWhatItWasTold(t *testing.T) {
	b := newTable(t)
	assert.Nil(t, b.of("s"))
	b.tell("s", Report{Whole: true, Items: []Item{item("a"), item("b")}},
		Report{Items: []Item{item("c"), item("a")}, Gone: []Key{{"workspace", "b"}}})
	assert.Equal(t, []string{"c", "a"}, ids(b.of("s")))
	assert.Nil(t, b.of("other"))
	b.tell("other", Report{Items: []Item{item("e")}})
	b.tell("s", Report{Whole: true, Items: []Item{item("d")}})
	assert.Equal(t, []string{"d"}, ids(b.of("s")))
	b.index(change.New(sessions.Ended, "s", struct{}{}))
	assert.Equal(t, []string{"d"}, ids(b.of("s")), "a session that is resumed knows what it was told")
	for session, kind := range map[string]change.Kind{"s": sessions.Deleted, "other": sessions.Swept} {
		assert.NotNil(t, b.of(session))
		b.index(change.New(kind, session, struct{}{}))
		assert.Nil(t, b.of(session), session)
	}
}

func TestARoomWithoutADatabaseKnowsNothing(t *testing.T) {
	state, err := New(room.Env{}).Of(t.Context(), "s")
	require.NoError(t, err)
	assert.Nil(t, state)
}

func TestASessionIsToldAnewWhatCannotBeRead(t *testing.T) {
	b := newTable(t)
	b.tell("s", Report{Items: []Item{item("a")}})
	b.update(func(tx store.Tx) error {
		_, err := tx.ExecContext(t.Context(), "UPDATE briefing_told SET doc = '{'")
		return err
	})
	assert.Nil(t, b.of("s"))
	b.tell("s", Report{Items: []Item{item("b")}})
	assert.Equal(t, []string{"b"}, ids(b.of("s")))
}

func TestWhatIsErasedIsGoneFromWhatSessionsWereTold(t *testing.T) {
	b := newTable(t)
	b.tell("s", Report{Items: []Item{item("a"), item("halcyon")}})
	b.tell("of halcyon", Report{Items: []Item{item("a")}})
	b.update(func(tx store.Tx) error { return b.room.EraseIndexed(t.Context(), tx, []string{"halcyon"}) })
	assert.Equal(t, []string{"a", "[erased]"}, ids(b.of("s")))
	assert.Equal(t, "text of [erased]", b.of("s").Items[1].Text)
	assert.Nil(t, b.of("of halcyon"))
}

func TestACompactionTakesAwayWhatWasToldBeforeIt(t *testing.T) {
	var none *State
	assert.False(t, none.Holds(0, 0))
	for name, c := range map[string]struct {
		state             State
		turn, compactions int
		want              bool
	}{
		"there was none":                            {State{Turn: 3}, 9, 0, true},
		"there was one since":                       {State{Turn: 3}, 4, 1, false},
		"the whole was told because of it":          {State{Turn: 3, Start: true}, 3, 1, true},
		"and a prompt followed":                     {State{Turn: 3, Start: true}, 4, 1, true},
		"it came later":                             {State{Turn: 3, Start: true}, 5, 1, false},
		"there were two":                            {State{Turn: 3, Start: true}, 3, 2, false},
		"the whole was told after it was reported":  {State{Turn: 3, Start: true, Compactions: 1}, 9, 1, true},
		"there was another after it was reported":   {State{Turn: 3, Compactions: 1}, 4, 2, false},
		"the conversation is from before a restore": {State{Turn: 3, Compactions: 2}, 4, 1, false},
	} {
		assert.Equal(t, c.want, c.state.Holds(c.turn, c.compactions), name)
	}
}

func TestWhatIsRecordedIsBounded(t *testing.T) {
	b := newTable(t)
	for i := range maxItems + 5 {
		b.tell("s", Report{Items: []Item{item(fmt.Sprint(i))}})
	}
	known := ids(b.of("s"))
	assert.Len(t, known, maxItems)
	assert.Equal(t, "5", known[0], "what was told longest ago is forgotten")
	text := strings.Repeat("é", 2*maxText)
	long := ItemOf("s", render.Item{ID: "a", Text: text, Told: text})
	assert.Len(t, []rune(long.Text), maxText)
	assert.Len(t, []rune(long.Told), maxText)
}

func TestAnItemIsNewsWhenItSaysSomethingElse(t *testing.T) {
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	before := ItemOf("s", render.Item{ID: "a", Text: "one", Path: "a.go", At: at})
	assert.False(t, before.IsNews(render.Item{ID: "a", Text: "one", Told: "other"}))
	assert.True(t, before.IsNews(render.Item{ID: "a", Text: "two"}))
	same := ItemOf("s", render.Item{ID: "a", Text: "one, 2x", Same: "one"})
	assert.False(t, same.IsNews(render.Item{ID: "a", Text: "one, 3x", Same: "one"}))
	assert.Equal(t, render.Item{ID: "a", Text: "one", Path: "a.go", At: at}, before.Item())
	assert.Equal(t, KeyOf("One."), KeyOf("one"))
	assert.Empty(t, KeyOf(" ."))
}
