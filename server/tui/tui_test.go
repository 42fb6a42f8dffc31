package tui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// env returns a lookup of environment variables.
func env(variables ...string) func(string) string {
	return func(name string) string {
		for _, each := range variables {
			if value, is := strings.CutPrefix(each, name+"="); is {
				return value
			}
		}
		return ""
	}
}

// newScreen returns a model on a screen of a size that has received sections.
func newScreen(width, height int, sections ...panel.Section) *model {
	m := newModel(context.Background(), &memory{}, Options{Env: env(), Name: "cart"})
	m.update(tea.WindowSizeMsg{Width: width, Height: height})
	m.show(sections...)
	return m
}

// show makes the model receive sections.
func (m *model) show(sections ...panel.Section) {
	m.main.asked = true
	m.update(panelMsg{column: m.main, result: wire.PanelResult{Seq: time.Now().UnixNano(), Panel: &wire.Panel{
		Sections: sections,
	}}})
}

// seenText returns what is on the screen, without colours.
func (m *model) seenText() string { return ansi.Strip(m.View().Content) }

// keys presses keys; a string of several characters that names no key is typed.
func (m *model) keys(keys ...string) {
	named := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "down": {Code: tea.KeyDown},
		"up":  {Code: tea.KeyUp},
		"tab": {Code: tea.KeyTab}, "backspace": {Code: tea.KeyBackspace}, "left": {Code: tea.KeyLeft},
		"home": {Code: tea.KeyHome}, "alt+enter": {Code: tea.KeyEnter, Mod: tea.ModAlt},
		"ctrl+w": {Code: 'w', Mod: tea.ModCtrl},
	}
	for _, key := range keys {
		if press, is := named[key]; is {
			m.update(press)
			continue
		}
		for _, c := range key {
			m.update(tea.KeyPressMsg{Code: c, Text: string(c)})
		}
	}
}

// section returns a section with items that have these labels.
func section(id string, labels ...string) panel.Section {
	s := panel.Section{ID: id, Title: strings.ToUpper(id), Show: panel.ShowAlways, Empty: "Nothing is here."}
	for _, label := range labels {
		s.Items = append(s.Items, panel.Item{ID: id + ":" + label, Label: label, Actions: []panel.Action{}})
	}
	return s
}

// Whatever the texts and the size, the screen has as many lines as it is high, and none is wider.
func TestTheScreenIsNeverLeft(t *testing.T) {
	long := strings.Repeat("long words that go on ", 40)
	sections := []panel.Section{
		section("memory", "plain", long, "金額は整数です"+long, "👩‍👩‍👧 🇩🇪 é", "a\x1b[31mred\x1b[2J\x07\r\nb\tc", ""),
		section("files"), section(strings.Repeat("title ", 40), "x"),
	}
	sections[0].Summary, sections[0].Budget = long, &panel.Budget{Used: 900, Max: 5, Unit: panel.BudgetChars}
	sections[0].Items[1].Detail, sections[0].Items[2].Aside = long, long
	for _, size := range [][2]int{{1, 1}, {2, 3}, {10, 4}, {19, 5}, {40, 20}, {80, 24}, {131, 38}, {300, 90}} {
		m := newScreen(size[0], size[1], sections...)
		check := func(what string) {
			t.Helper()
			lines := strings.Split(m.View().Content, "\n")
			assert.Len(t, lines, size[1], "%v %s", size, what)
			for _, line := range lines {
				assert.LessOrEqual(t, ansi.StringWidthWc(line), size[0], "%v %s: %q", size, what, line)
				assert.NotContains(t, line, "\x1b[2J", what)
				assert.NotContains(t, line, "\a", what)
			}
		}
		check("the panel")
		for _, keys := range []string{"jjj", "K", "K", "G", "?", "q", "h", "q", "fplain", "\x00", "m", "/x"} {
			m.keys(keys)
			check(keys)
		}
	}
}

func TestATerminalWithoutUTF8GetsASCII(t *testing.T) {
	for _, each := range []struct {
		variables []string
		ascii     bool
	}{
		{nil, false},
		{[]string{"LANG=en_US.UTF-8"}, false},
		{[]string{"LANG=C.utf8"}, false},
		{[]string{"LANG=C"}, true},
		{[]string{"LC_ALL=de_DE.ISO-8859-1", "LANG=en_US.UTF-8"}, true},
		{[]string{"LC_CTYPE=en_US.UTF-8", "LANG=C"}, false},
	} {
		assert.Equal(t, each.ascii, asciiOnly(env(each.variables...)), each.variables)
	}
	m := newScreen(60, 12, section("memory", "Prices · 金額 – “cents” …"))
	m.look.ascii = true
	m.rebuild()
	text := m.seenText()
	assert.Contains(t, text, `Prices - ???? - "cents" ...`)
	for _, c := range text {
		assert.Less(t, c, rune(utf8.RuneSelf), text)
	}
}

func TestColoursAreThoseOfTheTerminal(t *testing.T) {
	for profile, want := range map[colorprofile.Profile]struct{ title, selected string }{
		colorprofile.TrueColor: {"38;2;122;162;247", "48;2;43;50;69"},
		colorprofile.ANSI256:   {"38;2;122;162;247", "48;5;237"}, // the renderer reduces the first
		colorprofile.ANSI:      {"34", "7"},
		colorprofile.ASCII:     {"1", "7"},
	} {
		l := look{profile: profile}
		assert.Contains(t, l.paint(roleTitle, "x", false), want.title, profile)
		assert.Contains(t, l.paint(roleLabel, "x", true), want.selected, profile)
		if profile <= colorprofile.ASCII {
			assert.NotContains(t, l.paint(roleError, "x", false), "3", "NO_COLOR")
		}
	}
	lit := look{profile: colorprofile.TrueColor, light: true}
	assert.Contains(t, lit.paint(roleTitle, "x", false), "38;2;36;80;164")
}

// contrast returns the contrast of two colours, see WCAG 2.
func contrast(a, b uint32) float64 {
	luminance := func(c uint32) float64 {
		sum := 0.0
		for i, weight := range []float64{0.0722, 0.7152, 0.2126} {
			v := float64(c>>(8*i)&0xff) / 255
			if v <= 0.03928 {
				v /= 12.92
			} else {
				v = math.Pow((v+0.055)/1.055, 2.4)
			}
			sum += weight * v
		}
		return sum
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestEveryColourCanBeRead(t *testing.T) {
	for name, each := range map[string]struct {
		palette    palette
		background uint32
	}{"dark": {dark, 0x1e1e1e}, "light": {light, 0xffffff}} {
		for as, hex := range each.palette.roles {
			if hex != 0 {
				assert.GreaterOrEqual(t, contrast(hex, each.background), 4.5, "%s %d", name, as)
			}
		}
	}
}

func TestWhatChangedSinceThePersonLookedIsMarked(t *testing.T) {
	m := newScreen(80, 24, section("memory", "one", "two"), section("files", "a.go"))
	assert.NotContains(t, m.seenText(), "changed")
	files := section("files", "a.go")
	files.Items[0].Detail = "edit, 2x · 3 min ago"
	m.show(section("memory", "two", "three"), files)
	text := m.seenText()
	assert.Contains(t, text, "3 changed (h)")
	assert.Contains(t, text, "+ • three")
	assert.Contains(t, text, "~ • a.go")
	m.keys("n")
	assert.Equal(t, "three", m.list().selected().item.Label)
	m.keys("h")
	text = m.seenText()
	for _, line := range []string{"+ three", "- one", "- a.go", "+ a.go  edit, 2x · 3 min ago"} {
		assert.Contains(t, text, line)
	}
	m.keys("h")
	assert.NotContains(t, m.seenText(), "changed")
	files.Items[0].Detail = "edit, 2x · 4 min ago"
	m.show(section("memory", "two", "three"), files)
	assert.NotContains(t, m.seenText(), "changed", "time alone is not a change")
	m.show(section("memory", "two"), files)
	assert.Contains(t, m.seenText(), "1 changed (h)")
	m.update(tea.BlurMsg{})
	assert.NotContains(t, m.seenText(), "changed", "it was on the screen when the person left")
	m.turns = make([]turn, 1)
	m.show(section("memory", "two", "own"), files)
	assert.NotContains(t, m.seenText(), "changed", "the person did it")
}

func TestTheCursorStaysOnItsItem(t *testing.T) {
	m := newScreen(60, 10, section("memory", "one", "two", "three"))
	m.keys("down", "down")
	require.Equal(t, "two", m.list().selected().item.Label)
	m.show(section("errors", "e"), section("memory", "zero", "one", "two", "three"))
	assert.Equal(t, "two", m.list().selected().item.Label)
	assert.Contains(t, m.seenText(), "two")
	m.show(section("memory", "one", "three"))
	assert.Equal(t, "three", m.list().selected().item.Label, "it is gone; the next one has its place")
	m.show(section("memory", "one", "three"), section("files", "a.go", "b.go", "c.go"))
	m.keys("down", "down", "down")
	require.Equal(t, "b.go", m.list().selected().item.Label)
	m.show(section("memory"), section("files", "a.go", "c.go"))
	assert.Equal(t, "c.go", m.list().selected().item.Label, "also if others above are gone")
	m.show(section("memory"), section("files", "a.go"))
	assert.Equal(t, "a.go", m.list().selected().item.Label, "the one before it if none is below")
}

func TestAFilterShowsItemsWithItsWordsWhileTheyAreTyped(t *testing.T) {
	parent := section("memory", "group")
	parent.Items[0].Children = []panel.Item{{ID: "c", Label: "Round once, on the TOTAL"}}
	m := newScreen(60, 20, parent, section("files", "a.go"))
	m.keys("f", "total ro")
	assert.Contains(t, m.seenText(), "Round once")
	assert.NotContains(t, m.seenText(), "a.go")
	m.keys("x")
	assert.Contains(t, m.seenText(), "No item has these words")
	m.keys("esc")
	assert.Contains(t, m.seenText(), "a.go", "Escape brings back what was before")
	m.keys("f", "a.g", "enter", "F")
	assert.Contains(t, m.seenText(), "Round once")
}

func TestActionsAskWhatThereIsToAsk(t *testing.T) {
	types := []panel.Choice{{Label: "Fact", Value: "project"}, {Label: "Decision", Value: "decision"}}
	s := section("memory", "one")
	s.Items[0].Actions = []panel.Action{
		{Title: "Forget", Key: "d", Method: "wm/none", Destructive: true},
		{Title: "Edit", Key: "e", Method: "wm/none", Params: map[string]any{"id": "7"}, Inputs: []panel.Input{
			{Param: "text", Prompt: "Text", Kind: panel.InputText, Multiline: true, Value: "one"},
			{Param: "type", Prompt: "Type", Kind: panel.InputChoice, Choices: types, Value: "project"},
		}},
	}
	m := newScreen(60, 20, s)
	m.keys("down", "d")
	assert.Contains(t, m.seenText(), "Forget “one”? This cannot be undone.")
	m.keys("down", "enter")
	assert.Empty(t, m.turns, "it was cancelled")
	m.keys("e")
	m.update(tea.PasteMsg{Content: " é\r\ntwo"})
	m.keys("alt+enter", "three", "enter")
	m.keys("d")
	assert.Equal(t, 1, m.prompt.chosen)
	command := m.answer()
	require.NotNil(t, command)
	assert.Len(t, m.turns, 1)
	done, is := command().(doneMsg)
	require.True(t, is)
	require.ErrorContains(t, done.err, "wm/none")
	m.update(done)
	assert.Contains(t, m.seenText(), "Edit: there is no method")
	m.keys("e")
	assert.Equal(t, "one é\ntwo\nthree", m.prompt.field.value(), "what was entered is not lost")
	m.keys("esc", "x")
	assert.Contains(t, m.seenText(), "x does nothing here")
}

func TestAnOutcomeSaysWhatAResultSays(t *testing.T) {
	undo := &panel.Action{Title: "Restore", Method: "wm/memory/restore"}
	encoded, err := json.Marshal(map[string]any{"status": "stored", "undo": undo})
	require.NoError(t, err)
	assert.Equal(t, outcome{status: "stored", undo: undo}, outcomeOf(panel.Action{}, encoded))
	for doc, want := range map[string]outcome{
		`{"status":"rejected","reason":"vague"}`:               {status: "rejected", refused: "vague"},
		`{"status":"rejected","reason":"vague","message":"m"}`: {status: "rejected", refused: "m"},
		`{"status":{"a":1},"undo":7,"markdown":"# x"}`:         {markdown: "# x"},
		`{"clipboard":"build failed","run":7}`:                 {clipboard: "build failed"},
		`{"run":{"command":"go vet","cwd":"/w"}}`: {
			run: &wire.TerminalCommand{Command: "go vet", Cwd: "/w"},
		},
		`[]`: {}, `null`: {}, ``: {},
	} {
		assert.Equal(t, want, outcomeOf(panel.Action{}, []byte(doc)), doc)
	}
}

func TestAFieldIsEditedByWhatPeopleSeeAsCharacters(t *testing.T) {
	f := newField("a👩‍👩‍👧é", false)
	press := func(keys ...tea.KeyPressMsg) {
		for _, key := range keys {
			f.press(key)
		}
	}
	press(tea.KeyPressMsg{Code: tea.KeyLeft}, tea.KeyPressMsg{Code: tea.KeyBackspace})
	assert.Equal(t, "aé", f.value())
	f.insert("x\ny\x1b[31mz")
	assert.Equal(t, "ax yzé", f.value(), "one line, without control characters")
	press(tea.KeyPressMsg{Code: 'w', Mod: tea.ModCtrl})
	assert.Equal(t, "ax é", f.value())
	lines, x, y := newField("金額は整数\nab", true).lines(ansi.WcWidth, 5)
	assert.Equal(t, []string{"金額", "は整", "数", "ab"}, lines)
	assert.Equal(t, [2]int{2, 3}, [2]int{x, y})
}

func TestMarkdownIsShownWithoutItsSigns(t *testing.T) {
	var text []string
	for _, line := range (look{}).markdown(
		"# Head\nPrices \\*are\\* **cents**\n```\na\\*b\n```\n"+
			"- **In:** [a \\[b\\]](file:///a%28b), [c](wm:c) [d]", 80) {
		text = append(text, line[0].text)
	}
	assert.Equal(t, []string{"Head", "Prices *are* cents", `a\*b`, "- In: a [b], c [d]"}, text)
}

func TestAPlaceStandsAtTheRightEdgeAndKeepsItsFile(t *testing.T) {
	failing := section("errors", "undefined: cnt", "a message that is much too long for a narrow pane")
	for i := range failing.Items {
		failing.Items[i].Detail, failing.Items[i].Aside = "build", "internal/shop/cart.go:3"
	}
	lines := strings.Split(newScreen(50, 10, failing).seenText(), "\n")
	assert.Equal(t, []string{
		"  • undefined: cnt  build       …al/shop/cart.go:3",
		"  • a message that is much to…  …al/shop/cart.go:3",
	}, lines[2:4])
	for cells, want := range map[int]string{
		24: "internal/shop/cart.go:3", 12: "…p/cart.go:3", 10: "…cart.go:3", 9: "cart.go:3", 8: "cart.go…",
	} {
		assert.Equal(t, want, look{}.place("internal/shop/cart.go:3", cells), cells)
	}
	assert.Equal(t, "a_long_na…", look{}.place("a_long_name_test.go:147", 10))
}

func TestADetailGivesWayPartByPartAndItsFirstPartWordByWord(t *testing.T) {
	const entry, agent = "  Decision · claude code · pinned", "  since ten o'clock  · 1/2 done"
	for cells, cut := range map[int][2]string{
		32: {"  Decision · claude code …", "  since ten o'clock  · 1/2 done"},
		31: {"  Decision · claude code …", "  since ten o'clock  · 1/2 done"},
		30: {"  Decision · claude code …", "  since ten o'clock  …"},
		25: {"  Decision …", "  since ten o'clock  …"},
		21: {"  Decision …", "  since ten …"},
		11: {"  …", "  since …"},
		3:  {"  …", "  …"},
		2:  {"", ""},
	} {
		for i, detail := range []string{entry, agent} {
			item := piece{"entry", roleLabel, whole}
			line := newScreen(80, 10).line([]piece{item, {detail, roleDetail, byParts}}, len("entry")+cells, false)
			assert.Equal(t, "entry"+cut[i], ansi.Strip(line), "%d cells", cells)
		}
	}
}

func TestWhereAHitIsFromGivesWayByParts(t *testing.T) {
	m := newScreen(60, 10)
	hit := wire.SearchHit{From: "Agent notes · detail/rounding.md › Rounding · claude"}
	hit.Item.Text = "Every rate is applied to the total"
	row := m.hitRows([]wire.SearchHit{hit}, "rate")[0]
	assert.Equal(t, "Every rate is appli…  Agent notes …", ansi.Strip(m.row(row, 50, false)))
}

func TestAFolderWithoutAnythingSaysWhatWillAppearAndHow(t *testing.T) {
	m := newScreen(60, 12, section("memory"))
	assert.NotContains(t, m.seenText(), "connects one")
	m.main.asked = true
	m.update(panelMsg{column: m.main, result: wire.PanelResult{Seq: 1, Panel: &wire.Panel{
		Sections: []panel.Section{section("memory")}, Hint: "Rules appear here: connect an agent, or write one.",
	}}})
	text := strings.Join(strings.Fields(m.seenText()), " ")
	assert.Contains(t, text, "Rules appear here: connect an agent, or write one. "+howToConnect)
}

func TestTheFirstLineSaysUntilWhenRecordingIsPaused(t *testing.T) {
	m := newScreen(60, 12, section("memory"))
	assert.NotContains(t, m.seenText(), "paused")
	until := time.Now().Add(time.Hour)
	m.main.asked = true
	m.update(panelMsg{column: m.main, result: wire.PanelResult{Seq: 1, Panel: &wire.Panel{
		Sections: []panel.Section{section("memory")}, PausedUntil: wire.At(until),
	}}})
	first, _, _ := strings.Cut(m.seenText(), "\n")
	assert.Equal(t, "cart  paused until "+until.Local().Format("15:04"), strings.TrimSpace(first))
}

func TestASignInTheIndentTellsWhoSaidAnItem(t *testing.T) {
	said := func(labels ...string) panel.Section {
		s := section("memory", labels...)
		for i, icon := range []string{"person", "hubot", "fold", "desktop-download", "terminal"} {
			s.Items[i].AuthorIcon = icon
		}
		s.Items[4].Children = section("below", "an offer").Items
		s.Items[4].Children[0].AuthorIcon = "hubot"
		return s
	}
	label := "as wide as the list " + strings.Repeat("x", 16)
	for _, each := range []struct {
		ascii bool
		want  []string
	}{
		{false, []string{"@ • " + label, "⚙ • two", "Σ • three", "↓ • four", "$ • five", "  ⚙ • an offer"}},
		{true, []string{"@ - " + label, "& - two", "= - three", "v - four", "$ - five", "  & - an offer"}},
	} {
		m := newScreen(40, 12, said(label, "two", "three", "four", "five"))
		m.look.ascii = each.ascii
		m.rebuild()
		lines := strings.Split(m.seenText(), "\n")
		for i, want := range each.want {
			assert.Equal(t, want, strings.TrimRight(lines[2+i], " "))
		}
	}
	m := newScreen(40, 12, said(label, "two", "three", "four", "five"))
	m.show(said(label, "new", "three", "four", "five"))
	lines := strings.Split(m.seenText(), "\n")
	assert.Equal(t, "+ • new", lines[3], "what changed since is told first")
	assert.Equal(t, "Σ • three", lines[4])
}

func TestWhatIsBelowAnItemIsFoldedUntilItIsOpened(t *testing.T) {
	agents := section("sessions", "claude, ended")
	agents.Items[0].Folded = true
	agents.Items[0].Children = section("sessions", "Edited cart.go").Items
	m := newScreen(60, 12, agents)
	assert.Contains(t, m.seenText(), "claude, ended  …")
	assert.NotContains(t, m.seenText(), "Edited cart.go")
	m.keys("g", "down", "enter")
	assert.Contains(t, m.seenText(), "Edited cart.go")
	m.keys("z")
	assert.NotContains(t, m.seenText(), "Edited cart.go")
	m.keys("fedited", "enter")
	assert.Contains(t, m.seenText(), "Edited cart.go", "a filter finds it")
}

func TestAHitIsGoneToWhereItStands(t *testing.T) {
	agents := section("sessions", "claude, ended")
	agents.Items[0].Children = section("sessions", "Edited cart.go").Items
	agents.Items[0].Folded, agents.Folded, agents.Show = true, true, panel.ShowAdvanced
	search := func(places ...wire.SearchPlace) *model {
		m := newScreen(70, 14, section("memory", "Amounts are integers"), agents)
		m.keys("famounts", "enter", "/cart")
		found := hitsMsg{query: "cart"}
		for i, place := range places {
			found.result.Hits = append(found.result.Hits, wire.SearchHit{
				Item: wire.SearchItem{ID: fmt.Sprint(i), Text: fmt.Sprintf("hit %d", i)}, Place: place,
			})
		}
		m.search.asked = false
		m.update(found)
		return m
	}
	file := filepath.Join(t.TempDir(), "cart.go")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	inPanel := wire.SearchPlace{ItemID: "sessions:Edited cart.go"}
	inFile := wire.SearchPlace{ItemID: "errors:1", Location: &panel.Location{URI: string(uri.File(file))}}
	t.Run("an item that is folded and filtered out is shown and selected", func(t *testing.T) {
		m := search(inFile, inPanel)
		m.keys("down", "enter")
		assert.Nil(t, m.over)
		assert.Nil(t, m.prompt)
		require.NotNil(t, m.list().selected().item)
		assert.Equal(t, "sessions:Edited cart.go", m.list().selected().item.ID)
		assert.Contains(t, m.seenText(), "Edited cart.go")
		assert.Contains(t, m.seenText(), "Amounts are integers", "the filter is taken back")
	})
	t.Run("a file is opened, and the hits stay", func(t *testing.T) {
		m := search(inFile, inPanel)
		m.keys("enter")
		assert.Contains(t, m.seenText(), "set VISUAL or EDITOR")
		m.options.Env = env("EDITOR=vi")
		assert.NotNil(t, m.goTo(inFile), "the editor")
		assert.Contains(t, m.seenText(), "hit 1")
	})
	t.Run("what the panel does not show is shown as details", func(t *testing.T) {
		elsewhere := wire.SearchPlace{ItemID: "sessions:Edited cart.go", SessionID: "other"}
		m := search(elsewhere)
		assert.NotNil(t, m.goTo(elsewhere), "they are asked for")
		m.update(placeMsg{markdown: "**Retries** double"})
		assert.Contains(t, m.seenText(), "Retries double")
		m.update(placeMsg{err: os.ErrNotExist})
		assert.Contains(t, m.seenText(), "file does not exist")
	})
	t.Run("hits of earlier words are not gone to", func(t *testing.T) {
		m := search(inPanel)
		m.keys("s", "enter")
		assert.NotNil(t, m.over)
	})
	t.Run("without a hit nothing is gone to", func(t *testing.T) {
		m := search()
		m.keys("enter")
		assert.Contains(t, m.seenText(), "Nothing that is remembered")
	})
}

func TestTheMouseSelectsOpensAndScrolls(t *testing.T) {
	s := section("memory")
	for i := range 50 {
		s.Items = append(s.Items, panel.Item{ID: fmt.Sprint(i), Label: fmt.Sprint("item ", i)})
	}
	m := newScreen(60, 12, s)
	m.View()
	m.update(tea.MouseClickMsg{X: 4, Y: 4, Button: tea.MouseLeft})
	assert.Equal(t, "item 2", m.list().selected().item.Label)
	m.View()
	m.update(tea.MouseClickMsg{X: 4, Y: 4, Button: tea.MouseLeft})
	assert.True(t, m.details.narrow, "a second click opens the details")
	m.keys("esc")
	for range 5 {
		m.update(tea.MouseWheelMsg{X: 4, Y: 4, Button: tea.MouseWheelDown})
	}
	assert.Contains(t, m.seenText(), "item 20")
	assert.NotContains(t, m.seenText(), "item 2\n")
	m.update(tea.MouseClickMsg{X: 1, Y: 11, Button: tea.MouseLeft})
	assert.Contains(t, m.seenText(), "Keys; Escape closes this", "the words of the last line can be clicked")
}

func TestAPageThatGoesOnBelowTheScreenSaysSo(t *testing.T) {
	m := newScreen(50, 24, section("memory", "one"))
	assert.NotContains(t, m.seenText(), "PgDn more")
	m.keys("?")
	assert.Contains(t, m.seenText(), "PgDn more")
	m.keys("G")
	assert.NotContains(t, m.seenText(), "PgDn more")
	assert.Contains(t, m.seenText(), "↓ import.", "the lines that cannot be selected are seen, too")
}

func TestTheHelpSaysWhatTheSignsOfAuthorsMean(t *testing.T) {
	m := newScreen(80, 40, section("memory", "one"))
	m.keys("?")
	text := strings.Join(strings.Fields(m.seenText()), " ")
	assert.Contains(t, text, "who said it: @ person, ⚙ agent, Σ summary, $ command, ↓ import.")
}

func TestAHugeMemoryIsDrawnAndFiltered(t *testing.T) {
	var labels []string
	for i := range 5000 {
		labels = append(labels, fmt.Sprintf("Entry %d says that amounts are integers, in cents: 金額", i))
	}
	m := newScreen(80, 24, section("memory", labels...))
	m.keys("G")
	assert.Contains(t, m.seenText(), "Entry 4999 ")
	m.show(section("memory", labels[1:]...))
	assert.Contains(t, m.seenText(), "1 changed (h)")
	m.keys("f", "4321", "enter")
	assert.Contains(t, m.seenText(), "Entry 4321 ")
	assert.Less(t, len(m.list().rows), 10)
}

func TestSessionsSideBySideShowWhatDiffers(t *testing.T) {
	m := newScreen(80, 20, section("memory", "shared"))
	one := wire.SessionListResult{Sessions: []wire.Session{{SessionID: "a"}}}
	require.Nil(t, m.showSessions(sessionsMsg{result: one}))
	assert.Contains(t, m.seenText(), "no two sessions")
	m.showSessions(sessionsMsg{result: wire.SessionListResult{Sessions: []wire.Session{
		{SessionID: "a", Agent: "agent", Live: true}, {SessionID: "b", Agent: "agent", Live: true}, {SessionID: "c"},
	}}})
	require.Len(t, m.columns, 2)
	for i, goal := range []string{"the cart", "the tax"} {
		m.update(panelMsg{column: m.columns[i], result: wire.PanelResult{Panel: &wire.Panel{Sections: []panel.Section{
			section("memory", "shared"), section("core", goal),
		}}}})
	}
	text := m.seenText()
	for _, want := range []string{"agent a", "agent b", "the cart", "the tax"} {
		assert.Contains(t, text, want)
	}
	assert.NotContains(t, text, "shared")
	m.keys("tab")
	assert.Equal(t, 1, m.at)
	m.update(tea.WindowSizeMsg{Width: 40, Height: 20})
	assert.Contains(t, m.seenText(), "agent b 2/2")
	assert.NotContains(t, m.seenText(), "the cart")
	m.keys("l")
	assert.Contains(t, m.seenText(), "shared")
}

func TestPlainSaysWhatChanges(t *testing.T) {
	panelOf := func(level wire.PressureLevel, percentage float64, labels ...string) wire.PanelResult {
		return wire.PanelResult{Panel: &wire.Panel{
			Sections: []panel.Section{section("memory", labels...)},
			Pressure: &wire.Pressure{Level: level, Percentage: percentage},
		}}
	}
	assert.Equal(t, "MEMORY, new: three\nMEMORY, gone: one\nContext: 72 %, moderate\n",
		changesOf(panelOf(wire.PressureSafe, 10, "one", "two"), panelOf(wire.PressureModerate, 72.4, "two", "three")))
	paused := panelOf(wire.PressureSafe, 10, "one")
	paused.PausedUntil = "soon"
	assert.Equal(t, "Recording is paused until soon.\n", changesOf(panelOf(wire.PressureSafe, 10, "one"), paused))
	assert.Equal(t, "Recording is on.\n", changesOf(paused, panelOf(wire.PressureSafe, 10, "one")))
	changed := panelOf(wire.PressureSafe, 10, "one")
	changed.Sections[0].Items[0].Detail = "to review"
	assert.Equal(t, "MEMORY, changed: one  to review (was: one)\n",
		changesOf(panelOf(wire.PressureSafe, 10, "one"), changed))
}

func TestTheCurveShowsHowFullTheContextWas(t *testing.T) {
	history := []wire.PressurePoint{{Percentage: 0}, {Percentage: 50}, {Percentage: 100}, {Percentage: 700}}
	assert.Equal(t, "▁▄██", sparkline(history, 12))
	assert.Equal(t, "██", sparkline(history, 2))
	assert.Empty(t, sparkline(history[:1], 12))
	assert.Equal(t, []string{"100 % ┤  ██", "      ┤  ██", "      ┤ ▄██", "      ┤ ███", "  0 % ┤ ███"},
		curve(history, 40))
}

func TestTheBarOfAContextHasACellForEachPart(t *testing.T) {
	for _, each := range []struct {
		sizes []int
		cells int
		want  []int
	}{
		{[]int{1, 1}, 10, []int{5, 5}},
		{[]int{1, 100_000, 0}, 10, []int{1, 9, 0}},
		{[]int{1, 1, 1}, 2, []int{1, 1, 1}},
		{[]int{0, 0}, 10, []int{0, 0}},
		{nil, 10, []int{}},
	} {
		assert.Equal(t, each.want, shares(each.sizes, each.cells), "%v", each.sizes)
	}
}

func TestThePageOfTheContextSaysWhatTheWindowHolds(t *testing.T) {
	m := newScreen(80, 30, section("memory", "one"))
	shown := m.contextPage(m.column())
	m.cover(shown.over)
	full := wire.Context{
		Sections: []wire.ContextSection{
			{ID: "workspace", Label: "Project memory", Tokens: 40}, {ID: "core", Label: "Goal"},
		},
		Pressure: wire.Pressure{
			Level: wire.PressureHigh, Percentage: 74, Used: 148_000, Limit: 200_000, Unit: wire.UnitTokens,
			LastChecked: "2026-03-01T09:30:00.000Z", Advice: "Compact it soon.",
			History: []wire.PressurePoint{
				{At: "2026-03-01T09:00:00.000Z", Percentage: 10}, {At: "2026-03-01T09:30:00.000Z", Percentage: 74},
			},
		},
		Window: []wire.WindowPart{
			{ID: "memory", Label: "this memory", Size: 2_000}, {ID: "history", Label: "history", Size: 146_000},
			{ID: "free", Label: "free", Size: 52_000},
		},
	}
	m.update(contextMsg{page: shown, result: wire.ContextResult{Context: &full}})
	for _, want := range []string{
		"context 74 % high  148,000 of 200,000 tokens", "Compact it soon.", "100 % ┤",
		"The whole window  200,000 tokens", "█▓▓▓", "▓▒▒▒", "█ this memory       2,000 tokens    1 %",
		"▓ history         146,000 tokens   73 %",
		"▒ free             52,000 tokens   26 %", "What an agent is told  40 tokens", "█ Project memory",
	} {
		assert.Contains(t, m.seenText(), want)
	}
	assert.NotContains(t, m.seenText(), "Goal", "it has nothing")

	m.look.ascii = true
	m.rebuild()
	for _, c := range m.seenText() {
		assert.Less(t, c, rune(utf8.RuneSelf), "%q", c)
	}
	m.update(contextMsg{page: shown, err: errors.New("the disk is full")})
	assert.Contains(t, m.seenText(), "the disk is full")
	m.look.ascii = false
	m.update(contextMsg{page: shown, result: wire.ContextResult{Context: &wire.Context{}}})
	assert.Contains(t, m.seenText(), "No agent has reported how full its context is.")
	assert.NotContains(t, m.seenText(), "The whole window")
}

func TestALocationIsOpenedInTheEditorOfThePerson(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a b.go")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	at := panel.Location{URI: panel.FileURI("/", file), Range: &panel.Range{Start: panel.Position{Line: 6}}}
	for editor, want := range map[string][]string{
		"vi":          {"vi", "+7", file},
		"code --wait": {"code", "--wait", "--goto", file + ":7"},
		"/usr/bin/hx": {"/usr/bin/hx", file + ":7"},
	} {
		command, err := editorOf(env("EDITOR="+editor), at)
		require.NoError(t, err, editor)
		assert.Equal(t, want, command.Args)
	}
	_, err := editorOf(env(), at)
	require.ErrorContains(t, err, "set VISUAL or EDITOR")
	_, err = editorOf(env("EDITOR=vi"), panel.Location{URI: "file:///none.go"})
	require.ErrorContains(t, err, "no longer exists")
	_, err = editorOf(env("EDITOR=vi"), panel.Location{URI: "wm://x"})
	require.ErrorContains(t, err, "not a file")
}
