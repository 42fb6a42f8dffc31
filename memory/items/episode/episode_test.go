package episode

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/tokens"
)

var monday = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// cart is an episode about a cart with some work.
func cart() Episode {
	e := Episode{ID: "e1"}.With(Step{
		At: monday, Thread: "s", Session: "s", Task: "T-1", Items: 4, Size: 400,
		Asked:   []string{"Fix the rounding of totals in the cart"},
		Changed: []string{"shop/cart.go", "shop/cart_test.go"},
	})
	return e.With(Step{
		At: monday.Add(time.Minute), Thread: "s", Session: "s", Items: 2, Size: 200, Changed: []string{"shop/cart.go"},
		Said: "The totals are rounded once now, at the end.",
		Runs: []Run{{Name: "go test", Times: 1, Failed: 1, LastFailed: true, Error: "TestTotal: total is 3, want 4"},
			{Name: "go test", Times: 1}},
	})
}

func TestE11_AnEpisodeEndsAtATaskAGapAnotherTopicOrOtherFiles(t *testing.T) {
	bounds := Bounds{Gap: 30 * time.Minute}
	prompt := func(text string) *Prompt { return &Prompt{text, text} }
	silent := cart()
	silent.Asked = nil
	soon := cart().Last.Add(2 * time.Minute)
	for _, c := range []struct {
		name   string
		e      Episode
		step   Step
		prompt *Prompt
		want   string
	}{
		{"the same topic", cart(), Step{At: soon}, prompt("Round the totals of the cart to cents, too"), ""},
		{"another topic", cart(), Step{At: soon}, prompt("Write the release notes for version seven"), "another topic"},
		{"a remark", cart(), Step{At: soon}, prompt("But what about negative numbers there?"), ""},
		{"it says nothing by itself", cart(), Step{At: soon}, &Prompt{Text: "go ahead with the release notes"}, ""},
		{"another task", cart(), Step{At: soon, Task: "T-2"}, nil, "another task"},
		{"no task is not another one", cart(), Step{At: soon}, nil, ""},
		{"a pause of a tool", cart(), Step{At: soon.Add(time.Hour)}, nil, ""},
		{"a pause without a request", silent, Step{At: soon.Add(time.Hour)}, nil, "a gap of 62 min"},
		{"a pause and the same topic", cart(), Step{At: soon.Add(time.Hour)},
			prompt("Are the totals of the cart right now?"), ""},
		{"a pause and another topic", cart(), Step{At: soon.Add(time.Hour)}, prompt("Can we update the linter?"),
			"a gap of 62 min and another topic"},
		{"a night", cart(), Step{At: soon.Add(20 * time.Hour)}, prompt("Are the totals of the cart right now?"),
			"a gap of 20 h"},
		{"it happened long before", cart(), Step{At: monday.AddDate(0, -1, 0)}, nil, "a gap of 28 days"},
		{"other files, and nobody says what it is", silent, Step{At: soon, Foreign: maxForeign}, nil, "other files"},
		{"other files of the same request", cart(), Step{At: soon, Foreign: maxForeign}, nil, ""},
	} {
		assert.Equal(t, c.want, bounds.Ends(c.e, c.step, c.prompt), c.name)
	}
}

func TestE11_ToolsInNewFoldersAreCounted(t *testing.T) {
	e := cart().With(Step{At: monday, Thread: "s", Read: []string{"shop/tax.go"}})
	assert.Equal(t, 1, e.ForeignAfter([]string{"docs/index.md"}))
	assert.Equal(t, 0, e.ForeignAfter([]string{"docs/index.md", "shop/new.go"}))
	e.Foreign = 2
	assert.Equal(t, 2, e.ForeignAfter(nil))
	assert.Equal(t, 3, e.ForeignAfter([]string{"docs/index.md"}))
	assert.Equal(t, 0, Episode{}.ForeignAfter([]string{"docs/index.md"}))
}

func TestE11_AnEpisodeSpansThreads(t *testing.T) {
	for _, c := range []struct {
		name   string
		step   Step
		prompt *Prompt
		want   bool
	}{
		{"the same task", Step{At: monday.Add(48 * time.Hour), Task: "T-1"}, nil, true},
		{"the same task long after", Step{At: monday.AddDate(0, 0, 9), Task: "T-1"}, nil, false},
		{"the same request", Step{At: monday.Add(time.Hour)},
			&Prompt{"…", "Fix the rounding of totals in the cart"}, true},
		{"continued", Step{At: monday.Add(time.Hour)}, &Prompt{Text: "Please continue where we left off"}, true},
		{"continued after a compaction", Step{At: monday.Add(time.Hour)},
			&Prompt{Text: "This session is being continued from a previous conversation."}, true},
		{"continued days later", Step{At: monday.AddDate(0, 0, 3)}, &Prompt{Text: "Please continue"}, false},
		{"something else", Step{At: monday.Add(time.Hour)}, &Prompt{"Update the linter", "Update the linter"}, false},
		{"a tool", Step{At: monday.Add(time.Hour)}, nil, false},
	} {
		assert.Equal(t, c.want, cart().Joins(c.step, c.prompt), c.name)
	}
	joined := cart().With(Step{At: monday.Add(time.Hour), Thread: "#cart", Session: "other"})
	assert.Equal(t, []string{"s", "#cart"}, joined.Threads)
	assert.True(t, joined.In("#cart"))
}

func TestE11_StepsAddUpAsTheirSum(t *testing.T) {
	a := Step{At: monday, Thread: "s", Items: 1, Size: 10, Asked: []string{"a"}, Changed: []string{"x"}}
	b := Step{At: monday.Add(time.Minute), Thread: "s", Items: 2, Size: 20, Said: "done", Read: []string{"y"}}
	assert.Equal(t, Episode{ID: "e"}.With(a).With(b), Episode{ID: "e"}.With(a.And(b)))
}

func TestE10_TheLineSaysWhatWasAskedForAndWhatCameOfIt(t *testing.T) {
	assert.Equal(t, "Fix the rounding of totals in the cart – "+
		"changed cart.go, cart_test.go, go test failed, then passed", cart().Line())
	e := Episode{}.With(Step{
		At: monday, Read: []string{"a/b.go"}, Runs: []Run{{Name: "mypy", Times: 2, Failed: 2, LastFailed: true}},
	})
	assert.Equal(t, "Read b.go, mypy failed 2×", e.Line())
	assert.Equal(t, "Why is it slow?", Episode{}.With(Step{At: monday, Asked: []string{"Why is it slow?"}}).Line())
	assert.Empty(t, Episode{}.Line())
	long := Episode{}.With(Step{At: monday, Asked: []string{strings.Repeat("word ", 200)}, Changed: []string{"a.go"}})
	assert.LessOrEqual(t, len([]rune(long.Line())), maxLine)
	assert.Contains(t, long.Line(), "… – changed a.go")
}

func TestE10_TheRequestWithTheWorkIsWhatItWasAbout(t *testing.T) {
	e := Episode{}.With(Step{At: monday, Asked: []string{"Is the server up?"}}).
		With(Step{At: monday, Asked: []string{"Rename the package of carts"}, Items: 30}).
		With(Step{At: monday, Asked: []string{"and commit it"}, Items: 2})
	assert.Equal(t, "Rename the package of carts", e.About())
	assert.Equal(t, "Fix the rounding of totals in the cart", cart().About())
}

func TestE10_ASummaryHasThreeResolutionsOfWhichEachHoldsTheShorterOnes(t *testing.T) {
	pieces := []Piece{
		{ID: "a", Type: "tool_result", Text: "$ go test\nexit code 1", Importance: 0.7},
		{ID: "b", Type: "tool_result", Text: "Edit shop/cart.go\nround(total)", Importance: 0.7},
		{ID: "c", Type: "tool_result", Text: "$ curl shop.example\nexit code 7", Importance: 0.7},
	}
	summary := cart().Summary(cart().Line(), pieces, []string{"2026-03-01, the same task: Add a cart"}, 1000)
	assert.Equal(t, `Fix the rounding of totals in the cart – changed cart.go, cart_test.go, go test failed, then passed
At the end: The totals are rounded once now, at the end.

Changed:
- in shop: cart.go, cart_test.go

Checks:
- go test failed, then passed: TestTotal: total is 3, want 4

Linked:
- 2026-03-01, the same task: Add a cart

Among what happened:
- $ curl shop.example`, summary)
	line, paragraph := At(summary, OneLine), At(summary, Paragraph)
	assert.Equal(t, cart().Line(), line)
	assert.Equal(t, line+"\nAt the end: The totals are rounded once now, at the end.", paragraph)
	assert.Equal(t, summary, At(summary, Page))
	for most := range 200 {
		assert.LessOrEqual(t, tokens.Count(cart().Summary(cart().Line(), pieces, nil, most)), most)
	}
}

func TestE10_ASummaryQuotesWhatIsMostImportant(t *testing.T) {
	var pieces []Piece
	for i := range 240 {
		pieces = append(pieces, Piece{
			ID: fmt.Sprintf("%026d", i), Type: "observation", Importance: 0.4,
			Text: fmt.Sprintf("The token refresh of region %d was checked by the night shift", i),
		})
	}
	const cause, result = "The root cause was a missing WATCH in the transaction", "All tests pass with the new store"
	const failed = "$ make deploy failed with code 7"
	pieces[7].Text, pieces[7].Importance = cause, 0.95
	pieces[100] = Piece{ID: "z", Type: toolResult, Text: failed, Importance: 0.97}
	pieces[239].Text, pieces[239].Importance = result, 0.9
	asked := Episode{}.With(Step{At: monday, Asked: []string{"Find the lost sessions"}, Items: 240})
	said := asked.With(Step{At: monday, Said: "The sessions are kept now."})
	for _, c := range []struct {
		name                string
		e                   Episode
		most                int
		paragraph, happened string // happened is how the list of what happened begins
	}{
		{"in the paragraph if nobody said what was done", asked, 1000, cause + ". " + result + ".",
			"The token refresh of region"},
		{"on the page otherwise", said, 1000, "At the end: The sessions are kept now.", cause},
		{"as far as there is room", asked, 18, cause + ".", ""},
		{"the most important first", said, 40, "At the end: The sessions are kept now.", failed},
	} {
		summary := c.e.Summary(c.e.Line(), pieces, nil, c.most)
		assert.Equal(t, c.e.Line()+"\n"+c.paragraph, At(summary, Paragraph), c.name)
		_, happened, _ := strings.Cut(summary, "Among what happened:\n- ")
		assert.True(t, strings.HasPrefix(happened, c.happened), "%s: %s", c.name, happened)
		assert.Equal(t, c.happened == "", happened == "", c.name)
		if c.most == 1000 {
			for _, text := range []string{cause, result, failed} {
				assert.Equal(t, 1, strings.Count(summary, text), "%s: %s", c.name, text)
			}
			assert.Contains(t, summary, "region", c.name+": a sample of the rest")
		}
	}
}

func TestE10_WhatAnItemSaysIsNotToldOfItsEpisodeAgain(t *testing.T) {
	e := cart().With(Step{At: monday, Decisions: []string{"Totals are rounded once.", "Taxes come last"}})
	for _, c := range []struct{ name, item, left string }{
		{"another thing", "Parcels are weighed at the gate",
			"At the end: The totals are rounded once now, at the end. " +
				"Decided: Taxes come last. Decided: Totals are rounded once."},
		{"a decision", "We decided: totals are rounded once, after the tax",
			"At the end: The totals are rounded once now, at the end. Decided: Taxes come last."},
		{"a part of what was said", "rounded once now",
			"Decided: Taxes come last. Decided: Totals are rounded once."},
	} {
		_, left, _ := strings.Cut(At(e.Without(c.item).Summary(e.Line(), nil, nil, 1000), Paragraph), "\n")
		assert.Equal(t, c.left, left, c.name)
	}
	assert.Len(t, e.Decisions, 2)
}

func TestE10_TheReservoirIsSeededByIdsAndPrefersWhatIsImportant(t *testing.T) {
	var pieces []Piece
	for i := range 2000 {
		pieces = append(pieces, Piece{ID: fmt.Sprintf("%026d", i), Importance: []float64{0.1, 0.8}[i%2]})
	}
	sample := Reservoir(pieces, 200)
	require.Len(t, sample, 200)
	assert.Equal(t, sample, Reservoir(pieces, 200))
	important := 0
	for i, piece := range sample {
		if piece.Importance > 0.5 {
			important++
		}
		if i > 0 {
			assert.Less(t, sample[i-1].ID, piece.ID)
		}
	}
	assert.Greater(t, important, 150, "eight times the weight")
	assert.Less(t, important, 200, "but what is less important has a chance")
	more := Reservoir(append(pieces, Piece{ID: "new", Importance: 0.9}), 200)
	left := map[string]bool{}
	for _, piece := range more {
		left[piece.ID] = true
	}
	gone := 0
	for _, piece := range sample {
		if !left[piece.ID] {
			gone++
		}
	}
	assert.LessOrEqual(t, gone, 1, "one more piece displaces at most one")
	assert.Equal(t, pieces[:3], Reservoir(pieces[:3], 3))
}

func FuzzTheSummaryOfAnEpisode(f *testing.F) {
	f.Add("Fix it", "Done, it is fixed", "a.go", "go test", 100)
	f.Add("", "\xff\n\n- x", "../\x00", "", 3)
	f.Add("0.\xb2\x9a\x00\x7f\x93", "\xff\n\n\v\v\v@ccccc\v\v\v@\xdf\xdf\xdf\xdf\xdfcc\v\v\v- \x99", "\x00\x01-3",
		"\x8b\r\x941hCg\x8a\xcdȃ;>>\x00\xf5#\v\x05\x00\x00\x00\x80", 63)
	f.Fuzz(func(t *testing.T, asked, said, file, run string, most int) {
		e := Episode{}.With(Step{
			At: monday, Thread: "s", Items: 1, Asked: []string{asked}, Said: said, Changed: []string{file},
			Runs: []Run{{Name: run, Times: 1, Failed: 1, LastFailed: true, Error: said}},
		})
		if line := e.Line(); len([]rune(line)) > maxLine || strings.ContainsAny(line, "\n") {
			t.Fatalf("the line %q", line)
		}
		summary := e.Summary(e.Line(), []Piece{{ID: said, Text: asked}}, []string{said}, most)
		if n := tokens.Count(summary); n > max(0, most) {
			t.Fatalf("%d tokens of at most %d: %q", n, most, summary)
		}
		bounds := Bounds{Gap: time.Minute}
		bounds.Ends(e, Step{At: monday.Add(time.Hour)}, &Prompt{Text: said, Task: asked})
	})
}
