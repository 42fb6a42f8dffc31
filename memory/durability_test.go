package memory_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/outputs"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
	leftovers "github.com/wm-lsp/wm-lsp/memory/store/files"
	"github.com/wm-lsp/wm-lsp/memory/store/inmemory"
	"github.com/wm-lsp/wm-lsp/memory/store/sqlite"
	"github.com/wm-lsp/wm-lsp/memory/store/storetest"
	"github.com/wm-lsp/wm-lsp/test/raced"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// patience is how long a test waits for what has to happen.
const patience = 5 * time.Minute

// tick is how often it looks.
const tick = 10 * time.Millisecond

// onDisk is the storage of the product.
var onDisk = memory.StorageOf(sqlite.Open, sqlite.SetAside)

// around returns a storage that opens what wrap makes of the stores of another one.
func around(inner memory.Storage, wrap func(memory.Store) memory.Store) memory.Storage {
	return memory.Storage{
		SetAside: inner.SetAside,
		Open: func(ctx context.Context, dir string, log *slog.Logger) (memory.Store, error) {
			s, err := inner.Open(ctx, dir, log)
			return wrap(s), err
		},
	}
}

// A world is a folder to work in and a place for its memory.
type world struct {
	t            *testing.T
	folder, data string
	settings     *settings.Settings
	storage      memory.Storage
}

func newWorld(t *testing.T) *world {
	return &world{t: t, folder: t.TempDir(), data: t.TempDir(), settings: settings.Default(), storage: onDisk}
}

// newMemoryWorld is newWorld for what is kept in memory: no file is looked at but
// those of sessions.
func newMemoryWorld(t *testing.T) *world {
	w, engine := newWorld(t), inmemory.New()
	w.storage = memory.StorageOf(engine.Open, engine.SetAside)
	return w
}

// copied returns a world with a copy of what is kept in another.
func (w *world) copied(t *testing.T) *world {
	t.Helper()
	other := *w
	other.t, other.data = t, t.TempDir()
	require.NoError(t, os.CopyFS(other.data, os.DirFS(w.data)))
	return &other
}

func (w *world) open(rooms ...room.Maker) *memory.Workspace {
	w.t.Helper()
	opened := open(w.t, w.storage, w.folder, w.data, w.settings, rooms...)
	w.t.Cleanup(func() { opened.Close(context.Background()) })
	return opened
}

// openBrief opens the workspace as a hook does: as a process that lives for one event, whose problems nobody sees.
func (w *world) openBrief() *memory.Workspace {
	w.t.Helper()
	return w.openForOne(true)
}

// openForOne opens the workspace as a process that lives for one event. unseen says that nobody sees its problems.
func (w *world) openForOne(unseen bool) *memory.Workspace {
	w.t.Helper()
	place, err := scope.Locate(w.folder, "git")
	require.NoError(w.t, err)
	opened := memory.Open(place, memory.Options{
		DataDir: w.data, Storage: w.storage, Log: slog.New(slog.DiscardHandler), Brief: true, Unseen: unseen,
		Settings: func() *settings.Settings { return w.settings },
	})
	w.t.Cleanup(func() { opened.Close(context.Background()) })
	settle(opened)
	return opened
}

func open(
	t testing.TB, storage memory.Storage, folder, data string, s *settings.Settings, rooms ...room.Maker,
) *memory.Workspace {
	t.Helper()
	place, err := scope.Locate(folder, "git")
	require.NoError(t, err)
	opened := memory.Open(place, memory.Options{
		DataDir: data, Storage: storage, Rooms: rooms, Log: slog.New(slog.DiscardHandler),
		Settings: func() *settings.Settings { return s },
	})
	settle(opened)
	return opened
}

func settle(w *memory.Workspace) {
	if settled := w.Settled(); settled != nil {
		<-settled
	}
}

// on runs f on the queue and waits for it.
func on(w *memory.Workspace, f func()) {
	done := make(chan struct{})
	if !w.Do(func() { defer close(done); f() }) {
		return
	}
	<-done
}

func add(t testing.TB, w *memory.Workspace, in longterm.Addition) longterm.Receipt {
	t.Helper()
	receipts, err := tryAdd(w, in)
	require.NoError(t, err)
	require.NotEmpty(t, receipts)
	return receipts[0]
}

func tryAdd(w *memory.Workspace, in longterm.Addition) (receipts []longterm.Receipt, err error) {
	if in.Source == "" {
		in.Source = longterm.Manual
	}
	if in.Type == "" {
		in.Type = "project"
	}
	on(w, func() {
		var changes []change.Change
		who := change.Actor{Session: "s", Agent: "test"}
		changes, err = w.Apply(context.Background(), who, func() ([]change.Change, error) {
			return memory.RoomOf[*longterm.Room](w).Add(in)
		})
		if err == nil {
			receipts, err = longterm.Receipts(changes)
		}
	})
	return receipts, err
}

func observe(t testing.TB, w *memory.Workspace, session string, body any) []change.Change {
	t.Helper()
	var changes []change.Change
	var err error
	on(w, func() {
		ev := event.Event{Session: session, Agent: session, Worktree: w.Root(), Body: body}
		changes, err = w.Observe(context.Background(), ev)
	})
	require.NoError(t, err)
	return changes
}

func texts(w *memory.Workspace) []string {
	list := []string{}
	for _, entry := range memory.RoomOf[*longterm.Room](w).List(nil, false) {
		list = append(list, entry.Text)
	}
	return list
}

// files are the contents of everything below a folder at one time: it is read
// again where something was moved away meanwhile.
func files(t *testing.T, dir string) (found map[string][]byte) {
	t.Helper()
	var failed error
	require.Eventually(t, func() bool {
		found = map[string][]byte{}
		failed = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			found[path], err = os.ReadFile(path)
			return err
		})
		return !errors.Is(failed, fs.ErrNotExist)
	}, patience, time.Millisecond)
	require.NoError(t, failed)
	return found
}

func TestReplayingTheLogIntoAnEmptyDatabaseGivesTheSameTables(t *testing.T) {
	slow.Test(t)
	for name, world := range map[string]*world{"on the disk": newWorld(t), "in memory": newMemoryWorld(t)} {
		t.Run(name, func(t *testing.T) { replayGivesTheSameTables(t, world) })
	}
}

func replayGivesTheSameTables(t *testing.T, world *world) {
	world.t = t
	world.settings.Log.MaxChanges = 150
	w := world.open()
	for i := range 60 {
		add(t, w, longterm.Addition{Text: fmt.Sprintf("Rule %d of this project is kept by everybody", i)})
		observe(t, w, "s", event.FileTouched{Path: fmt.Sprintf("f%d.go", i%7), Action: event.Edit})
		observe(t, w, "s", event.MessageReceived{Role: "user", Text: fmt.Sprintf("Remember this: port %d is taken", i)})
	}
	replayed := func() {
		t.Helper()
		w.Close(context.Background())
		s, err := world.storage.Open(context.Background(), w.Dir(), slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		defer s.Close()
		state, err := s.Load(context.Background(), nil)
		require.NoError(t, err)
		history, err := s.History(context.Background(), state.Seq)
		require.NoError(t, err)
		rows := memory.Replay(w, history.Rows, history.Changes)
		for _, room := range []string{"longterm", "sessions", "hot", "working", "sweeps"} {
			retired, err := s.Retired(context.Background(), room)
			require.NoError(t, err)
			assert.Equal(t, room == "longterm", len(retired) > 0, room)
			assert.Equal(t, byKey(append(state.Rows[room], retired...)), byKey(rows[room]), room)
		}
	}
	replayed()
	// The log was longer than it may be, and its beginning was folded.
	w = world.open()
	length, err := w.LogLength(context.Background())
	require.NoError(t, err)
	assert.LessOrEqual(t, length, int64(world.settings.Log.MaxChanges+1))
	replayed()
}

func byKey(rows []change.Row) map[string]string {
	values := map[string]string{}
	for _, row := range rows {
		values[row.Key] = string(row.Value)
	}
	return values
}

func TestADatabaseOfANewerVersionIsRefusedUntouched(t *testing.T) {
	world := newWorld(t)
	w := world.open()
	add(t, w, longterm.Addition{Text: "The future is another version"})
	w.Close(context.Background())
	path := filepath.Join(w.Dir(), store.DatabaseName)
	setVersion(t, path, 99)
	before, err := os.ReadFile(path)
	require.NoError(t, err)

	again := world.open()
	_, err = tryAdd(again, longterm.Addition{Text: "This cannot be kept"})
	require.ErrorIs(t, err, memory.ErrStore)
	assert.Contains(t, err.Error(), "newer wm-lsp")
	require.NotEmpty(t, again.Problems())
	again.Close(context.Background())
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(before, after))
}

func TestADamagedDatabaseIsSetAsideAndRebuiltFromTheReadableCopy(t *testing.T) {
	for name, damage := range map[string]func(content []byte) []byte{
		"garbage":   func(content []byte) []byte { return bytes.Repeat([]byte("nonsense"), len(content)/8) },
		"truncated": func(content []byte) []byte { return content[:len(content)/2] },
		"a negative version": func(content []byte) []byte {
			binary.BigEndian.PutUint32(content[60:], 1<<31) // the header has it there
			return content
		},
	} {
		t.Run(name, func(t *testing.T) {
			world := newWorld(t)
			w := world.open()
			kept := add(t, w, longterm.Addition{Text: "What was remembered survives a bad disk", Type: "decision"})
			w.Close(context.Background())
			storetest.MoveLog(t, w.Dir())
			path := filepath.Join(w.Dir(), store.DatabaseName)
			content, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, damage(content), 0o600))

			again := world.open()
			entry, there := memory.RoomOf[*longterm.Room](again).Get(kept.ID)
			require.True(t, there)
			assert.Equal(t, "What was remembered survives a bad disk", entry.Text)
			aside, err := filepath.Glob(filepath.Join(w.Dir(), "memory.db.corrupt-*"))
			require.NoError(t, err)
			assert.NotEmpty(t, aside)
			require.NotEmpty(t, again.Problems())
			add(t, again, longterm.Addition{Text: "The session goes on after it"})
		})
	}
}

func TestEntriesNotInForceAreReadFromADamagedDatabase(t *testing.T) {
	world := newWorld(t)
	world.settings.Memory.MaxEntries, world.settings.Log.MaxChanges = 2, 100
	w := world.open()
	const added = 150
	var ids []string
	for i := range added {
		text := fmt.Sprintf("The archive %d is read only%s", i, strings.Repeat(" and kept for years", 10))
		ids = append(ids, add(t, w, longterm.Addition{Text: text}).ID)
	}
	on(w, func() {
		_, _, err := w.Erase(context.Background(), change.Actor{}, ids[0])
		require.NoError(t, err)
	})
	w.Close(context.Background())
	path := filepath.Join(w.Dir(), store.DatabaseName)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	page := bytes.Index(content, []byte("The archive 70 is read only")) / 4096 * 4096
	copy(content[page:page+4096], strings.Repeat("\xff", 4096))
	require.NoError(t, os.WriteFile(path, content, 0o600))

	again := world.open()
	require.Eventually(t, func() bool {
		problems := again.Problems()
		return len(problems) > 0 && strings.Contains(problems[0].Message, "was damaged")
	}, patience, tick)
	settle(again)
	assert.Contains(t, again.Problems()[0].Message, "the rest was taken over")
	assert.Len(t, texts(again), 2)
	room := memory.RoomOf[*longterm.Room](again)
	assert.GreaterOrEqual(t, len(room.List(nil, true)), added-1-20)
	_, there := room.Get(ids[0])
	assert.False(t, there, "what was erased does not come back")
	entry, there := room.Get(ids[10])
	require.True(t, there)
	assert.Equal(t, longterm.StatusEvicted, entry.Status)
	on(again, func() {
		_, err := again.Apply(context.Background(), change.Actor{}, func() ([]change.Change, error) {
			return room.Restore(ids[10])
		})
		assert.NoError(t, err)
	})
}

func TestDamageThatIsFoundAfterTheStartIsMended(t *testing.T) {
	slow.Test(t)
	world, engine := newWorld(t), inmemory.New()
	world.storage = memory.StorageOf(engine.Open, engine.SetAside)
	w := world.open()
	kept := add(t, w, longterm.Addition{Text: "What was remembered survives a bad disk", Type: "decision"})
	engine.Damage(w.Dir())
	require.Eventually(t, func() bool {
		problems := w.Problems()
		return len(problems) > 0 && strings.Contains(problems[0].Message, "was damaged")
	}, patience, tick)
	settle(w)
	entry, there := memory.RoomOf[*longterm.Room](w).Get(kept.ID)
	require.True(t, there)
	assert.Equal(t, "What was remembered survives a bad disk", entry.Text)
	add(t, w, longterm.Addition{Text: "The session goes on after it"})
}

func TestAHandEditOfTheReadableCopyIsTakenOverAndLosesNothing(t *testing.T) {
	slow.Test(t)
	world := newWorld(t)
	w := world.open()
	changed := add(t, w, longterm.Addition{Text: "The API listens on port 80"})
	removed := add(t, w, longterm.Addition{Text: "The docs are in the wiki"})
	path := filepath.Join(w.Dir(), store.CopyName)
	var doc map[string]any
	require.Eventually(t, func() bool {
		content, err := os.ReadFile(path)
		return err == nil && json.Unmarshal(content, &doc) == nil && len(doc["entries"].([]any)) == 2
	}, patience, 10*time.Millisecond)
	// Meanwhile somebody adds another, which the edited copy does not hold.
	add(t, w, longterm.Addition{Text: "Meanwhile something else was decided"})

	entries := doc["entries"].([]any)
	edited := []any{}
	for _, e := range entries {
		if e.(map[string]any)["id"] == removed.ID {
			continue
		}
		e.(map[string]any)["text"] = "The API listens on port 8080"
		edited = append(edited, e)
	}
	doc["entries"] = append(edited, map[string]any{"type": "feedback", "text": "Written by hand, in an editor"})
	content, err := json.Marshal(doc)
	require.NoError(t, err)
	edit(t, path, content, func() bool {
		entry, _ := memory.RoomOf[*longterm.Room](w).Get(changed.ID)
		return entry.Text == "The API listens on port 8080" && len(texts(w)) == 3 &&
			!slices.Contains(texts(w), "The docs are in the wiki")
	})
	assert.ElementsMatch(t, []string{
		"The API listens on port 8080", "Meanwhile something else was decided", "Written by hand, in an editor",
	}, texts(w))

	require.Eventually(t, func() bool { // the copy holds what was merged
		content, err := os.ReadFile(path)
		return err == nil && strings.Contains(string(content), "Meanwhile something else")
	}, patience, 10*time.Millisecond)
	edit(t, path, []byte("{ this is not JSON"), func() bool {
		aside, err := filepath.Glob(path + ".corrupt-*")
		return err == nil && len(aside) == 1
	})
	assert.Len(t, texts(w), 3)
}

// edit replaces the readable copy, as an editor does that saves, until the edit is
// taken: what is written by the workspace at the same moment may replace it.
func edit(t *testing.T, path string, content []byte, taken func() bool) {
	t.Helper()
	beside := filepath.Join(t.TempDir(), "edited")
	require.Eventually(t, func() bool {
		there, err := os.ReadFile(path)
		if taken() {
			return true
		}
		if err == nil && !bytes.Equal(there, content) {
			assert.NoError(t, os.WriteFile(beside, content, 0o600))
			assert.NoError(t, os.Rename(beside, path))
		}
		return false
	}, patience, 10*time.Millisecond)
}

func TestErasingLeavesNoByteOfTheTextInAnyFile(t *testing.T) {
	const secret = `The launch codename is "Halcyon Meridian" & <nothing> else`
	once, err := json.Marshal(map[string]string{"text": secret})
	require.NoError(t, err)
	twice, err := json.Marshal(map[string]string{"summary": string(once)})
	require.NoError(t, err)
	world := newWorld(t)
	w, other := world.open(), world.open()
	observe(t, w, "s", event.MessageReceived{Role: "user", Text: "Remember this: " + secret})
	observe(t, w, "s", event.MessageReceived{Role: "user", Text: "We decided: " + secret + "."})
	observe(t, w, "s", event.TodosChanged{Todos: []event.Todo{{Content: "announce that " + secret, Status: "pending"}}})
	id := memory.RoomOf[*longterm.Room](w).List(nil, false)[0].ID
	require.Eventually(t, func() bool { return len(texts(other)) == 1 }, patience, 10*time.Millisecond)
	require.NoError(t, os.WriteFile(filepath.Join(w.Dir(), "memory.db.corrupt-x"), []byte("old "+secret), 0o600))
	session := sessionDir(w, "s")
	require.NoError(t, writeNote(t, w, "s", "overview.md", "# Launch\n\n"+secret+".\n"))
	require.NoError(t, writeNote(t, w, "s", "overview.md", "# Launch\n\nNothing of it.\n"))
	require.NoError(t, writeNote(t, w, "s", "archive/old.md", "# Old\n\n"+secret+".\n"))
	_, output := outputsOf(w).Prune(outputs.Output{Text: long("one", 200) + secret + "\n", Mode: "normal"})
	require.NotEmpty(t, output)
	foreign := map[string]string{
		"working-memory/detail/mine.md": "# Mine\n\n" + secret + ", and\nthe rest stays",
		"working-memory/detail/.draft~": secret,
		"messages.jsonl":                string(once) + "\n" + `{"text":"go on"}` + "\n",
		"meta.json":                     string(twice),
		"versions/0123456789abcdef":     "before " + secret,
	}
	for name, content := range foreign {
		require.NoError(t, os.WriteFile(filepath.Join(session, filepath.FromSlash(name)), []byte(content), 0o600))
	}

	on(w, func() {
		_, _, err := w.Erase(context.Background(), change.Actor{Session: "s"}, id)
		require.NoError(t, err)
	})
	assert.Empty(t, texts(w))
	require.Eventually(t, func() bool { return len(texts(other)) == 0 }, patience, 10*time.Millisecond)
	other.Close(context.Background())
	for path, content := range files(t, world.data) {
		assert.NotContains(t, string(content), "Halcyon", path)
	}
	_, err = memory.RoomOf[*longterm.Room](w).Explain(id)
	assert.Error(t, err)

	kept := files(t, session)
	assert.NotContains(t, kept, filepath.Join(session, "versions", "0123456789abcdef"))
	mine := filepath.Join(session, "working-memory", "detail", "mine.md")
	assert.Equal(t, "# Mine\n\n[erased], and\nthe rest stays", string(kept[mine]))
	messages := filepath.Join(session, "messages.jsonl")
	assert.Equal(t, `{"text":"[erased]"}`+"\n"+`{"text":"go on"}`+"\n", string(kept[messages]))
	assert.Contains(t, string(kept[filepath.Join(session, "working-memory", "overview.md")]), "Nothing of it.")
	_, err = outputsOf(w).Read(output)
	assert.ErrorIs(t, err, store.ErrNoOutput)
}

func TestPurgingForgetsEverythingInEveryProcess(t *testing.T) {
	world := newWorld(t)
	w, other := world.open(), world.open()
	add(t, w, longterm.Addition{Text: "A purge takes this away as well"})
	observe(t, w, "s", event.FileTouched{Path: "secret-name.go", Action: event.Edit})
	require.Eventually(t, func() bool { return len(texts(other)) == 1 }, patience, 10*time.Millisecond)
	on(w, func() {
		removed, left, err := w.Purge(context.Background(), change.Actor{})
		require.NoError(t, err)
		assert.Empty(t, left)
		assert.NotEmpty(t, removed)
	})
	require.Eventually(t, func() bool { return len(texts(other)) == 0 }, patience, 10*time.Millisecond)
	for path, content := range files(t, world.data) {
		assert.NotContains(t, string(content), "A purge takes", path)
		assert.NotContains(t, string(content), "secret-name", path)
	}
	add(t, other, longterm.Addition{Text: "Life goes on after a purge"})
	require.Eventually(t, func() bool { return len(texts(w)) == 1 }, patience, 10*time.Millisecond)
}

// The process that has yet to write the copy cannot know what another one has just
// done.
func TestACopyThatIsWrittenLateHoldsNothingThatIsForgotten(t *testing.T) {
	const text = "The launch codename is Halcyon Meridian"
	for name, forget := range map[string]func(w *memory.Workspace, id string) error{
		"erased": func(w *memory.Workspace, id string) error {
			_, _, err := w.Erase(context.Background(), change.Actor{}, id)
			return err
		},
		"purged": func(w *memory.Workspace, _ string) error {
			_, _, err := w.Purge(context.Background(), change.Actor{})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			world := newWorld(t)
			w, late := world.open(), world.open()
			id := add(t, late, longterm.Addition{Text: text}).ID
			on(late, func() {
				on(w, func() { require.NoError(t, forget(w, id)) })
				memory.WriteCopy(late)
			})
			for path, content := range files(t, world.data) {
				assert.NotContains(t, string(content), "Halcyon", path)
			}
		})
	}
}

func TestADataFolderThatCannotBeWrittenIsAClearErrorUntilItCan(t *testing.T) {
	slow.Test(t)
	world := newWorld(t)
	// A file in the place of the folder keeps even root from writing.
	blocked := filepath.Join(world.data, "workspaces")
	require.NoError(t, os.WriteFile(blocked, nil, 0o600))
	w := world.open()
	_, err := tryAdd(w, longterm.Addition{Text: "This has nowhere to go yet"})
	require.ErrorIs(t, err, memory.ErrStore)
	require.NotEmpty(t, w.Problems())
	assert.NotEmpty(t, w.Problems()[0].Fix)
	observe(t, w, "s", event.FileTouched{Path: "a.go", Action: event.Edit})
	assert.Len(t, memory.RoomOf[*hot.Room](w).Files("s", w.Root(), 0), 1, "the hot state works in memory")

	require.NoError(t, os.Remove(blocked))
	require.Eventually(t, w.Healthy, patience, 20*time.Millisecond)
	add(t, w, longterm.Addition{Text: "Now there is a place for it"})
	assert.Empty(t, w.Problems())
}

func TestNothingIsReadableForOthers(t *testing.T) {
	world := newWorld(t)
	w := world.open()
	add(t, w, longterm.Addition{Text: "Only I may read what I remember"})
	observe(t, w, "s", event.FileTouched{Path: "a.go", Action: event.Edit})
	w.Close(context.Background())
	require.NoError(t, filepath.WalkDir(w.Dir(), func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := entry.Info()
		require.NoError(t, err)
		assert.Zero(t, info.Mode().Perm()&0o077, path)
		return nil
	}))
	entries, err := os.ReadDir(world.folder)
	require.NoError(t, err)
	assert.Empty(t, entries, "nothing is written in the workspace")
}

func TestAProcessThatIsGoneTakesItsDiagnosticsAlong(t *testing.T) {
	slow.Test(t)
	world := newWorld(t)
	w := world.open()
	kill := started(t, world.child("diagnostics"))
	openErrors := func() int { return len(memory.RoomOf[*hot.Room](w).Errors("reader", w.Root())) }
	require.Eventually(t, func() bool { return openErrors() == 1 }, patience, 10*time.Millisecond)
	kill()
	require.Eventually(t, func() bool { return openErrors() == 0 }, patience, 10*time.Millisecond)
	assert.False(t, w.Sessions().Live("child"))
}

func TestACommandEndsTheSessionOfAProcessThatIsGoneAndAHookDoesNot(t *testing.T) {
	slow.Test(t)
	world := newWorld(t)
	w := world.open()
	kill := started(t, world.child("diagnostics"))
	require.Eventually(t, func() bool { return w.Sessions().Live("child") }, patience, 10*time.Millisecond)
	w.Close(context.Background())
	kill()
	assert.True(t, world.openBrief().Sessions().Live("child"), "a hook looks for nothing that others look for")
	assert.False(t, world.openForOne(false).Sessions().Live("child"), "a person is not told that it is at work")
	assert.False(t, world.openBrief().Sessions().Live("child"), "it is written")
}

func TestManyProcessesAddAtOnceAndEveryReceiptIsTrue(t *testing.T) {
	slow.Test(t)
	for _, processes := range []int{2, 8} {
		if raced.On && processes > 2 {
			continue
		}
		t.Run(fmt.Sprint(processes), func(t *testing.T) {
			world := newWorld(t)
			var children []*exec.Cmd
			var outputs []*bytes.Buffer
			for i := range processes {
				child := world.child("add", fmt.Sprint(i))
				out := &bytes.Buffer{}
				child.Stdout = out
				require.NoError(t, child.Start())
				children, outputs = append(children, child), append(outputs, out)
			}
			for _, child := range children {
				require.NoError(t, child.Wait())
			}
			w := world.open()
			require.Len(t, texts(w), world.settings.Memory.MaxEntries)
			var ids []string
			for _, out := range outputs {
				lines := strings.Fields(out.String())
				assert.Len(t, lines, addsPerProcess)
				ids = append(ids, lines...)
			}
			evicted, swept := "", map[string]bool{}
			changes, err := w.Trace(context.Background(), store.Filter{Kinds: []string{string(longterm.Swept)}})
			require.NoError(t, err)
			for _, c := range changes {
				swept[c.Subject] = true
			}
			require.LessOrEqual(t, len(swept), max(0, len(ids)-world.settings.Memory.MaxPast))
			for _, id := range ids {
				explained, err := memory.RoomOf[*longterm.Room](w).Explain(id)
				if swept[id] {
					require.ErrorContains(t, err, "there is no memory")
					continue
				}
				require.NoError(t, err, "every id that was acknowledged can be explained, or was swept")
				if explained.Entry.Status == longterm.StatusEvicted {
					evicted = id
				}
			}
			require.NotEmpty(t, evicted)
			on(w, func() {
				_, err := w.Apply(context.Background(), change.Actor{}, func() ([]change.Change, error) {
					return memory.RoomOf[*longterm.Room](w).Restore(evicted)
				})
				require.NoError(t, err)
			})
			entry, _ := memory.RoomOf[*longterm.Room](w).Get(evicted)
			assert.Equal(t, longterm.StatusActive, entry.Status)
			assert.Len(t, texts(w), world.settings.Memory.MaxEntries)
		})
	}
}

func TestKillingTheProcessAtAnyMomentLosesNothingAcknowledged(t *testing.T) {
	slow.Test(t)
	world := newWorld(t)
	acknowledged := map[string]bool{}
	for i := range 50 {
		child := world.child("add", fmt.Sprintf("kill%d", i))
		out, err := child.StdoutPipe()
		require.NoError(t, err)
		kill := started(t, child)
		// After some acknowledgements, another number each time, in the middle of the next.
		var line string
		for range i%5 + 1 {
			_, err := fmt.Fscanln(out, &line)
			require.NoError(t, err)
			acknowledged[line] = true
		}
		kill()
	}
	w := world.open()
	for id := range acknowledged {
		_, there := memory.RoomOf[*longterm.Room](w).Get(id)
		assert.True(t, there, "%s was acknowledged", id)
	}
	assert.Empty(t, w.Problems())
}

func TestWhatACrashLeavesOfANoteIsDeleted(t *testing.T) {
	world := newWorld(t)
	session := t.TempDir()
	halves := func() (names []string) {
		for _, dir := range []string{".", notes.Detail} {
			found, err := filepath.Glob(filepath.Join(session, store.NotesName, dir, ".*"))
			require.NoError(t, err)
			names = append(names, found...)
		}
		return names
	}
	for crashes := 0; crashes < 3; {
		kill := started(t, world.child("note", session))
		require.Eventually(t, func() bool { return len(halves()) > 0 }, patience, time.Millisecond)
		kill()
		if len(halves()) > 0 { // it was killed while it wrote
			crashes++
		}
		require.NoError(t, leftovers.ClearLeft(session, true))
		assert.Empty(t, halves())
	}
}

const addsPerProcess = 250

// child is this test binary, run again to be another process that serves the
// same workspace.
func (w *world) child(task string, args ...string) *exec.Cmd {
	w.t.Helper()
	cmd := exec.Command(os.Args[0])
	call := append([]string{task, w.folder, w.data}, args...)
	cmd.Env = append(os.Environ(), "WM_TEST_CHILD="+strings.Join(call, "\n"))
	cmd.Stderr = os.Stderr
	return cmd
}

// started starts a process. It is killed when the returned function is called, which waits until the process has ended,
// or at the end of the test.
func started(t *testing.T, process *exec.Cmd) (kill func()) {
	t.Helper()
	require.NoError(t, process.Start())
	kill = sync.OnceFunc(func() {
		_ = process.Process.Kill() // it may have ended
		_ = process.Wait()
	})
	t.Cleanup(kill)
	return kill
}

func TestMain(m *testing.M) {
	if task := os.Getenv("WM_TEST_CHILD"); task != "" {
		if err := runChild(strings.Split(task, "\n")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func runChild(args []string) error {
	place, err := scope.Locate(args[1], "git")
	if err != nil {
		return err
	}
	if args[0] == "archive" {
		return archiveAndDie(place, args[2], args[3], args[4], args[5])
	}
	if args[0] == "serve" {
		return serve(place, args[2])
	}
	if args[0] == "churn" {
		return churn(place, args[2], args[3], args[4])
	}
	w := memory.Open(place, memory.Options{
		DataDir: args[2], Storage: onDisk, Log: slog.New(slog.DiscardHandler), Settings: settings.Default,
	})
	switch args[0] {
	case "diagnostics":
		on(w, func() {
			body := event.Diagnostics{
				Path: "a.go", Items: []event.Diagnostic{{Severity: 1, Line: 1, Message: "undefined: x"}},
			}
			_, err = w.Observe(context.Background(), event.Event{Session: "child", Worktree: w.Root(), Body: body})
		})
		if err == nil {
			select {} // until it is killed
		}
	case "note":
		for i := 0; err == nil; i++ { // until it is killed
			text := strings.Repeat(fmt.Sprintf("The note says line %d.\n", i), 10_000)
			_, err = notes.In(args[3]).Write(fmt.Sprintf("detail/%d.md", i%5), text, "")
		}
	case "add":
		for i := range addsPerProcess {
			text := fmt.Sprintf("Process %s says rule %d of the project", args[3], i)
			receipts, addErr := tryAdd(w, longterm.Addition{Text: text})
			if addErr != nil || len(receipts) != 1 {
				return fmt.Errorf("add: %v: %w", receipts, errors.Join(addErr, errors.New("no receipt")))
			}
			fmt.Println(receipts[0].ID)
		}
		w.Close(context.Background())
	}
	return err
}
