package lsp

import (
	"iter"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// replying returns for each answer a peer that gives it to what a person is asked. All are started at once, because the
// work that a server leaves for later, for which the tests wait, begins a second after its start.
func replying(t *testing.T, replies iter.Seq[string]) map[string]*peer {
	peers := map[string]*peer{}
	for reply := range replies {
		p := start(t, nil)
		p.mu.Lock()
		p.reply = reply
		p.mu.Unlock()
		peers[reply] = p
	}
	return peers
}

func TestAPersonAtAnEditorIsAskedForTheOriginalOfABlock(t *testing.T) {
	const redacted = "The password of the test database is [redacted:secret]"
	const text = "The password of the test database is dragonfly"
	wants := map[string]string{"Leave it out": redacted, "Keep it as it was": text}
	for reply, p := range replying(t, maps.Keys(wants)) {
		want := wants[reply]
		update := func(operation, content string) (updated wire.CoreUpdateResult) {
			params := map[string]any{"block": "context", "operation": operation, "content": content}
			p.call("wm/core/update", params, &updated)
			return updated
		}
		asked := func(n int) {
			t.Helper()
			require.Eventually(t, func() bool {
				p.mu.Lock()
				defer p.mu.Unlock()
				return len(p.asked) == n
			}, patience, time.Millisecond)
			p.server.background.Wait()
		}
		content := func() string {
			var read wire.CoreReadResult
			p.call("wm/core/read", nil, &read)
			return read.Blocks.Context.Content
		}
		assert.Equal(t, redacted, update("replace", text).Block.Content)
		asked(1)
		assert.Equal(t, want, content())
		update("append", "It runs at night")
		assert.Equal(t, want+"\nIt runs at night", content(), "it stays as a person wanted it")
		update("append", "The password of the staging database is butterfly")
		asked(2)
		update("replace", "The database runs at night")
		assert.Equal(t, "The database runs at night", content())
		update("replace", text)
		asked(3)
		assert.Equal(t, want, content(), "another writing is asked for again")
	}
}

func TestAPersonAtAnEditorIsAskedForTheOriginalOfARedactedText(t *testing.T) {
	const text = "The password of the test database is dragonfly"
	wants := map[string]string{
		"":                  "The password of the test database is [redacted:secret]",
		"Leave it out":      "The password of the test database is [redacted:secret]",
		"Keep it as it was": text,
	}
	for reply, p := range replying(t, maps.Keys(wants)) {
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
		assert.Equal(t, wants[reply], list.Entries[0].Text)
	}
}

func TestNobodyIsAskedWhileManyQuestionsWait(t *testing.T) {
	p := start(t, nil)
	add := func(database string) {
		text := "The password of the " + database + " database is dragonfly"
		p.call("wm/memory/add", map[string]any{"text": text}, nil)
	}
	asked := func(database string) func() bool {
		return func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			return len(p.asked) > 0 && strings.Contains(p.asked[len(p.asked)-1], database)
		}
	}
	for range maxQuestions {
		p.server.questions <- struct{}{}
	}
	add("first")
	<-p.server.questions
	for i, database := range []string{"second", "third"} { // one that is answered makes room
		add(database)
		require.Eventually(t, asked(database), patience, time.Millisecond)
		p.server.background.Wait()
		assert.Len(t, p.asked, i+1)
	}
}
