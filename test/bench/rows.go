package main

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/peer"
)

// starts is how many starts are measured. Half of 30 took 2.4 to 2.7 times as long as those of the echo, from one size
// of the memory to the next, which have nothing to do with it.
const starts = 100

// start measures the time from the start of the process to the response to initialize,
// and to the first context, which waits until the memory is loaded.
func (s *subject) start() error {
	began := func(server, method string) trial {
		return func() (time.Duration, error) {
			began := time.Now()
			c, err := peer.Start(server, s.data, s.folder, "bench", "bench")
			if err == nil && method != "" {
				err = c.Call(method, nil, nil)
			}
			if err != nil {
				return 0, err
			}
			took := time.Since(began)
			return took, c.End()
		}
	}
	answered, err := interleave(starts, began(s.binary, ""), began(s.bench.echo, ""))
	if err != nil {
		return err
	}
	s.report.times("start → `initialize` answered", "echo", s.times, answered, goal{ratio: 2.5})
	loaded, err := interleave(starts, began(s.binary, "wm/context"), began(s.bench.echo, "give"))
	if err != nil {
		return err
	}
	s.report.times("start → first `wm/context` answered", "echo", s.times, loaded, goal{most: 15 * time.Millisecond})
	return nil
}

func (s *subject) context() error {
	return s.asking("`wm/context`", "wm/context", goal{ratio: 5, p99: time.Millisecond})
}

func (s *subject) panel() error { return s.asking("`wm/panel`", "wm/panel", goal{ratio: 3}) }

// fullContext measures a context with all sections full, and the part of its overview
// of 5 KB (systems.md D9).
func (s *subject) fullContext() error {
	for block, chars := range map[string]int{"goal": 1000, "progress": 2000, "context": 1500} {
		if err := s.server.Call("wm/core/update",
			peer.Object{"block": block, "operation": "replace", "content": prose(chars)}, nil); err != nil {
			return err
		}
	}
	for i := range 40 {
		slot := []string{"error", "decision", "todo", "dependency", ""}[i%5]
		if err := s.server.Call("wm/working/add",
			peer.Object{"slot": slot, "content": fmt.Sprintf("item %d: %s", i, prose(90))}, nil); err != nil {
			return err
		}
	}
	overview := "# The work\n\n## Task\n" + strings.Repeat(prose(98)+"\n\n", 49)
	if err := s.server.Call("wm/notes/write", peer.Object{"path": "overview.md", "content": overview},
		nil); err != nil {
		return err
	}
	if err := s.server.Call("wm/usage/reported",
		peer.Object{"tokensUsed": 800, "tokensMax": 1000, "messagesInHistory": 40}, nil); err != nil {
		return err
	}
	var context wire.ContextResult
	if err := s.server.Call("wm/context", nil, &context); err != nil {
		return err
	}
	for _, section := range context.Sections {
		// Nothing is recalled without a prompt, and nothing is handed over to a session that has begun.
		if section.Text == "" && section.ID != "recalled" && section.ID != "handover" {
			return fmt.Errorf("the section %s is empty", section.ID)
		}
	}
	if err := s.asking("`wm/context`, all sections full", "wm/context",
		goal{ratio: 5, p99: time.Millisecond}); err != nil {
		return err
	}
	n := 0
	after := func(params peer.Object) trial {
		return func() (time.Duration, error) {
			n++
			if err := s.server.Call("wm/tool/executed",
				peer.Object{"tool": "read", "input": peer.Object{"path": file(n % filesOnce)}}, nil); err != nil {
				return 0, err
			}
			return timed(func() error { return s.server.Call("wm/context", params, nil) })()
		}
	}
	both, err := interleave(500, after(nil), after(peer.Object{"exclude": []string{"overview"}}))
	if err != nil {
		return err
	}
	for i := range both.ours {
		both.ours[i] = max(0, both.ours[i]-both.floor[i])
	}
	s.report.times("what the overview adds to it after an event", "the rest", s.times, both,
		goal{p50: time.Millisecond})
	return nil
}

// prose returns a string of so many characters.
func prose(chars int) string {
	text := ""
	for i := 0; len(text) < chars; i++ {
		text += sentence(i) + ". "
	}
	return strings.TrimSpace(text[:chars])
}

// asking measures a request, with and without an event since the previous one.
func (s *subject) asking(label, method string, g goal) error {
	var answer json.RawMessage
	if err := s.server.Call(method, nil, &answer); err != nil {
		return err
	}
	if err := s.echo.Call("keep", answer, nil); err != nil {
		return err
	}
	ask := timed(func() error { return s.server.Call(method, nil, nil) })
	floor := timed(func() error { return s.echo.Call("give", nil, nil) })
	again, err := interleave(1000, ask, floor)
	if err != nil {
		return err
	}
	s.report.times(label+", nothing new", "echo", s.times, again, g)
	n := 0
	anew, err := interleave(500, func() (time.Duration, error) {
		n++
		if err := s.server.Call("wm/tool/executed",
			peer.Object{"tool": "read", "input": peer.Object{"path": file(n % filesOnce)}}, nil); err != nil {
			return 0, err
		}
		return ask()
	}, floor)
	if err != nil {
		return err
	}
	s.report.times(label+" after an event", "echo", s.times, anew, g)
	return nil
}

// typing sends 100,000 changes of documents. The memory usage must not grow. The final
// hash of the server is right only if all changes were applied in order.
func (s *subject) typing() error {
	const line = 50
	blocks, changes := 10, 10_000
	if s.times > 1 {
		blocks, changes = 3, 5_000
	}
	documents := filesOnce * s.times
	typed := make([][]byte, documents) // before the text of the line
	for i := range documents {
		s.server.Notify("textDocument/didOpen",
			peer.Object{"textDocument": peer.Object{"uri": s.uri(i), "languageId": "go", "version": 0, "text": text}})
	}
	block := func() []peer.Object {
		list := make([]peer.Object, changes)
		for n := range list {
			i := n % documents
			column, letter := n*31%(len(typed[i])+1), byte('a'+n%26)
			typed[i] = slices.Insert(typed[i], column, letter)
			at := peer.Object{"line": line, "character": column}
			list[n] = peer.Object{
				"textDocument":   peer.Object{"uri": s.uri(i), "version": len(typed[i])},
				"contentChanges": []peer.Object{{"range": peer.Object{"start": at, "end": at}, "text": string(letter)}},
			}
		}
		return list
	}
	send := func(to *peer.Client, list []peer.Object, last string) (time.Duration, error) {
		began := time.Now()
		for _, change := range list {
			to.Notify("textDocument/didChange", change)
		}
		err := to.Call(last, nil, nil)
		return time.Since(began) / time.Duration(changes), err
	}
	var taken sample
	var before int64
	for i := range 1 + blocks { // the first one warms up
		list := block()
		ours, err := send(s.server, list, "wm/files/list")
		if err != nil {
			return err
		}
		floor, err := send(s.echo, list, "count")
		if err != nil {
			return err
		}
		if i == 0 {
			if before, err = memory(s.server, "VmRSS"); err != nil {
				return err
			}
			continue
		}
		taken.ours, taken.floor = append(taken.ours, ours), append(taken.floor, floor)
	}
	after, err := memory(s.server, "VmRSS")
	if err != nil {
		return err
	}
	s.report.times("`didChange`, in blocks of thousands", "echo", s.times, taken, goal{ratio: 5})
	if s.times == 1 {
		s.report.bytes(fmt.Sprintf("growth by %d `didChange` in a row", blocks*changes), 1, max(0, after-before), 0,
			5*mega)
	}
	return s.inOrder(typed, line)
}

// inOrder saves the documents, one by one because at most 200 files are listed, and
// compares their hashes with those of the server.
func (s *subject) inOrder(typed [][]byte, line int) error {
	start := line * (strings.IndexByte(text, '\n') + 1)
	for i := range typed {
		s.server.Notify("textDocument/didSave", peer.Object{"textDocument": peer.Object{"uri": s.uri(i)}})
		var list wire.FilesListResult
		if err := s.server.Call("wm/files/list", nil, &list); err != nil {
			return err
		}
		sum := sha256.Sum256([]byte(text[:start] + string(typed[i]) + text[start:]))
		want := wire.ActiveFile{Path: file(i), Hash: hex.EncodeToString(sum[:])}
		if !slices.ContainsFunc(list.Files,
			func(f wire.ActiveFile) bool { return f.Path == want.Path && f.Hash == want.Hash }) {
			return fmt.Errorf("%s is not what was typed: changes were lost or reordered", want.Path)
		}
	}
	return nil
}

func (s *subject) tool() error {
	return s.output("4 KB", 4<<10, 300, goal{p50: 300 * time.Microsecond})
}

func (s *subject) largeTool() error {
	return s.output("1 MB", 1<<20, 20, goal{p50: 30 * time.Millisecond})
}

// output measures a failed command with so many bytes of output. The reference is the
// transfer of these bytes.
func (s *subject) output(name string, size, n int, g goal) error {
	const failure = "--- FAIL: TestNumber1 (0.00s)\n    file1_test.go:2: wrong answer\nFAIL\n"
	passing := "=== RUN   TestSomething\n--- PASS: TestSomething (0.00s)\n"
	params := peer.Object{
		"tool": "bash", "input": peer.Object{"command": "go test ./..."}, "exitCode": 1,
		"output": strings.Repeat(passing, (size-len(failure))/len(passing)) + failure,
	}
	taken, err := interleave(n,
		timed(func() error { return s.server.Call("wm/tool/executed", params, nil) }),
		timed(func() error { return s.echo.Call("keep", params, nil) }))
	if err != nil {
		return err
	}
	s.report.times("`wm/tool/executed`, "+name+" of output", "echo", s.times, taken, g)
	return nil
}

// largestTool measures the largest accepted output, and checks that a larger one is
// refused without allocating memory for it.
func (s *subject) largestTool() error {
	if err := s.output("15 MB", 15<<20, 3, goal{p50: 15 * 30 * time.Millisecond}); err != nil {
		return err
	}
	peak, err := memory(s.server, "VmHWM")
	if err != nil {
		return err
	}
	s.report.bytes("most resident memory, with 15 MB of output", s.times, peak, 0, 0)
	if err := s.server.Call("wm/tool/executed", peer.Object{"tool": "bash", "output": strings.Repeat("x", 64<<20)},
		nil); err == nil {
		return fmt.Errorf("64 MB of output were taken")
	}
	after, err := memory(s.server, "VmHWM")
	if err != nil {
		return err
	}
	s.report.bytes("more of it by 64 MB, which are refused", s.times, after-peak, 0, 5*mega)
	return s.server.Call("wm/files/list", nil, nil)
}

// adding measures an acknowledged addition to a full memory. The reference is one
// commit of SQLite in the same folder.
func (s *subject) adding() error {
	reference := filepath.ToSlash(filepath.Join(s.data, "reference.db"))
	db, err := sql.Open("sqlite", "file:"+reference+"?_pragma=journal_mode(wal)&_pragma=synchronous(full)")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("CREATE TABLE log(seq INTEGER PRIMARY KEY, after TEXT)"); err != nil {
		return err
	}
	insert, err := db.Prepare("INSERT INTO log(after) VALUES(?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	commit := timed(func() error {
		_, err := insert.Exec(sentence(0))
		return err
	})
	taken, err := interleave(300, timed(func() error { return s.add(s.server) }), commit)
	if err != nil {
		return err
	}
	s.report.times("`wm/memory/add`, which evicts", "commit", s.times, taken, goal{ratio: 1.5})
	roomy, err := interleave(100, func() (time.Duration, error) {
		var list wire.MemoryListResult
		if err := s.server.Call("wm/memory/list", nil, &list); err != nil {
			return 0, err
		}
		if err := s.server.Call("wm/memory/remove", peer.Object{"id": list.Entries[0].ID}, nil); err != nil {
			return 0, err
		}
		return timed(func() error { return s.add(s.server) })()
	}, commit)
	if err != nil {
		return err
	}
	s.report.times("`wm/memory/add`, with room for it", "commit", s.times, roomy, goal{ratio: 1.5})
	return nil
}

// between measures the time from a call in one process until the client of another
// process has been notified and can read the change.
func (s *subject) between() error {
	reader, err := peer.Start(s.binary, s.data, s.folder, "reader", "reader")
	if err != nil {
		return err
	}
	if err := reader.Call("wm/panel", nil, nil); err != nil {
		return err
	}
	taken, err := interleave(100, func() (time.Duration, error) {
		began := time.Now()
		id, err := s.addOne(s.server)
		if err != nil {
			return 0, err
		}
		for {
			if err := reader.Await(wire.NotificationChanged); err != nil {
				return 0, err
			}
			took := time.Since(began)
			var list wire.MemoryListResult
			if err := reader.Call("wm/memory/list", nil, &list); err != nil {
				return 0, err
			}
			if slices.ContainsFunc(list.Entries, func(e wire.MemoryEntry) bool { return e.ID == id }) {
				return took, nil
			}
		}
	}, timed(func() error { return s.echo.Call("echo", nil, nil) }))
	if err != nil {
		return err
	}
	s.report.times("`wm/memory/add` → `wm/changed` in another process", "echo", s.times, taken,
		goal{p50: 10 * time.Millisecond, p99: 50 * time.Millisecond})
	return reader.End()
}

// batchItems is the number of items of a wm/memorize, memorized the number of batches that are measured.
const batchItems, memorized = 1000, 20

// memorizing measures the storing of batches of items that are all new. The reference is the transfer
// of a batch.
func (s *subject) memorizing() error {
	n := 0
	next := func() peer.Object {
		items := make([]peer.Object, batchItems)
		for i := range items {
			n++
			items[i] = peer.Object{"type": "observation", "text": fmt.Sprintf(
				"run %d of go test ./pkg%d printed %d lines, and TestCase%d took %d ms: %s",
				n, n*7919%1000, n*13%501, n, n*17%3001, sentence(n))}
		}
		return peer.Object{"items": items}
	}
	var params peer.Object
	taken, err := interleave(memorized, func() (time.Duration, error) {
		params = next()
		return timed(func() error {
			var result wire.MemorizeResult
			if err := s.server.Call("wm/memorize", params, &result); err != nil {
				return err
			}
			for i, r := range result.Results {
				if r.Status != wire.MemorizeStored {
					return fmt.Errorf("the item %d is %s (%s)", i, r.Status, r.Reason)
				}
			}
			return nil
		})()
	}, timed(func() error { return s.echo.Call("keep", params, nil) }))
	if err != nil {
		return err
	}
	s.report.times("`wm/memorize`, 1,000 items", "echo", s.times, taken, goal{p50: time.Second * batchItems / 15_000})
	return nil
}
