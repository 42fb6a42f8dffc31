package items

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

func TestAnItemThatIsNotSearchableIsNotInTheIndex(t *testing.T) {
	for name, test := range map[string]struct {
		kind    change.Kind
		hidden  bool
		put     int
		removed []string
	}{
		"memorized":                          {Memorized, false, 1, nil},
		"memorized into a store that is not": {Memorized, true, 0, nil},
		"put into a store that is":           {Updated, false, 1, nil},
		"put into a store that is not":       {Updated, true, 0, []string{"item:heron"}},
		"restored into a store that is not":  {Restored, true, 0, []string{"item:heron"}},
		"evicted":                            {Evicted, true, 0, []string{"item:heron"}},
	} {
		put, removed := (&Room{}).Documents(change.New(test.kind, "heron", &Item{ID: "heron", Hidden: test.hidden}))
		assert.Len(t, put, test.put, name)
		assert.Equal(t, test.removed, removed, name)
	}
}
