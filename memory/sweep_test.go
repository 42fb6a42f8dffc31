package memory_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/sqlite"
	"github.com/wm-lsp/wm-lsp/memory/sweeps"
	"github.com/wm-lsp/wm-lsp/memory/working"
)

// later opens the workspace as it is opened after a time.
func (w *world) later(after time.Duration) *memory.Workspace {
	w.t.Helper()
	place, err := scope.Locate(w.folder, "git")
	require.NoError(w.t, err)
	opened := memory.Open(place, memory.Options{
		DataDir: w.data, Storage: w.storage, Log: slog.New(slog.DiscardHandler),
		Settings: func() *settings.Settings { return w.settings },
		Now:      func() time.Time { return time.Now().Add(after) },
	})
	w.t.Cleanup(func() { opened.Close(context.Background()) })
	settle(opened)
	return opened
}

// believe writes changes over an hour, so that the clock of a workspace is believed.
func believe(t *testing.T, w *memory.Workspace, now time.Time) {
	t.Helper()
	for _, at := range []time.Time{now.Add(-2 * time.Hour), now} {
		on(w, func() {
			_, err := w.Apply(context.Background(), change.Actor{At: at}, func() ([]change.Change, error) {
				return w.Sessions().Pause(time.Time{}), nil
			})
			require.NoError(t, err)
		})
	}
}

func swept(t *testing.T, w *memory.Workspace) sweeps.Record {
	t.Helper()
	var record sweeps.Record
	on(w, func() {
		var err error
		record, err = memory.ServiceOf[*sweeps.Service](w).Sweep(context.Background(), change.Actor{})
		require.NoError(t, err)
	})
	return record
}

func records(t *testing.T, w *memory.Workspace) []change.Change {
	t.Helper()
	settle(w)
	changes, err := w.Trace(context.Background(), store.Filter{Kinds: []string{string(sweeps.Swept)}})
	require.NoError(t, err)
	return changes
}

func writeNote(t *testing.T, w *memory.Workspace, session, path, content string) error {
	t.Helper()
	var err error
	on(w, func() {
		ev := event.Event{Session: session, Agent: session, Worktree: w.Root()}
		_, err = memory.ServiceOf[*notes.Service](w).Write(context.Background(), ev, path, content, "")
	})
	return err
}

// sessionDir is the folder of a session on the disk.
func sessionDir(w *memory.Workspace, session string) string {
	return filepath.Join(w.Dir(), "sessions", store.SessionKey(session))
}

const aDay = 24 * time.Hour

func TestA12_EveryFiveHundredEventsOfAllProcessesTheOutputsAreSwept(t *testing.T) {
	world := newWorld(t)
	world.settings.Outputs.MaxFiles = 3
	w, other := world.open(), world.open()
	_, fresh := outputsOf(w).Prune(outputs.Output{Text: long("fresh", 200), Mode: "normal"})
	outputs := filepath.Join(w.Dir(), "cache", "tool-outputs")
	for i := range 4 { // of some other version, which let them pile up
		name := filepath.Join(outputs, fmt.Sprintf("%016x", i))
		require.NoError(t, os.WriteFile(name, make([]byte, 1000), 0o600))
		old := time.Now().Add(-8 * aDay)
		require.NoError(t, os.Chtimes(name, old, old))
	}
	for i := range 499 {
		if i%2 == 0 {
			observe(t, w, "one", event.MessageReceived{Role: "user", Text: "go on"})
		} else {
			observe(t, other, "two", event.ToolRan{Tool: "read"})
		}
	}
	require.Eventually(t, func() bool { settle(other); return len(records(t, w)) == 0 }, patience, 10*time.Millisecond)
	assert.Zero(t, memory.RoomOf[*sweeps.Room](w).Latest())

	// Whoever learns that it was the five hundredth sweeps, once.
	observe(t, w, "one", event.ToolRan{Tool: "read"})
	require.Eventually(t, func() bool { return len(records(t, w)) == 1 }, patience, 10*time.Millisecond)
	require.Eventually(t, func() bool {
		return !memory.RoomOf[*sweeps.Room](other).Latest().At.IsZero() &&
			!memory.RoomOf[*sweeps.Room](w).Latest().At.IsZero()
	}, patience, 10*time.Millisecond)
	latest := memory.RoomOf[*sweeps.Room](w).Latest()
	assert.Equal(
		t,
		sweeps.Record{At: latest.At, Scanned: 5, Deleted: 4, Reclaimed: 4000, Failed: []string{}, Events: 500},
		latest,
	)
	assert.Equal(t, latest, memory.RoomOf[*sweeps.Room](other).Latest())
	var told sweeps.Record
	require.NoError(t, records(t, w)[0].Decode(&told))
	assert.Equal(t, 4, told.Deleted)
	_, err := outputsOf(w).Read(fresh)
	require.NoError(t, err)

	for range 500 {
		observe(t, other, "two", event.ToolRan{Tool: "read"})
	}
	require.Eventually(t, func() bool { return len(records(t, w)) == 2 }, patience, 10*time.Millisecond)
	for _, opened := range []*memory.Workspace{w, other} {
		opened.Close(context.Background())
	}
	assert.Equal(t, 1000, memory.RoomOf[*sweeps.Room](world.open()).Latest().Events, "the record outlives the process")
}

func TestA12_ASweepSaysWhatItCouldNotDelete(t *testing.T) {
	world := newWorld(t)
	world.settings.Outputs.MaxFiles = 1
	w := world.open()
	outputs := filepath.Join(w.Dir(), "cache", "tool-outputs")
	stuck := filepath.Join(outputs, "stuck")
	require.NoError(t, os.MkdirAll(filepath.Join(stuck, "by", "this"), 0o700))
	old := time.Now().Add(-8 * aDay)
	require.NoError(t, os.Chtimes(stuck, old, old))
	record := swept(t, w)
	assert.Equal(t, []string{"stuck"}, record.Failed)
	assert.Equal(t, 1, record.Scanned)
	assert.Zero(t, record.Deleted)
	require.NoError(t, os.RemoveAll(filepath.Join(stuck, "by")))
	require.NoError(t, os.Chtimes(stuck, old, old))
	record = swept(t, w)
	assert.Equal(t, 1, record.Deleted)
	assert.Empty(t, record.Failed)
	assert.Len(t, records(t, w), 2)
}

func TestA12_SessionsThatAreOverForLongLeaveWithTheirFolders(t *testing.T) {
	world := newMemoryWorld(t)
	w := world.open()
	require.NoError(t, writeNote(t, w, "over", "detail/plan.md", "# Plan"))
	require.NoError(t, writeNote(t, w, "live", "detail/plan.md", "# Plan"))
	on(w, func() { require.NoError(t, w.EndSession(context.Background(), event.Event{Session: "over"})) })
	orphan := filepath.Join(w.Dir(), "sessions", strings.Repeat("ab", 16))
	require.NoError(t, os.MkdirAll(orphan, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(orphan, "left.md"), []byte("by whom?"), 0o600))

	record := swept(t, w)
	assert.Zero(t, record.Sessions, "none is old")
	later := world.later(15 * aDay)
	assert.Zero(t, swept(t, later).Sessions, "the clock may be wrong")
	believe(t, later, time.Now().Add(15*aDay))
	record = swept(t, later)
	assert.NoDirExists(t, sessionDir(w, "over"))
	assert.NoDirExists(t, orphan)
	assert.DirExists(t, sessionDir(w, "live"), "a process serves it")
	_, known := later.Sessions().Get("over")
	assert.False(t, known)
	assert.True(t, later.Sessions().Live("live"))
	// What is swept when the workspace is first looked at, the record does not count.
	assert.LessOrEqual(t, record.Sessions, 2)
}

func TestA12_AFolderOfASessionThatNobodyKnowsStaysWhileItIsServed(t *testing.T) {
	world := newWorld(t)
	w := world.open()
	s, err := sqlite.Open(t.Context(), w.Dir(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	lease, err := s.Lease("stranger")
	require.NoError(t, err)
	old := time.Now().Add(-20 * aDay)
	for _, path := range []string{filepath.Join(sessionDir(w, "stranger"), "lease"), sessionDir(w, "stranger")} {
		require.NoError(t, os.Chtimes(path, old, old))
	}
	assert.Zero(t, swept(t, w).Sessions)
	require.NoError(t, lease.Release())
	assert.Equal(t, 1, swept(t, w).Sessions)
	assert.NoDirExists(t, sessionDir(w, "stranger"))
}

func TestA12_ASessionThatWroteNoNoteLeavesNoFolder(t *testing.T) {
	for name, c := range map[string]struct {
		work  func(t *testing.T, w *memory.Workspace)
		stays bool
	}{
		"the overview is the template": {work: func(*testing.T, *memory.Workspace) {}},
		"a detail was written": {stays: true, work: func(t *testing.T, w *memory.Workspace) {
			require.NoError(t, writeNote(t, w, "s", "detail/a.md", "# A"))
		}},
		"the overview was written by an editor": {stays: true, work: func(t *testing.T, w *memory.Workspace) {
			path := filepath.Join(sessionDir(w, "s"), "working-memory", "overview.md")
			require.NoError(t, os.WriteFile(path, []byte("mine"), 0o600))
		}},
		"the overview is the template again": {stays: true, work: func(t *testing.T, w *memory.Workspace) {
			require.NoError(t, writeNote(t, w, "s", "overview.md", "mine"))
			require.NoError(t, writeNote(t, w, "s", "overview.md", overview.Template("en")))
		}},
		"there is a history": {stays: true, work: func(t *testing.T, w *memory.Workspace) {
			require.NoError(t, os.WriteFile(filepath.Join(sessionDir(w, "s"), "messages.jsonl"), []byte("{}\n"), 0o600))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newMemoryWorld(t).open()
			on(w, func() {
				require.NoError(
					t,
					memory.ServiceOf[*notes.Service](
						w,
					).MakeOverview(context.Background(), event.Event{Session: "s", Worktree: w.Root()}),
				)
			})
			require.FileExists(t, filepath.Join(sessionDir(w, "s"), "working-memory", "overview.md"))
			c.work(t, w)
			on(w, func() { require.NoError(t, w.EndSession(context.Background(), event.Event{Session: "s"})) })
			if c.stays {
				assert.DirExists(t, filepath.Join(sessionDir(w, "s"), "working-memory"))
				return
			}
			assert.NoDirExists(t, sessionDir(w, "s"))
		})
	}
}

func TestB14_NothingBringsADeletedSessionBack(t *testing.T) {
	world := newMemoryWorld(t)
	w, other := world.open(), world.open()
	require.NoError(t, writeNote(t, w, "s", "detail/plan.md", "# Plan"))
	require.NoError(t, writeNote(t, w, "s", "overview.md", "# Overview"))
	observe(t, other, "s", event.FileTouched{Path: "a.go", Action: event.Edit})
	require.Eventually(
		t,
		func() bool { settle(w); return len(memory.RoomOf[*hot.Room](w).Files("s", w.Root(), 0)) == 1 },
		patience,
		10*time.Millisecond,
	)

	release := make(chan struct{})
	other.Do(func() { // what it has not yet written when the session is deleted
		<-release
		_, err := other.Observe(
			context.Background(),
			event.Event{Session: "s", Worktree: w.Root(), Body: event.FileTouched{Path: "b.go", Action: event.Edit}},
		)
		assert.NoError(t, err)
	})
	var removed []string
	on(w, func() {
		var err error
		removed, err = w.DeleteSession(context.Background(), event.Event{Session: "s"})
		require.NoError(t, err)
	})
	close(release)
	key := "sessions/" + store.SessionKey("s")
	for _, name := range []string{
		"session s", key + "/working-memory/overview.md", key + "/working-memory/detail/plan.md",
	} {
		assert.Contains(t, removed, name)
	}
	assert.NoDirExists(t, sessionDir(w, "s"))

	require.Eventually(
		t,
		func() bool { settle(other); return other.Sessions().Deleted("s") },
		patience,
		10*time.Millisecond,
	)
	err := writeNote(t, other, "s", "detail/late.md", "# Late")
	assert.True(t, fault.Has(err, fault.NotFound), err)
	assert.ErrorContains(t, err, "was deleted")
	on(other, func() {
		assert.NoError(
			t,
			memory.ServiceOf[*notes.Service](
				other,
			).MakeOverview(context.Background(), event.Event{Session: "s", Worktree: w.Root()}),
		)
	})
	observe(t, other, "s", event.MessageReceived{Role: "user", Text: "Remember this: it is late"})
	other.Close(context.Background())
	require.Eventually(
		t,
		func() bool { settle(w); return len(memory.RoomOf[*hot.Room](w).Files("s", w.Root(), 0)) == 0 },
		patience,
		10*time.Millisecond,
	)
	assert.NoDirExists(t, sessionDir(w, "s"))
	w.Close(context.Background())
	again := world.open()
	assert.Empty(t, memory.RoomOf[*hot.Room](again).Files("s", w.Root(), 0))
	assert.True(t, again.Sessions().Deleted("s"))
}

func TestWhoWritesIntoASessionOfAnotherProcessDoesNotKeepItAlive(t *testing.T) {
	world := newMemoryWorld(t)
	w, agent := world.open(), world.open()
	observe(t, agent, "s", event.FileTouched{Path: "a.go", Action: event.Edit})
	require.Eventually(t, func() bool { settle(w); return w.Sessions().Live("s") }, patience, 10*time.Millisecond)
	on(w, func() {
		_, err := w.ApplyIn(
			context.Background(),
			event.Event{Session: "s", Agent: "editor", Body: event.Written{}},
			func() ([]change.Change, error) {
				return memory.RoomOf[*core.Room](w).Update("s", "goal", core.Replace, "Ship the importer", "")
			},
		)
		require.NoError(t, err)
	})
	agent.Close(context.Background())
	require.Eventually(t, func() bool { settle(w); return !w.Sessions().Live("s") }, patience, 10*time.Millisecond)
	assert.Equal(t, "Ship the importer", memory.RoomOf[*core.Room](w).Get("s", "goal").Content)
}

func TestA13_CoreWorkingPressureAndNotesOutliveCompactionAndRestart(t *testing.T) {
	world := newMemoryWorld(t)
	w := world.open()
	on(w, func() {
		_, err := w.Apply(context.Background(), change.Actor{Session: "s"}, func() ([]change.Change, error) {
			return memory.RoomOf[*core.Room](w).Update("s", "goal", core.Replace, "Ship the importer", "")
		})
		require.NoError(t, err)
		_, err = w.Apply(context.Background(), change.Actor{Session: "s"}, func() ([]change.Change, error) {
			return memory.RoomOf[*working.Room](w).Add("s", "todo", "write the importer's test")
		})
		require.NoError(t, err)
	})
	observe(t, w, "s", event.UsageReported{Used: 96, Limit: 100, Unit: "tokens"})
	require.NoError(t, writeNote(t, w, "s", "overview.md", "# Task\n\nThe importer reads CSV."))
	require.NoError(t, writeNote(t, w, "s", "detail/format.md", "# Format"))
	seen, there := memory.RoomOf[*notes.Room](w).Overview("s")
	require.True(t, there)

	survived := func(w *memory.Workspace) {
		t.Helper()
		assert.Equal(t, "Ship the importer", memory.RoomOf[*core.Room](w).Get("s", "goal").Content)
		todos := memory.RoomOf[*working.Room](w).Slot("s", "todo")
		if assert.Len(t, todos, 1) {
			assert.Equal(t, "write the importer's test", todos[0].Content)
		}
		pressure := memory.RoomOf[*pressure.Room](w).Of("s")
		assert.Equal(t, 96, pressure.Used)
		assert.Equal(t, 1, pressure.Interventions)
		folder, err := memory.ServiceOf[*notes.Service](w).Folder("s")
		require.NoError(t, err)
		note, err := folder.Read("overview.md")
		require.NoError(t, err)
		assert.Contains(t, note.Content, "The importer reads CSV.")
		_, err = folder.Read("detail/format.md")
		require.NoError(t, err)
		now, there := memory.RoomOf[*notes.Room](w).Overview("s")
		assert.True(t, there)
		assert.Equal(t, seen.Revision, now.Revision)
	}
	observe(t, w, "s", event.CompactionFinished{Summary: "The importer is half done."})
	survived(w)
	swept(t, w)
	survived(w)
	w.Close(context.Background())
	again := world.open()
	survived(again)
	observe(t, again, "s", event.CompactionFinished{Summary: "The importer is done."})
	survived(again)
	compactions, err := again.Trace(
		context.Background(),
		store.Filter{Subject: "s", Kinds: []string{"session.compacted"}},
	)
	require.NoError(t, err)
	assert.Len(t, compactions, 2)
}
