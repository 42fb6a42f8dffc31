package pattern

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHasWordFindsWordsAndNotPartsOfThem(t *testing.T) {
	for name, test := range map[string]struct {
		text, word string
		want       bool
	}{
		"a word":                              {"use redis here", "redis", true},
		"at the beginning":                    {"redis is used", "redis", true},
		"at the end":                          {"use redis", "redis", true},
		"beside punctuation":                  {"use (redis).", "redis", true},
		"the beginning of a word":             {"use rediscover", "redis", false},
		"the end of a word":                   {"use predis", "redis", false},
		"a part of an identifier":             {"use redis_cache", "redis", false},
		"a part first, the word later":        {"rediscover redis", "redis", true},
		"a path in a longer one":              {"see src/cart.go", "cart.go", true},
		"a word that begins with a sign":      {"use @scope/pkg", "@scope/pkg", true},
		"Chinese, without spaces":             {"不要用缓存方案", "缓存", true},
		"Latin in Chinese":                    {"请使用redis缓存", "redis", true},
		"a word with an accent":               {"le café noir", "café", true},
		"a part of a word with an accent":     {"la cafétéria", "caf", false},
		"an empty word":                       {"use redis", "", false},
		"a word that is longer than the text": {"re", "redis", false},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, HasWord(test.text, test.word))
		})
	}
}
