package room_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

func row(key, value string) change.Row { return change.Row{Key: key, Value: []byte(value)} }

// undone returns rows as they are loaded when the transaction that touched them has failed.
func undone(touched []change.Row) (rows []change.Row) {
	for _, one := range touched {
		before := change.Row{Key: one.Key}
		if one.Old != nil {
			before.Value = one.Old()
		}
		rows = append(rows, before)
	}
	return rows
}

func TestRowsOfASessionBecomeOneAndSeveralAgain(t *testing.T) {
	rows := []change.Row{row("s\x1fa", `{"n":1}`), row("s\x1fb", `"b"`)}
	bundles := room.Bundles{}
	touched := bundles.Bundle("s", rows)
	require.Len(t, touched, 3)
	assert.Nil(t, touched[0].Value)
	assert.Nil(t, touched[1].Value)
	bundle := touched[2]
	assert.Equal(t, "s", room.Bundled(bundle))
	assert.Equal(t, append(rows, change.Row{Key: bundle.Key}), undone(touched))
	separate, bad := room.Separate([]change.Row{bundle, row("s\x1fc", "3")})
	assert.Empty(t, bad)
	assert.Equal(t, append(rows, row("s\x1fc", "3")), separate)
	assert.Empty(t, bundles.Bundle("s", rows), "they are one")

	touched = bundles.Unbundle("s", func() []change.Row { return rows })
	assert.Equal(t, rows, touched[1:])
	before := []change.Row{{Key: bundle.Key, Value: bundle.Value}, {Key: "s\x1fa"}, {Key: "s\x1fb"}}
	assert.Equal(t, before, undone(touched))
	assert.Empty(t, bundles.Unbundle("s", func() []change.Row { return rows }), "they are several")
}

func TestASingleRowOrASessionWithoutANameIsNotBundled(t *testing.T) {
	bundles := room.Bundles{}
	assert.Empty(t, bundles.Bundle("s", nil))
	assert.Empty(t, bundles.Bundle("s", []change.Row{row("s\x1fa", "1")}))
	assert.Empty(t, bundles.Bundle("", []change.Row{row("\x1fa", "1"), row("\x1fb", "2")}))
	assert.Empty(t, bundles)
}

func TestABundleThatCannotBeReadIsOneBadRow(t *testing.T) {
	damaged := row("\x1fs", `["no object"]`)
	separate, bad := room.Separate([]change.Row{damaged, row("s\x1fa", "1")})
	assert.Equal(t, []change.Row{row("s\x1fa", "1")}, separate)
	assert.Equal(t, []change.Row{damaged}, bad)
}

func TestStringsAreErasedFromEachRowOfABundle(t *testing.T) {
	without := func(one change.Row) change.Row { return room.Without(one, []string{"secret"}) }
	for _, c := range []struct{ name, value, want string }{
		{"a row without it stays as it was", `{"s\u001fa": {"x":"public"}}`, `{"s\u001fa": {"x":"public"}}`},
		{"it is replaced in a value", `{"s\u001fa":"a secret","s\u001fb":2}`, `{"s\u001fa":"a [erased]","s\u001fb":2}`},
		{"a row with it in its key goes", `{"secret.go":1,"b.go":2}`, `{"b.go":2}`},
		{"nothing is left", `{"secret.go":1}`, ``},
		{"what cannot be read goes", `["secret"]`, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			left := room.ForgetBundled(row("\x1fs", c.value), without)
			assert.Equal(t, "\x1fs", left.Key)
			assert.Equal(t, c.want, strings.TrimSpace(string(left.Value)))
		})
	}
}
