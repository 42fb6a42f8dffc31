package memory_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store/inmemory"
)

func TestAReadSeesWhatAnotherProcessHasAcknowledged(t *testing.T) {
	engine := inmemory.New()
	for name, storage := range map[string]memory.Storage{
		"sqlite": onDisk, "inmemory": memory.StorageOf(engine.Open, engine.SetAside),
	} {
		t.Run(name, func(t *testing.T) {
			folder, data := t.TempDir(), t.TempDir()
			reader := open(t, storage, folder, data, settings.Default())
			defer reader.Close(context.Background())
			writer := open(t, storage, folder, data, settings.Default())
			defer writer.Close(context.Background())
			for i := range 10 {
				// After a write of its own, a process does not follow the notices of others at once.
				add(t, reader, longterm.Addition{Text: fmt.Sprintf("The reader keeps rule %d in mind", i)})
				receipt := add(t, writer, longterm.Addition{Text: fmt.Sprintf("The writer keeps rule %d in mind", i)})
				settle(reader)
				_, found := memory.RoomOf[*longterm.Room](reader).Get(receipt.ID)
				require.True(t, found, "addition %d", i)
			}
		})
	}
}

func TestAWriteNotifiesOnceOfWhatItHasFoldedAndWritten(t *testing.T) {
	folder, data := t.TempDir(), t.TempDir()
	place, err := scope.Locate(folder, "git")
	require.NoError(t, err)
	var notified atomic.Int64
	w := memory.Open(place, memory.Options{
		DataDir: data, Storage: onDisk, Log: slog.New(slog.DiscardHandler), Settings: settings.Default,
		Changed: func(*memory.Workspace, []string) { notified.Add(1) },
	})
	defer w.Close(context.Background())
	other := open(t, onDisk, folder, data, settings.Default())
	defer other.Close(context.Background())
	var errs []error
	before, after := int64(0), int64(0)
	on(w, func() { // it follows no notices meanwhile
		for i := range 3 {
			_, err := tryAdd(other, longterm.Addition{Text: fmt.Sprintf("The other process keeps rule %d", i)})
			errs = append(errs, err)
		}
		before = notified.Load()
		_, err := w.Apply(context.Background(), change.Actor{}, func() ([]change.Change, error) {
			return memory.RoomOf[*longterm.Room](w).Add(longterm.Addition{Text: "Every process keeps all rules"})
		})
		errs, after = append(errs, err), notified.Load()
	})
	require.NoError(t, errors.Join(errs...))
	require.Equal(t, before+1, after)
	require.Len(t, memory.RoomOf[*longterm.Room](w).List(nil, false), 4)
}

func TestAnEventIsDecidedOnWhatAnotherProcessHasAcknowledged(t *testing.T) {
	folder, data := t.TempDir(), t.TempDir()
	w := open(t, onDisk, folder, data, settings.Default())
	defer w.Close(context.Background())
	other := open(t, onDisk, folder, data, settings.Default())
	defer other.Close(context.Background())
	observe := func(body any) error {
		_, err := w.Observe(context.Background(), event.Event{Session: "one", Worktree: folder, Body: body})
		return err
	}
	on(w, func() { _ = observe(event.FileTouched{Path: "a.go", Action: event.Read}) }) // the session begins
	var receipts []longterm.Receipt
	var addErr, observeErr error
	on(w, func() { // it follows no notices meanwhile
		receipts, addErr = tryAdd(other, longterm.Addition{Text: "The package has one letter", Files: []string{"a.go"}})
		observeErr = observe(event.FileRenamed{From: "a.go", To: "b.go"})
	})
	require.NoError(t, errors.Join(addErr, observeErr))
	entry, found := memory.RoomOf[*longterm.Room](w).Get(receipts[0].ID)
	require.True(t, found)
	require.Equal(t, []string{"b.go"}, entry.Files)
}

func TestAProcessThatHasMissedChangesLoadsTheState(t *testing.T) {
	engine := inmemory.New()
	for name, storage := range map[string]memory.Storage{
		"sqlite": onDisk, "inmemory": memory.StorageOf(engine.Open, engine.SetAside),
	} {
		t.Run(name, func(t *testing.T) {
			folder, data, set := t.TempDir(), t.TempDir(), settings.Default()
			set.Log.MaxChanges = 100
			stopped := open(t, storage, folder, data, set)
			defer stopped.Close(context.Background())
			observe(t, stopped, "gone", event.MessageReceived{Role: "user", Text: "hello"})
			other := open(t, storage, folder, data, set)
			defer other.Close(context.Background())
			resume := make(chan struct{})
			stopped.Do(func() { <-resume })
			receipt := add(t, other, longterm.Addition{Text: "The other process keeps a rule in mind"})
			observe(t, other, "gone", event.SessionDeleted{})
			for i := range 300 {
				observe(t, other, "s", event.FileTouched{Path: fmt.Sprintf("f%d.go", i), Action: event.Edit})
			}
			on(other, func() { memory.Flush(other) })
			require.Eventually(t, func() bool {
				length, err := other.LogLength(context.Background())
				return err == nil && length <= 100
			}, patience, tick)
			close(resume)
			settle(stopped)
			_, found := memory.RoomOf[*longterm.Room](stopped).Get(receipt.ID)
			require.True(t, found)
			require.Error(t, stopped.Sessions().NotDeleted("gone"))
			require.Len(t, memory.RoomOf[*hot.Room](stopped).Files("s", stopped.Root(), 0),
				len(memory.RoomOf[*hot.Room](other).Files("s", other.Root(), 0)))
		})
	}
}
