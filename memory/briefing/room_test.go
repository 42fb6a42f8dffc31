package briefing

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

func tell(t *testing.T, r *Room, session string, report Report) []change.Row {
	t.Helper()
	rows, err := r.Fold(change.New(Told, session, report))
	require.NoError(t, err)
	return rows
}

func ids(s *State) (ids []string) {
	for _, item := range s.Items {
		ids = append(ids, item.ID)
	}
	return ids
}

func item(id string) Item { return ItemOf("workspace", render.Item{ID: id, Text: "text of " + id}) }

func TestASessionKnowsWhatItWasTold(t *testing.T) {
	r := New(room.Env{})
	assert.Nil(t, r.Of("s"))
	tell(t, r, "s", Report{Whole: true, Items: []Item{item("a"), item("b")}})
	tell(t, r, "s", Report{Items: []Item{item("c"), item("a")}, Gone: []Key{{"workspace", "b"}}})
	assert.Equal(t, []string{"c", "a"}, ids(r.Of("s")))
	assert.Nil(t, r.Of("other"))
	rows := tell(t, r, "s", Report{Whole: true, Items: []Item{item("d")}})
	assert.Equal(t, []string{"d"}, ids(r.Of("s")))

	loaded := New(room.Env{})
	require.NoError(t, loaded.Load(rows))
	assert.Equal(t, r.Of("s"), loaded.Of("s"))
	assert.Error(t, loaded.Load([]change.Row{{Key: "x", Value: []byte("{")}}))
	assert.Len(t, loaded.ForgetSession("s"), 1)
	assert.Nil(t, loaded.Of("s"))
	require.NoError(t, r.Load([]change.Row{{Key: "s"}}))
	assert.Nil(t, r.Of("s"))
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
	r := New(room.Env{})
	for i := range maxItems + 5 {
		tell(t, r, "s", Report{Items: []Item{item(fmt.Sprint(i))}})
	}
	known := ids(r.Of("s"))
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
