package test_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test"
)

// pairsIn returns the rows of the entries that say nearly the same or contradict each other, as a panel has them.
func pairsIn(client *test.Client) []wire.PanelItem {
	var shown wire.PanelResult
	client.Call("wm/panel", map[string]any{"sections": []string{"memory"}}, &shown)
	for _, item := range shown.Panel.Sections[0].Items {
		if item.ID == "memory:pairs" {
			return item.Children
		}
	}
	return nil
}

// changesOfMemory counts how often a client was told that the entries in its panel changed.
func changesOfMemory(client *test.Client) int { return len(client.Notifications("wm/changed")) }

func TestAPairThatAPersonKeepsStaysKeptInAllProcessesAndBackups(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		editor := env.Start(test.ClientOptions{Name: "editor", SessionID: "editor"})
		other := env.Start(test.ClientOptions{Name: "other", SessionID: "other"})
		remember(editor, "Indent with tabs")
		remember(editor, "Indent with spaces")
		require.Len(t, pairsIn(editor), 1)
		require.Len(t, pairsIn(other), 1)

		told := changesOfMemory(other)
		keep := pairsIn(editor)[0].Actions[2]
		require.Equal(t, "Keep both", keep.Title)
		var kept wire.Receipt
		editor.Call(keep.Method, keep.Params, &kept)
		require.Equal(t, wire.ReceiptUpdated, kept.Status)
		require.NotNil(t, kept.Undo)
		assert.Empty(t, pairsIn(editor))
		assert.Empty(t, pairsIn(other))
		other.Await(func() bool { return changesOfMemory(other) > told }, "the change is announced")

		editor.Call(kept.Undo.Method, kept.Undo.Params, nil)
		require.Len(t, pairsIn(other), 1, "it is undone")
		editor.Call(keep.Method, keep.Params, nil)
		other.Call(keep.Undo.Method, keep.Undo.Params, nil)
		require.Len(t, pairsIn(editor), 1, "it is asked about again")
		other.Call(keep.Method, keep.Params, nil)
		editor.Kill()
		other.Kill()

		saved := filepath.Join(env.Home, "saved")
		code, _, errOut := runProgram(t, env, "backup", saved)
		require.Zero(t, code, errOut)
		again := env.Start(test.ClientOptions{})
		assert.Empty(t, pairsIn(again))
		again.Call(keep.Undo.Method, keep.Undo.Params, nil)
		require.Len(t, pairsIn(again), 1)
		again.Shutdown()
		code, _, errOut = runProgram(t, env, "restore", "--replace", saved)
		require.Zero(t, code, errOut)
		restored := env.Start(test.ClientOptions{})
		assert.Empty(t, pairsIn(restored))
		restored.Shutdown()
	})
}
