package lsp

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestAStrictClientIsToldOfParametersThatAreUnknown(t *testing.T) {
	p := startWith(t, map[string]any{"strict": true})
	for want, c := range map[string]struct {
		method string
		params map[string]any
	}{
		"qurey: is not a parameter of wm/context; the nearest is query": {"wm/context", map[string]any{"qurey": "x"}},
		"budget.char: is not a parameter of wm/context; the nearest is chars": {
			"wm/context", map[string]any{"budget": map[string]any{"char": 5}},
		},
		"keepLast: is not a parameter of wm/history/compact": {
			"wm/history/compact", map[string]any{"target": "all", "keepLast": 3},
		},
	} {
		refused := p.fails(c.method, c.params)
		assert.EqualValues(t, wire.CodeInvalidParams, refused.Code)
		assert.Contains(t, refused.Message, want)
	}
	p.call("wm/context", map[string]any{"query": "x", "guide": true, "sessionId": "s"}, nil)
	p.call("wm/tool/executed", map[string]any{"tool": "edit", "input": map[string]any{"anything": 1}}, nil)
}

func TestOtherwiseAnUnknownParameterIsIgnoredAndLoggedOnce(t *testing.T) {
	p := start(t, nil)
	for range 3 {
		p.call("wm/context", map[string]any{"qurey": "x"}, nil)
	}
	p.eventually("it is logged", func() bool { return strings.Contains(p.log.text(), "qurey") })
	assert.Equal(t, 1, strings.Count(p.log.text(), "parameter=qurey"))
}

func TestAnAnswerNamesTheFiltersThatWereIgnored(t *testing.T) {
	p := start(t, nil)
	for range 2 { // a context that is kept is the same one
		var context wire.ContextResult
		p.call("wm/context", map[string]any{
			"query": "x", "filters": map[string]any{"store": []string{"semantic"}, "tags": []string{"a"}},
		}, &context)
		assert.Equal(t, []string{"filters.store is not known; known are agentId, episodeId, minImportance, since, " +
			"stores, tags, taskId, types, until"}, context.Ignored)
		context = wire.ContextResult{}
		p.call("wm/context", map[string]any{"query": "x", "filters": map[string]any{"tags": []string{"a"}}}, &context)
		assert.Empty(t, context.Ignored)
	}
	var found wire.SearchResult
	p.call("wm/search", map[string]any{"query": "x", "filters": map[string]any{"stores": []string{"semantic"}}}, &found)
	require.Len(t, found.Ignored, 1)
	assert.Contains(t, found.Ignored[0], "filters is not known; known are agentId, at, episodeId, explain, ")
	many := map[string]any{"query": "x"}
	for i := range 1000 {
		many[fmt.Sprintf("unknown%d", i)] = true
	}
	p.call("wm/search", many, &found)
	assert.Len(t, found.Ignored, 10)
}

func TestTheNamesOfTheOriginalToolsAreAccepted(t *testing.T) {
	for _, options := range []map[string]any{nil, {"strict": true}} {
		n := notebook{startWith(t, options)}
		n.call("wm/session/start", map[string]any{"sessionId": n.session, "history": true}, nil)
		for i := range 8 {
			text := fmt.Sprintf("Please implement part %d. %s", i, strings.Repeat("word ", 99))
			n.say("user", fmt.Sprintf("u%d", i), text)
		}
		var done wire.HistoryCompactResult
		n.call("compact_history", map[string]any{
			"target": "conversation", "strategy": "archive", "keep_recent": 5,
			"archive_to": "working-memory/detail/session-summary.md",
		}, &done)
		assert.Equal(t, "detail/session-summary.md", done.ArchivedTo)
		assert.GreaterOrEqual(t, len(done.Kept), 5)
		assert.NotEmpty(t, done.Removed)

		n.call("core_memory_update", map[string]any{"block": "goal", "operation": "replace", "content": "Ship"}, nil)
		var core wire.CoreReadResult
		n.call("core_memory_read", nil, &core)
		assert.Equal(t, "Ship", core.Blocks.Goal.Content)
		n.call("working_memory_add", map[string]any{"content": "call the bank", "type": "todo"}, nil)
		var working wire.WorkingReadResult
		n.call("wm/working/read", map[string]any{"sessionID": n.session}, &working)
		assert.Len(t, working.Slots["todo"], 1)
		n.call("working_memory_remove", map[string]any{"content": "bank"}, nil)
		n.call("working_memory_clear_slot", map[string]any{"slot": "error"}, nil)
		n.call("wm/usage/reported", map[string]any{"visiblePromptChars": 156600, "estimatedLimit": 180000}, nil)
		var pressure wire.Pressure
		n.call("wm/pressure", nil, &pressure)
		assert.InDelta(t, 87, pressure.Percentage, 0.001)
		task := map[string]any{"task": "Ship it"}
		n.call("wm/state/event", map[string]any{"type": "task_started", "context": task}, nil)
		assert.Contains(t, n.read("overview.md").Content, "Ship it")
	}
}

func TestTheNamesOfTheOriginalOrchestratorAreAccepted(t *testing.T) {
	for _, strict := range []bool{false, true} {
		n := notebook{startWith(t, map[string]any{"strict": strict, "enable_tool_tracking": true})}
		var stored wire.MemorizeResult
		n.call("memorize", map[string]any{
			"item": map[string]any{"type": "fact", "text": "The gateway signs webhooks with ed25519", "task_id": "T1"},
		}, &stored)
		require.Len(t, stored.Results, 1)
		assert.Equal(t, []string{"semantic"}, stored.Results[0].Stores)
		n.call("memorize", map[string]any{
			"item":     "Invoices go out on the first",
			"metadata": map[string]any{"type": "fact", "importance": 0.9, "board": "BILL-7"},
		}, &stored)
		require.Len(t, stored.Results, 1)
		assert.Equal(t, []string{"semantic"}, stored.Results[0].Stores)
		var tracked wire.ToolExecutedResult
		n.call("track_tool_invocation", map[string]any{
			"tool_name": "bash", "parameters": map[string]any{"command": "make deploy"}, "result": "deployed",
		}, &tracked)
		assert.NotEmpty(t, tracked.ItemID)
		n.call("track_tool_invocation", map[string]any{
			"tool_name": "bash", "parameters": map[string]any{"command": "make test"},
			"result": map[string]any{"stdout": "all passed"}, "error": nil,
		}, &tracked)
		assert.NotEmpty(t, tracked.ItemID)
		var context wire.ContextResult
		n.call("assemble_context", map[string]any{
			"prompt": "how does the gateway sign webhooks?", "budget": 2000,
			"filters": map[string]any{"stores": []string{"semantic"}},
		}, &context)
		assert.Contains(t, context.Text, "with ed25519")
		assert.Positive(t, context.Tokens)
		n.call("assemble_context", map[string]any{"prompt": "how does the gateway sign?", "budget": 1}, &context)
		assert.NotContains(t, context.Text, "ed25519", "a budget is in tokens")
		var commit wire.CommitResult
		n.call("commit", nil, &commit)
		assert.Len(t, commit.Exports.Semantic, 2)
		var budget wire.BudgetResult
		n.call("get_budget_status", nil, &budget)
		assert.Equal(t, 2, budget.Events)
	}
}

func TestTheGuideNamesTheToolsOfTheHost(t *testing.T) {
	n := notebook{startWith(t, map[string]any{"toolNames": map[string]string{"wm/memory/add": "memory_add"}})}
	text := n.context(map[string]any{"guide": true, "include": []string{"guide"}}).Text
	assert.NotContains(t, text, "wm/")
	assert.Contains(t, text, filepath.Join(n.root(), "overview.md"))
}
