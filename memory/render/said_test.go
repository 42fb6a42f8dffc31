package render_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/render"
)

// talker renders a text, and what it leaves out where that is said.
func talker(text, leavesOut string, limit int) render.Section {
	return render.Section{ID: text, MaxChars: limit, Hears: true, Render: func(maxChars int, said render.Said) render.Part {
		part := render.Fixed(text, text)(maxChars, said)
		if part.Text != "" {
			part.Says = render.Set{text: true}
		}
		if said.Has(leavesOut) {
			part.Text += " (not " + leavesOut + ")"
		}
		return part
	}}
}

func TestASectionHearsThoseThatAreKeptLongerAndTheStableOnes(t *testing.T) {
	a, b, c, d := talker("a", "d", 99), talker("b", "a", 99), talker("c", "b", 99), talker("d", "c", 99)
	a.Stable, b.Stable = true, true
	a.Keep, b.Keep, c.Keep, d.Keep = 2, 1, 1, 9
	packed := render.Pack([]render.Section{a, b, c, d}, 1000)
	assert.Equal(t, "a\n\nb (not a)\n\nc (not b)\n\nd", packed.Text())
	c.Hears = false
	assert.Equal(t, "c\n\nd", render.Pack([]render.Section{a, b, c, d}, 1000).Suffix)
	c.Hears, b.Keep = true, 3
	assert.Equal(t, "a\n\nb\n\n", render.Pack([]render.Section{a, b, c, d}, 1000).Prefix)
}

// What a section said before it had to be made shorter, or was left out, is not said.
func TestOnlyWhatIsShownIsSaid(t *testing.T) {
	long := render.Section{ID: "long", MaxChars: 99, Keep: 2, Render: func(maxChars int, _ render.Said) render.Part {
		if maxChars < 20 {
			return render.Part{Text: "short", Says: render.Set{"short": true}}
		}
		return render.Part{Text: "a text of 20 letters", Says: render.Set{"long": true}}
	}}
	packed := func(budget int, leavesOut string) string {
		return render.Pack([]render.Section{long, talker("b", leavesOut, 1)}, 1000, render.Chars(budget)).Text()
	}
	assert.Equal(t, "a text of 20 letters\n\nb (not long)", packed(60, "long"))
	assert.Equal(t, "short\n\nb", packed(18, "long"))
	assert.Equal(t, "short\n\nb (not short)", packed(21, "short"))
	silent := render.Section{ID: "silent", MaxChars: 9, Keep: 2, Render: func(int, render.Said) render.Part {
		return render.Part{Says: render.Set{"b": true}}
	}}
	assert.Equal(t, "c", render.Pack([]render.Section{silent, talker("c", "b", 9)}, 1000).Text())
}

func TestALineSaysWhatItMeans(t *testing.T) {
	var sayings render.Sayings
	said := render.Said{nil, sayings.Of("# Known\n\n- The bank is slow.\n* Round ONCE")}
	for _, text := range []string{"the bank is slow", "The  bank is slow!", "round once"} {
		assert.True(t, said.Has(render.Saying(text)), text)
	}
	assert.False(t, said.Has(render.Saying("the bank")))
	assert.False(t, said.Has(render.Saying("?!")), "a blank line says nothing")
	assert.False(t, said.Has(render.OpenError("")))
}
