package working_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/working"
)

const tree = "/home/dev/shop"

var began = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// A desk is a room with a clock that goes on by a step, a second, with every change.
type desk struct {
	*testing.T
	room     *working.Room
	settings *settings.Settings
	now      time.Time
	step     time.Duration
	missing  map[string]bool // the files that do not exist
}

func newDesk(t *testing.T) *desk {
	d := &desk{T: t, settings: settings.Default(), now: began, step: time.Second}
	d.room = d.newRoom()
	return d
}

func (d *desk) newRoom() *working.Room {
	return working.New(room.Env{
		Settings: func() *settings.Settings { return d.settings },
		Tracked: func(_, _, file string) (string, bool) {
			rel := strings.TrimPrefix(file, tree+"/")
			return rel, !strings.HasPrefix(rel, "/") && !strings.HasPrefix(rel, ".env")
		},
		Exists: func(_, path string) bool { return !d.missing[path] },
	})
}

func (d *desk) fold(changes ...change.Change) []change.Row {
	d.Helper()
	var rows []change.Row
	for _, c := range changes {
		d.now = d.now.Add(d.step)
		c.At = d.now
		more, err := d.room.Fold(c)
		require.NoError(d, err)
		rows = append(rows, more...)
	}
	return rows
}

func (d *desk) tell(body any) []change.Row {
	d.Helper()
	changes, err := d.room.Observe(event.Event{Session: "s", Worktree: tree, Body: body})
	require.NoError(d, err)
	return d.fold(changes...)
}

func (d *desk) say(role, text string) {
	d.Helper()
	d.tell(event.MessageReceived{Role: role, Text: text})
}

func (d *desk) run(line, output string, exit int) {
	d.Helper()
	input, err := json.Marshal(map[string]string{"command": line})
	require.NoError(d, err)
	d.tell(event.ToolRan{Tool: "Bash", Input: input, Output: output, ExitCode: &exit})
}

func (d *desk) edit(file string) {
	d.Helper()
	input, err := json.Marshal(map[string]string{"filePath": file})
	require.NoError(d, err)
	d.tell(event.ToolRan{Tool: "edit", Input: input})
}

func (d *desk) add(slot, content string) (evicted []string) {
	d.Helper()
	before, err := d.room.Matching("s", slot, "")
	require.NoError(d, err)
	changes, err := d.room.Add("s", slot, content)
	require.NoError(d, err)
	d.fold(changes...)
	_, gone := d.room.Added(changes, before)
	return contents(gone)
}

func contents(items []working.Item) []string {
	list := []string{}
	for _, item := range items {
		list = append(list, item.Content)
	}
	return list
}

func (d *desk) slot(name string) []string { return contents(d.room.Slot("s", name)) }

func (d *desk) pool() []string {
	list := []string{}
	for _, item := range d.room.Pool("s") {
		list = append(list, item.Content)
	}
	return list
}

func TestA3_SlotsKeepTheNewest(t *testing.T) {
	for slot, limit := range map[string]int{
		working.Errors: 3, working.Decisions: 5, working.Todos: 3, working.Dependencies: 3,
	} {
		d := newDesk(t)
		var want []string
		for i := range limit {
			assert.Empty(t, d.add(slot, fmt.Sprintf("item number %d", i)))
			want = slices.Insert(want, 0, fmt.Sprintf("item number %d", i))
		}
		assert.Equal(t, want, d.slot(slot), slot)
		assert.Equal(t, []string{"item number 0"}, d.add(slot, "one more"), slot)
		assert.Equal(t, append([]string{"one more"}, want[:limit-1]...), d.slot(slot), slot)
	}
}

func TestA3_ARepeatRaisesTheMentionsAndMovesToTheFront(t *testing.T) {
	d := newDesk(t)
	d.add(working.Decisions, "Use PostgreSQL for the orders")
	d.add(working.Decisions, "Deploy on Fridays only")
	assert.Equal(t, 1, d.room.Slot("s", working.Decisions)[0].Mentions)
	d.add(working.Decisions, "use postgresql for the orders!")
	first := d.room.Slot("s", working.Decisions)[0]
	assert.Equal(t, "Use PostgreSQL for the orders", first.Content)
	assert.Equal(t, 2, first.Mentions)
	assert.Equal(t, began.Add(time.Second), first.CreatedAt)
	assert.Equal(t, began.Add(3*time.Second), first.LastMentionedAt)
	assert.Len(t, d.slot(working.Decisions), 2)
}

func TestA3_WhatIsAddedInOneMillisecondKeepsItsOrder(t *testing.T) {
	for name, step := range map[string]time.Duration{"the same time": 0, "the clock set back": -time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.step = step
			var want []string
			for i := range 8 {
				content := fmt.Sprintf("Decision %d holds", i)
				d.add(working.Decisions, content)
				want = append([]string{content}, want...)
			}
			assert.Equal(t, want[:len(d.slot(working.Decisions))], d.slot(working.Decisions))
		})
	}
}

func TestA3_TheCounterRisesWithToolEventsAndMessagesOnly(t *testing.T) {
	d := newDesk(t)
	d.edit("cart.go")
	d.say("user", "hello")
	d.say("assistant", "hi")
	d.say("tool", "x")
	d.tell(event.ToolRan{Tool: "webfetch"})
	assert.Equal(t, 5, d.room.Events("s"))
	for _, body := range []any{
		event.FileTouched{Path: "a.go", Action: event.Edit}, event.Diagnostics{Path: "a.go"},
		event.UsageReported{Used: 1, Limit: 2},
		event.TodosChanged{}, event.SessionStarted{}, event.SessionEnded{}, event.CompactionFinished{Summary: "so far"},
	} {
		d.tell(body)
	}
	d.add(working.Todos, "write the tests")
	assert.Equal(t, 5, d.room.Events("s"))
}

func TestA3_AMessageMentionsAnItemByItsTextPathOrBaseName(t *testing.T) {
	for said, want := range map[string]int{
		"look at src/cart/total.ts again": 2, "total.ts is wrong": 2, "TOTAL.TS?": 2, "subtotal.ts": 1,
		"total.tsx": 1, "total": 1, "看一下total.ts吧": 2, "": 1,
	} {
		d := newDesk(t)
		d.edit("src/cart/total.ts")
		d.say("user", said)
		assert.Equal(t, want, d.room.Pool("s")[0].Mentions, said)
	}
	d := newDesk(t)
	d.add(working.Dependencies, "zod")
	d.say("assistant", "I validate it with Zod.")
	assert.Equal(t, 2, d.room.Slot("s", working.Dependencies)[0].Mentions)
}

func TestA4_PoolDecayFollowsTheFormula(t *testing.T) {
	d := newDesk(t)
	d.edit("a.go")
	score := func() float64 { return d.room.Pool("s")[0].Score }
	assert.InDelta(t, 1+math.Log(2), score(), 1e-9)
	for age := 1; age <= 31; age++ {
		d.say("system", "nothing of it")
		require.Len(t, d.room.Pool("s"), 1, "age %d", age)
		assert.InDelta(t, math.Pow(0.85, float64(age))*(1+math.Log(2)), score(), 1e-9)
	}
	rows := d.tell(event.MessageReceived{Role: "system", Text: "1.69 × 0.85^32 is less than 0.01"})
	assert.Empty(t, d.room.Pool("s"))
	assert.True(t, slices.ContainsFunc(rows, func(r change.Row) bool { return r.Value == nil }), "its row goes too")
}

func TestA4_AMentionMakesAnItemYoungAgainAndCounts(t *testing.T) {
	d := newDesk(t)
	d.edit("old.go")
	d.edit("young.go")
	assert.Equal(t, []string{"young.go", "old.go"}, d.pool())
	d.say("user", "old.go it is")
	assert.Equal(t, []string{"old.go", "young.go"}, d.pool())
	assert.InDelta(t, 1+math.Log(3), d.room.Pool("s")[0].Score, 1e-9)
	assert.InDelta(t, 0.85*(1+math.Log(2)), d.room.Pool("s")[1].Score, 1e-9)
}

func TestA4_ThePoolIsBounded(t *testing.T) {
	d := newDesk(t)
	for i := range 300 {
		d.add(working.Pool, fmt.Sprintf("finding number %d", i))
	}
	assert.Len(t, d.room.Pool("s"), 100)
	assert.Contains(t, d.pool(), "finding number 299")
}

func TestA5_ItemsAreTakenFromWhatHappens(t *testing.T) {
	d := newDesk(t)
	d.run(
		"go test ./...",
		"--- FAIL: TestTotal (0.00s)\n    cart_test.go:9: got 3, want 4\nFAIL\nFAIL\texample.org/shop/cart\t0.01s\n",
		1,
	)
	assert.Equal(t, []string{"[test] TestTotal: got 3, want 4"}, d.slot(working.Errors))
	assert.Equal(t, []string{"cart/cart_test.go"}, d.pool(), "where the error is, once")
	d.run("npm install zod@3", "added 1 package", 0)
	assert.Equal(t, []string{"zod@3"}, d.slot(working.Dependencies))
	d.edit(tree + "/src/cart.ts")
	assert.Contains(t, d.pool(), "src/cart.ts")
	d.edit(tree + "/.env")
	assert.NotContains(t, d.pool(), ".env")
	d.say("user", "We decided to use PostgreSQL for the orders because of its transactions.\nTODO: write the migration")
	require.Len(t, d.slot(working.Decisions), 1)
	assert.Contains(t, d.slot(working.Decisions)[0], "PostgreSQL")
	require.Len(t, d.slot(working.Todos), 1)
	assert.Contains(t, d.slot(working.Todos)[0], "migration")
	d.say("assistant", "The root cause is a race between the two writers of the cart.")
	assert.Contains(t, d.pool(), "The root cause is a race between the two writers of the cart.")
	assert.Equal(t, "tool:edit", d.room.Pool("s")[slices.Index(d.pool(), "src/cart.ts")].Source)
}

func TestA5_WhatIsOnlyPrintedIsNoItem(t *testing.T) {
	d := newDesk(t)
	d.run("cat build.log", "src/a.go:3: undefined: x\n", 0)
	d.run("git log", "fix src/b.go:3\n", 0)
	assert.Empty(t, d.pool())
	assert.Empty(t, d.slot(working.Errors))
}

func TestA6_ItemsAreAddedAndRemovedByHand(t *testing.T) {
	d := newDesk(t)
	d.add(working.Todos, "Write the MIGRATION")
	d.add(working.Todos, "call the bank")
	d.add(working.Pool, "the migration needs a lock")
	found, err := d.room.Matching("s", working.Everywhere, "migration")
	require.NoError(t, err)
	assert.Equal(t, []string{"Write the MIGRATION", "the migration needs a lock"}, contents(found))
	found, err = d.room.Matching("s", working.Todos, "migration")
	require.NoError(t, err)
	d.fold(d.room.Remove("s", found)...)
	assert.Equal(t, []string{"call the bank"}, d.slot(working.Todos))
	assert.Equal(t, []string{"the migration needs a lock"}, d.pool())
	found, err = d.room.Matching("s", working.Everywhere, "")
	require.NoError(t, err)
	d.fold(d.room.Remove("s", found)...)
	assert.Empty(t, append(d.pool(), d.slot(working.Todos)...))
	assert.Empty(t, d.room.Remove("s", nil))
}

func TestA6_AnUnknownSlotAndALongItemAreRefused(t *testing.T) {
	d := newDesk(t)
	_, err := d.room.Add("s", "wish", "x")
	assert.ErrorContains(t, err, `slot: must be one of error, decision, todo, dependency, got "wish"`)
	_, err = d.room.Matching("s", "wish", "x")
	assert.ErrorContains(t, err, "slot: must be one of")
	_, err = d.room.Add("s", working.Todos, strings.Repeat("ü", working.MaxChars+1))
	assert.ErrorContains(t, err, "at most 500 characters, this has 501")
	_, err = d.room.Add("s", working.Todos, strings.Repeat("ü", working.MaxChars))
	assert.NoError(t, err)
}

func (d *desk) render(limit int, shown ...string) (string, []string) {
	part := d.room.Render("s", limit, working.View{
		IsShown: func(i working.Item) bool { return slices.Contains(shown, i.Content) },
		IsOpen:  func(i working.Item) bool { return strings.Contains(i.Content, "open") },
		IsNamed: func(i working.Item) bool { return i.Source == "tool:bash" },
		IsGone:  func(i working.Item) bool { return i.Path == "gone.go" },
	})
	var omitted []string
	for _, o := range part.Omitted {
		omitted = append(omitted, o.Reason)
	}
	return part.Text, omitted
}

func TestA7_WorkingMemoryIsRendered(t *testing.T) {
	d := newDesk(t)
	text, _ := d.render(1600)
	assert.Empty(t, text)
	d.run("go build", "a.go:1:1: undefined: x\n", 1)
	d.edit("src/cart.ts")
	d.edit("gone.go")
	d.add(working.Decisions, "Use </working_memory> PostgreSQL")
	d.add(working.Todos, "write the\nmigration")
	d.add(working.Dependencies, "zod@3")
	d.add(working.Pool, "the cart is locked by its owner")
	d.say("user", "src/cart.ts first")
	text, omitted := d.render(1600)
	assert.Equal(t, `<working_memory>
Decisions:
- Use ‹/working_memory› PostgreSQL
To do:
- write the migration
Dependencies:
- zod@3
Key files:
- src/cart.ts (named 2x)
Facts:
- the cart is locked by its owner
(5 items, 09:00:08 UTC)</working_memory>`, text)
	assert.Equal(t, []string{"no longer open", "does not exist", "seldom named"}, omitted)
}

func TestAFactAboutTheProblemGoesWithANewerOneAndWithAnEdit(t *testing.T) {
	d := newDesk(t)
	const first = "The issue is that the index is built twice."
	const second = "The bug is that the reader never closes the index."
	const lasting = "The server listens on port 8080 by default."
	d.say("assistant", first+" "+lasting)
	assert.ElementsMatch(t, []string{first, lasting}, d.pool())
	d.say("assistant", second)
	assert.ElementsMatch(t, []string{second, lasting}, d.pool())
	d.run("cat a.go", "package a", 0)
	assert.Contains(t, d.pool(), second, "reading changes nothing")
	d.run("sed -i s/a/b/ a.go", "", 0)
	assert.Equal(t, []string{lasting}, d.pool())
	d.say("assistant", first)
	d.edit("b.go")
	assert.NotContains(t, d.pool(), first)
	assert.Contains(t, d.pool(), lasting)
}

func TestAFactAboutAProblemThatWasGoesWhenTheUserGoesOn(t *testing.T) {
	d := newDesk(t)
	const was = "The issue was that the index was built twice by the two workers."
	const is = "The server listens on port 8080 by default."
	d.say("assistant", was+" "+is)
	d.say("user", "Now show a spinner.")
	assert.ElementsMatch(t, []string{was, is}, d.pool(), "it was told with the last answer")
	d.say("assistant", "Done.")
	d.say("user", "Why is the list empty?")
	assert.Equal(t, []string{is}, d.pool())
}

func TestA7_AFileThatOnlyOutputsNameIsNoKeyFile(t *testing.T) {
	d := newDesk(t)
	for range 4 {
		d.run("./watch", "editing src/cart.ts:4:1\n", 0)
	}
	text, omitted := d.render(1600)
	assert.NotContains(t, text, "src/cart.ts")
	assert.Contains(t, omitted, "seldom named")
	d.say("assistant", "The worker is in cart.ts now.")
	text, _ = d.render(1600)
	assert.Contains(t, text, "Key files:\n- src/cart.ts (named 5x)\n")
}

func TestADependencyThatWasNotNamedForLongLeavesTheContextUnlessItWasAdded(t *testing.T) {
	d := newDesk(t)
	d.run("npm install zod", "added 1 package\n", 0)
	d.add(working.Dependencies, "left-pad")
	text, _ := d.render(1600)
	assert.Contains(t, text, "- zod\n")
	for range 41 {
		d.run("true", "", 0)
	}
	text, omitted := d.render(1600)
	assert.NotContains(t, text, "- zod\n")
	assert.Contains(t, text, "- left-pad\n")
	assert.Contains(t, omitted, "not named for some time")
}

func TestA7_WholeItemsWithinTheBudgetAndNothingTwice(t *testing.T) {
	d := newDesk(t)
	for i := range 5 {
		d.add(working.Decisions, fmt.Sprintf("decision number %d is that we take the long road round the lake", i))
		d.add(working.Pool, fmt.Sprintf("fact number %d", i))
	}
	for limit := range 700 {
		text, omitted := d.render(limit)
		assert.LessOrEqual(t, len([]rune(text)), limit)
		assert.Equal(t, 10, strings.Count(text, "\n- ")+len(omitted), "what is not shown says why")
	}
	text, omitted := d.render(1600, "fact number 3")
	assert.NotContains(t, text, "fact number 3")
	assert.Equal(t, []string{"said in another section"}, omitted)
	assert.Contains(t, text, "\n(9 items, ")
}

func TestA14_TheOlderFormatsAreRead(t *testing.T) {
	for name, c := range map[string]struct {
		doc  string
		want map[string][]string // by slot
	}{
		"a list of items": {`{"sessionID":"ses_1","items":[
			{"id":"1","type":"error","content":"old error","source":"tool:bash","timestamp":1767225600000,"mentions":2},
			{"id":"2","type":"error","content":"e2","timestamp":1767225601000,"mentions":1},
			{"type":"error","content":"e3","timestamp":1767225602000},
			{"type":"error","content":"e4","timestamp":1767225603000},
			{"type":"decision","content":"Use Go","timestamp":1,"mentions":3},
			{"type":"file-path","content":"src/a.ts","timestamp":5,"mentions":2},
			{"type":"other","content":"a finding","timestamp":6},{"type":"other","content":" "}]}`,
			map[string][]string{
				working.Errors: {"e4", "e3", "e2"}, working.Decisions: {"Use Go"},
				working.Pool: {"src/a.ts", "a finding"},
			}},
		"slots and a pool": {`{"sessionID":"ses_1","slots":{"error":[],
			"decision":[{"type":"decision","content":"Use Go","timestamp":1}],
			"todo":[{"content":"test","timestamp":2}],"dependency":[]},
			"pool":[{"type":"file-path","content":"old.ts","timestamp":5,"mentions":1,"lastEventCounter":10},
			{"type":"file-path","content":"new.ts","timestamp":5,"mentions":1,"lastEventCounter":59}],
			"eventCounter":60}`,
			map[string][]string{working.Decisions: {"Use Go"}, working.Todos: {"test"}, working.Pool: {"new.ts"}}},
		"nothing": {`{}`, nil},
	} {
		d := newDesk(t)
		legacy, err := working.ReadLegacy([]byte(c.doc))
		require.NoError(t, err, name)
		d.fold(d.room.Import("s", legacy)...)
		for _, slot := range []string{working.Errors, working.Decisions, working.Todos, working.Dependencies} {
			assert.ElementsMatch(t, c.want[slot], d.slot(slot), name+" "+slot)
		}
		assert.Equal(t, len(c.want[working.Pool]), len(d.pool()), name)
		for i, content := range c.want[working.Pool] {
			assert.Equal(t, content, d.pool()[i], name)
		}
		d.fold(d.room.Import("s", legacy)...)
		assert.LessOrEqual(t, len(d.pool()), 2, "a second import changes nothing")
	}
	_, err := working.ReadLegacy([]byte(`{"items": 3}`))
	assert.ErrorContains(t, err, "read a file of working memory")
	d := newDesk(t)
	legacy, err := working.ReadLegacy(
		[]byte(
			`{"items":[{"type":"other","content":"x is y","timestamp":1767225600000,"mentions":4,"source":"manual"}]}`,
		),
	)
	require.NoError(t, err)
	d.fold(d.room.Import("s", legacy)...)
	item := d.room.Pool("s")[0]
	assert.Equal(t, 4, item.Mentions)
	assert.Equal(t, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), item.CreatedAt)
}

func FuzzReadLegacy(f *testing.F) {
	f.Add([]byte(`{"items":[{"type":"error","content":"x","timestamp":1e300,"mentions":-4}]}`))
	f.Add([]byte(`{"slots":{"":[{"content":"y"}]},"pool":null,"eventCounter":-1}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		legacy, err := working.ReadLegacy(doc)
		if err != nil {
			return
		}
		d := newDesk(t)
		d.fold(d.room.Import("s", legacy)...)
		for _, item := range d.room.Pool("s") {
			assert.False(t, math.IsNaN(item.Score))
			assert.GreaterOrEqual(t, item.Mentions, 1)
		}
	})
}

func TestWorkingMemoryLoadedFromItsRowsIsTheSame(t *testing.T) {
	d := newDesk(t)
	rows := map[string]change.Row{}
	keep := func(more []change.Row) {
		for _, row := range more {
			rows[row.Key] = row
		}
	}
	keep(d.tell(event.MessageReceived{Role: "user", Text: "We decided to use PostgreSQL for the orders."}))
	keep(d.tell(event.ToolRan{Tool: "edit", Input: json.RawMessage(`{"path":"a.go"}`)}))
	changes, err := d.room.Add("s", working.Todos, "test it")
	require.NoError(t, err)
	keep(d.fold(changes...))
	copied := d.newRoom()
	for _, row := range rows {
		require.NoError(t, copied.Load([]change.Row{row}))
	}
	assert.Equal(t, d.room.Pool("s"), copied.Pool("s"))
	assert.Equal(t, d.room.Slot("s", working.Todos), copied.Slot("s", working.Todos))
	assert.Equal(t, 2, copied.Events("s"))
	gone := d.room.ForgetSession("s")
	require.NoError(t, copied.Load(gone))
	for _, room := range []*working.Room{d.room, copied} {
		assert.Empty(t, room.Pool("s"))
		assert.Zero(t, room.Events("s"))
	}
}

func TestAnItemOfAnotherShapeIsReportedWhenItsSessionIsAskedFor(t *testing.T) {
	reported := []string{}
	r := working.New(room.Env{
		Settings: settings.Default,
		Unreadable: func(room string, rows []change.Row) {
			for _, row := range rows {
				reported = append(reported, room+" "+row.Key)
			}
		},
	})
	wrong := change.Row{Key: "over\x1f0a", Value: []byte(`{"mentions":"many"}`)}
	right := change.Row{Key: "over\x1f", Value: []byte("3")}
	require.NoError(t, r.Load([]change.Row{wrong, right}))
	assert.Zero(t, r.Events("s"))
	assert.Empty(t, reported)
	assert.Equal(t, 3, r.Events("over"))
	assert.Equal(t, []string{"working " + wrong.Key}, reported)
}

func TestRowsOfSeveralSessionsAreLoadedBesideADamagedOne(t *testing.T) {
	r := newDesk(t).newRoom()
	assert.Zero(t, r.Events("in use"))
	require.NoError(t, r.Load([]change.Row{{Key: "in use\x1f", Value: []byte("1")}}))
	assert.Equal(t, 1, r.Events("in use"))
	item := func(session, id string) change.Row {
		value := fmt.Sprintf(`{"id":%q,"slot":"todo","content":%q,"source":"manual","mentions":1,"event":1}`, id, id)
		return change.Row{Key: session + "\x1f" + id, Value: []byte(value)}
	}
	damaged := change.Row{Key: "a\x1fdamaged", Value: []byte(`{"id":"dam`)}
	rows := []change.Row{
		item("a", "one"), damaged, item("a", "two"), {Key: "a\x1f", Value: []byte("2")},
		item("b", "one"), item("b", "two"), {Key: "b\x1fone"}, // which deletes it
		{Key: "in use\x1f", Value: []byte("5")}, item("in use", "one"),
		item("c", "one"),
	}
	assert.Equal(t, []change.Row{damaged}, room.LoadReadable(r, rows))
	for session, want := range map[string][]string{
		"a": {"one", "two"}, "b": {"two"}, "in use": {"one"}, "c": {"one"}, "d": nil,
	} {
		var contents []string
		for _, item := range r.Slot(session, working.Todos) {
			contents = append(contents, item.Content)
		}
		assert.ElementsMatch(t, want, contents, session)
	}
	assert.Equal(t, 2, r.Events("a"))
	assert.Equal(t, 5, r.Events("in use"))
}

func TestEventsOfTwoProcessesAddUpInWhicheverOrder(t *testing.T) {
	one, other := newDesk(t), newDesk(t)
	first, err := one.room.Observe(
		event.Event{
			Session:  "s",
			Worktree: tree,
			Body:     event.ToolRan{Tool: "edit", Input: json.RawMessage(`{"path":"a.go"}`)},
		},
	)
	require.NoError(t, err)
	second, err := other.room.Observe(
		event.Event{
			Session:  "s",
			Worktree: tree,
			Body:     event.ToolRan{Tool: "read", Input: json.RawMessage(`{"paths":["a.go","b.go"]}`)},
		},
	)
	require.NoError(t, err)
	first[0].At, second[0].At = began, began.Add(time.Second)
	for _, c := range [][]change.Change{{first[0], second[0]}} {
		for _, room := range []struct {
			*working.Room
			order []change.Change
		}{{one.room, c}, {other.room, []change.Change{c[1], c[0]}}} {
			for _, c := range room.order {
				_, err := room.Fold(c)
				require.NoError(t, err)
			}
		}
	}
	for _, room := range []*working.Room{one.room, other.room} {
		assert.Equal(t, 2, room.Events("s"))
		pool := room.Pool("s")
		require.Len(t, pool, 2)
		assert.Equal(t, "a.go", pool[0].Content)
		assert.Equal(t, 2, pool[0].Mentions)
	}
}

func TestAnItemThatHoldsAnErasedTextIsDropped(t *testing.T) {
	d := newDesk(t)
	row := func(content string) change.Row {
		return change.NewRow("s\x1f1", &working.Item{Content: content, Path: "the north gate.md"}, nil)
	}
	texts := []string{"the north gate"}
	assert.Nil(t, d.room.Forget(row("We take the north gate, always"), texts).Value)
	assert.Nil(t, d.room.Forget(row("north"), texts).Value)
	var kept working.Item
	require.NoError(t, json.Unmarshal(d.room.Forget(row("call the bank"), texts).Value, &kept))
	assert.Equal(t, working.Item{Content: "call the bank", Path: "[erased].md"}, kept)
	assert.Equal(t, "7", string(d.room.Forget(change.Row{Key: "s\x1f", Value: []byte("7")}, texts).Value))
}

func TestA15_ASlotOfTheSettingsIsFilledByItsPattern(t *testing.T) {
	d := newDesk(t)
	risk, err := pattern.NewExpression(`^RISK: (.+)`)
	require.NoError(t, err)
	d.settings.Working.Slots = []settings.Slot{{Name: "risk", Max: 2, Pattern: risk}, {Name: "todo", Max: 1}}
	d.say("assistant", "Well.\nRISK: the migration locks the orders\nRISK: no backup\nRISK: it is Friday")
	assert.Len(t, d.slot("risk"), 2)
	d.run("make check", "RISK: the disk is slow\n", 0)
	assert.Equal(t, "the disk is slow", d.slot("risk")[0])
	d.add(working.Todos, "one")
	assert.Equal(t, []string{"one"}, d.add(working.Todos, "two"), "the limit of a slot that there always is")
	text, _ := d.render(1600)
	assert.Contains(t, text, "Risk:\n- the disk is slow\n")
	_, err = d.room.Matching("s", "risk", "disk")
	assert.NoError(t, err)
}

func TestReadingWhatWasAddedDoesNotChangeTheRoom(t *testing.T) {
	d := newDesk(t)
	changes, err := d.room.Add("unknown", working.Pool, "the bank is slow")
	require.NoError(t, err)
	var reads sync.WaitGroup
	for range 8 {
		reads.Go(func() {
			for i := range 500 {
				other := changes[0]
				other.Subject = fmt.Sprint("unknown ", i)
				item, evicted := d.room.Added([]change.Change{other}, nil)
				assert.Empty(t, item)
				assert.Empty(t, evicted)
			}
		})
	}
	reads.Wait()
}
