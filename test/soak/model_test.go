//go:build linux

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// written returns a ledger with writes: "a 1-2" is acknowledged, "a 1-2?" has no answer, and
// "a 1-2!" is refused.
func written(l *ledger, begun, ended moment, value string) {
	value, mark := strings.TrimRight(value, "?!"), value[len(value)-1]
	l.begin(value, begun)
	switch mark {
	case '?':
		l.end(value, unknown, ended)
	case '!':
		l.end(value, refused, ended)
	default:
		l.end(value, acknowledged, ended)
	}
}

func TestListHoldsEveryAcknowledgedWriteOnceAndInOrder(t *testing.T) {
	for name, c := range map[string]struct {
		list  string
		whole bool
		fault string // the beginning of the only fault
	}{
		"all that is acknowledged":                   {"a b c f", true, ""},
		"what has no answer may be there":            {"a b c d f", true, ""},
		"writes at the same time in either order":    {"a c b f", true, ""},
		"an acknowledged write is missing":           {"a b c", true, `lost: "f"`},
		"an acknowledged write is there twice":       {"a b c f a", true, `doubled: "a"`},
		"a write without an answer is there twice":   {"a b c d d f", true, `doubled: "d"`},
		"a later write stands before an earlier":     {"b a c f", true, `out of order: "a" stands after "b"`},
		"a refused write is there":                   {"a b c e f", true, `kept though refused: "e"`},
		"a value that nobody wrote":                  {"a b c f x", true, `invented: nobody wrote "x"`},
		"a dead server's write after a later one":    {"a b c f d", true, `out of order: "d" stands after "f"`},
		"the newest values, of a list with a limit":  {"c f", false, ""},
		"a hole in a list with a limit":              {"a f", false, `lost: "b"`},
		"the end is missing in a list with a limit":  {"b c", false, `lost: "f"`},
		"a write that still runs may be there":       {"a b c f g", true, ""},
		"an erased value may be gone, or not be yet": {"a b c f h", true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLedger()
			written(l, 1, 2, "a")
			written(l, 3, 6, "b") // at the same time as c
			written(l, 4, 5, "c")
			written(l, 7, 8, "d?")
			written(l, 9, 10, "e!")
			written(l, 11, 12, "f")
			written(l, 13, 14, "h")
			l.forgive("h")
			l.begin("g", 15)
			faults := l.checkList(strings.Fields(c.list), c.whole)
			if name == "a hole in a list with a limit" { // both b and c
				assert.Len(t, faults, 2)
				assert.Contains(t, strings.Join(faults, "\n"), c.fault)
				return
			}
			expectFault(t, c.fault, faults)
		})
	}
}

func expectFault(t *testing.T, want string, faults []string) {
	t.Helper()
	if want == "" {
		assert.Empty(t, faults)
		return
	}
	if assert.Len(t, faults, 1) {
		assert.Contains(t, faults[0], want)
	}
}

func TestPlaceHoldsTheLastAcknowledgedWriteOrOneWithoutAnAnswer(t *testing.T) {
	for value, fault := range map[string]string{
		"b": "",
		"c": "", // at the same time as b
		"d": "", // no answer
		"a": `there is "a", which is older`,
		"":  "lost",
		"e": "kept though refused",
		"x": "invented",
	} {
		t.Run("value "+value, func(t *testing.T) {
			l := newLedger()
			written(l, 1, 2, "a")
			written(l, 3, 6, "b")
			written(l, 4, 5, "c")
			written(l, 7, 8, "d?")
			written(l, 9, 10, "e!")
			assert.Contains(t, l.checkValue(value), fault)
			assert.Equal(t, fault == "", l.checkValue(value) == "")
		})
	}
	assert.Empty(t, newLedger().checkValue(""), "nothing was written")
}

func TestBagIsEmptyAfterAPurgeAndKeepsWhatCameAfter(t *testing.T) {
	for name, c := range map[string]struct {
		values      string
		seen, ended moment
		fault       string
	}{
		"what came after the purge":              {"c", 30, 31, ""},
		"a write at the time of the purge":       {"b c", 30, 31, ""},
		"a purged value":                         {"a c", 30, 31, `came back: "a"`},
		"what came after the purge is gone":      {"", 30, 31, `lost: "c"`},
		"before the purge":                       {"a", 3, 4, ""},
		"lost before the purge":                  {"", 3, 4, `lost: "a"`},
		"a read that began before the purge did": {"", 3, 20, ""},
		"nobody wrote it":                        {"c x", 30, 31, "invented"},
		"twice":                                  {"c c", 30, 31, "doubled"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBag()
			written(&b.ledger, 1, 2, "a")
			written(&b.ledger, 9, 14, "b")
			cleared := b.clear(10)
			cleared(acknowledged, 12)
			refusedClearing := b.clear(22)
			refusedClearing(refused, 23)
			written(&b.ledger, 15, 16, "c")
			expectFault(t, c.fault, b.check(strings.Fields(c.values), c.seen, c.ended))
		})
	}
	b := newBag()
	written(&b.ledger, 1, 2, "a")
	b.clear(3)(unknown, 4)
	assert.Empty(t, b.check(nil, 5, 6), "a purge without an answer may have happened")
	assert.Empty(t, b.check([]string{"a"}, 5, 6), "or not")
}

func TestEveryMethodHasAnAction(t *testing.T) {
	assert.NoError(t, checkActions())
}

func TestValuesAreFoundInTexts(t *testing.T) {
	a, b := word(1), word(1<<40)
	assert.NotEqual(t, a, b)
	assert.Len(t, a, wordLength)
	text := "[" + sentence(a) + "], " + line(b) + "\n" + sentence(b)
	assert.Equal(t, []string{a, b}, valuesAfter(text, inSentence))
	assert.Equal(t, []string{b}, valuesAfter(text, inLine))
}
