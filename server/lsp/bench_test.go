package lsp

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkContextAfterAnEvent measures a context with full sections after an event.
func BenchmarkContextAfterAnEvent(b *testing.B) {
	p := start(b, nil)
	line := "a rule of some length about the parser, the scheduler and what they do "
	for i := range 28 {
		p.call("wm/memory/add", map[string]any{"text": fmt.Sprintf("%s%s number %d", line, line, i)}, nil)
	}
	for _, block := range []string{"goal", "progress", "context"} {
		p.call("wm/core/update",
			map[string]any{"block": block, "operation": "replace", "content": strings.Repeat(line, 13)}, nil)
	}
	for i := range 40 {
		p.call("wm/working/add", map[string]any{
			"slot":    []string{"error", "decision", "todo", "dependency", ""}[i%5],
			"content": fmt.Sprintf("%sitem %d", line, i),
		}, nil)
	}
	p.call("wm/notes/write",
		map[string]any{"path": "overview.md", "content": "# Work\n\n## Task\n" + strings.Repeat(line+"\n\n", 66)}, nil)
	p.call("wm/usage/reported", map[string]any{"tokensUsed": 800, "tokensMax": 1000}, nil)
	for i := 0; b.Loop(); i++ {
		p.call("wm/tool/executed",
			map[string]any{"tool": "read", "input": map[string]any{"path": fmt.Sprintf("f%d.go", i%8)}}, nil)
		p.call("wm/context", nil, nil)
	}
}
