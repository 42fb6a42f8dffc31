package redact

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheFormOfAWordIsRememberedInAText(t *testing.T) {
	var e effort
	find(strings.Repeat("the token was refreshed by the scheduler\n", 1000), &e)
	assert.LessOrEqual(t, len(e.forms), 6, "one for each of the words")

	one := e.formOf("refreshed", "refreshed")
	assert.Same(t, one, e.formOf("refreshed", "refreshed"))
	asked := 0
	ask := func() bool { asked++; return asked == 1 }
	var first, second answer
	for range 2 {
		assert.True(t, first.or(ask))
		assert.False(t, second.or(ask))
	}
	assert.Equal(t, 2, asked, "each question once")
}

func TestTheFormsThatAreRememberedAreBounded(t *testing.T) {
	var e effort
	for n := range 3 * maxForms {
		e.formOf("word"+strconv.Itoa(n), "")
	}
	assert.LessOrEqual(t, len(e.forms), maxForms)
}

func TestTheLastLineOfATextStartsBehindItsLastLineEnd(t *testing.T) {
	for _, text := range []string{
		"", "\n", "a", "a\n", "\na", "\n\n", "a\nb", "0123456\n", "\n0123456", "01234567\n", "\n01234567",
		"a\n0123456789abcdef", "\n\x0b\x09\x8a\x0b0123456", "0123456789\x8a\x0b012345678", "é\n\u000b日本語日本語",
	} {
		for end := range len(text) + 1 {
			assert.Equal(t, strings.LastIndexByte(text[:end], '\n')+1, lastLine(text[:end]), "%q", text[:end])
		}
	}
}
