// Package growth is a session that does not end: it tells a workspace events by
// the thousand, as a busy agent does, and measures what is kept of them.
package growth

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store/sqlite"
)

// A Size is what is kept after a number of events.
type Size struct {
	Events int
	// Bytes and Files are those of the folder of the workspace, without the write-ahead log.
	Bytes int64
	Files int
	// WAL is the size of the write-ahead log in bytes. It goes up and down.
	WAL int64
	// Changes is the length of the log.
	Changes int64
	// Items is the number of items that can be recalled; only Year has some.
	Items int
	// Searches are how long searches took; only Year makes some.
	Searches []time.Duration
}

// In runs in a workspace of its own, made in a folder, with the settings of the
// product as it ships.
func In(ctx context.Context, dir string, events, step int) ([]Size, error) {
	folder := filepath.Join(dir, "workspace")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	place, err := scope.Locate(folder, "git")
	if err != nil {
		return nil, err
	}
	w := memory.Open(place, memory.Options{
		DataDir: filepath.Join(dir, "data"), Storage: memory.StorageOf(sqlite.Open, sqlite.SetAside),
		Settings: settings.Default, Log: slog.New(slog.DiscardHandler),
	})
	defer w.Close(ctx)
	return Run(ctx, w, events, step)
}

// Run tells a workspace events of one session and returns the size after each
// step of them.
func Run(ctx context.Context, w *memory.Workspace, events, step int) ([]Size, error) {
	var curve []Size
	for n := 1; n <= events; n++ {
		if err := on(w, func() error { return tell(ctx, w, n) }); err != nil {
			return nil, fmt.Errorf("event %d: %w", n, err)
		}
		if n%step != 0 {
			continue
		}
		size, err := measure(ctx, w)
		if err != nil {
			return nil, err
		}
		size.Events = n
		curve = append(curve, size)
	}
	return curve, nil
}

// on runs f on the queue of the workspace.
func on(w *memory.Workspace, f func() error) error {
	result := make(chan error, 1)
	if !w.Do(func() { result <- f() }) {
		return fmt.Errorf("the workspace is closed")
	}
	return <-result
}

const session = "the long one"

// tell tells the event of a number: no two are alike, and what they are about
// comes and goes.
func tell(ctx context.Context, w *memory.Workspace, n int) error {
	ev := event.Event{Session: session, Agent: "agent", Worktree: w.Root(), ID: fmt.Sprintf("call-%d", n)}
	switch n % 40 {
	case 10:
		return write(ctx, w, ev, n)
	case 20:
		ev.Body = event.UsageReported{Used: n * 37 % 200, Limit: 200, Unit: "tokens", Messages: n % 400}
		return observe(ctx, w, ev)
	case 30:
		_, err := w.Apply(ctx, change.Actor{Session: session}, func() ([]change.Change, error) {
			return memory.RoomOf[*core.Room](
				w,
			).Update(session, "progress", core.Replace, fmt.Sprintf("Step %d of the move is done.", n), "")
		})
		return err
	}
	file := fmt.Sprintf("part%d/file%d.go", n%40, n)
	switch n % 10 {
	case 0, 1, 2:
		ev.Body = ran(
			n,
			1,
			fmt.Sprintf(
				"--- FAIL: TestNumber%d (0.00s)\n    part%d_test.go:%d: wrong answer %d\nFAIL\n",
				n,
				n%700,
				n%90+1,
				n,
			),
		)
	case 3:
		ev.Body = ran(n, 0, "ok  \tshop\t0.1s\n")
	case 4:
		ev.Body = event.ToolRan{Tool: "edit", Input: object("filePath", file)}
	case 5:
		ev.Body = event.ToolRan{Tool: "bash", Input: object("command", "make"), Output: lines(n)}
		memory.ServiceOf[*outputs.Service](
			w,
		).Prune(outputs.Output{Tool: "bash", Command: "make", Text: lines(n), Mode: "normal"})
	case 6:
		ev.Body = event.ToolRan{Tool: "grep", Input: object("path", file), Output: lines(n)}
	case 7:
		ev.Body = event.MessageReceived{Role: "user", Text: wishes(n)}
	case 8:
		ev.Body = event.MessageReceived{
			Role: "assistant",
			Text: fmt.Sprintf("The table of shard %d is in %s, and has %d rows.", n, file, n*11),
		}
	case 9:
		ev.Body = event.TodosChanged{Todos: []event.Todo{{Content: fmt.Sprintf("move table %d", n), Status: "pending"}}}
	}
	return observe(ctx, w, ev)
}

func observe(ctx context.Context, w *memory.Workspace, ev event.Event) error {
	_, err := w.Observe(ctx, ev)
	return err
}

// wishes is what a user says. What is to be remembered is kept for good, so that
// is seldom said.
func wishes(n int) string {
	text := fmt.Sprintf("We decided to use port %d for shard %d.\nTODO: move table %d", n, n, n)
	if n%200 == 7 {
		text += fmt.Sprintf("\nRemember this: customer %d wants invoice layout %d", n, n*7)
	}
	return text
}

// write writes the overview, or one of some details, anew.
func write(ctx context.Context, w *memory.Workspace, ev event.Event, n int) error {
	path := "overview.md"
	if n%80 == 10 {
		path = fmt.Sprintf("detail/table-%d.md", n%300)
	}
	_, err := memory.ServiceOf[*notes.Service](
		w,
	).Write(ctx, ev, path, fmt.Sprintf("# State %d\n\n%s", n, strings.Repeat(fmt.Sprintf("- line %d of the "+
		"notes\n", n), 100)), "")
	return err
}

func ran(n, code int, output string) event.ToolRan {
	return event.ToolRan{
		Tool:     "bash",
		Input:    object("command", fmt.Sprintf("go test ./part%d", n%700)),
		Output:   output,
		ExitCode: &code,
	}
}

func object(name, value string) json.RawMessage {
	doc, err := json.Marshal(map[string]string{name: value})
	if err != nil {
		panic(err) // strings always encode
	}
	return doc
}

func lines(n int) string {
	var out strings.Builder
	for i := range 300 {
		fmt.Fprintf(&out, "compile unit %d of run %d into %x.o\n", i, n, n*1000+i)
	}
	return out.String()
}

func measure(ctx context.Context, w *memory.Workspace) (Size, error) {
	var size Size
	if err := on(w, func() error { return nil }); err != nil { // what was offered meanwhile is done
		return size, err
	}
	err := filepath.WalkDir(w.Dir(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, "-wal") {
			size.WAL = info.Size()
			return nil
		}
		size.Bytes += info.Size()
		size.Files++
		return nil
	})
	if err != nil {
		return size, err
	}
	size.Changes, err = w.LogLength(ctx)
	return size, err
}
