package memory_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// written waits until the readable copy holds a number of entries, and returns it.
func written(t *testing.T, path string, entries int) (content []byte) {
	t.Helper()
	require.Eventually(t, func() bool {
		var doc struct{ Entries []longterm.Entry }
		var err error
		content, err = os.ReadFile(path)
		return err == nil && json.Unmarshal(content, &doc) == nil && len(doc.Entries) == entries
	}, patience, tick)
	return content
}

func TestAnEditThatTakesAwayMoreThanHalfIsSetAsideAndTold(t *testing.T) {
	slow.Test(t)
	cases := map[string]func(doc map[string]any){
		"the entries under another name": func(doc map[string]any) {
			doc["entires"] = doc["entries"]
			delete(doc, "entries")
		},
		"no entries":        func(doc map[string]any) { delete(doc, "entries") },
		"an empty list":     func(doc map[string]any) { doc["entries"] = []any{} },
		"half a merge":      func(doc map[string]any) { doc["entries"] = doc["entries"].([]any)[:1] },
		"ids under a typo":  func(doc map[string]any) { renameMember(doc, "id", "di") },
		"entries in a list": func(doc map[string]any) { doc["entries"] = []any{doc["entries"]} },
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t).open()
			var kept []string
			for i := range 4 {
				kept = append(kept, fmt.Sprintf("Rule %d of this project is kept by everybody", i))
				add(t, w, longterm.Addition{Text: kept[i]})
			}
			path := filepath.Join(w.Dir(), store.CopyName)
			var doc map[string]any
			require.NoError(t, json.Unmarshal(written(t, path, 4), &doc))
			change(doc)
			edited, err := json.Marshal(doc)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, edited, 0o600))
			if name == "entries in a list" { // which is one entry that cannot be read, and may be any of them
				require.Eventually(t, func() bool { return len(w.Problems()) > 0 }, patience, tick)
				settle(w)
				assert.Equal(t, kept, texts(w))
				return
			}
			var aside []string
			require.Eventually(t, func() bool {
				aside, err = filepath.Glob(path + ".corrupt-*")
				require.NoError(t, err)
				return len(aside) == 1 && len(w.Problems()) == 1
			}, patience, tick)
			assert.Equal(t, kept, texts(w))
			problem := w.Problems()[0]
			assert.Contains(t, problem.Fix, filepath.Base(aside[0]))
			assert.Contains(t, problem.Fix, "put")
			setAside, err := os.ReadFile(aside[0])
			require.NoError(t, err)
			assert.JSONEq(t, string(edited), string(setAside))
			written(t, path, 4)
		})
	}
}

func renameMember(doc map[string]any, from, to string) {
	for _, entry := range doc["entries"].([]any) {
		member := entry.(map[string]any)
		member[to] = member[from]
		delete(member, from)
	}
}

// Some editors truncate the file and write it in pieces. An edit of which a piece comes late may look
// complete before it; it is made once more, in another memory.
func TestAnEditInPlaceIsTakenOverAsAWhole(t *testing.T) {
	slow.Test(t)
	for edits := 0; edits < 12; {
		world := newWorld(t)
		w := world.open()
		id := add(t, w, longterm.Addition{Text: "The number of the edit is 0"}).ID
		for i := range 8 {
			add(t, w, longterm.Addition{Text: fmt.Sprintf("Rule %d of this project is kept by everybody", i)})
		}
		path := filepath.Join(w.Dir(), store.CopyName)
		content := string(written(t, path, 9))
		// The workspace has a copy to write while the file is edited.
		other := add(t, w, longterm.Addition{Text: "Meanwhile more was decided"}).ID
		const text = "The number of the edit is 1"
		edited := strings.Replace(content, "The number of the edit is 0", text, 1)
		require.NotEqual(t, content, edited)
		if !writeInPieces(t, path, edited) {
			continue
		}
		edits++
		require.Eventually(t, func() bool {
			entry, _ := memory.RoomOf[*longterm.Room](w).Get(id)
			return entry.Text == text
		}, patience, tick)
		_, there := memory.RoomOf[*longterm.Room](w).Get(other)
		assert.True(t, there)
		require.Eventually(t, func() bool {
			now, err := os.ReadFile(path)
			return err == nil && strings.Contains(string(now), text) && strings.Contains(string(now), other)
		}, patience, tick)
		assert.Empty(t, w.Problems())
		aside, err := filepath.Glob(path + ".*")
		require.NoError(t, err)
		assert.Empty(t, aside)
	}
}

// writeInPieces truncates a file and writes a string in three pieces with pauses, as a
// slow editor does. It reports whether no piece came later than the copy has to be still.
func writeInPieces(t *testing.T, path, text string) bool {
	t.Helper()
	before := time.Now() // the latest change of the file
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	require.NoError(t, err)
	inTime := true
	for piece := range slices.Chunk([]byte(text), len(text)/3+1) {
		time.Sleep(60 * time.Millisecond)
		began := time.Now()
		_, err := file.Write(piece)
		require.NoError(t, err)
		inTime = inTime && time.Since(before) < longterm.SettleFor
		before = began
	}
	require.NoError(t, file.Close())
	return inTime
}

func TestTheCopyIsBroughtUpToDateAtTheStart(t *testing.T) {
	slow.Test(t)
	for name, lag := range map[string]func(t *testing.T, path string, older []byte){
		"older": func(t *testing.T, path string, older []byte) {
			require.NoError(t, os.WriteFile(path, older, 0o600))
		},
		"missing": func(t *testing.T, path string, _ []byte) { require.NoError(t, os.Remove(path)) },
	} {
		t.Run(name, func(t *testing.T) {
			world := newWorld(t)
			w := world.open()
			add(t, w, longterm.Addition{Text: "The first rule of the project is kept"})
			path := filepath.Join(w.Dir(), store.CopyName)
			older := written(t, path, 1)
			add(t, w, longterm.Addition{Text: "The second rule of the project is kept"})
			written(t, path, 2)
			w.Close(t.Context())
			// As after a kill between the commit and the writing of the copy.
			lag(t, path, older)
			inDatabase(t, w.Dir(), fmt.Sprintf("UPDATE meta SET value = '%s' WHERE key = '%s'",
				store.CopyHash(older), store.CopyHashKey))
			again := world.open()
			written(t, path, 2)
			assert.Len(t, texts(again), 2)
		})
	}
}

// The times of files are as coarse as two seconds on some file systems.
func TestAnEditThatLeavesSizeAndTimeOfTheCopyIsImportedAfterTheStart(t *testing.T) {
	slow.Test(t)
	world := newWorld(t)
	w := world.open()
	add(t, w, longterm.Addition{Text: "The first rule of the project is kept"})
	path := filepath.Join(w.Dir(), store.CopyName)
	content := written(t, path, 1)
	w.Close(t.Context())
	info, err := os.Stat(path)
	require.NoError(t, err)
	edited := strings.Replace(string(content), "first", "third", 1)
	require.NoError(t, os.WriteFile(path, []byte(edited), 0o600))
	require.NoError(t, os.Chtimes(path, time.Time{}, info.ModTime()))
	again := world.open()
	require.Eventually(t, func() bool {
		return slices.Equal(texts(again), []string{"The third rule of the project is kept"})
	}, patience, tick)
}

// A delayed store does something before it writes the readable copy.
type delayed struct {
	memory.Store
	before func()
}

func (d delayed) WriteCopy(ctx context.Context, build func(store.Tx) ([]byte, error)) error {
	d.before()
	return d.Store.WriteCopy(ctx, build)
}

// The copy is encoded before the lock is taken. Meanwhile another process erases an entry.
func TestACopyThatWaitsForTheLockDoesNotBringAnErasedTextBack(t *testing.T) {
	world := newWorld(t)
	before := func() {}
	world.storage = around(onDisk, func(s memory.Store) memory.Store { return delayed{s, func() { before() }} })
	w := world.open()
	other := open(t, onDisk, world.folder, world.data, world.settings)
	defer other.Close(context.Background())
	add(t, w, longterm.Addition{Text: "The billing service runs at night"})
	gone := add(t, w, longterm.Addition{Text: "The launch codename is Halcyon Meridian"}).ID
	on(w, func() {
		before = func() {
			before = func() {}
			_, err := erase(other, gone)
			assert.NoError(t, err)
			require.NoError(t, os.Remove(filepath.Join(w.Dir(), store.CopyName)))
		}
		require.NoError(t, memory.WriteCopy(w))
	})
	doc, err := os.ReadFile(filepath.Join(w.Dir(), store.CopyName))
	require.NoError(t, err)
	assert.NotContains(t, string(doc), "Halcyon")
	assert.Contains(t, string(doc), "The billing service")
}

// A fullDisk is a store whose readable copy cannot be written while full is true.
type fullDisk struct {
	memory.Store
	full *atomic.Bool
}

func (d fullDisk) WriteCopy(ctx context.Context, build func(store.Tx) ([]byte, error)) error {
	if d.full.Load() {
		return &fs.PathError{Op: "openat", Path: ".writing-x.tmp", Err: syscall.ENOSPC}
	}
	return d.Store.WriteCopy(ctx, build)
}

func TestTheProblemOfTheReadableCopyGoesWhenItWasWritten(t *testing.T) {
	slow.Test(t)
	world, full := newWorld(t), &atomic.Bool{}
	world.storage = around(onDisk, func(s memory.Store) memory.Store { return fullDisk{s, full} })
	w := world.open()
	full.Store(true)
	add(t, w, longterm.Addition{Text: "Prices are cents in every table"})
	require.Eventually(t, func() bool { return len(w.Problems()) == 1 }, patience, tick)
	assert.Equal(t, "The readable copy could not be written: the disk is full; free some space and try again",
		w.Problems()[0].Message)
	full.Store(false)
	written(t, filepath.Join(w.Dir(), store.CopyName), 1)
	require.Eventually(t, func() bool { return len(w.Problems()) == 0 }, patience, tick)
}

// The copy names a change of a log that is gone. What is added to the new log before the copy is
// looked at must not pass for something that the copy has left out.
func TestAnEntryThatIsAddedBeforeTheCopyOfALostDatabaseIsReadStays(t *testing.T) {
	slow.Test(t)
	for name, damage := range map[string]func(path string) error{
		"removed":   os.Remove,
		"empty":     func(path string) error { return os.Truncate(path, 0) },
		"truncated": func(path string) error { return os.Truncate(path, 1000) },
		"overwritten": func(path string) error {
			return os.WriteFile(path, []byte(strings.Repeat("not a database ", 1000)), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			world := newWorld(t)
			w := world.open()
			world.settings.Memory.MaxEntries = 2
			for i := range 20 { // so that the log of the copy is longer than the new one
				add(t, w, longterm.Addition{Text: fmt.Sprintf("Rule %d of this project is kept by everybody", i)})
			}
			path := filepath.Join(w.Dir(), store.CopyName)
			written(t, path, 2)
			w.Close(t.Context())
			database := filepath.Join(w.Dir(), store.DatabaseName)
			_ = os.Remove(database + "-wal")
			_ = os.Remove(database + "-shm")
			require.NoError(t, damage(database))

			world.settings.Memory.MaxEntries = 28
			brief := world.openBrief()
			add(t, brief, longterm.Addition{Text: "The tax rates stand in chapter 4"})
			brief.Close(t.Context())
			again := world.open()
			written(t, path, 3)
			assert.ElementsMatch(t, []string{
				"Rule 18 of this project is kept by everybody", "Rule 19 of this project is kept by everybody",
				"The tax rates stand in chapter 4",
			}, texts(again))
		})
	}
}
