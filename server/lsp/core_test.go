package lsp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestA1_CoreBlocksAreReadAndWritten(t *testing.T) {
	p := start(t, nil)
	var written wire.CoreUpdateResult
	p.call("wm/core/update", map[string]any{"block": "goal", "operation": "replace", "content": "Ship the cart"},
		&written)
	p.call("wm/core/update", map[string]any{"block": "goal", "operation": "append", "content": "by March"}, &written)
	assert.Equal(t, "Ship the cart\nby March", written.Block.Content)
	assert.Equal(t, 22, written.Block.Chars)
	assert.Equal(t, 1000, written.Block.MaxChars)
	assert.NotEmpty(t, written.Block.UpdatedAt)

	refused := p.fails("wm/core/update",
		map[string]any{"block": "goal", "operation": "append", "content": strings.Repeat("x", 1000)})
	assert.EqualValues(t, wire.CodeRequestFailed, refused.Code)
	var why wire.Refusal
	require.NoError(t, json.Unmarshal(refused.Data, &why))
	assert.Equal(t, wire.Refusal{Reason: wire.RefusalLimit, Chars: 1023, MaxChars: 1000}, why)

	before := written.Block
	p.call("wm/core/update", map[string]any{"block": "goal", "operation": "replace", "content": "Rest"}, &written)
	p.call(written.Undo.Method, written.Undo.Params, &written)
	assert.Equal(t, before.Content, written.Block.Content)

	var read wire.CoreReadResult
	p.call("wm/core/read", nil, &read)
	assert.Equal(t, written.Block, read.Blocks.Goal)
	assert.Equal(t, wire.CoreBlock{MaxChars: 2000}, read.Blocks.Progress)
	p.call("wm/core/read", map[string]any{"sessionId": "another"}, &read)
	assert.Empty(t, read.Blocks.Goal.Content)
	for _, wrong := range []map[string]any{
		{"block": "plan", "operation": "replace", "content": "x"},
		{"block": "goal", "operation": "prepend", "content": "x"}, {"block": "goal", "operation": "replace"},
	} {
		assert.EqualValues(t, wire.CodeInvalidParams, p.fails("wm/core/update", wrong).Code, wrong)
	}
}

func TestA2_CoreMemoryIsInEveryContextAndInThePrefix(t *testing.T) {
	p := start(t, nil)
	context := func(params map[string]any) (result wire.ContextResult) {
		p.call("wm/context", params, &result)
		return result
	}
	assert.Contains(t, context(nil).Prefix,
		"<core_memory>empty (goal 1000, progress 2000, context 1500 characters)</core_memory>")
	p.call("wm/core/update",
		map[string]any{"block": "progress", "operation": "replace", "content": "The parser stands."}, nil)
	first := context(nil)
	assert.Contains(t, first.Prefix, `<progress chars="18/2000">The parser stands.</progress>`)
	p.call("wm/compaction/finished", map[string]any{"summary": "All was said."}, nil)
	p.call("wm/tool/executed", map[string]any{"tool": "edit", "input": map[string]any{"filePath": "a.go"}}, nil)
	second := context(nil)
	assert.Equal(t, first.Prefix, second.Prefix)
	assert.Contains(t, context(map[string]any{"budget": map[string]any{"chars": 300}}).Text, "The parser stands.",
		"other sections give way first")

	var panel wire.PanelResult
	p.call("wm/panel", map[string]any{"sections": []string{"core"}}, &panel)
	require.Len(t, panel.Sections, 1)
	require.Len(t, panel.Sections[0].Items, 1)
	assert.Equal(t, "progress: The parser stands.", panel.Sections[0].Items[0].Label)
	var resolved wire.PanelResolveResult
	p.call("wm/panel/resolve", map[string]any{"id": "core:progress"}, &resolved)
	assert.Contains(t, resolved.Markdown, "The parser stands.")
}
