// Command bench measures wm-lsp beside an echo server on the same JSON-RPC
// library, in one run and with the same client, prints the table and writes
// docs/benchmarks.md. A figure is a ratio to its reference: machines are shared
// and noisy, so absolute times say little.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.lsp.dev/uri"
	_ "modernc.org/sqlite" // the reference of a durable write

	"github.com/wm-lsp/wm-lsp/test/peer"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A row is one figure beside its reference.
type row struct {
	what, figure, reference, ratio, target string
	met                                    bool
}

type bench struct {
	dir, binary, echo string
	rows              []row
}

func run() error {
	dir, err := os.MkdirTemp("", "wm-lsp-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{dir: dir, binary: filepath.Join(dir, "wm-lsp"), echo: filepath.Join(dir, "echo")}
	for out, from := range map[string]string{b.binary: "./cmd/wm-lsp", b.echo: "./test/echo"} {
		build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", out, from)
		build.Env, build.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("build %s: %w", from, err)
		}
	}
	for _, measure := range []func() error{b.start, b.requests, b.growth, b.between, b.size} {
		if err := measure(); err != nil {
			return err
		}
	}
	document := b.document()
	fmt.Print(document)
	return os.WriteFile("docs/benchmarks.md", []byte(document), 0o644)
}

// workspace makes a folder and its memory: 28 entries that fill the budget,
// files × 8 active files and × 3 open errors.
func (b *bench) workspace(name string, times int) (folder, data string, err error) {
	folder, data = filepath.Join(b.dir, name), filepath.Join(b.dir, name+"-data")
	if err := os.Mkdir(folder, 0o755); err != nil {
		return "", "", err
	}
	c, err := peer.Start(b.binary, data, folder, "bench", "bench")
	if err != nil {
		return "", "", err
	}
	for i := range 28 {
		text := fmt.Sprintf("Rule %d: %s", i, strings.Repeat("what is agreed on stays agreed on. ", 4))
		if err := c.Call("wm/memory/add", peer.Object{"text": text}, nil); err != nil {
			return "", "", err
		}
	}
	if err := b.fill(c, times); err != nil {
		return "", "", err
	}
	return folder, data, c.End()
}

// fill makes files active and opens errors.
func (b *bench) fill(c *peer.Client, times int) error {
	for i := range 8 * times {
		if err := c.Call("wm/tool/executed", peer.Object{"tool": "edit", "input": peer.Object{"path": fmt.Sprintf("src/file%d.go", i)}}, nil); err != nil {
			return err
		}
	}
	var output strings.Builder
	for i := range 3 * times {
		fmt.Fprintf(&output, "--- FAIL: TestNumber%d (0.00s)\n    a_test.go:%d: wrong answer\n", i, i+1)
	}
	return c.Call("wm/tool/executed", peer.Object{"tool": "bash", "input": peer.Object{"command": "go test ./..."}, "output": output.String() + "FAIL\n", "exitCode": 1}, nil)
}

// start measures the start and the memory of the process.
func (b *bench) start() error {
	folder, data, err := b.workspace("start", 1)
	if err != nil {
		return err
	}
	var floor, ours []time.Duration
	for range 30 {
		for server, into := range map[string]*[]time.Duration{b.echo: &floor, b.binary: &ours} {
			began := time.Now()
			c, err := peer.Start(server, data, folder, "bench", "bench")
			if err != nil {
				return err
			}
			*into = append(*into, time.Since(began))
			if err := c.End(); err != nil {
				return err
			}
		}
	}
	b.ratio("start to initialize answered, 28 entries", p(50, ours), p(50, floor), 2.5)

	c, err := peer.Start(b.binary, data, folder, "bench", "bench")
	if err != nil {
		return err
	}
	if err := c.Call("wm/panel", nil, nil); err != nil {
		return err
	}
	b.memory("resident memory after that", c, 20)
	if err := b.fill(c, 10); err != nil {
		return err
	}
	if err := c.Call("wm/message/received", peer.Object{"role": "user", "text": "Remember this: the port is 8080"}, nil); err != nil {
		return err
	}
	b.memory("resident memory after the main job", c, 45)
	return c.End()
}

// requests measures what is asked and told most.
func (b *bench) requests() error {
	folder, data, err := b.workspace("requests", 1)
	if err != nil {
		return err
	}
	c, err := peer.Start(b.binary, data, folder, "bench", "bench")
	if err != nil {
		return err
	}
	echo, err := peer.Start(b.echo, data, folder, "bench", "bench")
	if err != nil {
		return err
	}
	for method, limit := range map[string]float64{"wm/context": 5, "wm/panel": 3} {
		var answer json.RawMessage
		if err := c.Call(method, nil, &answer); err != nil {
			return err
		}
		ours, floor, err := pairs(1000, func() error { return c.Call(method, nil, nil) }, func() error { return echo.Call("echo", answer, nil) })
		if err != nil {
			return err
		}
		b.ratio(fmt.Sprintf("%s, %d bytes", method, len(answer)), p(50, ours), p(50, floor), limit)
		if method == "wm/context" {
			b.absolute("wm/context p99", p(99, ours), time.Millisecond)
		}
	}
	if err := b.typing(c, echo, folder); err != nil {
		return err
	}
	for size, limit := range map[int]time.Duration{4 << 10: 300 * time.Microsecond, 1 << 20: 30 * time.Millisecond, 15 << 20: 450 * time.Millisecond} {
		params := peer.Object{"tool": "bash", "input": peer.Object{"command": "go test ./..."}, "exitCode": 1,
			"output": strings.Repeat("=== RUN   TestSomething\n", size/24) + "--- FAIL: TestNumber1 (0.00s)\n    a_test.go:2: wrong answer\nFAIL\n"}
		ours, floor, err := pairs(max(5, 200*4096/size), func() error { return c.Call("wm/tool/executed", params, nil) }, func() error { return echo.Call("echo", params, nil) })
		if err != nil {
			return err
		}
		b.absolute(fmt.Sprintf("wm/tool/executed, %d KB output (echo %s)", size>>10, p(50, floor).Round(time.Microsecond)), p(50, ours), limit)
	}
	if err := b.adding(c); err != nil {
		return err
	}
	if err := echo.End(); err != nil {
		return err
	}
	return c.End()
}

// typing sends 100,000 changes of a document, which must neither be reordered
// nor make the process grow.
func (b *bench) typing(c, echo *peer.Client, folder string) error {
	const changes = 100_000
	text := strings.Repeat("package a // a line of some length, as they are\n", 100)
	file := filepath.Join(folder, "a.go")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return err
	}
	name := string(uri.File(file))
	c.Notify("textDocument/didOpen", peer.Object{"textDocument": peer.Object{"uri": name, "languageId": "go", "version": 1, "text": text}})
	at := peer.Object{"line": 50, "character": 10}
	change := peer.Object{"textDocument": peer.Object{"uri": name, "version": 2}, "contentChanges": []peer.Object{{"range": peer.Object{"start": at, "end": at}, "text": ""}}}
	burst := func(to *peer.Client, method string) (time.Duration, error) {
		began := time.Now()
		for range changes {
			to.Notify(method, change)
		}
		last := "wm/status"
		if to == echo {
			last = "count"
		}
		err := to.Call(last, nil, nil)
		return time.Since(began) / changes, err
	}
	before := resident(c)
	ours, err := burst(c, "textDocument/didChange")
	if err != nil {
		return err
	}
	floor, err := burst(echo, "textDocument/didChange")
	if err != nil {
		return err
	}
	b.ratio(fmt.Sprintf("didChange, 100,000 in a row (memory %+.1f MB)", float64(resident(c)-before)/(1<<20)), ours, floor, 5)
	return nil
}

// adding measures an acknowledged write beside one commit of SQLite.
func (b *bench) adding(c *peer.Client) error {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(b.dir, "reference.db")+"?_pragma=journal_mode(wal)&_pragma=synchronous(full)")
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE log(seq INTEGER PRIMARY KEY, after TEXT)"); err != nil {
		return err
	}
	n := 0
	ours, floor, err := pairs(200, func() error {
		n++
		return c.Call("wm/memory/add", peer.Object{"text": fmt.Sprintf("Rule number %d is kept by everybody in this project", n)}, nil)
	}, func() error {
		_, err := db.ExecContext(context.Background(), "INSERT INTO log(after) VALUES(?)", strings.Repeat("x", 400))
		return err
	})
	if err != nil {
		return err
	}
	b.ratio("wm/memory/add, to one commit with synchronous=FULL", p(50, ours), p(50, floor), 1.5)
	return nil
}

// growth measures the context with 10 and 100 times the files and errors.
func (b *bench) growth() error {
	var one time.Duration
	for _, times := range []int{1, 10, 100} {
		folder, data, err := b.workspace(fmt.Sprintf("growth%d", times), times)
		if err != nil {
			return err
		}
		c, err := peer.Start(b.binary, data, folder, "bench", "bench")
		if err != nil {
			return err
		}
		n := 0
		ours, _, err := pairs(100, func() error {
			n++ // something changes each time, so that nothing is answered from what was rendered before
			c.Notify("wm/tool/executed", peer.Object{"tool": "read", "input": peer.Object{"path": fmt.Sprintf("src/file%d.go", n%8)}})
			return c.Call("wm/context", nil, nil)
		}, func() error { return nil })
		if err != nil {
			return err
		}
		if times == 1 {
			one = p(50, ours)
		}
		b.rows = append(b.rows, row{
			what: fmt.Sprintf("an event and a context rendered anew, %d × files and errors", times), figure: p(50, ours).Round(time.Microsecond).String(),
			reference: one.Round(time.Microsecond).String() + " at 1 ×", ratio: fmt.Sprintf("%.1f", float64(p(50, ours))/float64(one)), target: "–", met: true,
		})
		if err := c.End(); err != nil {
			return err
		}
	}
	return nil
}

// between measures how long a change takes from process to process.
func (b *bench) between() error {
	folder, data, err := b.workspace("between", 1)
	if err != nil {
		return err
	}
	writer, err := peer.Start(b.binary, data, folder, "writer", "writer")
	if err != nil {
		return err
	}
	reader, err := peer.Start(b.binary, data, folder, "reader", "reader")
	if err != nil {
		return err
	}
	if err := reader.Call("wm/panel", nil, nil); err != nil {
		return err
	}
	var taken []time.Duration
	for i := range 100 {
		reader.Forget("wm/changed")
		began := time.Now()
		if err := writer.Call("wm/memory/add", peer.Object{"text": fmt.Sprintf("Message number %d goes from one process to another", i)}, nil); err != nil {
			return err
		}
		if err := reader.Await("wm/changed"); err != nil {
			return err
		}
		taken = append(taken, time.Since(began))
	}
	b.absolute("a change in one process told by another, p50", p(50, taken), 10*time.Millisecond)
	b.absolute("the same, p99", p(99, taken), 50*time.Millisecond)
	if err := reader.End(); err != nil {
		return err
	}
	return writer.End()
}

func (b *bench) size() error {
	info, err := os.Stat(b.binary)
	if err != nil {
		return err
	}
	b.megabytes("the program, stripped", info.Size(), 30)
	return nil
}

// pairs measures two things in turn, so that noise meets both.
func pairs(n int, ours, floor func() error) (a, b []time.Duration, err error) {
	for range n {
		for into, do := range map[*[]time.Duration]func() error{&a: ours, &b: floor} {
			began := time.Now()
			if err := do(); err != nil {
				return nil, nil, err
			}
			*into = append(*into, time.Since(began))
		}
	}
	return a, b, nil
}

// p is a percentile.
func p(percent int, times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[min(len(sorted)-1, len(sorted)*percent/100)]
}

func (b *bench) ratio(what string, ours, floor time.Duration, limit float64) {
	ratio := float64(ours) / float64(floor)
	b.rows = append(b.rows, row{what, ours.Round(time.Microsecond).String(), floor.Round(time.Microsecond).String(), fmt.Sprintf("%.1f", ratio), fmt.Sprintf("≤ %g ×", limit), ratio <= limit})
}

func (b *bench) absolute(what string, ours, limit time.Duration) {
	b.rows = append(b.rows, row{what, ours.Round(time.Microsecond).String(), "–", "–", "≤ " + limit.String(), ours <= limit})
}

func (b *bench) megabytes(what string, bytes, limit int64) {
	b.rows = append(b.rows, row{what, fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20)), "–", "–", fmt.Sprintf("≤ %d MB", limit), bytes <= limit<<20})
}

func (b *bench) memory(what string, c *peer.Client, limit int64) {
	b.megabytes(what, resident(c), limit)
}

// resident is the resident memory of a server in bytes, 0 where there is no /proc.
func resident(c *peer.Client) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process().Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kilobytes, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	if err != nil {
		return 0
	}
	return kilobytes << 10
}

// whys say of rows that may miss their target what the time goes into.
var whys = map[string]string{
	"wm/tool/executed": "The figure holds the way there and back with the whole output, which the echo server's is.",
	"wm/memory/add": "The memory is full, so every addition also evicts: two changes and two rows are decided on a caught-up state and written, " +
		"where the reference writes one row. Both wait for the disk once.",
	"start to": "The start is that of the process: what its libraries set up before main.",
}

// why explains a row that misses its target.
func why(what string) string {
	for prefix, text := range whys {
		if strings.HasPrefix(what, prefix) {
			return text
		}
	}
	return "The machine may have been busy; measure again."
}

func (b *bench) document() string {
	var out strings.Builder
	fmt.Fprintf(&out, "# Benchmarks\n\nWritten by `make bench`. Measured on %s/%s with %d cores and %s; the machine is shared, so ratios say more than times.\n"+
		"The reference of a request is an echo server on the same library, asked by the same client with as many bytes.\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	out.WriteString("| what | figure | reference | ratio | target | met |\n|---|---|---|---|---|---|\n")
	for _, r := range b.rows {
		met := "yes"
		if !r.met {
			met = "no"
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %s |\n", r.what, r.figure, r.reference, r.ratio, r.target, met)
	}
	for _, r := range b.rows {
		if !r.met {
			fmt.Fprintf(&out, "\n- **%s** misses its target. %s\n", r.what, why(r.what))
		}
	}
	return out.String()
}
