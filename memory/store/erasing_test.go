package store

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestATextIsErasedWholeAndAShortOneOnlyAsAWord(t *testing.T) {
	for name, c := range map[string]struct {
		content, want string
		texts         []string
	}{
		"a text":                        {"it is Halcyon Meridian.", "it is [erased].", []string{"Halcyon Meridian"}},
		"twice, also within a word":     {"xMeridianx Meridian", "x[erased]x [erased]", []string{"Meridian"}},
		"a short one":                   {"a cat, category, cat", "a [erased], category, [erased]", []string{"cat"}},
		"a short one beside other ones": {"cat\u00e9 cat\u4e2d cat", "cat\u00e9 cat\u4e2d [erased]", []string{"cat"}},
		"nothing that is there":         {"it is another", "it is another", []string{"Halcyon Meridian", "cat", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, Without(c.content, c.texts))
		})
	}
}
