package memory_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// What another process does is later than a change that is pending.
func TestAnErrorReportedJustBeforeAnotherProcessEndsItsSessionIsTheSameInBoth(t *testing.T) {
	w := newMemoryWorld(t)
	agent, editor := w.open(), w.open()
	observe := func(at *memory.Workspace, session string, body any) {
		ev := event.Event{Session: session, Agent: session, Worktree: w.folder, Body: body}
		_, err := at.Observe(context.Background(), ev)
		assert.NoError(t, err)
	}
	exit := 1
	on(editor, func() {
		observe(editor, "editor", event.FileTouched{Path: "a.go", Action: event.Read})
		memory.Flush(editor)
	})
	on(agent, func() { memory.Refresh(agent) })
	on(editor, func() { // these wait, because something was written just before
		observe(editor, "editor", event.Diagnostics{Path: "a.go", Items: []event.Diagnostic{
			{Severity: 1, Line: 3, Source: "compiler", Message: "undefined: x"},
		}})
		observe(editor, "editor", event.ToolRan{
			Tool: "bash", ExitCode: &exit, Cwd: w.folder, Input: json.RawMessage(`{"command":"go build ./..."}`),
			Output: "b.go:3:5: undefined: y\n",
		})
		on(agent, func() {
			assert.NoError(t, agent.EndSession(context.Background(), event.Event{Session: "editor"}))
		})
		memory.Refresh(editor)
		memory.Flush(editor)
	})
	on(agent, func() { memory.Refresh(agent) })
	for _, at := range []*memory.Workspace{agent, editor} {
		assert.False(t, at.Sessions().Live("editor"))
		found := memory.RoomOf[*hot.Room](at).Errors("editor", w.folder)
		require.Len(t, found, 1, "the one of the command stays, as it does when it is written before the end")
		assert.Equal(t, "b.go", found[0].Path)
	}
	assert.Equal(t, dump(memory.RoomOf[*hot.Room](agent)), dump(memory.RoomOf[*hot.Room](editor)))
}

// A canceller is a room that cancels a message while it is observed, as a client may do.
type canceller struct{ cancel *context.CancelFunc }

func (c canceller) Name() string                             { return "canceller" }
func (c canceller) Nouns() []room.Noun                       { return []room.Noun{{Name: "cancelled"}} }
func (c canceller) Load([]change.Row) error                  { return nil }
func (c canceller) Fold(change.Change) ([]change.Row, error) { return nil, nil }

func (c canceller) Observe(ev event.Event) ([]change.Change, error) {
	if _, is := ev.Body.(event.MessageReceived); !is {
		return nil, nil
	}
	(*c.cancel)()
	return []change.Change{change.New("cancelled.told", ev.Session, "durable")}, nil
}

func TestAMessageThatIsCancelledIsInTheConversationOnlyIfItIsRecorded(t *testing.T) {
	world := newMemoryWorld(t)
	world.settings.History.Keep = true
	var cancel context.CancelFunc
	w := world.open(func(room.Env) room.Room { return canceller{&cancel} })
	said := event.Event{Session: "s", Worktree: w.Root(), Body: event.MessageReceived{Role: "user", Text: "Go on"}}
	tell := func(ctx context.Context) (err error) {
		on(w, func() { _, err = w.Observe(ctx, said) })
		return err
	}
	messages := func() int {
		conversation, err := memory.ServiceOf[*history.Service](w).Of("s")
		require.NoError(t, err)
		return len(conversation.Messages)
	}
	var ctx context.Context
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	require.NoError(t, tell(ctx), "it was recorded before it was cancelled")
	assert.Equal(t, 1, messages())
	require.ErrorIs(t, tell(ctx), context.Canceled)
	assert.Equal(t, 1, messages())
	told, err := w.Trace(t.Context(), store.Filter{Kinds: []string{"cancelled"}})
	require.NoError(t, err)
	assert.Len(t, told, 1)
}

func TestWhatOneEventChangesHasOneTime(t *testing.T) {
	j, failed := newJumper(t), 1
	j.ticks = true
	w := j.open()
	changes := observe(t, w, "s", event.ToolRan{
		Tool: "bash", Input: []byte(`{"command":"go build ./..."}`), ExitCode: &failed,
		Output: "# example.org/a\na.go:2:3: undefined: y\na.go:1:2: undefined: x\n",
	})
	require.Greater(t, len(changes), 2)
	for _, c := range changes {
		assert.Equal(t, changes[0].At, c.At, "%s", c.Kind)
	}
	var lines []int
	for _, e := range memory.RoomOf[*hot.Room](w).Errors("s", w.Root()) {
		lines = append(lines, e.Line)
	}
	assert.Equal(t, []int{1, 2}, lines)
}
