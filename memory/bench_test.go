package memory_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/wm-lsp/wm-lsp/memory"
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

// BenchmarkOpenALargeMemory opens what there is at 100 × of docs/benchmarks.md.
func BenchmarkOpenALargeMemory(b *testing.B) {
	const times = 100
	folder, data := b.TempDir(), b.TempDir()
	s := settings.Default()
	s.Memory.MaxEntries = 500
	w := open(b, onDisk, folder, data, s)
	for i := range 28 * times {
		add(b, w, longterm.Addition{Text: fmt.Sprintf(
			"The parser of region %d sorts the invoices before the ledger of team %d sees them, once a day", i, i*7+3)})
	}
	for i := range 8 * times {
		path := fmt.Sprintf("src/file%d.go", i)
		observe(b, w, fmt.Sprintf("session %d", i%times), event.FileTouched{Path: path, Action: event.Edit})
	}
	failed := 1
	for part := range times {
		var output strings.Builder
		for i := range 3 {
			n := part*3 + i
			fmt.Fprintf(&output, "--- FAIL: TestNumber%d (0.00s)\n    file%d_test.go:%d: wrong answer\n", n, n, n+1)
		}
		observe(b, w, "bench", event.ToolRan{
			Tool: "bash", Input: []byte(fmt.Sprintf(`{"command":"go test ./part%d"}`, part)),
			Output: output.String() + "FAIL\n", ExitCode: &failed,
		})
	}
	w.Close(context.Background())
	for b.Loop() {
		w := open(b, onDisk, folder, data, s)
		b.StopTimer()
		w.Close(context.Background())
		b.StartTimer()
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
	output := strings.Repeat(
		"=== RUN   TestSomething\n--- PASS: TestSomething (0.00s)\n",
		70,
	) + "--- FAIL: TestNumber1 (0.00s)\n    file1_test.go:2: wrong answer\nFAIL\n"
	failed := 1
	for b.Loop() {
		observe(
			b,
			w,
			"s",
			event.ToolRan{
				Tool:     "bash",
				Input:    []byte(`{"command":"go test ./..."}`),
				Output:   output,
				ExitCode: &failed,
			},
		)
	}
}

// BenchmarkFollowTheOthers folds what 31 other processes have added, an addition each, to a full
// memory.
func BenchmarkFollowTheOthers(b *testing.B) {
	folder, data := b.TempDir(), b.TempDir()
	writer := open(b, onDisk, folder, data, settings.Default())
	defer writer.Close(context.Background())
	follower := open(b, onDisk, folder, data, settings.Default())
	defer follower.Close(context.Background())
	n := 0
	for b.Loop() {
		b.StopTimer()
		written, followed := make(chan struct{}), make(chan struct{})
		follower.Do(func() { // the watcher waits for it
			<-written
			b.StartTimer()
			memory.Refresh(follower)
			b.StopTimer()
			close(followed)
		})
		for range 31 {
			n++
			add(b, writer, longterm.Addition{Text: fmt.Sprintf("The parser of region %d sorts the invoices before "+
				"the ledger of team %d sees them, because the importer merges the totals once a day", n, n*7+3)})
		}
		close(written)
		<-followed
		b.StartTimer()
	}
}
