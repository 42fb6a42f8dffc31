package service

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/memory/items/episode"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A day of an agent, for tests of episodes.
type day struct {
	*face
	session string
	at      time.Time
}

func (f *face) day(session string) *day {
	f.t.Helper()
	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{
		Params: wire.Params{SessionID: session}, History: true,
	})
	// What happened long ago ends by itself while the test runs, unless gaps are long.
	f.configure(`{"sessionId": "s", "items": {"episodeGapMinutes": 1440, "enableToolTracking": true}}`)
	return &day{f, session, time.Now().UTC().AddDate(0, 0, -15).Truncate(time.Second)}
}

func (d *day) params() wire.Params {
	d.at = d.at.Add(10 * time.Second)
	return wire.Params{SessionID: d.session, At: wire.At(d.at)}
}

func (d *day) says(role wire.Role, text string) {
	d.t.Helper()
	get[wire.MessageReceivedResult](d.face, "wm/message/received", &wire.MessageReceivedParams{
		Params: d.params(), Role: role, Text: text,
	})
}

// runs reports a command and returns the episode of its item.
func (d *day) runs(command, output string, code int) string {
	d.t.Helper()
	input, err := json.Marshal(map[string]string{"command": command})
	require.NoError(d.t, err)
	return d.item(d.ran(wire.ToolExecutedParams{
		Params: d.params(), Tool: "Bash", Input: input, Output: output, ExitCode: &code,
	})).Episode
}

func (d *day) edits(file string) string {
	d.t.Helper()
	input, err := json.Marshal(map[string]string{"file_path": file, "old_string": "a", "new_string": "b"})
	require.NoError(d.t, err)
	return d.item(d.ran(wire.ToolExecutedParams{Params: d.params(), Tool: "Edit", Input: input})).Episode
}

func (d *day) ends() {
	d.t.Helper()
	get[wire.SessionEndResult](d.face, "wm/session/end", &wire.SessionEndParams{
		Params: wire.Params{SessionID: d.session},
	})
}

func TestAnEpisodeDoesNotEndBeforeItBegan(t *testing.T) {
	f := newFace(t)
	now := f.item(f.memorize(text("The cart rounds totals once"))[0].ID).Episode
	before := f.item(f.memorize(`{"text": "The cart was written in March", "timestamp": "2020-03-01T09:00:00Z"}`)[0].ID)
	require.NotEqual(t, now, before.Episode)
	f.inTables(func(at *View, _ room.Querier) error {
		known, err := at.items().Known(t.Context(), []string{now})
		require.Contains(t, known, now)
		assert.False(t, known[now].Ended.IsZero())
		assert.False(t, known[now].Ended.Before(known[now].Begun))
		return err
	})
}

// record tells of all episodes that are due, and returns the record of one.
func (f *face) record(id string) items.Record {
	f.t.Helper()
	var record items.Record
	f.changing(func(at *View, tables room.Querier) (changes []change.Change, err error) {
		for _, due := range at.items().Untold() {
			told, err := at.items().Tell(f.t.Context(), tables, due)
			if err != nil {
				return nil, err
			}
			changes = append(changes, told...)
		}
		return changes, nil
	})
	f.inTables(func(at *View, tables room.Querier) (err error) {
		var there bool
		record, there, err = at.items().Record(f.t.Context(), tables, id)
		require.True(f.t, there, "nothing was told of the episode")
		return err
	})
	return record
}

const cartLine = "Fix the rounding of totals in the cart – changed cart.go, go test failed, then passed"

// work does some work on a cart and returns its episode.
func (d *day) work(request string) string {
	d.t.Helper()
	d.says(wire.RoleUser, request)
	d.write("cart.go", "package cart\n")
	d.edits("cart.go")
	d.runs("go test ./cart", "--- FAIL: TestTotal (0.00s)\n    cart_test.go:12: total is 3, want 4\nFAIL\n", 1)
	d.edits("cart.go")
	id := d.runs("go test ./cart", "ok  \tshop/cart\t0.01s\n", 0)
	d.says(wire.RoleAssistant, "The totals of the cart are fixed: they are rounded once, at the end.")
	return id
}

func TestE11_WhatHappensIsDividedIntoEpisodes(t *testing.T) {
	f := newTracker(t)
	d := f.day("a")
	cart := d.work("Fix the rounding of totals in the cart")
	require.NotEmpty(t, cart)
	assert.Equal(t, cart, d.edits("cart.go"), "the work goes on")
	d.says(wire.RoleUser, "Write the release notes for version seven of the scheduler")
	notes := d.edits("NOTES.md")
	assert.NotEqual(t, cart, notes, "another topic")
	d.at = d.at.AddDate(0, 0, 14)
	d.says(wire.RoleUser, "Can we update the linter?")
	assert.NotEqual(t, notes, d.edits("lint.toml"), "after a gap")

	record := f.record(cart)
	assert.Equal(t, "another topic", record.Ending)
	assert.Equal(t, cartLine, record.Line)
	found := get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: "TestTotal", EpisodeID: cart})
	assert.NotEmpty(t, found.Hits)
	for _, hit := range found.Hits {
		assert.Equal(t, cart, hit.Item.EpisodeID)
	}
}

func TestE11_ASessionOrATaskEndsAnEpisode(t *testing.T) {
	f := newTracker(t)
	d := f.day("a")
	first := d.work("Fix the rounding of totals in the cart")
	d.ends()
	assert.Equal(t, "the session ended", f.record(first).Ending)

	d = f.day("b")
	second := d.work("Fix the rounding of taxes in the invoice")
	assert.NotEqual(t, first, second)
	get[wire.Empty](f, "wm/state/event", &wire.StateEventParams{
		Params: wire.Params{SessionID: "b"}, Type: "task_completed",
		Data: wire.Object{"task": "Fix the taxes"},
	})
	assert.Equal(t, "the task is completed", f.record(second).Ending)
	assert.NotEqual(t, second, d.edits("cart.go"))
}

func TestE11_AnEpisodeSpansSessionsThatGoOnWithIt(t *testing.T) {
	f := newTracker(t)
	d := f.day("a")
	cart := d.work("Fix the rounding of totals in the cart")
	d.ends()
	f.record(cart)
	next := f.day("b")
	next.at = d.at
	next.says(wire.RoleUser, "Please continue")
	assert.Equal(t, cart, next.edits("cart.go"))
	next.ends()
	record := f.record(cart)
	assert.Equal(t, []string{"a", "b"}, record.Sessions)

	summary := record.Told.Summary
	get[wire.SessionDeleteResult](f, "wm/session/delete", &wire.SessionDeleteParams{
		Params: wire.Params{SessionID: "b"},
	})
	f.inTables(func(at *View, tables room.Querier) error {
		_, there, err := at.items().Record(t.Context(), tables, cart)
		assert.False(t, there, "a session of it was deleted")
		return err
	})
	if summary != "" {
		assert.Empty(t, f.stored(summary))
	}
}

func TestE11_EpisodesAreLinkedAcrossThreads(t *testing.T) {
	f := newTracker(t)
	d := f.day("a")
	cart := d.work("Fix the rounding of totals in the cart")
	d.ends()
	f.record(cart)
	other := f.day("b")
	other.at = d.at.Add(time.Hour)
	taxes := other.work("Show the taxes on the invoice")
	require.NotEqual(t, cart, taxes)
	other.ends()
	links := f.record(taxes).Links
	require.Len(t, links, 1)
	assert.Equal(t, cart, links[0].Episode)
	assert.Equal(t, "both changed cart.go", links[0].Why)
	assert.True(t, strings.HasPrefix(links[0].Line, "Fix the rounding of totals"), links[0].Line)
}

func TestE11_AClientNamesEpisodesAndChannels(t *testing.T) {
	f := newTracker(t)
	episodeOf := func(doc string) string { return f.item(f.memorize(doc)[0].ID).Episode }
	assert.Equal(t, "E-1", episodeOf(`{"text": "The importer crashed on line 7 of a.csv", "episodeId": "E-1"}`))
	assert.NotEqual(t, "E-1", episodeOf(`{"text": "The importer reads b.csv without an error"}`), "it names none")
	channel := episodeOf(`{"text": "The gateway in Oslo was restarted", "thread": "#ops"}`)
	assert.NotEqual(t, "E-1", channel, "another thread")
	assert.Equal(t, channel, episodeOf(`{"text": "The gateway in Bergen was restarted, too", "thread": "#ops"}`))
	assert.Equal(t, "E-1", episodeOf(`{"text": "The importer was mended", "thread": "#ops", "episodeId": "E-1"}`),
		"an episode spans threads")
}

func TestE10_AnEpisodeIsSummarisedWithPointersAndWithoutManyTokens(t *testing.T) {
	f := newTracker(t)
	d := f.day("a")
	id := d.work("Fix the rounding of totals in the cart")
	for i := range 60 {
		d.runs(fmt.Sprintf("go run ./tools/check -case %d", i),
			strings.Repeat(fmt.Sprintf("case %d of the table was checked against the old results\n", i), 4), 0)
	}
	record := f.record(id)
	require.NotEmpty(t, record.Told.Summary, "after 40 items, while it goes on")
	summary := f.item(record.Told.Summary)
	assert.Equal(t, record.Line, episode.At(summary.Text, episode.OneLine))
	assert.Contains(t, episode.At(summary.Text, episode.Paragraph), "At the end: The totals of the cart are fixed")
	assert.Contains(t, summary.Text, "Checks:\n- go test failed, then passed: ")
	assert.NotEmpty(t, summary.Lineage)
	assert.Len(t, f.stored(summary.Lineage...), len(summary.Lineage), "the raw pieces are still there")
	assert.Contains(t, f.texts("rounding of totals in the cart", "semantic"), summary.Text)

	d.ends()
	again := f.item(f.record(id).Told.Summary)
	assert.Greater(t, again.Version, summary.Version)
	assert.Equal(t, "superseded", f.item(summary.ID).Ended)
	sizes := map[string]int{}
	for _, memoryType := range get[wire.StatusResult](f, "wm/status", &wire.StatusParams{}).MemoryTypes {
		sizes[memoryType.Name] = memoryType.Tokens
	}
	assert.Equal(t, again.Tokens, sizes["semantic"], "there is one summary")
	assert.Positive(t, again.Tokens)
	assert.LessOrEqual(t, again.Tokens, (sizes["episodic"]+sizes["conversation"])/20)
}

func TestE10_WhatIsErasedIsGoneFromEpisodes(t *testing.T) {
	f := newTracker(t)
	d := f.day("a")
	cart := d.work("Fix the rounding of zebra totals in the cart")
	d.ends()
	require.Contains(t, f.record(cart).Line, "zebra")
	f.inTables(func(at *View, tables room.Querier) error {
		return at.items().EraseIndexed(t.Context(), tables.(room.Tx), []string{"zebra"})
	})
	assert.NotContains(t, f.record(cart).Line, "zebra")
}

func TestE11_ALineIsKnownForEveryEpisode(t *testing.T) {
	f := newTracker(t)
	d := f.day("a")
	open := d.work("Fix the rounding of totals in the cart")
	lines := func() map[string]string {
		at, err := f.service.View(&wire.StatusParams{})
		require.NoError(t, err)
		known, err := at.items().Known(t.Context(), []string{open, "unknown", ""})
		require.NoError(t, err)
		lines := map[string]string{}
		for id, record := range known {
			lines[id] = record.Line
		}
		return lines
	}
	want := map[string]string{open: cartLine}
	assert.Equal(t, want, lines(), "also while it goes on")
	d.ends()
	f.record(open)
	assert.Equal(t, want, lines())
}

func TestE11_ARecalledItemBringsTheLineOfItsEpisode(t *testing.T) {
	f := newTracker(t)
	d := f.day("a")
	d.says(wire.RoleUser, "Fix the rounding of totals in the cart")
	d.write("cart.go", "package cart\n")
	d.edits("cart.go")
	d.runs("go test ./cart", "--- FAIL: TestTotal (0.00s)\n    cart_test.go:12: total is 3, want 4\nFAIL\n", 1)
	d.edits("cart.go")
	d.runs("go test ./cart", "ok  \tshop/cart\t0.01s\n", 0)
	get[wire.MemorizeResult](f, "wm/memorize", &wire.MemorizeParams{Params: d.params(), Items: []wire.MemoryItem{
		{Type: "fact", Text: webhooks},
	}})
	ask := func(session string) []string {
		lines, _ := f.recalls(wire.ContextParams{
			Params: wire.Params{SessionID: session}, Query: asking, Include: []string{"recalled"},
		})
		return lines
	}
	fact := "] " + webhooks
	lines := ask("a")
	require.Len(t, lines, 1)
	assert.True(t, strings.HasSuffix(lines[0], fact), "of what goes on nothing is said: %s", lines[0])
	lines = ask("s")
	require.Len(t, lines, 1)
	const page = " (episode: " + cartLine + "; Checks: go test failed, then passed: TestTotal: total is 3, want 4)"
	assert.True(t, strings.HasSuffix(lines[0], fact+page), lines[0])
	d.ends()
	lines = ask("s")
	require.Len(t, lines, 1)
	assert.True(t, strings.HasSuffix(lines[0], fact+page), lines[0])
}

func TestE10_ASmallEpisodeIsToldBesideItsItemsAsFinelyAsFits(t *testing.T) {
	f := newTracker(t)
	d := f.day("a")
	cart := d.work("Fix the rounding of totals in the cart")
	get[wire.MemorizeResult](f, "wm/memorize", &wire.MemorizeParams{Params: d.params(), Items: []wire.MemoryItem{
		{Type: "fact", Text: webhooks},
	}})
	d.ends()
	require.Empty(t, f.record(cart).Told.Summary, "a twentieth of its tokens is too little")
	const line = " (episode: " + cartLine
	told := map[string]bool{}
	for budget := 50; budget <= 300; budget += 10 {
		f.configure(fmt.Sprintf(`{"sessionId": "s", "recall": {"maxTokens": %d},
			"items": {"episodeGapMinutes": 1440, "enableToolTracking": true}}`, budget))
		lines, _ := f.recalls(wire.ContextParams{Query: asking, Include: []string{"recalled"}})
		require.Len(t, lines, 1)
		_, beside, _ := strings.Cut(lines[0], webhooks)
		told[beside] = true
	}
	assert.Equal(t, map[string]bool{
		"": true, line + ")": true,
		line + "; At the end: The totals of the cart are fixed: they are rounded once, at the end.)": true,
	}, told)
}

func TestE10_AnEpisodeOfWhichNobodySaidWhatItWasAboutHasALine(t *testing.T) {
	f := newTracker(t)
	const said = "The gateway in Oslo was restarted because its disk was full"
	first := f.memorize(fmt.Sprintf(`{"text": %q, "thread": "#ops"}`, said))[0].ID
	f.memorize(fmt.Sprintf(`{"type": "fact", "text": %q, "thread": "#ops"}`, webhooks))
	id := f.item(first).Episode
	got := get[wire.CommitResult](f, "wm/commit", &wire.CommitParams{})
	require.Len(t, got.Exports.Episodes, 1)
	assert.Equal(t, said, got.Exports.Episodes[0].Line)

	lines, _ := f.recalls(wire.ContextParams{Query: asking, Include: []string{"recalled"}})
	require.Len(t, lines, 1)
	assert.True(t, strings.HasSuffix(lines[0], webhooks), "another item says nothing of this one: %s", lines[0])

	f.changing(func(at *View, _ room.Querier) ([]change.Change, error) {
		return at.items().Idle(time.Now().AddDate(1, 0, 0)), nil
	})
	assert.Equal(t, said, f.record(id).Line)
}
