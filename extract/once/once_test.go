package once_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

func TestAValueIsMadeOnceWhenItIsFirstUsed(t *testing.T) {
	var made atomic.Int64
	value := once.Value[map[string]int]{Make: func() map[string]int {
		made.Add(1)
		return map[string]int{"a": 1}
	}}
	assert.Zero(t, made.Load())
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { assert.Equal(t, 1, value.Get()["a"]) })
	}
	all.Wait()
	assert.EqualValues(t, 1, made.Load())
}

func TestARegularExpressionIsCompiledWhenItIsFirstUsed(t *testing.T) {
	word := once.Compile(`(\w)(\d+)`)
	assert.True(t, word.MatchString("a1"))
	assert.Equal(t, "b22", word.FindString("- b22 c3"))
	assert.Equal(t, []int{2, 5}, word.FindStringIndex("- b22 c3"))
	assert.Equal(t, []string{"b22", "b", "22"}, word.FindStringSubmatch("- b22 c3"))
	assert.Len(t, word.FindAllStringSubmatch("b22 c3", -1), 2)
	assert.Equal(t, "22b", word.ReplaceAllString("b22", "$2$1"))

	wrong := once.Compile(`(`)
	assert.Panics(t, func() { wrong.MatchString("a") }, "not before it is used")
}
