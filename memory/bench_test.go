package memory_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

func BenchmarkAddToAFullMemory(b *testing.B) {
	w := open(b, onDisk, b.TempDir(), b.TempDir(), settings.Default())
	defer w.Close(context.Background())
	for i := 0; b.Loop(); i++ {
		add(b, w, longterm.Addition{Text: fmt.Sprintf("Rule number %d is kept by everybody in this project", i)})
	}
}

func BenchmarkObserveAFileTouched(b *testing.B) {
	w := open(b, onDisk, b.TempDir(), b.TempDir(), settings.Default())
	defer w.Close(context.Background())
	for i := 0; b.Loop(); i++ {
		observe(b, w, "s", event.FileTouched{Path: fmt.Sprintf("f%d.go", i%20), Action: event.Edit})
	}
}

func BenchmarkObserveATestRun(b *testing.B) {
	w := open(b, onDisk, b.TempDir(), b.TempDir(), settings.Default())
	defer w.Close(context.Background())
	output := strings.Repeat("=== RUN   TestSomething\n--- PASS: TestSomething (0.00s)\n", 70) + "--- FAIL: TestNumber1 (0.00s)\n    file1_test.go:2: wrong answer\nFAIL\n"
	failed := 1
	for b.Loop() {
		observe(b, w, "s", event.ToolRan{Tool: "bash", Input: []byte(`{"command":"go test ./..."}`), Output: output, ExitCode: &failed})
	}
}
