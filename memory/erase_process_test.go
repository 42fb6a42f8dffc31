package memory_test

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/working"
	"github.com/wm-lsp/wm-lsp/test/raced"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// The text that is erased, in the form that it had first, and the word of it that must be
// nowhere afterwards.
const (
	erasedMark   = "Halcyon7x"
	formerText   = `The "codename" of region 7 was ` + erasedMark + ` & its port is 4007`
	erasedText   = `The "codename" of region 7 is ` + erasedMark + ` & its port is 4007`
	innocentText = "The billing service of region 8 runs at night"
)

// TestWhatWasErasedIsInNoByteWhateverIsKilled has three processes write random things with a
// text. They stop using the text, and one of them erases it or purges the workspace, while
// the others go on and what they wrote last is still pending. The eraser is killed at one
// of its writes, or at any time, or is not killed. After the next start the text must be in
// no byte of the data folder, of the folder for temporary files, or of the log.
func TestWhatWasErasedIsInNoByteWhateverIsKilled(t *testing.T) {
	slow.Test(t)
	rounds := 30
	if raced.On {
		rounds = 6
	}
	for seed := range rounds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { newErasure(t, uint64(seed)).run() })
	}
}

// An erasure is one round of the test.
type erasure struct {
	*world
	random    *rand.Rand
	temp, log string
	children  []*churner
}

func newErasure(t *testing.T, seed uint64) *erasure {
	e := &erasure{
		world: newWorld(t), random: rand.New(rand.NewPCG(seed, 11)), temp: t.TempDir(), log: t.TempDir(),
	}
	e.settings.History.Keep = true
	return e
}

// A churner is a process that writes random things.
type churner struct {
	*exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func (e *erasure) churner(i int) *churner {
	child := e.child("churn", fmt.Sprint(e.random.Uint64()), filepath.Join(e.log, fmt.Sprint(i)))
	child.Env = append(child.Env, "TMPDIR="+e.temp)
	in, err := child.StdinPipe()
	require.NoError(e.t, err)
	out, err := child.StdoutPipe()
	require.NoError(e.t, err)
	started(e.t, child)
	return &churner{child, in, bufio.NewScanner(out)}
}

// ask sends a command and returns the answer, "" if the process is killed meanwhile.
func (c *churner) ask(command string) string {
	if _, err := fmt.Fprintln(c.in, command); err != nil || !c.out.Scan() {
		return ""
	}
	return c.out.Text()
}

// end ends the process by the end of its input.
func (c *churner) end() {
	_ = c.in.Close()
	_ = c.Wait()
}

func (e *erasure) run() {
	w := e.open()
	id := add(e.t, w, longterm.Addition{Text: formerText, Files: []string{"a.go"}}).ID
	text := erasedText
	on(w, func() {
		_, err := w.Apply(context.Background(), change.Actor{}, func() ([]change.Change, error) {
			return memory.RoomOf[*longterm.Room](w).Update(id, longterm.Patch{Text: &text})
		})
		require.NoError(e.t, err)
	})
	w.Close(context.Background())
	for i := range 3 {
		e.children = append(e.children, e.churner(i))
	}
	for _, child := range e.children {
		require.Equal(e.t, "churned", child.ask("churn"))
	}
	var all sync.WaitGroup
	for _, child := range e.children {
		all.Go(func() { assert.Equal(e.t, "stopped", child.ask("stop")) })
	}
	all.Wait()

	purges := e.random.IntN(3) == 0
	command, killAt, delay := "erase "+id, 0, time.Duration(0)
	if purges {
		command = "purge"
	}
	eraser := e.children[0]
	switch e.random.IntN(4) {
	case 0: // it is not killed
	case 1:
		delay = time.Duration(e.random.IntN(150_000)) * time.Microsecond
		time.AfterFunc(delay, func() { _ = eraser.Process.Kill() })
	default:
		killAt = 1 + e.random.IntN(40)
	}
	writer := e.children[1]
	if e.random.IntN(2) == 0 {
		time.AfterFunc(time.Duration(e.random.IntN(150_000))*time.Microsecond, func() { _ = writer.Process.Kill() })
	}
	answer := eraser.ask(fmt.Sprintf("%s %d", command, killAt))
	if e.random.IntN(2) == 0 {
		_ = writer.Process.Kill()
	}
	if delay == 0 && killAt == 0 {
		require.NotEmpty(e.t, answer)
	}
	for _, child := range e.children {
		child.end()
	}
	e.t.Logf("%s, killed at %d, after %v: %q", command, killAt, delay, answer)
	if strings.HasPrefix(answer, "0 left") { // also what a writer left that was killed meanwhile
		e.nowhere()
	}

	again := e.open()
	left := []string{"unknown"}
	_, there := memory.RoomOf[*longterm.Room](again).Get(id)
	switch {
	case there && purges: // it was killed before
		on(again, func() {
			_, files, err := again.Purge(context.Background(), change.Actor{})
			assert.NoError(e.t, err)
			left = files
		})
		assert.Empty(e.t, left)
	case there:
		on(again, func() {
			_, files, err := again.Erase(context.Background(), change.Actor{}, id)
			assert.NoError(e.t, err)
			left = files
		})
		assert.Empty(e.t, left)
	}
	assert.Empty(e.t, again.Problems())
	e.nowhere()
	again.Close(context.Background())
	e.nowhere()
}

// nowhere fails the test if the text is in a file, or if something is left behind.
func (e *erasure) nowhere() {
	e.t.Helper()
	for _, dir := range []string{e.data, e.temp, e.log} {
		for path, content := range files(e.t, dir) {
			if at := strings.Index(string(content), erasedMark); at >= 0 {
				around := content[max(0, at-300):min(len(content), at+100)]
				assert.Fail(e.t, "the text is there", "%s: %q", path, around)
			}
			assert.NotContains(e.t, path, store.DiscardedPrefix)
		}
	}
	assert.Empty(e.t, files(e.t, e.temp))
}

// A dying store kills its process at its killAt-th write.
type dying struct {
	memory.Store
	left *atomic.Int64
}

func (d dying) write() { dieAt(d.left) }

func dieAt(left *atomic.Int64) {
	if left.Add(-1) == 0 {
		self, _ := os.FindProcess(os.Getpid())
		_ = self.Kill()
		select {}
	}
}

func (d dying) Update(
	ctx context.Context, mode store.Mode, meanwhile func(), f func(store.Tx) error,
) error {
	d.write()
	defer d.write()
	return d.Store.Update(ctx, mode, meanwhile, func(tx store.Tx) error { return f(dyingTx{tx, d.left}) })
}

func (d dying) WriteCopy(ctx context.Context, build func(store.Tx) ([]byte, error)) error {
	defer d.write()
	return d.Store.WriteCopy(ctx, func(tx store.Tx) ([]byte, error) { d.write(); return build(dyingTx{tx, d.left}) })
}

func (d dying) RemoveCopy() (bool, error) {
	defer d.write()
	return d.Store.RemoveCopy()
}

func (d dying) EraseFromSessions(texts []string) ([]string, error) {
	defer d.write()
	return d.Store.EraseFromSessions(texts)
}

func (d dying) RemoveHolding(texts []string) (removed, left []string, err error) {
	defer d.write()
	return d.Store.RemoveHolding(texts)
}

func (d dying) Shred(ctx context.Context) error {
	defer d.write()
	return d.Store.Shred(ctx)
}

func (d dying) Discard() ([]string, error) {
	defer d.write()
	return d.Store.Discard()
}

func (d dying) RemoveDiscarded() ([]string, error) {
	defer d.write()
	return d.Store.RemoveDiscarded()
}

type dyingTx struct {
	store.Tx
	left *atomic.Int64
}

func (d dyingTx) Append(changes ...*change.Change) error {
	dieAt(d.left)
	return d.Tx.Append(changes...)
}

func (d dyingTx) Put(room string, row change.Row) error {
	dieAt(d.left)
	return d.Tx.Put(room, row)
}

func (d dyingTx) Rewrite(
	edit func(room string, row change.Row) (change.Row, bool),
) (map[string][]change.Row, error) {
	dieAt(d.left)
	return d.Tx.Rewrite(edit)
}

func (d dyingTx) TakeSnapshot() error {
	dieAt(d.left)
	return d.Tx.TakeSnapshot()
}

func (d dyingTx) Blank(matches func(c change.Change) bool) error {
	dieAt(d.left)
	return d.Tx.Blank(matches)
}

func (d dyingTx) Clear(seq int64) error {
	dieAt(d.left)
	return d.Tx.Clear(seq)
}

func (d dyingTx) SetMeta(key, value string) error {
	dieAt(d.left)
	return d.Tx.SetMeta(key, value)
}

func (d dyingTx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	dieAt(d.left)
	return d.Tx.ExecContext(ctx, query, args...)
}

// churn is the process of a churner. Its commands are
//
//	churn           writes some things and goes on; answers "churned"
//	stop            does not use the text any more; answers "stopped"
//	erase ID KILLAT erases the entry; answers how many files are left
//	purge KILLAT    purges the workspace; answers how many files are left
func churn(place scope.Place, data, seed, logFile string) error {
	number, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		return err
	}
	logTo, err := os.OpenFile(logFile, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	left := &atomic.Int64{}
	storage := around(onDisk, func(s memory.Store) memory.Store { return dying{s, left} })
	kept := settings.Default()
	kept.History.Keep = true
	kept.History.MaxBytes = 1 << 16
	w := memory.Open(place, memory.Options{
		DataDir: data, Storage: storage, Settings: func() *settings.Settings { return kept },
		Log: slog.New(slog.NewTextHandler(gate.Writer(logTo), &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	c := churning{w: w, random: rand.New(rand.NewPCG(number, 3))}
	c.text.Store(ptr(erasedText))
	done, ended := make(chan struct{}), make(chan struct{})
	written := make(chan struct{}, 1)
	go func() {
		defer close(ended)
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			on(w, c.step)
			if i == 15 {
				close(written)
			}
		}
	}()
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		words := strings.Fields(in.Text())
		killAt, _ := strconv.ParseInt(words[len(words)-1], 10, 64)
		var files []string
		switch words[0] {
		case "churn":
			<-written
			fmt.Println("churned")
			continue
		case "stop":
			on(w, func() { c.text.Store(ptr(innocentText)) })
			fmt.Println("stopped")
			continue
		case "erase":
			on(w, func() {
				left.Store(killAt)
				_, files, err = w.Erase(context.Background(), change.Actor{}, words[1])
				left.Store(0)
			})
		case "purge":
			on(w, func() {
				left.Store(killAt)
				_, files, err = w.Purge(context.Background(), change.Actor{})
				left.Store(0)
			})
		}
		if err != nil {
			return err
		}
		fmt.Println(len(files), "left", files)
	}
	close(done)
	<-ended
	w.Close(context.Background())
	return nil
}

func ptr[T any](value T) *T { return &value }

// churning writes random things with a string, on the queue.
type churning struct {
	w      *memory.Workspace
	random *rand.Rand
	text   atomic.Pointer[string]
}

func (c *churning) step() {
	ctx, w, text := context.Background(), c.w, *c.text.Load()
	session := fmt.Sprint("s", c.random.IntN(3))
	ev := event.Event{Session: session, Agent: "agent", Worktree: w.Root(), Attached: c.random.IntN(3) == 0}
	exit := 1
	var err error
	switch c.random.IntN(14) {
	case 0:
		_, err = memory.ServiceOf[*notes.Service](w).Write(ctx, ev,
			[]string{"overview.md", "detail/x.md", "detail/y.md"}[c.random.IntN(3)],
			fmt.Sprintf("# %s\n\nNote %d: %s\n", text, c.random.IntN(100), text), "")
	case 1:
		outputsOf(w).Prune(outputs.Output{
			Text: long(fmt.Sprint("o", c.random.IntN(9)), 150) + text + "\n", Mode: "normal",
		})
	case 2:
		_, _, err = memory.ServiceOf[*history.Service](w).Compact(ctx, ev, history.Request{
			Target: history.TargetAll, Strategy: history.Archive, KeepRecent: 1, By: history.ByModel,
		})
	case 3:
		_, err = w.ApplyIn(ctx, ev, func() ([]change.Change, error) {
			return memory.RoomOf[*core.Room](w).Update(session, core.Names()[0], core.Replace, text, "")
		})
	case 4:
		_, err = w.ApplyIn(ctx, ev, func() ([]change.Change, error) {
			return memory.RoomOf[*working.Room](w).Add(session, working.Todos, text)
		})
	case 5:
		err = w.EndSession(ctx, ev)
	case 6:
		memory.Poll(w)
	default:
		ev.Body = []any{
			event.MessageReceived{Role: "user", Text: "We decided: " + text + ".\nTODO: " + text},
			event.MessageReceived{Role: "assistant", Text: text},
			event.ToolRan{
				Tool: "bash", ExitCode: &exit, Cwd: w.Root(), Input: json.RawMessage(`{"command":"go build ./..."}`),
				Output: "a.go:3:5: undefined: " + text + "\n",
			},
			event.TodosChanged{Todos: []event.Todo{{Content: "tell that " + text, Status: "pending"}}},
			event.SessionStarted{Title: "about " + text, Explicit: true},
			event.Diagnostics{Path: "a.go", Items: []event.Diagnostic{{Severity: 1, Message: "undefined: " + text}}},
			event.FileTouched{Path: "docs/" + text + ".md", Action: event.Edit},
		}[c.random.IntN(7)]
		_, err = w.Observe(ctx, ev)
	}
	if err != nil && errors.Is(err, memory.ErrStore) && !errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintln(os.Stderr, "churn:", err)
	}
}
