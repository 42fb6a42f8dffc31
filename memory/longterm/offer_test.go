package longterm

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/event"
)

// rule is what a user says that holds beyond the task and asks nobody to remember.
const rule = "no, we don't use lodash here, use the helpers of the standard library instead"

// says is a message of a user in a session.
func (f *fixture) says(session, text string) []Receipt {
	f.Helper()
	body := event.MessageReceived{Role: "user", Text: text}
	receipts, _ := f.apply(f.room.Observe(event.Event{At: f.now, Session: session, Agent: "coder", Body: body}))
	return receipts
}

func TestB12_WhatHoldsBeyondTheTaskIsOfferedAndNotInForce(t *testing.T) {
	f := newFixture(t)
	receipts := f.says("s1", rule)
	require.Len(t, receipts, 1)
	assert.Equal(t, ReceiptOffered, receipts[0].Status)
	entry := f.get(receipts[0].ID)
	assert.Equal(t, StatusOffered, entry.Status)
	assert.Equal(t, Said, entry.Source)
	assert.Equal(t, rule, entry.Text)
	assert.Empty(t, f.room.List(nil, false), "it is not in force")
	assert.Len(t, f.room.List(nil, true), 1)
	text, _ := f.room.Render(5200)
	assert.Empty(t, text, "it is not in the workspace memory")
	assert.Empty(t, f.says("s1", rule), "once is enough")
	assert.Empty(t, f.says("s1", "can you run the tests again?"), "work is not offered")
}

func TestB12_AnOfferIsInForceOnceItIsKept(t *testing.T) {
	f := newFixture(t)
	id := f.says("s1", rule)[0].ID
	receipts := f.update(id, Patch{Status: ptr(StatusActive)})
	require.Len(t, receipts, 1)
	assert.Equal(t, ReceiptUpdated, receipts[0].Status)
	entry := f.get(id)
	assert.Equal(t, StatusActive, entry.Status)
	assert.Equal(t, Manual, entry.Source)
	assert.InDelta(t, 0.9, entry.Confidence, 0)
	assert.True(t, entry.Reviewed)
	assert.Empty(t, f.update(id, Patch{Status: ptr(StatusActive)}), "it is kept already")
	_, err := f.room.Update(id, Patch{Status: ptr(StatusRemoved)})
	assert.ErrorContains(t, err, "must be active or offered")
}

func TestB12_AnEntryThatWasKeptCanBeAnOfferAgain(t *testing.T) {
	f := newFixture(t)
	id := f.says("s1", rule)[0].ID
	before := f.get(id)
	f.update(id, Patch{Status: ptr(StatusActive), Text: ptr("No lodash at all"), Pinned: ptr(true)})
	receipts := f.update(id, Patch{Status: ptr(StatusOffered), Text: ptr(rule), Reviewed: ptr(false)})
	require.Len(t, receipts, 1)
	assert.Equal(t, ReceiptUpdated, receipts[0].Status)
	after := f.get(id)
	assert.Equal(t, StatusOffered, after.Status)
	assert.Equal(t, before.Source, after.Source)
	assert.InDelta(t, before.Confidence, after.Confidence, 0)
	assert.Equal(t, rule, after.Text)
	assert.Empty(t, f.room.List(nil, false))
}

func TestB12_AnOfferCanBeEditedBeforeItIsKept(t *testing.T) {
	f := newFixture(t)
	id := f.says("s1", rule)[0].ID
	f.update(id, Patch{Text: ptr("No lodash")})
	assert.Equal(t, StatusOffered, f.get(id).Status)
	f.update(id, Patch{Text: ptr("No lodash at all"), Status: ptr(StatusActive)})
	assert.Equal(t, StatusActive, f.get(id).Status)
	assert.Equal(t, "No lodash at all", f.get(id).Text)
}

func TestB12_AnOfferThatIsSaidAgainInAnotherSessionIsInForce(t *testing.T) {
	f := newFixture(t)
	id := f.says("s1", rule)[0].ID
	receipts := f.says("s2", rule+".")
	require.Len(t, receipts, 1)
	assert.Equal(t, ReceiptAdded, receipts[0].Status)
	assert.Equal(t, id, receipts[0].ID)
	assert.Equal(t, StatusActive, f.get(id).Status)
	assert.Empty(t, f.says("s3", rule), "what is in force is not offered")
}

func TestB12_AnOfferThatIsAskedForIsInForce(t *testing.T) {
	f := newFixture(t)
	id := f.says("s1", rule)[0].ID
	receipt := f.add(Addition{Text: rule, Source: Explicit})
	assert.Equal(t, id, receipt.ID)
	assert.Equal(t, ReceiptAdded, receipt.Status)
	assert.Equal(t, Explicit, f.get(id).Source)
}

func TestB12_WhatWasDroppedIsNotOfferedAgain(t *testing.T) {
	f := newFixture(t)
	id := f.says("s1", rule)[0].ID
	f.apply(f.room.Remove(id))
	assert.Equal(t, StatusRemoved, f.get(id).Status)
	assert.Empty(t, f.says("s2", rule))
	f.apply(f.room.Restore(id))
	assert.Equal(t, StatusOffered, f.get(id).Status, "restored, it is offered again and not in force")
}

func TestB12_WhatSupersedesAnOfferTakesItsPlace(t *testing.T) {
	f := newFixture(t)
	first := f.says("s1", "let's use lodash for collections, because everybody knows it")[0].ID
	second := f.says("s1", rule)[0].ID
	assert.Equal(t, StatusSuperseded, f.get(first).Status)
	assert.Equal(t, second, f.get(first).Ended.By)
	assert.Len(t, f.room.Offers("s1"), 1)
	assert.Empty(t, f.room.Offers("s2"))
}

func TestB12_TheOldestOfferGoesOverTheLimit(t *testing.T) {
	f := newFixture(t)
	f.settings.Memory.MaxOffered = 2
	var offered []string
	for i := range 3 {
		receipts := f.says("s1", fmt.Sprintf("we never use the archive of region %d in tests", i))
		require.Len(t, receipts, 1)
		assert.Empty(t, receipts[0].Evicted)
		offered = append(offered, receipts[0].ID)
	}
	assert.Equal(t, offered[1:], ids(f.room.Offers("")))
	assert.Equal(t, StatusEvicted, f.get(offered[0]).Status)
}

func TestB12_ASummaryIsReadAsAWhole(t *testing.T) {
	f := newFixture(t)
	receipts := f.observe(event.CompactionFinished{Summary: "## Key decisions\n" +
		"- The exporter writes Parquet instead of CSV because columns are typed\n" +
		"- Implemented the writer\n\n## Errors\n- Root cause: the pool was closed before the last page was flushed\n" +
		"- The user clarified that exports must never contain addresses of customers\n\n" +
		"<workspace_memory_candidates>\n- [project] " + fact(1) + "\n</workspace_memory_candidates>\n"})
	statuses := map[string]ReceiptStatus{}
	for _, r := range receipts {
		statuses[r.Text] = r.Status
	}
	assert.Equal(t, map[string]ReceiptStatus{
		fact(1): ReceiptAdded,
		"The exporter writes Parquet instead of CSV because columns are typed":      ReceiptOffered,
		"Root cause: the pool was closed before the last page was flushed":          ReceiptOffered,
		"The user clarified that exports must never contain addresses of customers": ReceiptOffered,
	}, statuses)
}

func TestB12_OfASummaryOnlyWhatIsWorthKeepingIsOffered(t *testing.T) {
	f := newFixture(t)
	f.observe(event.CompactionFinished{Summary: "## Decisions\n" +
		"- Implemented the exporter and updated all of its tests\n" +
		"- Phase 2 is done, the importer is still in progress\n" +
		"- It is to be decided whether the archive is compressed\n" +
		"- Use SQLite instead of PostgreSQL, because it needs no server\n" +
		"## Rules\n- Lower case for the messages of errors\n"})
	var texts []string
	for _, e := range f.room.Offers("") {
		texts = append(texts, e.Type+": "+e.Text)
	}
	assert.ElementsMatch(t, []string{
		"decision: Use SQLite instead of PostgreSQL, because it needs no server",
		"feedback: Lower case for the messages of errors",
	}, texts)
}

func TestB12_RootCausesOfTheAssistantAreOffered(t *testing.T) {
	f := newFixture(t)
	receipts := f.observe(event.MessageReceived{
		Role: "assistant", Text: "I'll use sed to patch it. " +
			"The root cause is that the pool closes before the last page is flushed.",
	})
	require.Len(t, receipts, 1)
	assert.Equal(t, "The root cause is that the pool closes before the last page is flushed.", receipts[0].Text)
	assert.Equal(t, ReceiptOffered, receipts[0].Status)
}

func TestB12_WhatIsSaidAgainInOtherWordsIsOneOffer(t *testing.T) {
	f := newFixture(t)
	id := f.says("s1", rule)[0].ID
	again := "we do not use lodash here, always use helpers of the standard library"
	assert.Empty(t, f.says("s1", again), "once is enough")
	receipts := f.says("s2", again)
	require.Len(t, receipts, 1)
	assert.Equal(t, id, receipts[0].ID)
	entry := f.get(id)
	assert.Equal(t, StatusActive, entry.Status)
	assert.Equal(t, rule, entry.Text, "the first wording stays")
	assert.Equal(t, 1, entry.Reinforced)
	assert.Empty(t, f.says("s3", "we do not use lodash here; use the helpers of the standard library"),
		"what is in force is not offered in other words")
	f.apply(f.room.Remove(id))
	assert.Empty(t, f.says("s4", again), "nor what was dropped")
}

func TestB12_WhatIsPartOfWhatWasAskedForIsNoOfferBesides(t *testing.T) {
	f := newFixture(t)
	id := f.says("s1", rule)[0].ID
	whole := "About libraries: " + rule + ", and ask before adding one"
	assert.Equal(t, id, f.add(Addition{Text: whole, Source: Explicit}).ID)
	assert.Empty(t, f.room.Offers(""))
	assert.Empty(t, f.says("s2", rule))
}

func TestB12_ACauseOvertakesNoChoice(t *testing.T) {
	f := newFixture(t)
	f.says("s1", "can we show the current location of the branch in the list?")
	f.observe(event.MessageReceived{
		Role: "assistant",
		Text: "The root cause is that paths are relative to the root instead of current folders.",
	})
	assert.Len(t, f.room.Offers(""), 2)
}

func TestB12_ASimilarRuleIsAnotherOffer(t *testing.T) {
	f := newFixture(t)
	f.says("s1", "we never use the archive of region 1 in tests")
	assert.Len(t, f.says("s2", "we never use the archive of region 2 in tests"), 1)
	assert.Len(t, f.says("s2", "we always use the archive of region 1 in tests"), 1)
	assert.Len(t, f.room.Offers(""), 3)
}

func TestB12_WhatIsSaidLaterEndsAnOfferThoughItIsNotOffered(t *testing.T) {
	f := newFixture(t)
	id := f.says("s1", "let's go with port 8080 for the server, because the proxy expects it")[0].ID
	f.says("s2", "use port 9090 for the server")
	assert.Equal(t, StatusSuperseded, f.get(id).Status)
	assert.Empty(t, f.room.Offers(""))
}
