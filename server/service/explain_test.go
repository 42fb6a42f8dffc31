package service

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestE1_AnItemIsExplained(t *testing.T) {
	f := newFace(t)
	explain := func(id string) wire.MemoryExplainResult {
		return get[wire.MemoryExplainResult](f, "wm/memory/explain", &wire.MemoryExplainParams{ID: id})
	}
	first := f.memorize(`{"type": "fact", "text": "Taxes are in *percent*", "source": "tool", "agentId": "coder",
		"taskId": "T-7", "thread": "#cart", "importance": 0.8}`)[0].ID
	live := explain(first)
	assert.Equal(t, wire.StatusActive, live.Entry.Status)
	assert.Equal(t, &wire.Origin{SessionID: "s", Agent: "coder"}, live.Entry.Origin)
	require.NotNil(t, live.Item)
	assert.Equal(t, "semantic", live.Item.Store)
	assert.Empty(t, live.Item.DeletedAt)
	assert.Equal(t, wire.Retention{Reason: "recalled for ever; retention forever"}, live.Retention)
	for _, line := range []string{
		`Taxes are in \*percent\*`, "- **From:** tool", "- **Agent:** coder", "- **Session:** ", "- **Task:** T-7",
		`- **Thread:** \#cart`, "- **Episode:** ", "- **Store:** semantic", "- **Routed:** type fact",
		"- **Importance:** 0.80", "- **Novelty:** 1.00", "- **Happened:** ", "- **Id:** " + first, "item.memorized",
	} {
		assert.Contains(t, live.Markdown, line)
	}
	assert.NotContains(t, live.Markdown, "- **Deleted:**")

	second := f.memorize(`{"type": "fact", "text": "Taxes are in cents", "lineageIds": ["` + first + `"]}`)[0].ID
	replaced := explain(first)
	assert.Equal(t, wire.StatusSuperseded, replaced.Entry.Status)
	assert.NotEmpty(t, replaced.Entry.DeletedAt)
	assert.Equal(t, replaced.Entry.DeletedAt, replaced.Item.DeletedAt)
	assert.Equal(t, "superseded: there is a newer version: "+second, replaced.Retention.Reason)
	assert.Contains(t, replaced.Markdown, "- **Deleted:** ")
	assert.Contains(t, explain(second).Markdown, "- **Replaces or follows from:** "+first)

	removed := get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: second})
	assert.NotEmpty(t, removed.Entry.DeletedAt)
	assert.Equal(t, removed.Entry.DeletedAt, explain(second).Entry.DeletedAt)
	back := get[wire.Receipt](f, "wm/memory/restore", &wire.MemoryRestoreParams{ID: second})
	assert.Empty(t, back.Entry.DeletedAt)

	over := f.memorize(`{"text": "The beta is at beta.test", "timestamp": "2026-01-01T00:00:00Z", "ttl": 60}`)[0].ID
	assert.Contains(t, explain(over).Retention.Reason, "no longer recalled since ")
	assert.Equal(t, wire.Time("2026-01-01T00:01:00.000Z"), explain(over).Entry.DeletedAt)
	assert.Equal(t, wire.StatusEvicted, explain(over).Entry.Status)
	later := f.memorize(`{"type": "fact", "text": "The office opens", "validity": {"from": "2999-01-01T00:00:00Z"}}`)
	assert.Contains(t, explain(later[0].ID).Retention.Reason, "recalled from 2999-01-01 ")
	_, wrong := f.call("wm/memory/update", &wire.MemoryUpdateParams{ID: over, Pinned: new(true)})
	assert.ErrorContains(t, wrong, "is an item and no entry")
	one := wire.Params{SessionID: "one"}
	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{Params: one})
	results, err := f.memorizeParams(`{"sessionId": "one", "items": [{"type": "thought", "text": "I look at lamps"}]}`)
	require.NoError(t, err)
	assert.Equal(t, "recalled; retention session", explain(results[0].ID).Retention.Reason)
	get[wire.SessionEndResult](f, "wm/session/end", &wire.SessionEndParams{Params: one})
	assert.Contains(t, explain(results[0].ID).Retention.Reason, "recalled by its session only, since that ended at ")
	_, err = f.call("wm/memory/explain", &wire.MemoryExplainParams{ID: "01JH2Z8N6T3V5W7X9YABCDEFGH"})
	assert.True(t, fault.Has(err, fault.NotFound))
}

func TestADeletedEntrySaysSince(t *testing.T) {
	f := newFace(t)
	id := get[wire.Receipt](f, "wm/memory/add", &wire.MemoryAddParams{Text: "Amounts are stored in cents"}).ID
	removed := get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: id}).Entry
	assert.NotEmpty(t, removed.DeletedAt)
	hits := get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: "amounts in cents"}).Hits
	require.Len(t, hits, 1)
	assert.Equal(t, wire.SearchRemoved, hits[0].Item.State)
	assert.Equal(t, removed.DeletedAt, hits[0].Item.DeletedAt)
	back := get[wire.Receipt](f, "wm/memory/restore", &wire.MemoryRestoreParams{ID: id}).Entry
	assert.Empty(t, back.DeletedAt)
}
