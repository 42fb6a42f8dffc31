package redact

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEveryTriggerIsFoundInAnyCase(t *testing.T) {
	x := table.Get().index
	assert.Less(t, len(x.marks), 1<<16)
	for _, m := range x.marks[1:] {
		for _, text := range []string{m.trigger + " ", capitals(m.trigger) + " ", "é" + m.trigger + "é"} {
			seen := map[int]bool{}
			x.each(text, func() {}, func(rule, _ int) bool {
				seen[rule] = true
				return true
			})
			assert.True(t, seen[m.rule], text)
		}
	}
}

// capitals is a text with its ASCII letters in upper case.
func capitals(s string) string {
	b := []byte(s)
	for i := range b {
		b[i] = upper(b[i])
	}
	return string(b)
}

func BenchmarkTable(b *testing.B) {
	for b.Loop() {
		newTable()
	}
}

// upper returns an ASCII letter in upper case, and other bytes as they are.
func upper(c byte) byte {
	if isLower(c) {
		return c - 'a' + 'A'
	}
	return c
}
