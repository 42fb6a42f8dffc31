package cores_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/memory/cores"
)

func TestEachElementIsWorkedOnOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, n := range []int{0, 1, 99, 100, 5000} {
		done := make([]int, n)
		cores.ForEach(done, func(i int, at *int) {
			assert.Same(t, &done[i], at)
			*at += i + 1
			if i == n/2 {
				cores.ForEach(make([]int, 200), func(int, *int) {}) // while others are worked on
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
	for _, n := range []int{3, 1000} {
		assert.Panics(t, func() {
			cores.ForEach(make([]int, n), func(i int, _ *int) {
				if i == 2 {
					panic("spilled")
				}
			})
		})
		assert.Equal(t, 1, runtime.GOMAXPROCS(0))
	}
}
