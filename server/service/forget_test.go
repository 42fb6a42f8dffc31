package service

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestAnItemThatAPromptAsksToForgetIsNamedUntilItIsForgotten(t *testing.T) {
	f := newFace(t)
	at, err := f.service.View(&wire.StatusParams{})
	require.NoError(t, err)
	id := f.memorize(text("The parser reads amounts in cents"))[0].ID
	assert.Equal(t, []string{
		`wm-lsp remembers "The parser reads amounts in cents" (to forget it: wm-lsp forget ` + id + `)`,
	}, at.ToForget(t.Context(), "forget "+id))
	get[wire.MemoryRemoveResult](f, "wm/memory/remove", &wire.MemoryRemoveParams{ID: id})
	assert.Equal(t, []string{
		`wm-lsp remembers nothing that fits "` + id +
			`", so nothing is forgotten (wm-lsp list prints what is remembered)`,
	}, at.ToForget(t.Context(), "forget "+id))
}
