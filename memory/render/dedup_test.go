package render_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/render"
)

// keyed returns a section that renders its text, and marks that it was given a key.
func keyed(text, other string, limit int) render.Section {
	section := render.Section{ID: text, MaxChars: limit, Dedup: true}
	section.Render = func(maxChars int, shown render.DedupSet) render.Part {
		part := render.Fixed(text, text)(maxChars, shown)
		if part.Text != "" {
			part.DedupKeys = render.DedupKeys{text: true}
		}
		if shown.Has(other) {
			part.Text += " (not " + other + ")"
		}
		return part
	}
	return section
}

func TestASectionIsGivenTheKeysOfThoseWithAHigherKeepAndOfTheStableOnes(t *testing.T) {
	a, b, c, d := keyed("a", "d", 99), keyed("b", "a", 99), keyed("c", "b", 99), keyed("d", "c", 99)
	a.Stable, b.Stable = true, true
	a.Keep, b.Keep, c.Keep, d.Keep = 2, 1, 1, 9
	packed := render.Pack([]render.Section{a, b, c, d}, 1000)
	assert.Equal(t, "a\n\nb (not a)\n\nc (not b)\n\nd", packed.Text())
	c.Dedup = false
	assert.Equal(t, "c\n\nd", render.Pack([]render.Section{a, b, c, d}, 1000).Suffix)
	c.Dedup, b.Keep = true, 3
	assert.Equal(t, "a\n\nb\n\n", render.Pack([]render.Section{a, b, c, d}, 1000).Prefix)
}

// The keys of a rendering that was too long or is left out do not count.
func TestOnlyTheKeysOfWhatIsShownCount(t *testing.T) {
	long := render.Section{
		ID:       "long",
		MaxChars: 99,
		Keep:     2,
		Render: func(maxChars int, _ render.DedupSet) render.Part {
			if maxChars < 20 {
				return render.Part{Text: "short", DedupKeys: render.DedupKeys{"short": true}}
			}
			return render.Part{Text: "a text of 20 letters", DedupKeys: render.DedupKeys{"long": true}}
		},
	}
	packed := func(budget int, other string) string {
		return render.Pack([]render.Section{long, keyed("b", other, 1)}, 1000, render.Chars(budget)).Text()
	}
	assert.Equal(t, "a text of 20 letters\n\nb (not long)", packed(60, "long"))
	assert.Equal(t, "short\n\nb", packed(18, "long"))
	assert.Equal(t, "short\n\nb (not short)", packed(21, "short"))
	silent := render.Section{ID: "silent", MaxChars: 9, Keep: 2, Render: func(int, render.DedupSet) render.Part {
		return render.Part{DedupKeys: render.DedupKeys{"b": true}}
	}}
	assert.Equal(t, "c", render.Pack([]render.Section{silent, keyed("c", "b", 9)}, 1000).Text())
}

func TestLinesOfTheSameMeaningHaveTheSameKey(t *testing.T) {
	var dedup render.DedupCache
	shown := render.DedupSet{nil, dedup.Keys("# Known\n\n- The bank is slow.\n* Round ONCE")}
	for _, text := range []string{"the bank is slow", "The  bank is slow!", "round once"} {
		assert.True(t, shown.Has(render.DedupKey(text)), text)
	}
	assert.False(t, shown.Has(render.DedupKey("the bank")))
	assert.False(t, shown.Has(render.DedupKey("?!")), "a blank line has no key")
	assert.False(t, shown.Has(render.ErrorKey("")))
}
