package assembly

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/pressure"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/working"
)

// told returns what the reader of a context is told after a change.
func told(d *desk, change func()) string {
	a := New()
	compose := func() *Composition { return a.compose(d.from, Request{Reader: reader(), Guide: true}) }
	first := compose().Answer("")
	change()
	answer := compose().Answer(first.Revision)
	if answer.Delta == nil {
		require.True(d.t, answer.Unchanged)
		return ""
	}
	return answer.Delta.Text
}

// report folds a report of usage as the room observes it.
func (d *desk) report(used, limit int) {
	d.t.Helper()
	body := event.UsageReported{Used: used, Limit: limit, Unit: pressure.Tokens}
	changes, err := d.from.pressure.Observe(event.Event{Session: "s", Body: body})
	require.NoError(d.t, err)
	for _, c := range changes {
		c.At = d.at
		_, err := d.from.pressure.Fold(c)
		require.NoError(d.t, err)
	}
}

func TestAFullContextIsNotToldAfterTheCompactionUntilTheNextReport(t *testing.T) {
	d := newDesk(t)
	d.fill()
	text := func() string { return d.text(Request{Reader: reader(), Guide: true}) }
	d.report(960, 1000)
	assert.Contains(t, text(), "96 % of your context is used (critical)")
	assert.Contains(t, text(), `"tokens_percent":96`)
	d.fold(d.from.pressure, pressure.Outdated, "s", "", struct{}{})
	for _, part := range []string{"of your context is used", "tokens_percent", "compact now", "suggestions"} {
		assert.NotContains(t, text(), part)
	}
	assert.Contains(t, text(), "cart.go", "the rest is there")
	d.report(720, 1000)
	assert.Contains(t, text(), "72 % of your context is used (moderate)")
}

func TestADeltaSaysNothingOfWhatTheAgentKnows(t *testing.T) {
	for name, change := range map[string]func(d *desk){
		"it touched a file":                func(d *desk) { d.touch("new.go") },
		"it touched a file again":          func(d *desk) { d.touch("cart.go") },
		"a decision was taken in its turn": func(d *desk) { d.decide("Use the old road.") },
		"an error was reported again": func(d *desk) {
			d.fail("f1", map[string]any{"summary": "undefined: x", "path": "cart.go", "line": 7})
		},
		"something was extracted from its conversation": func(d *desk) {
			d.hold(working.Item{Content: "The bank closes at five", Source: "message:assistant"})
		},
		"the host reported more usage of the same level": func(d *desk) { d.report(810, 1000) },
		"a file left the list because others came": func(d *desk) {
			for i := range 9 {
				d.touch(strings.Repeat("x", i+1) + ".go")
			}
		},
	} {
		d := newDesk(t)
		d.fill()
		d.report(800, 1000)
		d.report(801, 1000)
		assert.Empty(t, told(d, func() { change(d) }), name)
	}
}

func TestADeltaTellsWhatTheAgentMustKnow(t *testing.T) {
	for name, c := range map[string]struct {
		change func(d *desk)
		want   string
	}{
		"an entry that somebody added": {
			func(d *desk) { d.remember("Taxes are rounded.") }, "New: [project] Taxes are rounded.",
		},
		"a note that somebody changed": {
			func(d *desk) { d.overview = "# Cart\n\n## Task\nShip it.\n\n## Known\nThe bank is fast.\n" },
			"Now: ## Known\nThe bank is fast.",
		},
		"a block": {func(d *desk) { d.block("goal", "Ship tomorrow.") }, "Now: core goal: Ship tomorrow."},
		"an error that opened": {
			func(d *desk) { d.fail("f3", map[string]any{"summary": "undefined: z", "path": "z.go", "line": 1}) },
			"New: [typecheck] z.go:1: undefined: z",
		},
		"an item that was added by hand": {
			func(d *desk) { d.hold(working.Item{Slot: working.Todos, Content: "Ask", Source: "manual"}) }, "New: Ask",
		},
		"a file that another touched": {
			func(d *desk) {
				touched := map[string]any{"worktree": tree, "action": event.Edit}
				d.fold(d.from.hot, hot.FileTouched, "other.go", "t", touched)
			},
			"New: other.go (edit, 1x) in an agent",
		},
	} {
		d := newDesk(t)
		d.fill()
		got := told(d, func() { c.change(d) })
		assert.Equal(t, c.want, got, name)
	}
}

func TestADeltaCountsTheOpenErrorsThatItDoesNotName(t *testing.T) {
	const files = "abcdefghijklmnopqrstuvwxyz"
	fails := func(d *desk, from, to int) {
		for _, f := range files[from:to] {
			d.fail(string(f), map[string]any{"summary": "undefined: x", "path": string(f) + ".go"})
		}
	}
	for name, c := range map[string]struct {
		before, after int
		want          string
	}{
		"all are named": {0, 2, "New: [typecheck] b.go: undefined: x\nNew: [typecheck] a.go: undefined: x"},
		"some are counted, behind the last that is named": {
			0, 26, "New: [typecheck] z.go: undefined: x\nNew: [typecheck] y.go: undefined: x\n" +
				"New: [typecheck] x.go: undefined: x\n(23 more open)",
		},
		"those that were open before count, too": {
			20, 21, "New: [typecheck] u.go: undefined: x\n(18 more open)",
		},
		"without a new one there is no count": {20, 20, ""},
	} {
		d := newDesk(t)
		d.remember("Money is kept in cents.")
		d.touch("a.go")
		fails(d, 0, c.before)
		got := told(d, func() { fails(d, c.before, c.after); d.touch("b.go") })
		assert.Equal(t, c.want, got, name)
	}
}

func TestOnlyWhatDoesNotHoldAnyMoreIsSaidNotToHold(t *testing.T) {
	d := newDesk(t)
	d.fill()
	for i := range 40 {
		d.settings.Memory.MaxChars = 300
		assert.NotContains(t, told(d, func() { d.remember("A rule of the number " + strings.Repeat("i", i+1) + ".") }),
			"No longer", "an entry for which there is no room still holds")
	}
	const gone = "No longer holds: [project] Money is kept in cents."
	for _, c := range []struct {
		kind   change.Kind
		status longterm.Status
		want   string
	}{
		{longterm.Removed, longterm.StatusRemoved, gone},
		{longterm.Superseded, longterm.StatusSuperseded, gone},
		{longterm.Evicted, longterm.StatusEvicted, ""}, // there is no room for it, but nobody took it back
	} {
		d = newDesk(t)
		d.remember("Money is kept in cents.")
		assert.Equal(t, c.want, told(d, func() { d.end(c.kind, c.status) }), c.kind)
	}
}

// end ends the only entry of the workspace memory.
func (d *desk) end(kind change.Kind, status longterm.Status) {
	d.t.Helper()
	entry := d.longterm.List(nil, true)[0]
	entry.Status = status
	d.fold(d.longterm, kind, entry.ID, "s", entry)
}

func TestAnEvictedEntryIsToldWhenItIsRemovedOrNotAtAll(t *testing.T) {
	for name, c := range map[string]struct {
		kind   change.Kind
		status longterm.Status
		want   string
	}{
		"restored": {longterm.Restored, longterm.StatusActive, ""},
		"removed":  {longterm.Removed, longterm.StatusRemoved, "No longer holds: [project] Money is kept in cents."},
	} {
		d := newDesk(t)
		d.remember("Money is kept in cents.")
		got := told(d, func() {
			d.end(longterm.Evicted, longterm.StatusEvicted)
			d.end(c.kind, c.status)
		})
		assert.Equal(t, c.want, got, name)
	}
}

func TestAnEntryThatASweepDeletedIsNotSaidNotToHold(t *testing.T) {
	d := newDesk(t)
	d.remember("Money is kept in cents.")
	assert.Equal(t, "No longer kept: [project] Money is kept in cents.", told(d, func() {
		d.end(longterm.Evicted, longterm.StatusEvicted)
		id := d.longterm.List(nil, true)[0].ID
		d.fold(d.longterm, longterm.Swept, id, "s", map[string]string{"id": id})
	}))
}

func TestAnErrorThatIsGoneSaysWhatItWentWith(t *testing.T) {
	closed := func(d *desk) {
		d.fold(d.from.hot, hot.ErrorClosed, "f1", "s", map[string]any{
			"worktree": tree, "origin": hot.FromCommand, "session": "s",
		})
	}
	d := newDesk(t)
	d.fill()
	assert.Equal(t, "No longer open: [typecheck] cart.go:3: undefined: x (fixed by the edit of cart.go)",
		told(d, func() { d.touch("cart.go"); closed(d) }))

	d = newDesk(t)
	d.fill()
	assert.Equal(t, "No longer open: [typecheck] cart.go:3: undefined: x (gone since the edit of bank.go)",
		told(d, func() { d.touch("bank.go"); closed(d) }))

	d = newDesk(t)
	d.fill()
	assert.Equal(t, "No longer open: [typecheck] cart.go:3: undefined: x (gone since the edit of bank.go, cart.go)",
		told(d, func() { d.touch("cart.go"); d.touch("bank.go"); closed(d) }),
		"which of the two changes fixed it is not known")

	d = newDesk(t)
	d.fill()
	assert.Equal(t, "No longer open: [typecheck] cart.go:3: undefined: x (no longer reported)",
		told(d, func() {
			read := map[string]any{"worktree": tree, "action": event.Read}
			d.fold(d.from.hot, hot.FileTouched, "cart.go", "s", read)
			closed(d)
		}), "the file was edited before the error was seen, and only read since")

	d = newDesk(t)
	d.fill()
	assert.Equal(t, "No longer open: [typecheck] cart.go:3: undefined: x (no longer reported)",
		told(d, func() { closed(d) }))
}

func TestADeltaIsOrderedByWeightAndSaysNothingTwice(t *testing.T) {
	d := newDesk(t)
	d.fill()
	d.report(100, 1000)
	got := told(d, func() {
		d.hold(working.Item{Slot: working.Todos, Content: "Taxes are rounded", Source: "manual"})
		d.remember("Taxes are rounded.")
		d.block("progress", "Half done.")
		d.fail("f3", map[string]any{"summary": "undefined: z", "path": "z.go"})
		d.report(860, 1000)
	})
	assert.Regexp(t, `^New: memory pressure is high\. .*core blocks.*resolved errors.*
New: \[typecheck\] z\.go: undefined: z
New: \[project\] Taxes are rounded\.
New: core progress: Half done\.
New: time to keep the decisions, the task .*$`, got)
	assert.NotRegexp(t, `\d+ ?%|860|1000`, got, "what the host reported is not told back")
	assert.NotContains(t, got, "guide")
}

func TestAfterACompactionTheWholeContextIsToldAgain(t *testing.T) {
	d := newDesk(t)
	d.fill()
	a := New()
	ask := func(since string) Answer {
		return a.compose(d.from, Request{Reader: reader(), Guide: true}).Answer(since)
	}
	first := ask("")
	assert.True(t, ask(first.Revision).Unchanged)
	d.fold(d.from.sessions, sessions.Started, "s", "s", map[string]any{"worktree": tree})
	d.fold(d.from.sessions, sessions.Compact, "s", "s", sessions.Compaction{By: "host"})
	again := ask(first.Revision)
	require.NotNil(t, again.Context)
	assert.Equal(t, first.Context.Text, again.Context.Text)
	assert.Contains(t, again.Context.Text, "<guide>")
	assert.True(t, ask(again.Revision).Unchanged)
	assert.True(t, New().compose(d.from, Request{Reader: reader(), Guide: true}).Answer(again.Revision).Unchanged,
		"also for another process")
}

func TestPressureAndMetaAreTheirTextOnlyWhenThereIsNews(t *testing.T) {
	d := newDesk(t)
	shows := func() bool {
		texts, _ := d.sections(Request{})
		assert.Equal(t, texts["pressure"] != "", texts["meta"] != "")
		return texts["meta"] != ""
	}
	for _, c := range []struct {
		used int
		want bool
	}{
		{100, false}, {150, false}, {200, true}, {210, false}, {400, true}, {450, false}, {300, true}, {310, false},
		{700, true}, {710, true}, {860, true}, {950, true}, {100, true}, {101, false},
	} {
		d.report(c.used, 1000)
		assert.Equal(t, c.want, shows(), "at %d", c.used)
	}
}

func TestNothingSaysABoundThatIsNotReached(t *testing.T) {
	d := newDesk(t)
	d.report(9499, 10000)
	texts, _ := d.sections(Request{})
	assert.NotContains(t, texts["pressure"]+texts["meta"], "95")
	assert.Contains(t, texts["pressure"], "94 % of your context is used (high)")
	assert.Contains(t, texts["meta"], `"tokens_percent":94`)
	for _, figure := range []string{"9499", "10000", "tokens_used", "tokens_max"} {
		assert.NotContains(t, texts["pressure"]+texts["meta"], figure, "the host reported it")
	}
}

func TestAnOverviewThatSaysNothingIsOneLine(t *testing.T) {
	d := newDesk(t)
	d.report(800, 1000)
	d.overview = "# Overview\n\n## Task\n<!-- What is asked for, in one or two lines. -->\n"
	texts, _ := d.sections(Request{})
	assert.Equal(t, "<overview>empty: working-memory/overview.md</overview>", texts["overview"])
	assert.NotContains(t, texts["meta"], "working_memory_size")
	assert.Contains(t, texts["meta"], "Bring /data/s/working-memory/overview.md up to date")
	d.overview += "\nShip it.\n\n## Decisions\n<!-- mine -->\n\n## Known\n- it is late\n"
	texts, _ = d.sections(Request{})
	assert.Equal(t, "<overview>\n## Task\n\nShip it.\n\n## Known\n- it is late\n</overview>", texts["overview"])
}

func TestAQueryMovesWhatItNamesToTheFrontOfItsList(t *testing.T) {
	d := newDesk(t)
	d.fill()
	for i := range 9 {
		d.touch(strings.Repeat("x", i+1) + ".go")
	}
	d.fail("f4", map[string]any{"summary": "undefined: w", "path": "w.go"})
	plain, _ := d.sections(Request{})
	assert.NotContains(t, plain["session"], "- tax.go")
	request := Request{}
	request.Query = "Please look at tax.go, and why the bank is slow in cart.go"
	texts, _ := d.sectionsOf(request)
	assert.Contains(t, texts["session"], "Active files:\n- tax.go")
	assert.Contains(t, texts["session"], "Open errors:\n- [typecheck] cart.go:3: undefined: x")
	for _, stable := range []string{"guide", "workspace", "core", "overview"} {
		assert.Equal(t, plain[stable], texts[stable])
	}
}

func TestAnIdleOverviewIsTold(t *testing.T) {
	d := newDesk(t)
	d.settings = settings.Default()
	d.fill()
	d.fold(d.from.sessions, sessions.Started, "s", "s", map[string]any{"worktree": tree})
	var c change.Change
	for _, c = range d.from.notes.Written("s", d.note(), 0) {
		c.At = d.at
		_, err := d.from.notes.Fold(c)
		require.NoError(t, err)
	}
	got := told(d, func() {
		for range 10 {
			d.fold(d.from.sessions, sessions.Turned, "s", "s", struct{}{})
		}
	})
	assert.Contains(t, got, "overview.md has not changed for 10 turns")
	assert.Empty(t, told(d, func() { d.fold(d.from.sessions, sessions.Turned, "s", "s", struct{}{}) }), "once")
}
