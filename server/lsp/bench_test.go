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

// BenchmarkMemorize1000 stores a batch of new items.
func BenchmarkMemorize1000(b *testing.B) {
	p := start(b, nil)
	words := strings.Fields("parser scheduler invoice ledger cache cursor socket retry token budget region " +
		"handler queue index schema migration worker timeout gateway session panel editor folder column")
	n := 0
	for b.Loop() {
		b.StopTimer()
		items := make([]map[string]any, 1000)
		for i := range items {
			n++
			items[i] = map[string]any{"type": "observation", "text": fmt.Sprintf(
				"run %d of go test ./pkg%d printed %d lines, and TestCase%d took %d ms: the %s of the %s keeps its %s",
				n, n*7919%1000, n*13%501, n, n*17%3001, words[n%24], words[n/24%24], words[n/576%24])}
		}
		b.StartTimer()
		p.call("wm/memorize", map[string]any{"items": items}, nil)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "items/s")
}

// BenchmarkPanelAfterAnEvent measures a panel with a full memory after an event that changes none of its entries.
func BenchmarkPanelAfterAnEvent(b *testing.B) {
	for _, entries := range []int{28, 500} {
		b.Run(fmt.Sprint(entries), func(b *testing.B) {
			p := startWith(b, map[string]any{"memory": map[string]any{"maxEntries": entries}})
			for i := range entries {
				text := fmt.Sprintf("The parser of part %d caches what team %d writes, once a day", i, i*7)
				p.call("wm/memory/add", map[string]any{"text": text}, nil)
			}
			for i := 0; b.Loop(); i++ {
				p.call("wm/tool/executed",
					map[string]any{"tool": "read", "input": map[string]any{"path": fmt.Sprintf("f%d.go", i%8)}}, nil)
				p.call("wm/panel", nil, nil)
			}
		})
	}
}
