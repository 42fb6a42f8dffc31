package service

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store/sqlite"
	"github.com/wm-lsp/wm-lsp/memory/working"
)

var update = flag.Bool("update", false, "rewrite testdata/panel.json")

const panelPath = "testdata/panel.json"

// TestMain sets the time zone of the panel before any goroutine asks for the time.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// TestTheWholePanelIsAsItWas compares the panels of several readers, with the details of each
// item, to testdata.
func TestTheWholePanelIsAsItWas(t *testing.T) {
	d := newDesk(t)
	shown := map[string]any{"before anything happened": d.shown(panelReader{session: "editor"})}
	d.work()
	shown["to an editor"] = d.shown(panelReader{session: "editor"})
	shown["to the agent"] = d.shown(panelReader{session: "agent"}, "files", "core", "working", "sessions", "budget")
	shown["of the agent that was named"] = d.shown(panelReader{session: "agent", named: true}, "core", "notes")
	d.apply("", d.w.Sessions().Pause(d.now().Add(time.Hour)))
	shown["paused, some sections"] = d.shown(panelReader{session: "editor"}, "budget", "sessions")

	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	require.NoError(t, encoder.Encode(shown))
	got := strings.NewReplacer(
		string(uri.File(d.w.Root())), "file:///root", string(uri.File(d.w.Dir())), "file:///memory",
	).Replace(text.String())
	if *update {
		require.NoError(t, os.WriteFile(panelPath, []byte(got), 0o644))
	}
	want, err := os.ReadFile(panelPath)
	require.NoError(t, err)
	assert.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), got)
}

// A desk is a workspace with a clock that is advanced by the test.
type desk struct {
	t       *testing.T
	w       *memory.Workspace
	minutes atomic.Int64
}

func (d *desk) now() time.Time {
	return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC).Add(time.Duration(d.minutes.Load()) * time.Minute)
}

func newDesk(t *testing.T, more ...room.Room) *desk {
	place, err := scope.Locate(t.TempDir(), "git")
	require.NoError(t, err)
	s := settings.Default()
	s.Memory.Types = []string{"glossary"}
	s.Working.Slots = []settings.Slot{{Name: "question", Max: 3}}
	d := &desk{t: t}
	var makers []room.Maker
	for _, each := range more {
		makers = append(makers, func(room.Env) room.Room { return each })
	}
	ids := 0
	d.w = memory.Open(place, memory.Options{
		Storage: memory.StorageOf(sqlite.Open, sqlite.SetAside),
		DataDir: t.TempDir(), Log: slog.New(slog.DiscardHandler), Settings: func() *settings.Settings { return s },
		Now:   d.now,
		Rooms: makers,
		NewID: func() string { ids++; return fmt.Sprintf("id%d", ids) },
	})
	t.Cleanup(func() { d.w.Close(context.Background()) })
	return d
}

// do runs a task on the queue, a minute after the previous one.
func (d *desk) do(task func()) {
	d.minutes.Add(1)
	done := make(chan struct{})
	require.True(d.t, d.w.Do(func() { defer close(done); task() }))
	<-done
}

func (d *desk) event(session string, body any) event.Event {
	return event.Event{At: d.now(), Session: session, Agent: session, Worktree: d.w.Root(), Body: body}
}

func (d *desk) tell(session string, body any) {
	d.do(func() {
		_, err := d.w.Observe(context.Background(), d.event(session, body))
		require.NoError(d.t, err)
	})
}

func (d *desk) apply(session string, changes []change.Change) {
	d.decide(session, func() ([]change.Change, error) { return changes, nil })
}

func (d *desk) decide(session string, decide func() ([]change.Change, error)) {
	d.do(func() {
		_, err := d.w.Apply(context.Background(), change.Actor{Session: session, At: d.now()}, decide)
		require.NoError(d.t, err)
	})
}

func (d *desk) remember(in longterm.Addition) {
	d.decide("editor", func() ([]change.Change, error) { return memory.RoomOf[*longterm.Room](d.w).Add(in) })
}

// work fills every section.
func (d *desk) work() {
	d.tell("editor", event.SessionStarted{Title: "The\neditor", Explicit: true})
	d.tell("old", event.SessionStarted{Explicit: true})
	d.tell("agent", event.SessionStarted{Explicit: true})
	for _, name := range []string{"a.go", "b.go"} {
		require.NoError(d.t, os.WriteFile(filepath.Join(d.w.Root(), name), nil, 0o600))
	}
	d.entries()
	d.hotState()
	d.ownMemory("agent")
	d.do(func() { require.NoError(d.t, d.w.EndSession(context.Background(), d.event("old", nil))) })
}

func (d *desk) entries() {
	d.remember(
		longterm.Addition{Text: "Prices are cents,\nnot *floats* <b>", Type: "decision", Files: []string{"a.go"}})
	d.remember(longterm.Addition{Text: "Run the tests with the race detector", Type: "feedback", Pinned: true,
		Rationale: "a race was *missed*", Session: "agent", Agent: "coder"})
	d.remember(longterm.Addition{Text: "A cart is what a customer has not paid for yet", Type: "glossary"})
	d.remember(longterm.Addition{Text: "The legacy importer lives in gone.go and here.go",
		Files: []string{"gone.go", "b.go"}})
	d.remember(longterm.Addition{Text: "The legacy importer lives in gone.go and here.go"})
	d.remember(longterm.Addition{Text: "Docs are at https://example.org/docs", Type: "reference"})
	d.remember(longterm.Addition{Text: "Use PostgreSQL for the orders table", Type: "decision",
		Source: longterm.Compaction, Session: "agent", Agent: "coder"})
	d.tell("agent", event.MessageReceived{Role: "user", Text: "no, we never use *floats* for prices here"})
	d.tell("editor", event.FileDeleted{Path: "gone.go"})
	for _, entry := range memory.RoomOf[*longterm.Room](d.w).List([]string{"reference"}, false) {
		d.decide("editor",
			func() ([]change.Change, error) { return memory.RoomOf[*longterm.Room](d.w).Remove(entry.ID) })
	}
}

func (d *desk) hotState() {
	d.tell("editor", event.FileTouched{Path: "a.go", Action: event.Edit})
	d.tell("agent", event.FileTouched{Path: "b.go", Action: event.Read})
	d.tell("agent", event.FileTouched{Path: "b.go", Action: event.Grep})
	d.tell("editor", event.Diagnostics{Path: "b.go", Items: []event.Diagnostic{
		{Severity: 1, Line: 3, Source: "gopls", Code: "X", Message: "undefined: *Cart*"},
	}})
	var output strings.Builder
	for i := range 7 {
		fmt.Fprintf(&output, "--- FAIL: TestNumber%d (0.00s)\n    a_test.go:%d: wrong answer\n", i, i+1)
	}
	one, none := 1, 0
	d.tell("agent", event.ToolRan{
		Tool: "bash", Input: []byte(`{"command": "go test ./..."}`), ExitCode: &one, Output: output.String() + "FAIL\n",
	})
	d.tell("agent", event.ToolRan{
		Tool: "bash", Input: []byte(`{"command": "go test ./pay | tail -5"}`), ExitCode: &none,
		Output: "--- FAIL: TestTotal (0.00s)\n    pay_test.go:3: wrong answer\nFAIL\nFAIL\tshop\t0.1s\n",
	})
	d.apply("editor", []change.Change{change.New(hot.ErrorsUnverified, "editor", struct{}{})})
	d.tell("editor", event.FileTouched{Path: "b.go", Action: event.Edit})
}

func (d *desk) ownMemory(session string) {
	for _, block := range [][2]string{{"goal", "Ship the *cart*"}, {"progress", "The parser\nstands."}} {
		d.decide(session, func() ([]change.Change, error) {
			return memory.RoomOf[*core.Room](d.w).Update(session, block[0], core.Replace, block[1], "")
		})
	}
	d.tell(session, event.MessageReceived{Role: "user", Text: "Decision: we use PostgreSQL.\nTODO: call the bank"})
	d.tell(session, event.ToolRan{Tool: "read", Input: []byte(`{"file_path": "a.go"}`), Output: "package a"})
	for _, item := range [][2]string{{"question", "Who pays?"}, {"", "The bank is closed on Sunday"}} {
		d.decide(session, func() ([]change.Change, error) {
			return memory.RoomOf[*working.Room](d.w).Add(session, item[0], item[1])
		})
	}
	d.tell(session, event.UsageReported{Used: 720, Limit: 1000, Unit: "tokens"})
	ctx := context.Background()
	for _, note := range [][2]string{
		{"overview.md", "# The cart\n"},
		{"detail/plan.md", "# Plan\n\n" + strings.Repeat("Then *more*. ", 400)},
		{"detail/old.md", "# Old\n"},
	} {
		d.do(func() {
			_, err := memory.ServiceOf[*notes.Service](
				d.w).Write(ctx, d.event(session, event.Written{Own: true}), note[0], note[1], "")
			require.NoError(d.t, err)
		})
	}
	d.do(func() {
		_, err := memory.ServiceOf[*notes.Service](
			d.w).Archive(ctx, d.event(session, event.Written{Own: true}), "detail/old.md", "")
		require.NoError(d.t, err)
	})
}

// A whole is a panel with the details of its items.
type whole struct {
	Agent string            `json:"agent"`
	Panel any               `json:"panel"`
	Texts map[string]string `json:"texts"`
}

func (d *desk) shown(r panelReader, only ...string) whole {
	r.workspace, r.worktree = d.w, d.w.Root()
	built := r.build(only)
	texts := map[string]string{}
	data, err := json.Marshal(built)
	require.NoError(d.t, err)
	for _, id := range idsIn(data) {
		if text, there := r.markdown(id); there {
			texts[id] = text
		}
	}
	return whole{r.shown(), built, texts}
}

// idsIn returns the ids of all items of a panel.
func idsIn(data []byte) (ids []string) {
	for _, part := range strings.Split(string(data), `"id":`)[1:] {
		var id string
		if json.NewDecoder(strings.NewReader(part)).Decode(&id) == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

func TestAnAgentsRowSaysWhoItIsAndWhatItIsAt(t *testing.T) {
	d := newDesk(t)
	rows := func() (rows []string) {
		section := panelReader{session: "editor", own: "editor", workspace: d.w}.build([]string{"sessions"}).Sections[0]
		for _, item := range section.Items {
			rows = append(rows, item.Label+"|"+item.Detail)
		}
		return rows
	}
	d.tell("editor", event.SessionStarted{Explicit: true})
	d.tell("claude", event.SessionStarted{Explicit: true, Title: "the cart"})
	d.decide("claude", func() ([]change.Change, error) {
		return memory.RoomOf[*core.Room](d.w).Update("claude", "goal", core.Operation("replace"), "Total adds up", "")
	})
	d.tell("claude", event.UsageReported{Used: 74, Limit: 100, Unit: "tokens"})
	assert.Equal(t, []string{
		"the cart|claude · since 09:02 · context 74 % · Total adds up", "editor|you, since 09:01",
	}, rows())
}

func TestOnlyTheLastSessionsThatEndedAreListed(t *testing.T) {
	d := newDesk(t)
	for _, session := range []string{"a", "b", "c", "d", "e"} {
		d.tell(session, event.SessionStarted{Explicit: true})
		d.tell(session, event.SessionEnded{})
	}
	items := panelReader{session: "editor", own: "editor", workspace: d.w}.build([]string{"sessions"}).Sections[0].Items
	require.Len(t, items, 4)
	assert.Equal(t, []string{"e", "2 ended before"}, []string{items[0].Label, items[3].Label})
	assert.Len(t, items[3].Children, 2)
}
