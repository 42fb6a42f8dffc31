package service

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// ran reports a tool that ran and returns the id of its item.
func (f *face) ran(params wire.ToolExecutedParams) string {
	f.t.Helper()
	return get[wire.ToolExecutedResult](f, "wm/tool/executed", &params).ItemID
}

// texts returns the texts of the hits of a search.
func (f *face) texts(query string, stores ...string) []string {
	f.t.Helper()
	found := get[wire.SearchResult](f, "wm/search", &wire.SearchParams{Query: query, Stores: stores})
	texts := []string{}
	for _, hit := range found.Hits {
		texts = append(texts, hit.Item.Text)
	}
	return texts
}

// newTracker returns a face for which tools that ran become items.
func newTracker(t *testing.T) *face {
	f := newFace(t)
	f.configure(`{"items": {"enableToolTracking": true}}`)
	return f
}

func TestE4_AToolThatRanIsAnItemOfEpisodicMemory(t *testing.T) {
	f := newTracker(t)
	f.write("cart.go", "package cart\n")
	code := 1
	id := f.ran(wire.ToolExecutedParams{
		Tool: "Bash", Input: json.RawMessage(`{"command": "go test ./cart"}`), ExitCode: &code,
		Output: "--- FAIL: TestTotal (0.00s)\n    cart_test.go:12: total is 3, want 4\nFAIL\nFAIL\tshop/cart\t0.01s\n",
	})
	require.NotEmpty(t, id)
	item := f.item(id)
	assert.Equal(t, "episodic", item.Store)
	assert.Equal(t, "tool_result", item.Type)
	assert.Equal(t, "tool", item.Source)
	assert.True(t, strings.HasPrefix(item.Text, "$ go test ./cart\nexit code 1\n--- FAIL: TestTotal"), item.Text)
	assert.Equal(t, "s", item.Session)
	var call items.ToolCall
	require.NoError(t, json.Unmarshal(item.Content, &call))
	assert.Equal(t, items.ToolCall{
		Tool: "Bash", Kind: "shell", Command: "go test ./cart", ExitCode: &code, Failed: true,
	}, call)
	assert.Equal(t, []string{item.Text}, f.texts("what did TestTotal say", "episodic"))

	read := f.item(f.ran(wire.ToolExecutedParams{
		Tool: "Read", Input: json.RawMessage(`{"file_path": "cart.go"}`), Output: "package cart\n",
	}))
	assert.Equal(t, "Read cart.go", read.Text, "what can be read again is not kept twice")
	edit := f.item(f.ran(wire.ToolExecutedParams{
		Tool:  "Edit",
		Input: json.RawMessage(`{"file_path": "cart.go", "old_string": "a", "new_string": "total += price"}`),
	}))
	assert.Equal(t, "Edit cart.go\ntotal += price", edit.Text)
	assert.Less(t, read.Importance, item.Importance)

	f.configure(`{"items": {"enableToolTracking": false}}`)
	assert.Empty(t, f.ran(wire.ToolExecutedParams{Tool: "Bash", Input: json.RawMessage(`{"command": "ls"}`)}))
}

func TestE4_ACallIsReportedOnceAndHasNoSecrets(t *testing.T) {
	f := newTracker(t)
	call := wire.ToolExecutedParams{
		Tool: "Bash", CallID: "c1", Input: json.RawMessage(`{"command": "deploy"}`),
		Output: "deployed with token ghp_0123456789abcdefghijklmnopqrstuvwxyz",
	}
	item := f.item(f.ran(call))
	assert.Equal(t, items.Partial, item.Redaction)
	assert.NotContains(t, item.Text, "ghp_")
	assert.Empty(t, f.ran(call))
}

func TestE4_ALongOutputIsKeptInShort(t *testing.T) {
	f := newTracker(t)
	lines := make([]string, 0, 3000)
	for i := range 3000 {
		lines = append(lines, strings.Repeat("x", i%7)+" line of a build "+strings.Repeat("y", i%11))
	}
	lines[1500] = "error: the linker was killed"
	lines[2999] = "build stopped after 31 s"
	item := f.item(f.ran(wire.ToolExecutedParams{
		Tool: "Bash", Input: json.RawMessage(`{"command": "make"}`), Output: strings.Join(lines, "\n"),
	}))
	assert.Less(t, len(item.Text), 1500)
	assert.Contains(t, item.Text, "build stopped after 31 s")
}

func TestE4_MessagesAreItemsWhereTheConversationIsKept(t *testing.T) {
	f := newTracker(t)
	say := func(session string, role wire.Role, text string) {
		t.Helper()
		get[wire.MessageReceivedResult](f, "wm/message/received", &wire.MessageReceivedParams{
			Params: wire.Params{SessionID: session}, Role: role, Text: text,
		})
	}
	say("s", wire.RoleUser, "The zebra printer is on the third floor")
	assert.Empty(t, f.texts("where is the zebra printer", "conversation"), "this conversation is not kept")

	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{
		Params: wire.Params{SessionID: "kept"}, History: true,
	})
	say("kept", wire.RoleUser, "The zebra printer is on the third floor")
	say("kept", wire.RoleAssistant, "I will print the labels with the zebra printer there.")
	found := get[wire.SearchResult](f, "wm/search", &wire.SearchParams{
		Query: "zebra printer floor", Stores: []string{"conversation"},
	}).Hits
	require.Len(t, found, 2)
	assert.Equal(t, "The zebra printer is on the third floor", found[0].Item.Text)
	assert.Equal(t, "user_message", found[0].Item.Type)
	assert.Equal(t, "user", found[0].Item.Speaker)
	assert.Equal(t, "assistant_message", found[1].Item.Type)
	assert.Equal(t, "kept", found[1].Item.SessionID)

	get[wire.SessionDeleteResult](f, "wm/session/delete", &wire.SessionDeleteParams{
		Params: wire.Params{SessionID: "kept"},
	})
	assert.Empty(t, f.texts("zebra printer floor", "conversation"))
	assert.Empty(t, f.stored(found[0].Item.ID, found[1].Item.ID))
}

// held returns how many items a store holds.
func (f *face) held(store string) int {
	f.t.Helper()
	for _, one := range get[wire.StatusResult](f, "wm/status", &wire.StatusParams{}).MemoryTypes {
		if one.Name == store {
			return one.Items
		}
	}
	f.t.Fatalf("there is no store %s", store)
	return 0
}

func TestE10_ToolsAndMessagesStayWithinTheLimitsOfTheirStores(t *testing.T) {
	slow.Test(t)
	f := newTracker(t)
	f.configure(`{"items": {"enableToolTracking": true, "maxEpisodic": 100, "maxConversation": 4}}`)
	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{
		Params: wire.Params{SessionID: "s"}, History: true,
	})
	var first, last string
	for i := range 130 {
		last = f.ran(wire.ToolExecutedParams{
			Tool: "Bash", Input: json.RawMessage(fmt.Sprintf(`{"command": "check zebra%d"}`, i)),
		})
		first = cmp.Or(first, last)
	}
	for i := range 9 {
		get[wire.MessageReceivedResult](f, "wm/message/received", &wire.MessageReceivedParams{
			Role: wire.RoleUser, Text: fmt.Sprintf("The giraffe of pen %d is hungry", i),
		})
	}
	require.Eventually(t, func() bool { return f.held("episodic") == 100 && f.held("conversation") == 4 }, Patience,
		20*time.Millisecond)
	assert.Equal(t, "evicted", f.item(first).Ended)
	assert.Empty(t, f.item(last).Ended)
	assert.NotContains(t, f.texts("check zebra0", "episodic"), "$ check zebra0", "what was evicted is not found")
	assert.Contains(t, f.texts("check zebra129", "episodic"), "$ check zebra129")
	assert.Len(t, f.texts("the hungry giraffe", "conversation"), 4)

	get[wire.MemorizeResult](f, "wm/memorize", &wire.MemorizeParams{Items: []wire.MemoryItem{
		{Type: "observation", Text: "The deploy to Oslo failed with code 7", TTL: 1},
	}})
	f.changing(func(at *View, tables room.Querier) ([]change.Change, error) {
		changes, err := at.items().Trim(t.Context(), tables, at.memoryTypes(), at.AgeNow().Add(time.Hour))
		require.Len(t, changes, 1)
		assert.EqualValues(t, "item.expired", changes[0].Kind, "also if nothing more is memorized")
		return changes, err
	})
}

func TestE10_AStoreFarOverItsLimitIsTrimmedInParts(t *testing.T) {
	slow.Test(t)
	f := newFace(t)
	f.configure(`{"items": {"minNovelty": 0}}`)
	for i := range 2 {
		batch := make([]string, 1000)
		for k := range batch {
			batch[k] = fmt.Sprintf(`{"type": "observation", "text": "Door %d was opened at minute %d"}`, 1000*i+k, 7*k)
		}
		f.memorize(batch...)
	}
	f.configure(`{"items": {"minNovelty": 0, "maxEpisodic": 100}}`)
	newest := f.memorize(`{"type": "observation", "text": "The last door is locked", "importance": 0.9}`)[0]
	assert.EqualValues(t, "stored", newest.Status)
	assert.Len(t, newest.Evicted, 501)
	require.Eventually(t, func() bool { return f.held("episodic") == 100 }, Patience, 20*time.Millisecond)
	assert.Empty(t, f.item(newest.ID).Ended)
}

func TestE9_ToolsAndMessagesAreRedactedScoredRoutedAndIndexed(t *testing.T) {
	slow.Test(t)
	f := newTracker(t)
	f.configure(`{"enable_tool_tracking": true, "memory_types": [
		{"name": "runs", "max": 3, "retention": "week", "routes": ["tool_result", "user_message"]}]}`)
	get[wire.SessionStartResult](f, "wm/session/start", &wire.SessionStartParams{
		Params: wire.Params{SessionID: "s"}, History: true,
	})
	get[wire.MessageReceivedResult](f, "wm/message/received", &wire.MessageReceivedParams{
		Role: wire.RoleUser, Text: "The giraffe of the zoo is hungry",
	})
	assert.Equal(t, []string{"The giraffe of the zoo is hungry"}, f.texts("hungry giraffe", "runs"))
	code := 1
	var ids []string
	for i := range 5 {
		ids = append(ids, f.ran(wire.ToolExecutedParams{
			Tool: "Bash", Input: json.RawMessage(fmt.Sprintf(`{"command": "deploy zebra%d"}`, i)), ExitCode: &code,
			Output: "error: the token ghp_0123456789abcdefghijklmnopqrstuvwxyz was refused",
		}))
	}
	item := f.item(ids[4])
	assert.Equal(t, "runs", item.Store, "as the settings route it")
	assert.Equal(t, "week", item.Retention)
	assert.Equal(t, items.Partial, item.Redaction)
	assert.NotContains(t, item.Text, "ghp_")
	assert.Greater(t, item.Importance, 0.5, "it failed")
	assert.Positive(t, item.Tokens)
	require.Eventually(t, func() bool { return f.held("runs") == 3 }, Patience, 20*time.Millisecond, "it is given room")
	assert.Equal(t, "evicted", f.item(ids[0]).Ended)
	assert.Contains(t, strings.Join(f.texts("deploy zebra4", "runs"), "\n"), "$ deploy zebra4")
}
