package words

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAWordIsReadAlikeWhereverItsEndIsSeen(t *testing.T) {
	list := strings.Fields(`A I Running ran may May Sept sep Tuesday yesterday week two dozen HTTP IDs parseConfig
		HTTPServer naïve über internationalization internationalizations x2 e2e v2 don't user's C++ the The THE US us`)
	for _, words := range stopLists {
		list = append(list, strings.Fields(words)...)
	}
	for _, word := range list {
		for _, around := range []string{"we saw WORD and WORD", "der Hund sah WORD und WORD"} {
			end := Words(strings.ReplaceAll(around, "WORD", word))
			known := Words(strings.ReplaceAll(around, "WORD", word+" ,"))
			unknown := Words(strings.ReplaceAll(around, "WORD", word+"*"))
			for _, found := range [][]Word{end, known, unknown} {
				for i := range found {
					found[i].known = nil
				}
			}
			assert.Equal(t, unknown, known, word)
			assert.Equal(t, unknown, end, word)
		}
	}
}
