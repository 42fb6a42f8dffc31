package items

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/items/gating"
)

func TestDuplicatesAreLookedForAmongABoundedNumberOfBytes(t *testing.T) {
	for name, c := range map[string]struct{ length, items, want int }{
		"few short items": {100, 20, 20},
		"long items":      {maxText, 20, maxMergedSize / maxText},
	} {
		t.Run(name, func(t *testing.T) {
			db := emptyDatabase(t)
			r := &Room{}
			require.NoError(t, r.Migrate(t.Context(), db, 0))
			w := writer{ctx: t.Context(), tx: db, counts: map[countKey]count{}, episodes: map[string]int64{}}
			for i := range c.items {
				item := Item{ID: strconv.Itoa(i), Store: gating.Semantic, Text: strings.Repeat("a", c.length)}
				doc, err := json.Marshal(item)
				require.NoError(t, err)
				w.add(int64(i+1), &memorized{item: &item, sum: checksum(item.Text, nil)}, doc)
			}
			require.NoError(t, w.finish())
			items, texts, err := r.newest(t.Context(), db, gating.Semantic)
			require.NoError(t, err)
			assert.Len(t, items, c.want)
			assert.Len(t, texts, c.want)
			assert.Equal(t, strconv.Itoa(c.items-1), items[0].ID, "the newest first")
		})
	}
}
