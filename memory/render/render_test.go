package render_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/extract/tokens"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// lines renders as many whole lines as fit.
func lines(all ...string) func(int, render.DedupSet) render.Part {
	return func(maxChars int, _ render.DedupSet) render.Part {
		var part render.Part
		for i, line := range all {
			if utf8.RuneCountInString(part.Text)+utf8.RuneCountInString(line)+1 > maxChars {
				part.Omitted = append(part.Omitted, render.Omission{ID: fmt.Sprint(i), Reason: "budget"})
				continue
			}
			part.Text += line + "\n"
		}
		part.Text = strings.TrimSuffix(part.Text, "\n")
		return part
	}
}

func sections() []render.Section {
	return []render.Section{
		{ID: "guide", Stable: true, MaxChars: 100, Keep: 1, Render: render.Fixed("guide", "how to use this")},
		{
			ID:       "workspace",
			Stable:   true,
			MaxChars: 100,
			Keep:     3,
			Render:   lines("a rule", "another rule", "größer als alles"),
		},
		{ID: "session", MaxChars: 100, Keep: 2, Render: lines("a file", "an error")},
	}
}

func TestThePrefixIsTheStableSectionsAndEndsWhereTheOthersBegin(t *testing.T) {
	packed := render.Pack(sections(), 1000)
	assert.Equal(t, "how to use this\n\na rule\nanother rule\ngrößer als alles\n\n", packed.Prefix)
	assert.Equal(t, "a file\nan error", packed.Suffix)
	assert.Equal(t, packed.Prefix+packed.Suffix, packed.Text())

	other := sections()
	other[2].Render = lines("something else")
	assert.Equal(t, packed.Prefix, render.Pack(other, 1000).Prefix)
	assert.NotEqual(t, packed.Revision(), render.Pack(other, 1000).Revision())
}

func TestTheBudgetHoldsAndWhatIsKeptLongestIsDroppedLast(t *testing.T) {
	for budget, want := range map[int]string{
		1:    "",
		12:   "a rule\n\n",
		40:   "a rule\nanother rule\ngrößer als alles\n\n",
		50:   "a rule\nanother rule\ngrößer als alles\n\na file",
		1000: "how to use this\n\na rule\nanother rule\ngrößer als alles\n\na file\nan error",
	} {
		packed := render.Pack(sections(), 1000, render.Chars(budget))
		assert.Equal(t, want, packed.Text(), budget)
		assert.LessOrEqual(t, utf8.RuneCountInString(packed.Text()), budget)
	}
}

func TestElementsOfOneLineShareALineUnlessSomethingBetweenThemWasLeftOut(t *testing.T) {
	element := func(id string, stable bool) render.Section {
		return render.Section{
			ID: id, Stable: stable, Keep: 1, MaxChars: 100, Render: render.Fixed(id, "<"+id+">empty</"+id+">"),
		}
	}
	list := render.Section{ID: "list", Stable: true, MaxChars: 100, Render: lines("<list>", "- one", "</list>")}
	none := render.Section{ID: "none", Stable: true, MaxChars: 100, Render: lines()}
	all := func(between render.Section) []render.Section {
		return []render.Section{
			element("a", true), between, element("b", true), element("c", true),
			element("d", false), element("e", false),
		}
	}
	const rest = "<b>empty</b> <c>empty</c>\n\n<d>empty</d>\n<e>empty</e>"
	assert.Equal(t, "<a>empty</a> "+rest, render.Pack(all(none), 1000).Text())
	assert.Equal(t, "<a>empty</a>\n\n<list>\n- one\n</list>\n\n"+rest, render.Pack(all(list), 1000).Text())
	assert.Equal(t, "<a>empty</a>\n\n"+rest, render.Pack(all(list), 45).Text())
}

func TestTheLimitsOfASectionAndOfThePrefixHoldToo(t *testing.T) {
	limited := sections()
	limited[1].MaxChars = 7
	assert.Equal(t, "how to use this\n\na rule\n\n", render.Pack(limited, 1000).Prefix)
	assert.Equal(t, "a rule\nanother rule\n\n", render.Pack(sections(), 22).Prefix)
}

func TestEveryOmissionIsTold(t *testing.T) {
	packed := render.Pack(sections(), 1000, render.Chars(12))
	omitted := map[string]int{}
	for _, s := range packed.Sections {
		omitted[s.ID] = len(s.Omitted)
	}
	assert.Equal(t, map[string]int{"guide": 1, "workspace": 2, "session": 2}, omitted)
}

func TestABudgetInTokensHoldsByWholeItems(t *testing.T) {
	for budget, want := range map[int]string{
		2:   "",
		5:   "a rule\n\n",
		8:   "a rule\nanother rule\n\n",
		100: "how to use this\n\na rule\nanother rule\ngrößer als alles\n\na file\nan error",
	} {
		packed := render.Pack(sections(), 1000, render.Budget{Max: budget, Measure: tokens.Count})
		assert.Equal(t, want, packed.Text(), budget)
	}
}

func TestASectionThatDoesNotHoldItsLimitIsKeptAlone(t *testing.T) {
	all := append(
		sections(),
		render.Section{ID: "always", MaxChars: 1000, Render: func(int, render.DedupSet) render.Part {
			return render.Part{Text: "said whatever the budget is"}
		}},
	)
	for _, budget := range []render.Budget{render.Chars(5), render.Chars(0), {Max: 3, Measure: tokens.Count}} {
		assert.Equal(t, "said whatever the budget is", render.Pack(all, 1000, budget).Suffix)
	}
}

func TestThePrefixOfAShortBudgetStaysWhateverTheRestSays(t *testing.T) {
	for budget := range 200 {
		var prefixes []string
		for _, said := range []string{"", "short", strings.Repeat("long ", 20)} {
			all := sections()
			all[2].Render = lines(said)
			all = append(all, render.Section{ID: "last", MaxChars: 100, Reserve: 20, Keep: 9, Render: lines(said)})
			prefixes = append(prefixes, render.Pack(all, 1000, render.Chars(budget)).Prefix)
		}
		assert.Len(t, slices.Compact(prefixes), 1, budget)
	}
}

// Whatever the sections and the budgets are: the text is within them, nothing
// is cut, what is missing is told, and what was left out would not have fitted
// into a budget that everything is within.
func TestEveryTextIsWithinEveryBudget(t *testing.T) {
	pieces := []string{
		"a",
		"word",
		" ",
		"/",
		"\n",
		">",
		"<end>",
		"größer",
		"数据库",
		"がある",
		"🎉",
		"0x7f3a",
		"12345",
		"'s",
		"\t",
		"HTTPServer",
		"======",
		"e\u0301",
		"\xff",
	}
	for seed := range uint64(slow.Rounds(3000)) {
		random := rand.New(rand.NewPCG(seed, 4))
		var all []render.Section
		var itemsOf [][]string
		for id := range 1 + random.IntN(6) {
			var items []string
			for range random.IntN(12) {
				item := ""
				for range 1 + random.IntN(20) {
					item += pieces[random.IntN(len(pieces))]
				}
				items = append(items, item)
			}
			itemsOf = append(itemsOf, items)
			all = append(
				all,
				render.Section{
					ID:       fmt.Sprint(id),
					Stable:   id < 3,
					MaxChars: random.IntN(800),
					Keep:     random.IntN(4),
					Render:   lines(items...),
				},
			)
		}
		prefixChars := random.IntN(2000)
		budgets := map[string][]render.Budget{
			"none":   nil,
			"chars":  {render.Chars(random.IntN(2000))},
			"tokens": {{Max: random.IntN(800), Measure: tokens.Count}},
			"both":   {render.Chars(random.IntN(2000)), {Max: random.IntN(800), Measure: tokens.Count}},
		}
		whole := render.Pack(all, prefixChars)
		for name, budget := range budgets {
			packed := render.Pack(all, prefixChars, budget...)
			fits := true
			for _, b := range budget {
				require.LessOrEqual(t, b.Measure(packed.Text()), b.Max, "%s, seed %d", name, seed)
				fits = fits && b.Measure(whole.Text())+len(all)*2 <= b.Max*3/4
			}
			require.LessOrEqual(t, utf8.RuneCountInString(packed.Prefix), prefixChars, seed)
			for i, s := range packed.Sections {
				require.Equal(t, all[i].ID, s.ID)
				require.LessOrEqual(t, utf8.RuneCountInString(s.Text), all[i].MaxChars, seed)
				require.Equal(t, without(s.Omitted, itemsOf[i]), s.Text, "%s, seed %d", name, seed)
			}
			if fits {
				require.Equal(t, whole.Text(), packed.Text(), "%s, seed %d", name, seed)
			}
		}
	}
}

// without is what lines renders of all items but those that are omitted.
func without(omitted []render.Omission, items []string) string {
	var kept []string
	for i, item := range items {
		if !slices.Contains(omitted, render.Omission{ID: fmt.Sprint(i), Reason: "budget"}) {
			kept = append(kept, item)
		}
	}
	return strings.Join(kept, "\n")
}
