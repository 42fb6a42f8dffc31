package cores_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/cores"
)

func TestEachElementIsWorkedOnOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	each := func(c *cores.Cores, list []int, do func(i int, at *int)) {
		c.While(len(list), func() { cores.ForEach(list, do) })
	}
	c := &cores.Cores{}
	for _, n := range []int{0, 1, 99, 100, 5000} {
		done := make([]int, n)
		each(c, done, func(i int, at *int) {
			assert.Same(t, &done[i], at)
			*at += i + 1
			if i == n/2 {
				each(c, make([]int, 200), func(int, *int) {}) // while others are worked on
			}
		})
		for i, is := range done {
			assert.Equal(t, i+1, is)
		}
		assert.Equal(t, 1, runtime.GOMAXPROCS(0), "the process runs on one processor again")
	}
}

func TestAPanicIsHandedOn(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	c := &cores.Cores{}
	for _, n := range []int{3, 1000} {
		assert.Panics(t, func() {
			c.While(n, func() {
				cores.ForEach(make([]int, n), func(i int, _ *int) {
					if i == 2 {
						panic("spilled")
					}
				})
			})
		})
		assert.Equal(t, 1, runtime.GOMAXPROCS(0))
	}
}

func TestAProcessRunsOnSeveralProcessorsWhileItWorksOnManyParts(t *testing.T) {
	t.Setenv("GOMAXPROCS", "")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for name, c := range map[string]struct {
		*cores.Cores
		parts   int
		several bool
	}{
		"few parts":            {&cores.Cores{}, 99, false},
		"many parts":           {&cores.Cores{}, 100, runtime.NumCPU() > 1},
		"many parts, no cores": {nil, 100, false},
	} {
		c.While(c.parts, func() { assert.Equal(t, c.several, runtime.GOMAXPROCS(0) > 1, name) })
		assert.Equal(t, 1, runtime.GOMAXPROCS(0), name)
	}
}

func TestAProcessRunsOnASecondProcessorBesideWhatTakesLong(t *testing.T) {
	t.Setenv("GOMAXPROCS", "")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	c := &cores.Cores{}
	var within, nested int
	c.Beside(func() {
		within = runtime.GOMAXPROCS(0)
		c.While(100, func() { nested = runtime.GOMAXPROCS(0) })
		assert.Equal(t, within, runtime.GOMAXPROCS(0), "what is nested narrows nothing")
	})
	assert.Equal(t, min(2, runtime.NumCPU()), within)
	assert.Equal(t, within, nested)
	assert.Equal(t, 1, runtime.GOMAXPROCS(0))
	(*cores.Cores)(nil).Beside(func() { within = runtime.GOMAXPROCS(0) })
	assert.Equal(t, 1, within)
}
