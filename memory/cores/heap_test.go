package cores

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestALargeHeapGrowsByBytesAndNotToTwiceItsSize(t *testing.T) {
	for name, test := range map[string]struct {
		live  uint64
		batch bool
		want  int
	}{
		"a small heap":                        {1 << 20, false, 100},
		"a heap as large as the headroom":     {headroom, false, 100},
		"a heap of four times the headroom":   {4 * headroom, false, 25},
		"a huge heap":                         {1000 * headroom, false, 10},
		"an empty heap in a batch":            {0, true, 2400},
		"a small heap in a batch":             {batchHeadroom / 4, true, 400},
		"a heap of twice the room of a batch": {2 * batchHeadroom, true, 50},
		"a huge heap in a batch":              {1000 * batchHeadroom, true, 10},
	} {
		assert.Equal(t, test.want, growthFor(test.live, test.batch), name)
	}
}

func TestAHeapThatIsPacedMayGrowFurtherInABatch(t *testing.T) {
	growth := func() int {
		now := debug.SetGCPercent(-1)
		debug.SetGCPercent(now)
		return now
	}
	before := growth()
	defer debug.SetGCPercent(before)
	var p pacing
	p.roomy()()
	assert.Equal(t, before, growth(), "it is not paced")

	p.start()
	usual := p.roomy()
	large := growth()
	usual()
	assert.Greater(t, large, growth())
	assert.LessOrEqual(t, growth(), UsualGrowth)
}
