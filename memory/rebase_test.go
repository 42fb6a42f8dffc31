package memory_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/hot"
)

func TestWhatWaitsToBeWrittenFollowsARenamingByAnotherProcess(t *testing.T) {
	w := newMemoryWorld(t)
	agent, editor := w.open(), w.open()
	observe := func(at *memory.Workspace, session string, body any) {
		ev := event.Event{Session: session, Agent: session, Worktree: w.folder, Body: body}
		_, err := at.Observe(context.Background(), ev)
		assert.NoError(t, err)
	}
	on(agent, func() {
		observe(agent, "agent", event.FileTouched{Path: "a.go", Action: event.Read})
		memory.Flush(agent)
	})
	on(editor, func() { memory.Refresh(editor) })
	on(agent, func() { // these wait, because something was written just before
		observe(agent, "agent", event.FileTouched{Path: "a.go", Action: event.Edit})
		observe(agent, "agent", event.Diagnostics{Path: "a.go", Items: []event.Diagnostic{
			{Severity: 1, Line: 3, Source: "compiler", Message: "undefined: x"},
		}})
		on(editor, func() {
			observe(editor, "editor", event.FileRenamed{From: "a.go", To: "b.go"})
			memory.Flush(editor)
		})
		memory.Refresh(agent)
		memory.Flush(agent)
	})
	on(editor, func() { memory.Refresh(editor) })
	for _, at := range []*memory.Workspace{agent, editor} {
		state := memory.RoomOf[*hot.Room](at)
		found := state.Errors("agent", w.folder)
		require.Len(t, found, 1)
		assert.Equal(t, "b.go", found[0].Path)
		files := state.Files("agent", w.folder, 0)
		require.Len(t, files, 1)
		assert.Equal(t, "b.go", files[0].Path)
		assert.Equal(t, 2, files[0].Count)
	}
}

func TestB13_TodosThatTwoProcessesReportAtTheSameTimeAreAllOnTheList(t *testing.T) {
	w := newMemoryWorld(t)
	first, second := w.open(), w.open()
	report := func(at *memory.Workspace, todo event.Todo) {
		ev := event.Event{Session: "agent", Agent: "agent", Worktree: w.folder, Attached: true,
			Body: event.TodosChanged{Todos: []event.Todo{todo}, Partial: true}}
		_, err := at.Observe(context.Background(), ev)
		assert.NoError(t, err)
	}
	on(first, func() {
		report(first, event.Todo{ID: "1", Content: "parse", Status: "pending"})
		memory.Flush(first)
	})
	on(second, func() { memory.Refresh(second) })
	on(first, func() { // these wait, because something was written just before
		report(first, event.Todo{ID: "2", Content: "test", Status: "pending"})
		report(first, event.Todo{ID: "1", Status: "in_progress"})
		on(second, func() {
			report(second, event.Todo{ID: "3", Content: "ship", Status: "pending"})
			report(second, event.Todo{ID: "1", Content: "parse all"})
			memory.Flush(second)
		})
		memory.Refresh(first)
		memory.Flush(first)
	})
	on(second, func() { memory.Refresh(second) })
	want := []event.Todo{
		{ID: "1", Content: "parse all", Status: "in_progress"},
		{ID: "3", Content: "ship", Status: "pending"}, {ID: "2", Content: "test", Status: "pending"},
	}
	third := w.open() // reads the rows
	for _, at := range []*memory.Workspace{first, second, third} {
		assert.Equal(t, want, memory.RoomOf[*hot.Room](at).Todos("agent"))
	}
}
