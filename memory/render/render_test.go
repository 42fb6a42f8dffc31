package render_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/render"
)

// lines renders as many whole lines as fit.
func lines(all ...string) func(int) render.Part {
	return func(maxChars int) render.Part {
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
		{ID: "workspace", Stable: true, MaxChars: 100, Keep: 3, Render: lines("a rule", "another rule", "größer als alles")},
		{ID: "session", MaxChars: 100, Keep: 2, Render: lines("a file", "an error")},
	}
}

func TestThePrefixIsTheStableSectionsAndEndsWhereTheOthersBegin(t *testing.T) {
	packed := render.Pack(sections(), 0, 1000)
	assert.Equal(t, "how to use this\n\na rule\nanother rule\ngrößer als alles\n\n", packed.Prefix)
	assert.Equal(t, "a file\nan error", packed.Suffix)
	assert.Equal(t, packed.Prefix+packed.Suffix, packed.Text())

	other := sections()
	other[2].Render = lines("something else")
	assert.Equal(t, packed.Prefix, render.Pack(other, 0, 1000).Prefix)
	assert.NotEqual(t, packed.Revision(), render.Pack(other, 0, 1000).Revision())
}

func TestTheBudgetHoldsAndWhatIsKeptLongestIsDroppedLast(t *testing.T) {
	for budget, want := range map[int]string{
		1:    "",
		12:   "a rule\n\n",
		40:   "a rule\nanother rule\ngrößer als alles\n\n",
		50:   "a rule\nanother rule\ngrößer als alles\n\na file",
		1000: "how to use this\n\na rule\nanother rule\ngrößer als alles\n\na file\nan error",
	} {
		packed := render.Pack(sections(), budget, 1000)
		assert.Equal(t, want, packed.Text(), budget)
		assert.LessOrEqual(t, utf8.RuneCountInString(packed.Text()), budget)
	}
}

func TestTheLimitsOfASectionAndOfThePrefixHoldToo(t *testing.T) {
	limited := sections()
	limited[1].MaxChars = 7
	assert.Equal(t, "how to use this\n\na rule\n\n", render.Pack(limited, 0, 1000).Prefix)
	assert.Equal(t, "a rule\nanother rule\n\n", render.Pack(sections(), 0, 22).Prefix)
}

func TestEveryOmissionIsTold(t *testing.T) {
	packed := render.Pack(sections(), 12, 1000)
	omitted := map[string]int{}
	for _, s := range packed.Sections {
		omitted[s.ID] = len(s.Omitted)
	}
	assert.Equal(t, map[string]int{"guide": 1, "workspace": 2, "session": 2}, omitted)
}

func TestTokensAreEstimatedByTheScript(t *testing.T) {
	for text, want := range map[string]int{"": 0, "four": 2, strings.Repeat("a", 36): 10, "数据库": 3, "日本 ok": 3} {
		assert.Equal(t, want, render.Tokens(text), text)
	}
}
