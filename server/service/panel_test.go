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
	"unicode/utf8"

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
	"github.com/wm-lsp/wm-lsp/memory/panel"
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
	return whole{r.shown(r.left()), built, texts}
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

func TestTheHintsOfAnEmptyFolderFitInto300Pixels(t *testing.T) {
	const most = 34 // characters of the row of a hint, as VS Code shows it
	built := panelReader{session: "editor", own: "editor", workspace: newDesk(t).w}.build(nil)
	hints := 0
	for _, section := range built.Sections {
		if section.Show == panel.ShowAlways {
			hints++
			assert.Empty(t, section.Items)
			assert.LessOrEqual(t, utf8.RuneCountInString(section.Empty), most, section.Empty)
		}
	}
	assert.Equal(t, 4, hints)
}

func TestAnAgentsRowSaysWhoItIsAndWhatItIsAt(t *testing.T) {
	d := newDesk(t)
	row := func(item panel.Item) string {
		return item.Icon + "|" + item.Label + "|" + item.Detail + "|" + item.Aside
	}
	sessions := func() []panel.Item {
		reader := panelReader{session: "editor", own: "editor", workspace: d.w}
		return reader.build([]string{"sessions"}).Sections[0].Items
	}
	d.tell("editor", event.SessionStarted{Explicit: true})
	d.tell("claude", event.SessionStarted{Explicit: true, Title: "the cart"})
	d.decide("claude", func() ([]change.Change, error) {
		return memory.RoomOf[*core.Room](d.w).Update("claude", "goal", core.Operation("replace"), "Total adds up", "")
	})
	d.tell("claude", event.TodosChanged{Todos: []event.Todo{
		{Content: "read the test", Status: "completed"}, {Content: "mend the\nloop", Status: "in_progress"},
		{Content: "write a bench", Status: "cancelled"}, {Content: "run all tests", Status: "pending"},
	}})
	for used, severity := range map[int]int{10: 4, 74: 3, 90: 2, 99: 1} {
		d.tell("claude", event.UsageReported{Used: used, Limit: 100, Unit: "tokens"})
		claude := sessions()[0]
		assert.Equal(t, fmt.Sprintf("%d %%", used), claude.Aside)
		assert.Equal(t, severity, claude.AsideSeverity, used)
	}
	d.tell("claude", event.UsageReported{Used: 74, Limit: 100, Unit: "tokens"})
	var rows []string
	for _, item := range sessions() {
		rows = append(rows, row(item))
		for _, child := range item.Children {
			rows = append(rows, " "+row(child))
		}
	}
	assert.Equal(t, []string{
		"circle-filled|the cart|claude · since 09:02 · 2/4 done|74 %", " target|Total adds up||",
		" pass-filled|read the test||", " play-circle|mend the loop|under way|",
		" circle-slash|write a bench|cancelled|", " circle-large-outline|run all tests||",
		"circle-filled|editor|you, since 09:01|",
	}, rows)
}

func TestEveryRowOpensAPlaceOrDetailsOrWhatIsBelowIt(t *testing.T) {
	d := newDesk(t)
	d.work()
	d.tell("agent", event.TodosChanged{Todos: []event.Todo{{Content: "call the bank", Status: "pending"}}})
	d.tell("agent", event.UsageReported{
		Used: 800, Limit: 1000, Unit: "tokens", Split: event.Split{System: 100, Tools: 200, History: 300},
	})
	reader := panelReader{session: "editor", workspace: d.w, worktree: d.w.Root()}
	var check func(items []panel.Item)
	check = func(items []panel.Item) {
		for _, item := range items {
			text, there := reader.markdown(item.ID)
			assert.Equal(t, item.HasMarkdown, there, item.ID)
			assert.Equal(t, there, text != "", item.ID)
			assert.True(t, there || item.Location != nil || len(item.Children) > 0, item.ID)
			check(item.Children)
		}
	}
	for _, section := range reader.build(nil).Sections {
		check(section.Items)
	}
}

func TestWhatCannotBeTakenBackIsAskedForAndNothingElse(t *testing.T) {
	d := newDesk(t)
	d.work()
	var check func(items []panel.Item)
	check = func(items []panel.Item) {
		for _, item := range items {
			for _, action := range item.Actions {
				if action.Destructive {
					assert.True(t, action.Undo == nil && !action.Undoable, "%s of %s", action.Title, item.ID)
				}
			}
			check(item.Children)
		}
	}
	for _, section := range (panelReader{session: "editor", workspace: d.w}).build(nil).Sections {
		check(append(section.Items, panel.Item{ID: section.ID, Actions: section.Actions}))
	}
}

func TestAFolderInWhichNothingHappenedSaysWhatWillAppear(t *testing.T) {
	d := newDesk(t)
	hint := func() string { return panelReader{session: "editor", own: "editor", workspace: d.w}.build(nil).Hint }
	assert.Contains(t, hint(), "connect an agent")
	d.tell("editor", event.SessionStarted{Explicit: true})
	assert.NotEmpty(t, hint(), "the reader alone is nobody")
	d.tell("editor", event.FileTouched{Path: "cart.go", Action: event.Read})
	assert.NotEmpty(t, hint(), "a file that the reader opened is nothing yet")
	d.remember(longterm.Addition{Text: "Amounts are integers", Type: "decision"})
	assert.Empty(t, hint())
}

func TestWhatIsToReviewIsOneListAboveWhatIsKept(t *testing.T) {
	d := newDesk(t)
	d.remember(longterm.Addition{Text: "Rule that a person wrote", Type: "feedback", Pinned: true})
	for i := range 7 {
		d.remember(longterm.Addition{
			Text: fmt.Sprintf("Table number %d is kept in PostgreSQL", i), Type: "decision",
			Source: longterm.Compaction,
		})
	}
	built := panelReader{session: "editor", workspace: d.w}.build([]string{"memory"})
	section := built.Sections[0]
	assert.Equal(t, 7, built.Badge)
	assert.Equal(t, "7 to review, 8 of 28", section.Summary)
	require.Len(t, section.Items, 7)
	assert.Equal(t, "Table number 6 is kept in PostgreSQL", section.Items[0].Label)
	more := section.Items[5]
	assert.Equal(t, "2 more to review", more.Label)
	assert.Equal(t, "Rule that a person wrote", section.Items[6].Label)
	for _, item := range append(section.Items[:5:5], more.Children...) {
		inline := []string{}
		for _, action := range item.Actions {
			if action.Inline {
				inline = append(inline, action.Title)
			}
		}
		assert.Equal(t, []string{"Keep", "Drop"}, inline, item.Label)
	}
}

func TestTheBarOfProjectMemoryMeasuresWhatLimits(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want string
	}{
		"many entries":    {"Rule %d", "3 of 28 entries"},
		"long characters": {"Rule %d: " + strings.Repeat("all amounts are cents ", 30), "chars"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			for i := range 3 {
				d.remember(longterm.Addition{Text: fmt.Sprintf(test.text, i), Type: "decision"})
			}
			section := panelReader{session: "editor", workspace: d.w}.build([]string{"memory"}).Sections[0]
			assert.Contains(t, section.Summary, test.want)
			assert.Contains(t, section.Summary, fmt.Sprintf("%d of %d", section.Budget.Used, section.Budget.Max))
		})
	}
}

func TestAForgottenEntryCanBeRestoredAndErased(t *testing.T) {
	d := newDesk(t)
	d.remember(longterm.Addition{Text: "Rule of yesterday", Type: "decision"})
	memories := memory.RoomOf[*longterm.Room](d.w)
	d.decide("editor", func() ([]change.Change, error) { return memories.Remove(memories.List(nil, false)[0].ID) })
	items := panelReader{session: "editor", workspace: d.w}.build([]string{"memory"}).Sections[0].Items
	require.Len(t, items, 1)
	assert.Equal(t, "Forgotten 1", items[0].Label+" "+items[0].Detail)
	var titles []string
	for _, action := range items[0].Children[0].Actions {
		titles = append(titles, action.Title)
	}
	assert.Equal(t, []string{"Restore", "History", "Erase every trace"}, titles)
}

func TestOnlyTheLastSessionsThatEndedAndLeftSomethingAreListed(t *testing.T) {
	d := newDesk(t)
	for _, session := range []string{"a", "b", "c", "d", "an editor that was closed", "e", "another one"} {
		d.tell(session, event.SessionStarted{Explicit: true})
		if len(session) == 1 {
			d.tell(session, event.MessageReceived{Role: "user", Text: "Add up all amounts"})
		}
		d.tell(session, event.SessionEnded{})
	}
	items := panelReader{session: "editor", own: "editor", workspace: d.w}.build([]string{"sessions"}).Sections[0].Items
	var labels []string
	for _, item := range items {
		labels = append(labels, item.Label)
	}
	assert.Equal(t, []string{"e", "d", "c", "4 more ended"}, labels)
	assert.Len(t, items[3].Children, 4)
}
