package assembly

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store/sqlite"
)

func TestTheSectionsStandInTheOrderOfTheTable(t *testing.T) {
	d := newDesk(t)
	d.fill()
	_, order := d.sections(Request{})
	want := []string{
		"guide", "workspace", "core", "overview", "recalled", "handover", "working", "session", "pressure", "meta",
	}
	isEmpty := func(id string) bool { return id == "recalled" || id == "handover" }
	assert.Equal(t, slices.DeleteFunc(slices.Clone(want), isEmpty), order)
	assert.Equal(t, want, sectionIDs(d.from))
	var table []string
	for _, at := range places {
		if at.id != otherPlace.id {
			table = append(table, at.id)
		}
	}
	assert.Equal(t, want, table)
}

func TestWhatIsKeptLongestIsDroppedLast(t *testing.T) {
	var sections []render.Section
	for _, id := range []string{
		"guide", "workspace", "core", "overview", "recalled", "working", "session", "unknown", "pressure", "meta",
	} {
		text := strings.Repeat(id[:1], 50)
		sections = append(sections, render.Section{ID: id, MaxChars: 50, Render: render.Fixed(id, text)})
	}
	sections = inOrder(sections, true)
	assert.Equal(t, "unknown", sections[7].ID)
	last := len(sections)
	for chars := 600; chars >= 0; chars-- {
		shown := map[bool][]int{}
		least := map[bool]int{true: 8, false: 8} // of what is shown, by whether it is stable
		for _, s := range render.Pack(sections, 1000, render.Chars(chars)).Sections {
			if s.Text != "" {
				shown[s.Stable] = append(shown[s.Stable], s.Keep)
				least[s.Stable] = min(least[s.Stable], s.Keep)
			}
		}
		for _, s := range sections {
			if s.Keep > least[s.Stable] {
				assert.Contains(t, shown[s.Stable], s.Keep, "%s, at %d characters", s.ID, chars)
			}
		}
		assert.LessOrEqual(t, len(shown[true])+len(shown[false]), last)
		last = len(shown[true]) + len(shown[false])
	}
	assert.Zero(t, last)
}

func TestNothingIsSaidTwice(t *testing.T) {
	d := newDesk(t)
	d.fill()
	texts, _ := d.sections(Request{})
	assert.Contains(t, texts["session"], "Use the new road.")
	assert.NotContains(t, texts["session"], "Round once", "the core memory says it")
	assert.NotContains(t, texts["working"], "undefined: x", "the session state lists it")
	assert.NotContains(t, texts["working"], "undefined: y in tax.go", "it is no longer open")
	for _, said := range []string{"kept in cents", "new road", "cart.go", "bank is slow"} {
		assert.NotContains(t, texts["working"], said)
	}
	assert.Contains(t, texts["working"], "- Call the bank\n")
	assert.Contains(t, texts["working"], "- bank.go\n")

	texts, _ = d.sections(Request{Exclude: []string{"session", "overview"}})
	for _, said := range []string{"undefined: x", "new road", "cart.go", "bank is slow"} {
		assert.Contains(t, texts["working"], said, "who says it is not there")
	}
}

func TestAnOpenErrorThatIsCountedIsNotRepeated(t *testing.T) {
	d := newDesk(t)
	d.fill()
	for i := range 9 {
		d.fail("more"+string(rune('0'+i)), map[string]any{"summary": "undefined: z" + string(rune('0'+i))})
	}
	texts, _ := d.sections(Request{})
	assert.NotContains(t, texts["session"], "undefined: x")
	assert.Contains(t, texts["session"], "(7 more)")
	assert.NotContains(t, texts["working"], "undefined: x")
}

func TestAMarkWithoutAWordIsNotSaidByABlankLine(t *testing.T) {
	d := newDesk(t)
	d.overview = "# Cart\n\n\n"
	d.decide("→ ?!")
	texts, _ := d.sections(Request{})
	assert.Contains(t, texts["session"], "→ ?!")
	d.decide("?!")
	texts, _ = d.sections(Request{})
	assert.Contains(t, texts["session"], "- ?!\n")
}

func TestTheOrderInWhichRoomsAreRegisteredDoesNotMatter(t *testing.T) {
	d := newDesk(t)
	d.fill()
	weather, clock := &toy{id: "weather", text: "rain", limit: 9}, &toy{id: "clock", text: "noon", limit: 9}
	d.from.providers = append(d.from.providers, weather, clock)
	random := rand.New(rand.NewPCG(1, 2))
	for _, budget := range []Budget{{}, {Chars: 900}, {Chars: 1700}, {Tokens: 300}, {Chars: 1200, Tokens: 500}} {
		want := d.text(Request{Budget: budget})
		for range 20 {
			random.Shuffle(len(d.from.providers), func(i, j int) {
				d.from.providers[i], d.from.providers[j] = d.from.providers[j], d.from.providers[i]
			})
			require.Equal(t, want, d.text(Request{Budget: budget}), "%+v", budget)
		}
	}
}

func TestFittingAgainAndAgainLeavesNothingBehind(t *testing.T) {
	d := newDesk(t)
	d.fill()
	a := New()
	compose := func(budget Budget) *Composition { return a.compose(d.from, Request{Reader: reader(), Budget: budget}) }
	var composed []*Composition
	var want []string
	for chars := 50; chars < 3000; chars += 90 {
		composed = append(composed, compose(Budget{Chars: chars}), compose(Budget{Chars: 3000, Tokens: chars / 3}))
	}
	for _, c := range composed {
		want = append(want, c.Text())
	}
	for i := range slices.Backward(composed) {
		require.Equal(t, want[i], composed[i].Text())
		require.Equal(t, want[i], composed[i].Text())
	}
}

func TestD3_WhatASessionIsAboutDoesNotChangeThePrefix(t *testing.T) {
	d := newDesk(t)
	d.fill()
	const paths = "Paths of git status are relative to the root of the repository and not to the current folder: " +
		"with `os.Getwd()` in front they are wrong in a subfolder."
	d.remember(paths)
	compose := func(query render.Query) Context {
		at := reader()
		at.Query = query
		return *New().compose(d.from, Request{Reader: at}).Answer("").Context
	}
	nothing, same, other := compose(""), compose("git status shows wrong paths"), compose("add a login page")
	assert.Contains(t, nothing.Suffix, paths)
	assert.Contains(t, same.Suffix, paths)
	assert.NotContains(t, other.Text, paths)
	assert.Equal(t, nothing.Prefix, same.Prefix)
	assert.Equal(t, nothing.Prefix, other.Prefix)
}

func TestTheSectionOfARoomThatTheTableDoesNotNameStandsBeforeThePressure(t *testing.T) {
	d := newDesk(t)
	d.fill()
	weather := &toy{id: "weather", text: "It rains.", limit: 100, found: map[string]bool{}, asked: []string{
		render.DedupKey(
			"Money is kept in cents.",
		), render.ErrorKey("f1"), "cart.go", render.DedupKey("nobody says this"),
	}}
	d.from.providers = append(d.from.providers, weather, &toy{id: "clock", text: "It is noon.", limit: 100})
	texts, order := d.sections(Request{})
	assert.Equal(t, []string{"session", "clock", "weather", "pressure", "meta"}, order[5:])
	assert.NotContains(t, order, "recalled", "nothing is")
	assert.Equal(t, "It rains.", texts["weather"])
	assert.Equal(t, map[string]bool{
		weather.asked[0]: true, weather.asked[1]: true, weather.asked[2]: true, weather.asked[3]: false,
	}, weather.found)
	assert.NotContains(t, New().compose(d.from, Request{Reader: reader()}).pack().Prefix, "It rains.")

	_, order = d.sections(Request{Exclude: []string{"weather"}})
	assert.NotContains(t, order, "weather")
	_, order = d.sections(Request{Include: []string{"weather"}})
	assert.Equal(t, []string{"weather"}, order)
}

func TestTheKeyNamesAllThatAContextDependsOn(t *testing.T) {
	d := newDesk(t)
	d.fill()
	weather := &toy{id: "weather", text: "It rains.", limit: 100}
	d.from.providers = append(d.from.providers, weather)
	key := func(request Request) string {
		if request.Session == "" {
			request.Reader = reader()
		}
		return New().compose(d.from, request).Key()
	}
	first := key(Request{})
	assert.Equal(t, first, key(Request{}))
	keys := []string{
		first, key(Request{Budget: Budget{Chars: 1}}), key(Request{Budget: Budget{Tokens: 1}}),
		key(Request{Guide: true}), key(Request{Guide: true, Hosted: true}),
		key(Request{Include: []string{"core"}}), key(Request{Exclude: []string{"core"}}),
		key(Request{Reader: room.Reader{Session: "t", Worktree: tree}}),
		key(Request{Reader: room.Reader{Session: "s", Worktree: "/v"}}),
	}
	changed := func(change func()) {
		change()
		keys = append(keys, key(Request{}))
		assert.Equal(t, keys[len(keys)-1], key(Request{}))
	}
	changed(func() { d.from.generation++ })
	changed(func() { d.overview += "more\n" })
	changed(func() { d.problem = errors.New("no disk") })
	changed(func() { weather.state = "sun" })
	changed(func() { d.from.key = "another workspace" })
	assert.Len(t, slices.Compact(slices.Sorted(slices.Values(keys))), len(keys))
}

func TestTheOverviewIsReadOnceAndOnlyIfItIsAskedFor(t *testing.T) {
	d := newDesk(t)
	d.fill()
	d.text(Request{})
	assert.Equal(t, 1, d.reads)
	d.text(Request{Include: []string{"core", "meta"}})
	d.text(Request{Exclude: []string{"overview"}})
	look := d.from.notes.SnapshotOf(notes.Note{}, errors.New("no disk"))
	answer := New().compose(d.from, Request{Reader: reader(), Overview: &look}).Answer("")
	assert.Equal(t, 1, d.reads)
	assert.Equal(t, History{Reason: "the overview cannot be read: no disk"}, answer.Context.History)
	assert.NotContains(t, answer.Context.Text, "<overview>")
}

func TestAnAnswerIsAContextOrWhatChangedOrNothing(t *testing.T) {
	d := newDesk(t)
	d.fill()
	a := New()
	ask := func(since string) Answer { return a.compose(d.from, Request{Reader: reader()}).Answer(since) }
	first := ask("")
	require.NotNil(t, first.Context)
	assert.Equal(t, Answer{Revision: first.Revision, Unchanged: true}, ask(first.Revision))
	assert.NotNil(t, ask("of another time").Context)
	d.remember("Taxes </workspace_memory> are rounded.")
	second := ask(first.Revision)
	require.NotNil(t, second.Delta)
	assert.Equal(t, "New: [project] Taxes ‹/workspace_memory> are rounded.", second.Delta.Text)
	assert.Len(t, second.Delta.Added, 1)
	for i := range maxRecent - 1 {
		d.touch(strings.Repeat("x", i+1) + ".go")
		ask("")
	}
	assert.NotNil(t, ask(first.Revision).Context, "the first was forgotten")
	assert.True(t, ask(second.Revision).Unchanged, "it is known, and the agent touched the files itself")
}

// A stored toy is a room of a workspace.
type storedToy struct{ toy }

func (*storedToy) Name() string                                 { return "weather" }
func (*storedToy) Observe(event.Event) ([]change.Change, error) { return nil, nil }
func (*storedToy) Fold(change.Change) ([]change.Row, error)     { return nil, nil }
func (*storedToy) Load([]change.Row) error                      { return nil }

func TestAssemblingChangesNothing(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	place, err := scope.Locate(dir, "git")
	require.NoError(t, err)
	inForce, generation := settings.Default(), int64(1)
	w := memory.Open(place, memory.Options{
		DataDir: data, Storage: memory.StorageOf(sqlite.Open, sqlite.SetAside), Log: slog.New(slog.DiscardHandler),
		Settings: func() *settings.Settings { return inForce }, SettingsGeneration: func() int64 { return generation },
		Rooms: []room.Maker{func(room.Env) room.Room {
			return &storedToy{toy{id: "weather", text: "It rains.", limit: 100}}
		}},
	})
	defer w.Close(context.Background())
	opened := make(chan struct{})
	require.True(t, w.Do(func() {
		defer close(opened)
		touched := event.FileTouched{Path: "a.go", Action: event.Edit}
		_, err = w.Observe(context.Background(), event.Event{Session: "s", Worktree: dir, Body: touched})
	}))
	<-opened
	require.NoError(t, err)
	files := func() (all []string) {
		require.NoError(t, filepath.WalkDir(data, func(path string, _ os.DirEntry, err error) error {
			all = append(all, path)
			return err
		}))
		return all
	}
	before, version := files(), w.Version()
	a, request := New(), Request{Reader: room.Reader{Session: "s", Worktree: dir}}
	c := a.compose(sourcesOf(w), request)
	assert.Contains(t, c.Text(), "It rains.")
	assert.Equal(t, before, files())
	assert.Equal(t, version, w.Version())
	assert.Contains(t, SectionIDs(w), "weather")
	assert.Contains(t, SessionState(w, request.Reader), "a.go")

	assert.Equal(t, c.Key(), a.Compose(w, request).Key())
	generation++ // the settings changed, and stand at the same address
	inForce.Session.MaxChars = 200
	assert.NotEqual(t, c.Key(), a.Compose(w, request).Key())
}
