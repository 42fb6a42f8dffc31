package render

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNoSectionOfAContextHasWhatAPersonDoesNotSee(t *testing.T) {
	const hidden = "a\u202eb\u200b\U000e0041\u2028c 👩\u200d👧"
	section := Section{ID: "x", MaxChars: 100, Render: func(int, DedupSet) Part {
		return Part{Text: hidden, Items: []Item{{ID: "i", Text: hidden}}}
	}}
	for _, stable := range []bool{true, false} {
		section.Stable = stable
		packed := Pack([]Section{section}, 1000, Chars(1000))
		assert.Contains(t, packed.Text(), "ab c 👩\u200d👧")
		assert.Equal(t, "ab c 👩\u200d👧", packed.Sections[0].Items[0].Text)
	}
	assert.Equal(t, "ab c 👩\u200d👧", Flat(hidden))
	assert.Equal(t, "ab c 👩\u200d👧", Inert(hidden))
}
