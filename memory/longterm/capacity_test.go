package longterm

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/panel"
)

func TestBeforeAnythingIsEvictedThePanelSaysWhat(t *testing.T) {
	texts := []string{"Prices are whole cents", "Totals are rounded once", "Invoices have a number of the year"}
	for _, test := range []struct {
		name   string
		limit  int
		pinned bool
		want   string // "" for nothing
		then   int    // entries in force after another one
	}{
		{"there is room", 4, false, "", 4},
		{
			"the next one evicts one", 3, false,
			"Full, next out: “Prices are whole cents”|" +
				"3 of 3 shown; the next one moves it out of every context; search still finds it", 3,
		},
		{
			"the limit was lowered", 1, false,
			"Full, next out: 3 entries|" +
				"3 of 1 shown; the next one moves them out of every context; search still finds them", 1,
		},
		{"all are pinned", 3, true, "Full: all are pinned|3 of 3 shown; no other is kept", 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFixture(t)
			for _, text := range texts {
				f.add(Addition{Text: text, Pinned: test.pinned})
			}
			f.settings.Memory.MaxEntries = test.limit
			var said string
			for _, item := range f.room.paint(panel.Reader{}).Items {
				if item.ID == fullItem {
					said = item.Label + "|" + item.Detail
				}
			}
			require.Equal(t, test.want, said)
			weakest, _ := f.room.next()
			f.apply(f.room.Add(Addition{Text: "Customers are found by their number"}))
			used, _ := f.room.Used()
			assert.Equal(t, test.then, used)
			for _, e := range weakest {
				evicted, _ := f.room.Get(e.ID)
				assert.Equal(t, StatusEvicted, evicted.Status, evicted.Text)
			}
		})
	}
}

func TestALongTextIsShortenedAndAllThatIsEvictedIsLinked(t *testing.T) {
	f := newFixture(t)
	for i := range 3 {
		f.add(Addition{Text: fmt.Sprintf("Component %d of the shop is built by rule number %d of the build", i, 7*i)})
	}
	f.settings.Memory.MaxEntries = 2
	text, shown := f.room.markdown(panel.Reader{}, fullItem)
	require.True(t, shown)
	assert.Contains(t, text, "3 of 2 shown")
	assert.Contains(t, text, "Component 0 of the shop")
	assert.Contains(t, text, "Component 1 of the shop")
	f.settings.Memory.MaxEntries = 3
	text, _ = f.room.markdown(panel.Reader{}, fullItem)
	assert.Contains(t, text, "“Component 0 of the shop is built by rul…”")
}
