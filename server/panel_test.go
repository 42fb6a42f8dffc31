package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestOfTheErrorsOfOneCommandFiveAreShownAndTheRestIsCounted(t *testing.T) {
	p := start(t, nil)
	var output strings.Builder
	for i := range 12 {
		fmt.Fprintf(&output, "--- FAIL: TestNumber%d (0.00s)\n    a_test.go:%d: wrong answer\n", i, i+1)
	}
	var told wire.ToolExecutedResult
	p.call("wm/tool/executed", map[string]any{"tool": "bash", "input": map[string]any{"command": "go test ./..."}, "exitCode": 1, "output": output.String() + "FAIL\n"}, &told)
	assert.Len(t, told.Opened, 12)
	assert.Len(t, p.errors(), 12)

	var shown wire.PanelResult
	p.call("wm/panel", nil, &shown)
	for _, section := range shown.Sections {
		if section.ID != "errors" {
			continue
		}
		assert.Equal(t, "12", section.Summary)
		require.Len(t, section.Items, 6)
		last := section.Items[5]
		assert.Equal(t, "7 more of go test ./...", last.Label)
		assert.Len(t, last.Children, 7)
	}
	var context wire.ContextResult
	p.call("wm/context", nil, &context)
	assert.Equal(t, 3, strings.Count(context.Text, "- [test] "))
	assert.Contains(t, context.Text, "\n(9 more)\n")
}

func TestAFailureBehindAPipeIsMarked(t *testing.T) {
	p := start(t, nil)
	var told wire.ToolExecutedResult
	p.call("wm/tool/executed", map[string]any{
		"tool": "bash", "input": map[string]any{"command": "go test ./... | tail -5"}, "exitCode": 0,
		"output": "--- FAIL: TestTotal (0.00s)\n    a_test.go:3: wrong answer\nFAIL\nFAIL\tshop\t0.1s\n",
	}, &told)
	require.Len(t, told.Opened, 1)
	assert.True(t, told.Opened[0].Masked)
	var context wire.ContextResult
	p.call("wm/context", nil, &context)
	assert.Contains(t, context.Text, "TestTotal: wrong answer (a pipe hid the exit code)")
	p.call("wm/tool/executed", map[string]any{"tool": "bash", "input": map[string]any{"command": "go test ./..."}, "exitCode": 0, "output": "ok\n"}, &told)
	assert.Empty(t, p.errors())
}
