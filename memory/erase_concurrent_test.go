package memory_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/store"
	leftovers "github.com/wm-lsp/wm-lsp/memory/store/files"
	"github.com/wm-lsp/wm-lsp/memory/store/inmemory"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// A stubborn store cannot erase from the folders of sessions while it is told so.
type stubborn struct {
	memory.Store
	fails *bool
}

var errStubborn = errors.New("the file is in use")

func (s stubborn) EraseFromSessions(texts []string) ([]string, error) {
	if *s.fails {
		return []string{"sessions/a/messages.jsonl", "sessions/b/meta.json"}, errStubborn
	}
	return s.Store.EraseFromSessions(texts)
}

// makeStubborn gives a world a store that is stubborn while fails is true.
func makeStubborn(world *world) (fails *bool) {
	fails = new(bool)
	world.storage = around(world.storage, func(s memory.Store) memory.Store { return stubborn{s, fails} })
	return fails
}

func erase(w *memory.Workspace, id string) (left []string, err error) {
	on(w, func() { _, left, err = w.Erase(context.Background(), change.Actor{}, id) })
	return left, err
}

func TestAnEraseTellsWhichFilesAreLeftUntilThereAreNone(t *testing.T) {
	slow.Test(t)
	for name, world := range map[string]*world{"on the disk": newWorld(t), "in memory": newMemoryWorld(t)} {
		t.Run(name, func(t *testing.T) {
			world.t = t
			fails := makeStubborn(world)
			w := world.open()
			id := add(t, w, longterm.Addition{Text: "The launch codename is Halcyon Meridian"}).ID
			*fails = true
			want := []string{store.DatabaseName, "sessions/a/messages.jsonl", "sessions/b/meta.json"}
			for range 2 { // another erase is another attempt
				left, err := erase(w, id)
				require.NoError(t, err)
				assert.Equal(t, want, left)
				assert.Empty(t, texts(w), "it is gone from the memory")
				require.Len(t, w.Problems(), 1)
				assert.Contains(t, w.Problems()[0].Message, errStubborn.Error())
			}
			other := world.open()
			left, err := erase(other, id)
			require.NoError(t, err, "another process knows that it is not done")
			assert.Equal(t, want, left)
			*fails = false
			require.Eventually(t, func() bool { return len(w.Problems())+len(other.Problems()) == 0 }, patience, tick)
			_, err = erase(w, id)
			assert.True(t, fault.Has(err, fault.NotFound), err)
			for path, content := range files(t, world.data) {
				assert.NotContains(t, string(content), "Halcyon", path)
			}
		})
	}
}

// A lasting store cannot rewrite its database while it is told so.
type lasting struct {
	memory.Store
	fails *atomic.Bool
}

func (s lasting) Shred(ctx context.Context) error {
	if s.fails.Load() {
		return errStubborn
	}
	return s.Store.Shred(ctx)
}

// The record of what is still to be erased is deleted after the answer, when the next erase may have failed.
func TestAnEraseThatIsDoneDoesNotEndTheAttemptsOfALaterOne(t *testing.T) {
	slow.Test(t)
	for name, processes := range map[string]int{"in one process": 1, "in two processes": 2} {
		t.Run(name, func(t *testing.T) {
			world, fails := newWorld(t), new(atomic.Bool)
			world.storage = around(world.storage, func(s memory.Store) memory.Store { return lasting{s, fails} })
			w := world.open()
			other := w
			if processes == 2 {
				other = world.open()
			}
			first := add(t, w, longterm.Addition{Text: "The name of the harbour is Vellamo Nine"}).ID
			second := add(t, w, longterm.Addition{Text: "The launch codename is Halcyon Meridian"}).ID
			eraseSecond := func() {
				fails.Store(true)
				_, left, err := other.Erase(t.Context(), change.Actor{}, second)
				assert.NoError(t, err)
				assert.Equal(t, []string{store.DatabaseName}, left)
			}
			on(w, func() { // the record is deleted after this
				_, left, err := w.Erase(t.Context(), change.Actor{}, first)
				assert.NoError(t, err)
				assert.Empty(t, left)
				if other == w {
					eraseSecond()
				} else {
					on(other, eraseSecond)
				}
			})
			on(w, func() {})
			fails.Store(false)
			require.Eventually(t, func() bool { return len(other.Problems()) == 0 }, patience, tick)
			for path, content := range files(t, world.data) {
				assert.NotContains(t, string(content), "Halcyon", path)
			}
		})
	}
}

// Former texts of an entry count too, and so does a process that comes when all is done.
func TestWhatIsPendingInAnotherProcessDoesNotBringAnErasedTextBack(t *testing.T) {
	slow.Test(t)
	const former, now = "The launch codename is Halcyon Meridian", "The codename of the launch is Halcyon Zenith"
	for _, text := range []string{former, now} {
		for _, known := range []bool{true, false} {
			for _, late := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s, known %v, late %v", text, known, late), func(t *testing.T) {
					world := newWorld(t)
					fails := makeStubborn(world)
					w, other := world.open(), world.open()
					on(other, func() { // it sees nothing of what follows before it is told to
						id := add(t, w, longterm.Addition{Text: former}).ID
						on(w, func() {
							changed := now
							_, err := w.Apply(t.Context(), change.Actor{}, func() ([]change.Change, error) {
								return memory.RoomOf[*longterm.Room](w).Update(id, longterm.Patch{Text: &changed})
							})
							assert.NoError(t, err)
						})
						if known {
							memory.Refresh(other)
						}
						ev := event.Event{Session: "s", Worktree: other.Root()}
						_, err := other.Observe(t.Context(), ev) // begins the session
						assert.NoError(t, err)
						for _, body := range []any{
							event.TodosChanged{Todos: []event.Todo{{Content: "tell that " + text, Status: "pending"}}},
							event.Diagnostics{Path: "a.go", Items: []event.Diagnostic{{Severity: 1, Message: text}}},
							event.FileTouched{Path: "docs/" + text + ".md", Action: event.Edit},
						} {
							ev.Body = body
							_, err := other.Observe(t.Context(), ev)
							assert.NoError(t, err)
						}
						*fails = !late
						_, err = erase(w, id)
						assert.NoError(t, err)
						memory.Flush(other)
					})
					*fails = false
					require.Eventually(t, func() bool { return len(w.Problems()) == 0 }, patience, tick)
					on(other, func() { memory.Flush(other) })
					for path, content := range files(t, world.data) {
						assert.NotContains(t, string(content), "Halcyon", path)
					}
				})
			}
		}
	}
}

func TestACopyFromBeforeAPurgeBringsBackOnlyWhatWasWrittenByHand(t *testing.T) {
	world, engine := newWorld(t), inmemory.New()
	world.storage = memory.StorageOf(engine.Open, engine.SetAside)
	w := world.open()
	id := add(t, w, longterm.Addition{Text: "The launch codename is Halcyon Meridian"}).ID
	var old []byte
	on(w, func() {
		require.NoError(t, memory.WriteCopy(w))
		s, err := world.storage.Open(t.Context(), w.Dir(), nil)
		require.NoError(t, err)
		old, _, err = s.ReadCopy(t.Context())
		require.NoError(t, err)
		_, left, err := w.Purge(t.Context(), change.Actor{})
		require.NoError(t, err)
		require.Empty(t, left)
	})
	add(t, w, longterm.Addition{Text: "This came after the purge"})
	var doc map[string]any
	require.NoError(t, json.Unmarshal(old, &doc))
	byHand := map[string]any{"type": "project", "text": "The billing service runs at night"}
	doc["entries"] = append(doc["entries"].([]any), byHand)
	edited, err := json.Marshal(doc)
	require.NoError(t, err)
	require.Contains(t, string(edited), id)
	engine.EditCopy(w.Dir(), edited)
	require.Eventually(t, func() bool {
		on(w, func() { memory.Poll(w) })
		return len(texts(w)) == 2
	}, patience, tick)
	assert.ElementsMatch(t, []string{"This came after the purge", "The billing service runs at night"}, texts(w))
	require.Len(t, w.Problems(), 1)
	assert.Contains(t, w.Problems()[0].Message, "before the memory was purged")
}

func TestPurgesWhileOthersWriteLeaveNothingAndBringNothingBack(t *testing.T) {
	slow.Test(t)
	world := newWorld(t)
	world.settings.History.Keep = true
	writers := []*memory.Workspace{world.open(), world.open(), world.open()}
	w := world.open()
	for round := range 15 {
		mark := fmt.Sprintf("Halcyon%dx", round)
		var all sync.WaitGroup
		done := make(chan struct{})
		stop := sync.OnceFunc(func() { close(done); all.Wait() })
		t.Cleanup(stop)
		for i, writer := range writers {
			all.Go(func() {
				ctx, ev := context.Background(), event.Event{Session: fmt.Sprint("s", i), Worktree: w.Root()}
				for n := 0; ; n++ {
					select {
					case <-done:
						return
					default:
					}
					text := fmt.Sprintf("Rule %d of writer %d in round %d", n, i, round)
					_, _ = tryAdd(writer, longterm.Addition{Text: text})
					on(writer, func() {
						ev.Body = event.MessageReceived{Role: "user", Text: fmt.Sprint("Message ", n)}
						_, _ = writer.Observe(ctx, ev)
					})
				}
			})
		}
		add(t, w, longterm.Addition{Text: "The launch codename is " + mark, Pinned: true})
		require.Eventually(t, func() bool {
			copied, _ := os.ReadFile(filepath.Join(w.Dir(), store.CopyName))
			return strings.Contains(string(copied), mark)
		}, patience, time.Millisecond)
		on(w, func() {
			_, left, err := w.Purge(context.Background(), change.Actor{})
			assert.NoError(t, err)
			assert.Empty(t, left)
		})
		for range 3 {
			for path, content := range files(t, world.data) {
				assert.NotContains(t, string(content), mark, path)
			}
		}
		stop()
		for _, at := range append(writers, w) {
			on(at, func() { memory.Poll(at) })
			for _, text := range texts(at) {
				assert.NotContains(t, text, mark)
			}
		}
	}
}

// A document that was opened in an editor holds what the context held.
func TestDocumentsThatWereShownAreErasedToo(t *testing.T) {
	slow.Test(t)
	world := newWorld(t)
	w := world.open()
	shown := filepath.Join(world.data, store.ShownName)
	require.NoError(t, os.Mkdir(shown, 0o700))
	put := func(name, content string) string {
		path := filepath.Join(shown, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	id := add(t, w, longterm.Addition{Text: "The launch <codename>\nis Halcyon Meridian"}).ID
	holds := put("context.md", "- [project] The launch ‹codename› is Halcyon Meridian\n")
	other := put("other.md", "nothing of it")
	left, err := erase(w, id)
	require.NoError(t, err)
	assert.Empty(t, left)
	assert.NoFileExists(t, holds)
	assert.FileExists(t, other)

	stays := filepath.Join(shown, "a folder", "with a file")
	require.NoError(t, os.MkdirAll(stays, 0o700))
	on(w, func() {
		_, left, err := w.Purge(t.Context(), change.Actor{})
		require.NoError(t, err)
		assert.Equal(t, []string{store.DatabaseName, "shown/a folder"}, left)
	})
	assert.NoFileExists(t, other)
	kept := add(t, w, longterm.Addition{Text: "This came after the purge"}).ID
	require.NoError(t, os.RemoveAll(filepath.Dir(stays)))
	require.Eventually(t, func() bool { return len(w.Problems()) == 0 }, patience, tick)
	_, there := memory.RoomOf[*longterm.Room](w).Get(kept)
	assert.True(t, there)
}

func TestTemporaryFilesOfProcessesThatWereKilledAreDeletedAfterTheStart(t *testing.T) {
	slow.Test(t)
	world := newWorld(t)
	w := world.open()
	require.NoError(t, writeNote(t, w, "s", "detail/a.md", "kept"))
	session := sessionDir(w, "s")
	w.Close(context.Background())
	var left []string
	for _, dir := range []string{
		world.data, w.Dir(), session, filepath.Join(session, store.NotesName),
		filepath.Join(world.data, store.RootsName), filepath.Join(world.data, store.ImportedName),
		filepath.Join(world.data, store.ShownName),
	} {
		require.NoError(t, os.MkdirAll(dir, 0o700))
		path := filepath.Join(dir, ".writing-x.tmp")
		require.NoError(t, os.WriteFile(path, []byte("half of it"), 0o600))
		left = append(left, path)
	}
	root, err := os.OpenRoot(session)
	require.NoError(t, err)
	defer func() { _ = root.Close() }()
	pending, err := leftovers.New(root, []byte("another process writes it"))
	require.NoError(t, err)
	world.open()
	require.Eventually(t, func() bool {
		gone := 0
		for _, path := range left {
			if _, err := os.Lstat(path); err != nil {
				gone++
			}
		}
		return gone == len(left)
	}, patience, tick)
	require.NoError(t, pending.Replace("written"))
}

// A note is a file, so what another process has begun to write may be renamed when the files of the sessions have
// been erased from.
func TestANoteThatIsBeingWrittenInAnotherProcessDoesNotBringAnErasedTextBack(t *testing.T) {
	slow.Test(t)
	for _, path := range []string{notes.Overview, "detail/launch.md"} {
		t.Run(path, func(t *testing.T) {
			world := newWorld(t)
			w, other := world.open(), world.open()
			id := add(t, w, longterm.Addition{Text: "The launch codename is Halcyon Meridian"}).ID
			on(other, func() {
				memory.Refresh(other)
				ev := event.Event{Session: "s", Worktree: other.Root()}
				_, err := other.Observe(t.Context(), ev) // begins the session
				require.NoError(t, err)
				_, err = memory.ServiceOf[*notes.Service](other).Update(t.Context(), ev,
					func(folder notes.Folder) (notes.Note, error) {
						left, err := erase(w, id)
						require.NoError(t, err)
						require.Empty(t, left)
						on(w, func() {}) // what follows the erase is done, too
						return folder.Write(path, "# Launch\n\nThe launch codename is Halcyon Meridian.\n", "")
					})
				require.NoError(t, err)
			})
			require.Eventually(t, func() bool { return !holds(t, world.data, "Halcyon") }, patience, tick)
			assert.Empty(t, other.Problems())
		})
	}
}

// holds reports whether a file below a folder contains a string.
func holds(t *testing.T, dir, text string) bool {
	t.Helper()
	for _, content := range files(t, dir) {
		if strings.Contains(string(content), text) {
			return true
		}
	}
	return false
}
