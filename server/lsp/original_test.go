package lsp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

func TestAPersonAtAnEditorIsAskedForTheOriginalOfARedactedText(t *testing.T) {
	const text = "The password of the test database is dragonfly"
	for reply, want := range map[string]string{
		"":                  "The password of the test database is [redacted:secret]",
		"Leave it out":      "The password of the test database is [redacted:secret]",
		"Keep it as it was": text,
	} {
		p := start(t, nil)
		p.mu.Lock()
		p.reply = reply
		p.mu.Unlock()
		var receipt wire.Receipt
		p.call("wm/memory/add", map[string]any{"text": text, "type": "reference"}, &receipt)
		assert.Equal(t, []string{"secret"}, receipt.Redacted)
		require.Eventually(t, func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			return len(p.asked) == 1
		}, patience, time.Millisecond)
		p.server.background.Wait()
		var list wire.MemoryListResult
		p.call("wm/memory/list", map[string]any{}, &list)
		require.Len(t, list.Entries, 1)
		assert.Equal(t, want, list.Entries[0].Text)
	}
}
