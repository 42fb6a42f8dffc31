package redact

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEveryTriggerIsFoundInAnyCase(t *testing.T) {
	x := table.Get().index
	assert.Less(t, len(x.keys), 1<<16)
	for _, m := range x.marks {
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

// capitals is a string with its ASCII letters in upper case.
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

func TestAWordOrAnIDAloneIsNoSecretWithTheTablesEither(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	letters := func(n int, from string) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = from[random.IntN(len(from))]
		}
		return string(b)
	}
	triggers := []string{""}
	for _, m := range table.Get().index.marks {
		if isShortWord(m.trigger) {
			triggers = append(triggers, m.trigger)
		}
	}
	for i := range 20_000 {
		word := triggers[random.IntN(len(triggers))] + triggers[random.IntN(len(triggers))] +
			letters(random.IntN(16), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
		hex := letters(36, "0123456789abcdef"[:10+i%7])
		for _, text := range []string{
			word[:min(16, len(word))],
			letters(1, "01234567") + letters(25, "0123456789ABCDEFGHJKMNPQRSTVWXYZ"),
			hex[:8] + "-" + hex[9:13] + "-" + hex[14:18] + "-" + hex[19:23] + "-" + hex[24:],
		} {
			assert.True(t, isPlain(text), text)
			assert.Empty(t, find(text, &effort{}), text)
		}
	}
	for _, text := range []string{
		"xoxa-dragonfly", "aLongWordOfLetters", "01M86TJZDJCWNER0DZDPDYMPSU", "81M86TJZDJCWNER0DZDPDYMPSK",
		"0f3c2a9e-1111-4a2b-9c3d-12345678 abc", "hunter2",
	} {
		assert.False(t, isPlain(text), text)
	}
}
