package test_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test"
)

// entriesOf returns how many entries are in force, and how many may be.
func entriesOf(client *test.Client) (inForce, most int) {
	var list wire.MemoryListResult
	client.Call("wm/memory/list", map[string]any{}, &list)
	return len(list.Entries), list.Limits.MaxEntries
}

func rememberMany(client *test.Client, from, to int) {
	for i := from; i < to; i++ {
		client.Call("wm/memory/add", map[string]any{
			"type": "project", "text": fmt.Sprintf("Component %d is built by rule %d of the build", i, 7*i),
		}, nil)
	}
}

func maxEntries(n int) map[string]any {
	return map[string]any{"memory": map[string]any{"maxEntries": n}}
}

func TestAnAgentWithoutSettingsKeepsWhatAnEditorWithAHigherLimitRemembered(t *testing.T) {
	test.Run(t, shop, func(t *testing.T, env *test.Env) {
		editor := env.Start(test.ClientOptions{Name: "editor", Settings: maxEntries(500)})
		rememberMany(editor, 0, 40)
		agent := env.Start(test.ClientOptions{Name: "agent", SessionID: "agent"})
		rememberMany(agent, 40, 42)
		for _, client := range []*test.Client{agent, editor} {
			inForce, most := entriesOf(client)
			assert.Equal(t, 42, inForce)
			assert.Equal(t, 500, most)
			assert.Empty(t, toldTo(client))
		}
		editor.Shutdown()
		rememberMany(agent, 42, 43)
		inForce, _ := entriesOf(agent)
		assert.Equal(t, 43, inForce, "the limit outlives the editor")
	})
}

func TestTheNewestExplicitLimitHoldsForAllAndWhoIsOverruledIsTold(t *testing.T) {
	test.Run(t, shop, func(t *testing.T, env *test.Env) {
		editor := env.Start(test.ClientOptions{Name: "editor", Settings: maxEntries(500)})
		limits := func(want int, clients ...*test.Client) {
			t.Helper()
			for _, client := range clients {
				_, most := entriesOf(client)
				assert.Equal(t, want, most)
			}
		}
		limits(500, editor)
		other := env.Start(test.ClientOptions{Name: "other", SessionID: "other", Settings: maxEntries(60)})
		limits(60, other, editor)
		require.Len(t, toldTo(editor), 1)
		assert.Regexp(t, "^memory.maxEntries is 60, which other set at .*, after the 500 of editor$", toldTo(editor)[0])
		assert.Empty(t, toldTo(other))

		editor.Shutdown()
		editor = env.Start(test.ClientOptions{Name: "editor", Settings: maxEntries(500)})
		limits(60, editor, other) // starting it again says nothing new

		editor.Configure(maxEntries(70))
		editor.Await(func() bool { _, most := entriesOf(editor); return most == 70 }, "the new limit")
		limits(70, editor, other)
		assert.Empty(t, toldTo(editor))
		require.Len(t, toldTo(other), 1)

		editor.Configure(map[string]any{})
		editor.Await(func() bool { _, most := entriesOf(editor); return most == 60 }, "the limit of the other")
		limits(60, editor, other)

		env.Write("wm-lsp.toml", "[memory]\ntypes = [\"rule\"]\n[session]\nmaxDecisions = 3\n")
		other.Configure(map[string]any{})
		other.Await(func() bool { _, most := entriesOf(other); return most == 28 }, "the default")
		limits(28, editor, other)
	})
}

func TestALimitOutOfRangeIsToldWhereItWasSet(t *testing.T) {
	test.Run(t, shop, func(t *testing.T, env *test.Env) {
		editor := env.Start(test.ClientOptions{Name: "editor", Settings: maxEntries(100)})
		other := env.Start(test.ClientOptions{Name: "other", SessionID: "other", Settings: maxEntries(501)})
		for _, client := range []*test.Client{editor, other} {
			_, most := entriesOf(client)
			assert.Equal(t, 100, most)
		}
		assert.Equal(t, []string{"other: memory.maxEntries must be at most 500, got 501; used instead: 100"},
			toldTo(other))
		assert.Empty(t, toldTo(editor))
		var shown wire.PanelResult
		other.Call("wm/panel", map[string]any{"sections": []string{"problems"}}, &shown)
		require.Len(t, shown.Panel.Sections[0].Items, 1)
		assert.Equal(t, toldTo(other)[0], shown.Panel.Sections[0].Items[0].Label)
	})
}

// toldTo returns the messages of the problems that a client is told of.
func toldTo(client *test.Client) (messages []string) {
	var status wire.StatusResult
	client.Call("wm/status", map[string]any{}, &status)
	for _, problem := range status.Problems {
		messages = append(messages, problem.Message)
	}
	return messages
}
