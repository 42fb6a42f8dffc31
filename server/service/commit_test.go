package service

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/tokens"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (f *face) commit() wire.CommitResult {
	f.t.Helper()
	return get[wire.CommitResult](f, "wm/commit", &wire.CommitParams{})
}

func TestE6_ACommitReturnsWhatTheStepHasStored(t *testing.T) {
	f := newFace(t)
	first := f.memorize(
		`{"type": "tool_result", "text": "go test ./cart failed with 3 errors"}`,
		`{"type": "fact", "text": "Amounts are stored in cents"}`, `{"type": "thought", "text": "the map has a hole"}`,
		`{"type": "thought", "text": "ok"}`,
	)
	got := f.commit()
	assert.Equal(t, 1, got.Turn)
	assert.Equal(t, []wire.CommitWrites{
		{Store: "working", Items: 1, Tokens: 5}, {Store: "episodic", Items: 1, Tokens: 9},
		{Store: "semantic", Items: 1, Tokens: 5},
	}, got.Writes)
	require.Len(t, got.Exports.Episodic, 1)
	require.Len(t, got.Exports.Semantic, 1)
	assert.Equal(t, first[0].ID, got.Exports.Episodic[0].ID)
	assert.Equal(t, "Amounts are stored in cents", got.Exports.Semantic[0].Text)
	assert.Equal(t, "none", got.Exports.Semantic[0].RedactionStatus)
	assert.InDelta(t, 1, *got.Exports.Semantic[0].Recency, 0.01)
	assert.Nil(t, got.Summary)
	assert.Empty(t, got.Summarized)

	f.memorize(`{"type": "fact", "text": "Taxes are stored in percent"}`)
	get[wire.MemorizeResult](f, "wm/memorize", &wire.MemorizeParams{
		Params: wire.Params{SessionID: "other"},
		Items:  []wire.MemoryItem{{Type: "fact", Text: "Maps are in the attic"}},
	})
	got = f.commit()
	assert.Equal(t, 2, got.Turn)
	assert.Empty(t, got.Exports.Episodic)
	require.Len(t, got.Exports.Semantic, 1, "only of this step and session")
	assert.Equal(t, "Taxes are stored in percent", got.Exports.Semantic[0].Text)
	assert.Empty(t, f.commit().Writes)
}

func TestE6_ACommitExportsWhatCanStillBeRecalled(t *testing.T) {
	f := newFace(t)
	f.memorize(
		`{"type": "fact", "text": "The beta is at beta.test", "timestamp": "2026-01-01T00:00:00Z", "ttl": 60}`,
		`{"type": "observation", "text": "Port 80 was open", "validity": {"to": "2026-01-01T00:00:00Z"}}`,
		`{"type": "fact", "text": "Amounts are stored in cents"}`,
	)
	removed := f.memorize(`{"type": "observation", "text": "I saw that the map has a hole"}`)[0].ID
	get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: removed})
	// Nothing has ended yet what is over: the call itself leaves it out.
	got := f.commit()
	assert.Empty(t, got.Exports.Episodic)
	require.Len(t, got.Exports.Semantic, 1)
	assert.Equal(t, "Amounts are stored in cents", got.Exports.Semantic[0].Text)
	assert.Equal(t, []wire.CommitWrites{{Store: "semantic", Items: 1, Tokens: 5}}, got.Writes)
}

func TestE10_ASmallWorkingMemoryIsSummarisedToo(t *testing.T) {
	for _, most := range []int{1, 2, 5, 10, 12} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			f := newFace(t)
			f.configure(fmt.Sprintf(`{"items": {"maxWorking": %d}}`, most))
			var ids []string
			for i := 0; i < 30 || f.held("working") < most; i++ {
				result := f.memorize(fmt.Sprintf(`{"type": "thought", "importance": 0.4, "text": %q}`, thoughtOf(i)))
				ids = append(ids, result[0].ID)
				require.LessOrEqual(t, f.held("working"), most)
			}
			summaries := wire.SearchParams{
				Query: "hole in the map", Types: []string{"summary"}, Stores: []string{"working"},
			}
			got := f.commit()
			if most > 2 { // others hold nothing but a summary and the newest
				require.NotNil(t, got.Summary)
				assert.Equal(t, got.Summarized, got.Summary.LineageIDs)
				assert.Equal(t, []string{got.Summary.Text}, f.found(summaries), "there is one summary")
				assert.Nil(t, f.commit().Summary, "the tail is short now")
			}
			assert.LessOrEqual(t, f.held("working"), most)
			for _, item := range f.stored(ids...) {
				assert.Empty(t, item.Ended, "it was put away and not thrown away")
			}
		})
	}
}

func TestE10_ACommitSummarisesTheTailOfWorkingMemory(t *testing.T) {
	f := newFace(t)
	plan := f.memorize(`{"type": "plan", "text": "ship the cart on Friday, whatever happens", "importance": 0.9}`)[0].ID
	var ids []string
	for i := range 30 {
		text := fmt.Sprintf(`{"type": "thought", "importance": %.2f, "text": "the %s of the map number %d has a hole `+
			`that lets the rain of winter %d fall into the cellar"}`, 0.3+float64(i%7)/100,
			[]string{"north", "south", "west"}[i%3], i, i*7)
		ids = append(ids, f.memorize(text)[0].ID)
	}
	got := f.commit()
	require.NotNil(t, got.Summary)
	assert.Equal(t, ids[:20], got.Summarized, "the ten newest stay")
	assert.Equal(t, got.Summarized, got.Summary.LineageIDs)
	before := 0
	for _, item := range f.stored(ids...) {
		before += item.Tokens
		assert.Empty(t, item.Ended)
	}
	for _, item := range f.stored(got.Summarized...) {
		assert.Equal(t, "episodic", item.Store)
	}
	assert.Equal(t, "working", f.item(ids[20]).Store)
	fourth := f.item(ids[4]).Text
	assert.Contains(t, f.texts(fourth, "episodic"), fourth, "nothing is lost")
	assert.LessOrEqual(t, got.Summary.TokensEstimate, (before+20)/20, "at most a twentieth more")
	assert.Equal(t, tokens.Count(got.Summary.Text), got.Summary.TokensEstimate)
	for _, line := range strings.Split(got.Summary.Text, "\n") {
		assert.Contains(t, line, "has a hole", "a summary quotes")
	}
	assert.Empty(t, f.item(plan).Ended, "important items are guarded")
	types := get[wire.StatusResult](f, "wm/status", &wire.StatusParams{}).MemoryTypes
	assert.Equal(t, 31-20+1, types[0].Items)
	assert.Nil(t, f.commit().Summary, "the tail is short now")

	for i := range 20 {
		f.memorize(fmt.Sprintf(`{"type": "thought", "text": "room %d of tower %d is locked since the flood"}`, i, i*3))
	}
	again := f.commit()
	require.NotNil(t, again.Summary)
	assert.Contains(t, again.Summarized, got.Summary.ID, "there is one summary")
	assert.Equal(t, "superseded", f.item(got.Summary.ID).Ended)
}

func TestE10_ATailOfLongItemsIsSummarisedByTheirSentences(t *testing.T) {
	f := newFace(t)
	f.configure(`{"items": {"maxWorking": 20}}`)
	for i := range 18 {
		f.memorize(fmt.Sprintf(`{"type": "thought", "text": "I have looked at module %d. Its handler opens the `+
			`connection twice because of retries. The second one is never closed, so the pool of size %d runs dry `+
			`after an hour of work with many customers. I could move the closing into a function. Or I could replace `+
			`the pool by one of the library that the other module %d uses."}`, i, i+5, i*31))
	}
	got := f.commit()
	require.NotNil(t, got.Summary)
	assert.Len(t, got.Summarized, 8)
	assert.Contains(t, got.Summary.Text, "runs dry after an hour")
}

func TestE10_AFullWorkingMemorySummarisesItsTailAndLosesNothing(t *testing.T) {
	f := newFace(t)
	f.configure(`{"items": {"maxWorking": 40}}`)
	plan := f.memorize(`{"type": "plan", "text": "ship the cart on Friday, whatever happens", "importance": 0.9}`)[0].ID
	ids := map[string]string{}
	total := 0
	for i := range 200 {
		text := thoughtOf(i)
		result := f.memorize(fmt.Sprintf(`{"type": "thought", "importance": 0.4, "text": %q}`, text))[0]
		require.EqualValues(t, "stored", result.Status)
		assert.Empty(t, result.Evicted)
		ids[result.ID] = text
		total += tokens.Count(text)
		assert.LessOrEqual(t, f.held("working"), 40)
	}
	for id, text := range ids {
		item := f.item(id)
		assert.Empty(t, item.Ended)
		assert.Equal(t, text, item.Text)
	}
	last := f.stored(slices.Collect(maps.Keys(ids))...)
	require.Len(t, last, 200)
	for _, i := range []int{0, 3, 77, 150, 199} {
		assert.Contains(t, f.texts(fmt.Sprintf("map number %d winter %d cellar %d", i, i*7, i*i)), thoughtOf(i))
	}
	assert.Equal(t, "working", f.item(plan).Store, "important items are guarded")
	sizes := 0
	for _, memoryType := range get[wire.StatusResult](f, "wm/status", &wire.StatusParams{}).MemoryTypes {
		sizes += memoryType.Tokens
	}
	assert.LessOrEqual(t, sizes, (total+f.item(plan).Tokens)*105/100)
	found := get[wire.SearchResult](f, "wm/search", &wire.SearchParams{
		Query: "hole in the map", Types: []string{"summary"}, Stores: []string{"working"},
	})
	require.Len(t, found.Hits, 1, "there is one summary")
	summary := f.item(found.Hits[0].Item.ID)
	assert.NotEmpty(t, summary.Lineage)
	for _, one := range f.stored(summary.Lineage...) {
		assert.Contains(t, []string{"episodic", "working"}, one.Store)
	}
}

func thoughtOf(i int) string {
	return fmt.Sprintf("the %s of the map number %d has a hole that lets the rain of winter %d fall into cellar %d",
		[]string{"north", "south", "west"}[i%3], i, i*7, i*i)
}

func TestE6_ACommitExportsTheEpisodesOfTheStep(t *testing.T) {
	f := newTracker(t)
	d := f.day("a")
	id := d.work("Fix the rounding of totals in the cart")
	got := get[wire.CommitResult](f, "wm/commit", &wire.CommitParams{Params: wire.Params{SessionID: "a"}})
	require.Len(t, got.Exports.Episodes, 1)
	episode := got.Exports.Episodes[0]
	assert.Equal(t, id, episode.ID)
	assert.Equal(t, cartLine, episode.Line)
	assert.Equal(t, []string{"a"}, episode.Threads)
	assert.NotEmpty(t, episode.BegunAt)
	assert.Empty(t, episode.EndedAt)
	assert.Positive(t, episode.Items)
	again := get[wire.CommitResult](f, "wm/commit", &wire.CommitParams{Params: wire.Params{SessionID: "a"}})
	assert.Equal(t, []wire.CommitEpisode{}, again.Exports.Episodes, "nothing happened in the step")
	d.edits("cart.go")
	d.ends()
	f.record(id)
	last := get[wire.CommitResult](f, "wm/commit", &wire.CommitParams{Params: wire.Params{SessionID: "a"}})
	require.Len(t, last.Exports.Episodes, 1)
	assert.Equal(t, "the session ended", last.Exports.Episodes[0].Ending)
}

func TestE14_GoalsAreReadAndProgressIsWrittenBack(t *testing.T) {
	f := newFace(t)
	outcome := func(n int) {
		f.memorize(fmt.Sprintf(`{"type": "action", "text": "fixed error %d in cart/total%d.go"}`, n, n))
	}
	outcome(0)
	assert.Equal(t, wire.CommitGoals{}, f.commit().Exports.Goals, "without a goal nothing is written")
	for block, text := range map[wire.CoreBlockName]string{"goal": "Ship the cart", "progress": "I began in March."} {
		get[wire.CoreUpdateResult](f, "wm/core/update", &wire.CoreUpdateParams{
			Block: block, Operation: wire.CoreReplace, Content: text,
		})
	}
	outcome(1)
	assert.Equal(t, wire.CommitGoals{
		Goal: "Ship the cart", Progress: "I began in March.\nStep 2: fixed error 1 in cart/total1.go",
		Added: "Step 2: fixed error 1 in cart/total1.go",
	}, f.commit().Exports.Goals)
	said := get[wire.CommitResult](f, "wm/commit", &wire.CommitParams{Progress: " the\ncart adds up "}).Exports.Goals
	assert.Equal(t, "Step 3: the cart adds up", said.Added)
	assert.Empty(t, f.commit().Exports.Goals.Added, "there is no outcome")
	for n := range 70 {
		outcome(n + 10)
		f.commit()
	}
	progress := get[wire.CoreReadResult](f, "wm/core/read", &wire.CoreReadParams{}).Blocks.Progress
	assert.LessOrEqual(t, progress.Chars, progress.MaxChars)
	assert.True(t, strings.HasPrefix(progress.Content, "I began in March.\nStep "), progress.Content)
	assert.True(t, strings.HasSuffix(progress.Content, "fixed error 79 in cart/total79.go"), progress.Content)
	long := &wire.CommitParams{Progress: strings.Repeat("long ", 1000)}
	assert.Empty(t, get[wire.CommitResult](f, "wm/commit", long).Exports.Goals.Added)
	assert.True(t, strings.HasPrefix(get[wire.CoreReadResult](f, "wm/core/read", &wire.CoreReadParams{}).
		Blocks.Progress.Content, "I began in March."))
}

func TestE13_ACommitIsInTheTrace(t *testing.T) {
	f := newFace(t)
	f.memorize(`{"type": "fact", "text": "Amounts are stored in cents"}`)
	f.commit()
	events := get[wire.TraceResult](f, "wm/trace", &wire.TraceParams{Kinds: []string{"item.committed"}}).Events
	require.Len(t, events, 1)
	assert.Equal(t, "s", events[0].Subject)
	assert.JSONEq(t, `{"turn": 1, "items": 1}`, string(events[0].After))
}

func TestNothingIsCommittedWhilePaused(t *testing.T) {
	f := newFace(t)
	get[wire.PauseResult](f, "wm/pause", &wire.PauseParams{Minutes: 5})
	_, err := f.call("wm/commit", &wire.CommitParams{})
	assert.True(t, fault.Has(err, fault.Paused))
}

func TestE7_TheBudgetSaysHowMuchOfItIsUsed(t *testing.T) {
	f := newFace(t)
	before := get[wire.BudgetResult](f, "wm/budget", &wire.BudgetParams{})
	get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: "Amounts are stored in cents"})
	get[wire.ToolExecutedResult](f, "wm/tool/executed", &wire.ToolExecutedParams{
		Tool: "bash", Input: []byte(`{"command": "ls"}`),
	})
	after := get[wire.BudgetResult](f, "wm/budget", &wire.BudgetParams{})
	assert.Greater(t, after.Tokens.Used, before.Tokens.Used)
	assert.Equal(t, before.Tokens.Max, after.Tokens.Max)
	assert.Equal(t, after.Tokens.Max-after.Tokens.Used, after.Tokens.Remaining)
	assert.Equal(t, before.Events+1, after.Events)
	assert.Len(t, after.MemoryTypes, 4)
	assert.Positive(t, after.Time.Budget)
	assert.Positive(t, after.Time.Used)
	sum := 0
	for _, section := range after.Sections {
		assert.Positive(t, section.MaxChars, section.ID)
		sum += section.Tokens
		if section.ID == "workspace" {
			assert.Equal(t, 5200, section.MaxChars)
			assert.NotZero(t, section.Chars)
		}
	}
	assert.Equal(t, after.Tokens.Used, sum)
	assert.Subset(t, idsOf(after.Sections), []string{"guide", "workspace", "core", "working", "session", "meta"})
}

func idsOf(sections []wire.SectionBudget) (ids []string) {
	for _, section := range sections {
		ids = append(ids, section.ID)
	}
	return ids
}
