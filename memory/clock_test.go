package memory_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// A jumper is a workspace with a clock that can be set.
type jumper struct {
	*world
	clock atomic.Int64 // milliseconds
	ticks bool         // at each look
	place scope.Place
}

func newJumper(t *testing.T) *jumper {
	j := &jumper{world: newWorld(t)}
	j.clock.Store(time.Now().UnixMilli())
	place, err := scope.Locate(j.folder, "git")
	require.NoError(t, err)
	j.place = place
	return j
}

func (j *jumper) now() time.Time {
	if j.ticks {
		return time.UnixMilli(j.clock.Add(1))
	}
	return time.UnixMilli(j.clock.Load())
}

func (j *jumper) open() *memory.Workspace {
	opened := memory.Open(j.place, memory.Options{
		DataDir: j.data, Storage: j.storage, Log: slog.New(slog.DiscardHandler), Now: j.now,
		Settings: func() *settings.Settings { return j.settings },
	})
	j.t.Cleanup(func() { opened.Close(context.Background()) })
	settle(opened)
	return opened
}

// kept is what a workspace holds that is deleted when it is old.
type kept struct {
	sessions, entries, outputs int
	log                        int64
}

func (j *jumper) kept(w *memory.Workspace) (k kept) {
	j.t.Helper()
	settle(w)
	files, err := filepath.Glob(filepath.Join(w.Dir(), "cache", "tool-outputs", "*"))
	require.NoError(j.t, err)
	k.log, err = w.LogLength(context.Background())
	require.NoError(j.t, err)
	k.sessions, k.entries, k.outputs = len(w.Sessions().List()), len(entriesOf(w)), len(files)
	return k
}

// TestAClockThatJumpsDeletesNothing sets the clock by months for moments, in which all that
// deletes what is old is run: sweeps, polls, pruned outputs, starts, checks of the log.
func TestAClockThatJumpsDeletesNothing(t *testing.T) {
	slow.Test(t)
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			j, random := newJumper(t), rand.New(rand.NewPCG(seed, 5))
			w := j.open()
			n := 0
			work := func(w *memory.Workspace) {
				n++
				session := fmt.Sprint("s", n)
				observe(t, w, session, event.MessageReceived{Role: "user", Text: "go on"})
				require.NoError(t, writeNote(t, w, session, "detail/plan.md", "# Plan"))
				add(t, w, longterm.Addition{Text: fmt.Sprintf("The archive %d is read only", n)})
				_, ref := outputsOf(w).Prune(outputs.Output{Text: long(fmt.Sprint("o", n), 200), Mode: "normal"})
				require.NotEmpty(t, ref)
				on(w, func() { _ = w.EndSession(context.Background(), event.Event{Session: session}) })
				observe(t, w, "leased", event.ToolRan{Tool: "read"})
			}
			work(w)
			for range 25 {
				j.clock.Add(int64(random.IntN(120)) * time.Minute.Milliseconds())
				work(w)
				before, clock := j.kept(w), j.clock.Load()
				j.clock.Add(int64(random.IntN(4*365)-2*365) * aDay.Milliseconds())
				switch random.IntN(3) {
				case 0:
					w.Close(context.Background())
					w = j.open()
				case 1:
					work(w)
				}
				for range 2 { // also when the clock is right again
					swept(t, w)
					on(w, func() { memory.Poll(w) })
					after := j.kept(w)
					j.clock.Store(clock)
					assert.GreaterOrEqual(t, after.sessions, before.sessions)
					assert.GreaterOrEqual(t, after.entries, before.entries)
					assert.GreaterOrEqual(t, after.outputs, before.outputs)
					assert.GreaterOrEqual(t, after.log, before.log)
				}
				for i := 1; i <= n; i++ {
					plan := filepath.Join(sessionDir(w, fmt.Sprint("s", i)), "working-memory", "detail", "plan.md")
					require.FileExists(t, plan)
				}
			}
		})
	}
}

func TestAJumpOfTheClockIsAProblemUntilItIsOver(t *testing.T) {
	j := newJumper(t)
	w := j.open()
	observe(t, w, "s", event.ToolRan{Tool: "read"})
	assert.Empty(t, w.Problems())
	right := j.clock.Load()
	j.clock.Add(365 * aDay.Milliseconds())
	observe(t, w, "s", event.ToolRan{Tool: "edit"})
	require.Len(t, w.Problems(), 1)
	assert.Contains(t, w.Problems()[0].Message, "365 days after the newest change")
	j.clock.Store(right + time.Second.Milliseconds())
	observe(t, w, "s", event.ToolRan{Tool: "read"})
	require.Len(t, w.Problems(), 1)
	assert.Contains(t, w.Problems()[0].Message, "went ahead")
	changes := records(t, w)
	assert.Empty(t, changes)
	j.clock.Add(2 * time.Hour.Milliseconds())
	observe(t, w, "s", event.ToolRan{Tool: "read"})
	assert.Empty(t, w.Problems())
}

func TestChangesAfterAJumpHaveTheTimeOfTheClock(t *testing.T) {
	j := newJumper(t)
	w := j.open()
	right := j.now()
	j.clock.Add(365 * aDay.Milliseconds())
	add(t, w, longterm.Addition{Text: "The archive is read only"})
	j.clock.Store(right.UnixMilli())
	entry := add(t, w, longterm.Addition{Text: "The docs are in the wiki"})
	var at time.Time
	on(w, func() {
		changes, err := w.Apply(context.Background(), change.Actor{}, func() ([]change.Change, error) {
			return memory.RoomOf[*longterm.Room](w).Remove(entry.ID)
		})
		require.NoError(t, err)
		at = changes[0].At
	})
	assert.WithinDuration(t, right, at, time.Second)
}

func TestALeaseOfAClockThatWentAheadEnds(t *testing.T) {
	j := newJumper(t)
	w := j.open()
	right := j.clock.Load()
	j.clock.Add(365 * aDay.Milliseconds())
	on(w, func() {
		_, err := w.Observe(context.Background(),
			event.Event{Session: "hook", Attached: true, Worktree: w.Root(), Body: event.ToolRan{Tool: "read"}})
		require.NoError(t, err)
	})
	assert.True(t, w.Sessions().Live("hook"))
	w.Close(context.Background())
	j.clock.Store(right)
	w = j.open()
	on(w, func() { memory.Poll(w) })
	assert.False(t, w.Sessions().Live("hook"))
	_, known := w.Sessions().Get("hook")
	assert.True(t, known)
	_, err := os.Stat(w.Dir())
	require.NoError(t, err)
}
