package lsp

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestA3_WorkingMemoryIsReadOverTheProtocol(t *testing.T) {
	p := start(t, nil)
	p.call("wm/message/received",
		map[string]any{"role": "user", "text": "We decided to use PostgreSQL for the orders."}, nil)
	p.call("wm/tool/executed", map[string]any{"tool": "edit", "input": map[string]any{"filePath": "cart.go"}}, nil)
	var read wire.WorkingReadResult
	p.call("wm/working/read", nil, &read)
	assert.Equal(t, 2, read.EventCounter)
	assert.ElementsMatch(t, []string{"error", "decision", "todo", "dependency"}, keys(read.Slots))
	require.Len(t, read.Slots["decision"], 1)
	decision := read.Slots["decision"][0]
	assert.Equal(t, "message:user", decision.Source)
	assert.Nil(t, decision.Score)
	require.Len(t, read.Pool, 1)
	assert.Equal(t, "cart.go", read.Pool[0].Content)
	assert.InDelta(t, 1.693, *read.Pool[0].Score, 0.001)

	p.call("wm/working/read", map[string]any{"sessionId": "another"}, &read)
	assert.Empty(t, read.Pool)
	assert.Zero(t, read.EventCounter)
}

func keys[V any](m map[string]V) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	return names
}

func TestA6_WorkingMemoryIsWrittenByHand(t *testing.T) {
	p := start(t, nil)
	var added wire.WorkingAddResult
	for _, content := range []string{"one", "two", "three", "four"} {
		p.call("wm/working/add", map[string]any{"content": content, "slot": "todo"}, &added)
	}
	assert.Equal(t, "four", added.Item.Content)
	assert.Equal(t, "manual", added.Item.Source)
	require.Len(t, added.Evicted, 1)
	assert.Equal(t, "one", added.Evicted[0].Content)
	p.call("wm/working/add", map[string]any{"content": "a finding"}, &added)
	assert.Empty(t, added.Evicted)

	var removed wire.WorkingRemoveResult
	p.call("wm/working/remove", map[string]any{"match": "T"}, &removed)
	assert.Len(t, removed.Removed, 2, "two and three")
	var cleared wire.WorkingClearResult
	p.call("wm/working/clear", map[string]any{"slot": "todo"}, &cleared)
	assert.Equal(t, 1, cleared.Removed)
	p.call("wm/working/clear", nil, &cleared)
	assert.Equal(t, 1, cleared.Removed, "the finding")

	for method, params := range map[string]map[string]any{
		"wm/working/add": {"content": " "}, "wm/working/remove": {"match": ""}, "wm/working/clear": {"slot": "wish"},
	} {
		assert.EqualValues(t, wire.CodeInvalidParams, p.fails(method, params).Code, method)
	}
}

func TestA6_WhatIsRemovedIsNoDecisionOfTheSessionEither(t *testing.T) {
	p := start(t, nil)
	p.call("wm/message/received", map[string]any{"role": "user", "text": "We decided to use Redis for the queue."}, nil)
	p.call("wm/working/remove", map[string]any{"match": "redis"}, nil)
	var context wire.ContextResult
	p.call("wm/context", nil, &context)
	assert.NotContains(t, context.Text, "Redis")
}

func TestA6_WhatIsDroppedIsPutBackAsItWas(t *testing.T) {
	p := start(t, nil)
	context := func() string {
		var context wire.ContextResult
		p.call("wm/context", nil, &context)
		return context.Text
	}
	read := func() (held wire.WorkingReadResult) {
		p.call("wm/working/read", nil, &held)
		return held
	}
	p.call("wm/message/received", map[string]any{"role": "user", "text": "We decided to use Redis for the queue."}, nil)
	p.call("wm/tool/executed", map[string]any{"tool": "edit", "input": map[string]any{"filePath": "cart.go"}}, nil)
	p.call("wm/working/add", map[string]any{"content": "a finding"}, nil)
	p.call("wm/working/add", map[string]any{"content": "a finding that goes on"}, nil)
	before, told := read(), context()
	require.Len(t, before.Pool, 3)

	var cleared wire.WorkingClearResult
	p.call("wm/working/clear", nil, &cleared)
	assert.Equal(t, 4, cleared.Removed)
	assert.NotContains(t, context(), "Redis")
	var restored wire.WorkingRestoreResult
	p.call(cleared.Undo.Method, cleared.Undo.Params, &restored)
	assert.Equal(t, 4, restored.Restored)
	assert.Equal(t, before, read())
	assert.Equal(t, told, context(), "it is a decision of the session again")
	p.call(cleared.Undo.Method, cleared.Undo.Params, &restored)
	assert.Zero(t, restored.Restored, "all of it is held already")

	var removed wire.WorkingRemoveResult
	p.call("wm/working/remove", map[string]any{"id": before.Pool[1].ID}, &removed)
	require.Len(t, removed.Removed, 1, "one item, whatever others say")
	p.call("wm/working/clear", nil, nil)
	var again wire.WorkingClearResult
	p.call("wm/working/clear", nil, &again)
	assert.Nil(t, again.Undo, "there was nothing to drop")
	for _, wrong := range []map[string]any{
		{"content": "x", "slot": "wish"}, {"content": "x", "createdAt": "yesterday"},
	} {
		assert.EqualValues(t, wire.CodeInvalidParams,
			p.fails("wm/working/restore", map[string]any{"items": []any{wrong}}).Code, wrong)
	}
	many := make([]map[string]any, 1001)
	assert.EqualValues(t, wire.CodeInvalidParams, p.fails("wm/working/restore", map[string]any{"items": many}).Code)
	long := map[string]any{"content": strings.Repeat("x", 501)}
	assert.EqualValues(t, wire.CodeRequestFailed,
		p.fails("wm/working/restore", map[string]any{"items": []any{long}}).Code)
}

func TestA6_WhatIsPutBackCountsAsASessionCounts(t *testing.T) {
	p := start(t, nil)
	said := map[string]any{"role": "user", "text": "What about the tax table?"}
	p.call("wm/message/received", said, nil)
	p.call("wm/working/restore", map[string]any{"items": []any{
		map[string]any{"content": "the tax table", "mentions": math.MaxInt64, "event": math.MaxInt64},
		map[string]any{"content": "the old table", "slot": "todo", "mentions": math.MinInt64, "event": math.MinInt64},
		map[string]any{"content": "a faded finding", "event": math.MinInt64},
	}}, nil)
	p.call("wm/message/received", said, nil)
	var read wire.WorkingReadResult
	p.call("wm/working/read", nil, &read)
	require.Len(t, read.Pool, 1)
	assert.Equal(t, "the tax table", read.Pool[0].Content)
	assert.InDelta(t, 1+math.Log(1e6), *read.Pool[0].Score, 0.001)
	require.Len(t, read.Slots["todo"], 1)
	assert.Equal(t, 1, read.Slots["todo"][0].Mentions)

	early := map[string]any{"content": "x", "createdAt": "0000-01-01T00:00:00+01:00"}
	assert.EqualValues(t, wire.CodeInvalidParams,
		p.fails("wm/working/restore", map[string]any{"items": []any{early}}).Code, "no year that can be written")
}

func TestNothingIsPutBackIntoASessionThatIsNotKnown(t *testing.T) {
	p := start(t, nil)
	dropped := map[string]any{"sessionId": "another", "items": []any{map[string]any{"content": "a finding"}}}
	refused := p.fails("wm/working/restore", dropped)
	assert.EqualValues(t, wire.CodeRequestFailed, refused.Code)
	assert.Contains(t, refused.Message,
		"no session another is known here; check the id, or begin it with wm/session/start")
	var why wire.Refusal
	require.NoError(t, json.Unmarshal(refused.Data, &why))
	assert.Equal(t, wire.Refusal{Reason: wire.RefusalNotFound, ID: "another"}, why)
	var list wire.SessionListResult
	p.call("wm/session/list", nil, &list)
	assert.Empty(t, list.Sessions, "what is refused begins none")

	p.call("wm/session/start", map[string]any{"sessionId": "another"}, nil)
	p.call("wm/working/restore", dropped, nil)
	p.call("wm/session/delete", map[string]any{"sessionId": "another"}, nil)
	assert.Contains(t, p.fails("wm/working/restore", dropped).Message, "the session another was deleted")
}

func TestAnItemOfOneSessionIsPromotedToAllOfThem(t *testing.T) {
	p := start(t, nil)
	p.call("wm/working/add", map[string]any{"content": "Amounts are integers, in cents", "slot": "decision"}, nil)
	p.call("wm/tool/executed", map[string]any{"tool": "edit", "input": map[string]any{"filePath": "cart.go"}}, nil)
	var panel wire.PanelResult
	p.call("wm/panel", map[string]any{"sections": []string{"working"}}, &panel)
	slots := panel.Sections[0].Items
	require.Len(t, slots, 2)
	promote := slots[0].Children[0].Actions[1]
	require.Equal(t, "Save to project memory", promote.Title)
	require.Len(t, promote.Inputs, 1, "the type is asked for")
	assert.Equal(t, "decision", promote.Inputs[0].Value)
	require.Len(t, slots[1].Children[0].Actions, 1, "a file is not a sentence to remember")

	promote.Params["type"] = promote.Inputs[0].Value
	var receipt wire.Receipt
	p.call(promote.Method, promote.Params, &receipt)
	var list wire.MemoryListResult
	p.call("wm/memory/list", map[string]any{"sessionId": "another"}, &list)
	require.Len(t, list.Entries, 1)
	assert.Equal(t, "Amounts are integers, in cents", list.Entries[0].Text)
	p.call(receipt.Undo.Method, receipt.Undo.Params, nil)
	p.call("wm/memory/list", nil, &list)
	assert.Empty(t, list.Entries)
}

func TestA7_AnOpenErrorIsNotRepeatedInASlot(t *testing.T) {
	p := start(t, nil)
	run := func(exit int, output string) {
		p.call("wm/tool/executed", map[string]any{
			"tool": "bash", "input": map[string]any{"command": "go vet ./..."}, "exitCode": exit, "output": output,
		}, nil)
	}
	context := func(params map[string]any) string {
		var result wire.ContextResult
		p.call("wm/context", params, &result)
		return result.Text
	}
	p.call("wm/message/received",
		map[string]any{"role": "user", "text": "We decided to use PostgreSQL for the orders."}, nil)
	run(1, "a.go:3:1: undefined: total\n")
	assert.Regexp(t, `(?s)^.*<session_state>.*undefined: total.*$`, context(nil))
	assert.Equal(t, 1, count(context(nil), "undefined: total"))
	assert.Equal(t, 1, count(context(nil), "PostgreSQL"), "the session state tells of the decision")
	assert.Equal(t, 1, count(context(map[string]any{"exclude": []string{"session"}}), "undefined: total"))
	run(0, "")
	assert.NotContains(t, context(nil), "undefined: total")
}

func TestA6_ASlotIsClearedByACommandAndInThePanel(t *testing.T) {
	p := start(t, nil)
	p.call("wm/working/add", map[string]any{"content": "call the bank", "slot": "todo"}, nil)
	section := func() wire.PanelSection {
		var panel wire.PanelResult
		p.call("wm/panel", map[string]any{"sections": []string{"working"}}, &panel)
		require.Len(t, panel.Sections, 1)
		return panel.Sections[0]
	}
	shown := section()
	require.Len(t, shown.Items, 1)
	assert.Equal(t, "To do", shown.Items[0].Label)
	item := shown.Items[0].Children[0]
	var text wire.PanelResolveResult
	p.call("wm/panel/resolve", map[string]any{"id": item.ID}, &text)
	assert.Contains(t, text.Markdown, "call the bank")
	remove := item.Actions[0]
	var removed wire.WorkingRemoveResult
	p.call(remove.Method, remove.Params, &removed)
	assert.Empty(t, section().Items)
	p.call(removed.Undo.Method, removed.Undo.Params, nil)
	require.Len(t, section().Items, 1)
	p.call("workspace/executeCommand",
		map[string]any{"command": "wm.clearSlot", "arguments": []any{map[string]any{"slot": "todo"}}}, nil)
	assert.Empty(t, section().Items)
	assert.EqualValues(t, wire.CodeInvalidParams,
		p.fails("workspace/executeCommand", map[string]any{"command": "wm.clearSlot"}).Code)
}

func count(text, part string) int { return strings.Count(text, part) }
