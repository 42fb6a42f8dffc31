package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/peer"
)

// The amounts at 1 ×: a full memory, and the maximum that a context shows.
const (
	entriesOnce = 28
	filesOnce   = 8
	errorsOnce  = 3
)

// maxEntries is the maximum of the setting. Entries beyond it are evicted, but still
// stored.
const maxEntries = 500

// batch is the number of failures that one command reports. If it reports too many,
// the rest is only counted.
const batch = 100

// A subject is a workspace of one scale, with a server and the echo server on it.
type subject struct {
	*bench
	times        int
	folder, data string
	server, echo *peer.Client
	added        int // entries so far

	// In the editors: the first entry and its text, the last entry unless it was
	// forgotten, the number of items in the panel, and the number of started editors.
	first, shown, last string
	items, started     int
}

// prepare creates a workspace and fills its memory.
func (b *bench) prepare(times int) (*subject, error) {
	s := &subject{bench: b, times: times}
	s.folder = filepath.Join(b.dir, fmt.Sprintf("workspace%d", times))
	s.data = filepath.Join(b.dir, fmt.Sprintf("data%d", times))
	if err := os.MkdirAll(filepath.Join(s.folder, "src"), 0o755); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(s.data, "wm-lsp"), 0o700); err != nil {
		return nil, err
	}
	limits := fmt.Sprintf("[memory]\nmaxEntries = %d\n", min(entriesOnce*times, maxEntries))
	if b.maxChars != 0 {
		limits += fmt.Sprintf("maxChars = %d\n", b.maxChars)
	}
	if err := os.WriteFile(filepath.Join(s.data, "wm-lsp", settings.FileName), []byte(limits), 0o600); err != nil {
		return nil, err
	}
	c, err := peer.Start(b.binary, s.data, s.folder, "bench", "bench")
	if err != nil {
		return nil, err
	}
	if err := s.fill(c); err != nil {
		return nil, err
	}
	return s, c.End()
}

func (s *subject) fill(c *peer.Client) error {
	for range entriesOnce * s.times {
		if err := s.add(c); err != nil {
			return err
		}
	}
	for i := range filesOnce * s.times {
		if err := os.WriteFile(filepath.Join(s.folder, file(i)), []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := s.work(c); err != nil {
		return err
	}
	// Most sessions of a large workspace are over. These are attached, so that they would live for half an hour.
	for i := range s.times {
		if err := c.Call("wm/session/end", peer.Object{"sessionId": session(i)}, nil); err != nil {
			return err
		}
	}
	return nil
}

func session(i int) string { return fmt.Sprintf("session %d", i) }

// work touches the files, in as many sessions as the scale, and opens the errors. The
// measured server must receive these events itself, because those of a server that has
// ended are stored but not shown to agents.
func (s *subject) work(c *peer.Client) error {
	for i := range filesOnce * s.times {
		edit := peer.Object{
			"sessionId": session(i % s.times), "tool": "edit", "input": peer.Object{"path": file(i)},
		}
		if err := c.Call("wm/tool/executed", edit, nil); err != nil {
			return err
		}
	}
	for first := 0; first < errorsOnce*s.times; first += batch {
		var output strings.Builder
		for i := first; i < min(first+batch, errorsOnce*s.times); i++ {
			fmt.Fprintf(&output, "--- FAIL: TestNumber%d (0.00s)\n    file%d_test.go:%d: wrong answer\n", i, i, i+1)
		}
		if err := c.Call("wm/tool/executed", peer.Object{
			"tool":     "bash",
			"input":    peer.Object{"command": fmt.Sprintf("go test ./part%d", first/batch)},
			"output":   output.String() + "FAIL\n",
			"exitCode": 1,
		}, nil); err != nil {
			return err
		}
	}
	return nil
}

// full checks the amounts and that a context shows them.
func (s *subject) full() error {
	var list wire.MemoryListResult
	if err := s.server.Call("wm/memory/list", nil, &list); err != nil {
		return err
	}
	var failures wire.ErrorsListResult
	if err := s.server.Call("wm/errors/list", nil, &failures); err != nil {
		return err
	}
	entries, chars := min(entriesOnce*s.times, maxEntries), list.Limits.MaxChars*9/10
	if list.Used.Entries != entries || list.Used.Chars < chars {
		return fmt.Errorf("the memory is not full: %d entries, %d characters", list.Used.Entries, list.Used.Chars)
	}
	if len(failures.Errors) < errorsOnce*s.times { // hooks have opened another one
		return fmt.Errorf("%d errors are open, not %d", len(failures.Errors), errorsOnce*s.times)
	}
	var context wire.ContextResult
	if err := s.server.Call("wm/context", nil, &context); err != nil {
		return err
	}
	for _, part := range []string{"TestNumber", "src/file", "of region"} {
		if !strings.Contains(context.Text, part) {
			return fmt.Errorf("%q is missing in the context:\n%s", part, context.Text)
		}
	}
	return nil
}

// add adds a unique entry.
func (s *subject) add(c *peer.Client) error {
	_, err := s.addOne(c)
	return err
}

func (s *subject) addOne(c *peer.Client) (id string, err error) {
	s.added++
	var receipt wire.Receipt
	if err := c.Call("wm/memory/add", peer.Object{"text": sentence(s.added)}, &receipt); err != nil {
		return "", err
	}
	if receipt.Status != wire.ReceiptAdded {
		return "", fmt.Errorf("%q was %s: %s", sentence(s.added), receipt.Status, receipt.Reason)
	}
	return receipt.ID, nil
}

var (
	parts = strings.Fields(
		"parser scheduler renderer importer exporter gateway ledger mailer indexer planner router tracer")
	wishes = strings.Fields(
		"validates caches batches retries sorts signs streams compresses limits logs counts mirrors")
	things = strings.Fields(
		"invoices sessions sensors messages pictures orders accounts routes reports tickets licences backups")
)

// sentence returns a different rule for every number.
func sentence(i int) string {
	a, b, c := i%12, i/12%12, i/144%12
	return fmt.Sprintf("The %s %s %s of region %d before the %s of team %d sees them, because the %s %s %s once a "+
		"day and team %d reads none of them then", parts[a], wishes[b], things[c], i, parts[(a+5)%12], i*7+3,
		parts[(b+7)%12], wishes[(c+3)%12], things[(a+b)%12], i*7+3)
}

// text is the initial content of the files.
var text = strings.Repeat("package a // a line of some length, as they are\n", 100)

// file returns the name of a file of the workspace.
func file(i int) string { return fmt.Sprintf("src/file%d.go", i) }

func (s *subject) uri(i int) string {
	return string(uri.File(filepath.Join(s.folder, filepath.FromSlash(file(i)))))
}

// open starts the two servers, measures their memory usage once the workspace is
// loaded, and opens the errors.
func (s *subject) open() (err error) {
	if s.server, err = peer.Start(s.binary, s.data, s.folder, "bench", "bench"); err != nil {
		return err
	}
	if s.echo, err = peer.Start(s.bench.echo, s.data, s.folder, "bench", "bench"); err != nil {
		return err
	}
	if err := s.server.Call("wm/files/list", nil, nil); err != nil {
		return err
	}
	if err := s.resident("resident memory after the start", 20*mega); err != nil {
		return err
	}
	if err := s.work(s.server); err != nil {
		return err
	}
	return s.full()
}

// worked measures the memory usage after a typical day of work.
func (s *subject) worked() error {
	if err := s.server.Call("wm/message/received",
		peer.Object{"role": "user", "text": "Remember this: the port of the staging server is 8080"}, nil); err != nil {
		return err
	}
	return s.resident("resident memory after the main job", 45*mega)
}

func (s *subject) resident(what string, limit int64) error {
	ours, err := memory(s.server, "VmRSS")
	if err != nil {
		return err
	}
	floor, err := memory(s.echo, "VmRSS")
	if err != nil {
		return err
	}
	s.report.bytes(what, s.times, ours, floor, limit)
	return nil
}

func (s *subject) close() error {
	if err := s.echo.End(); err != nil {
		return err
	}
	return s.server.End()
}
