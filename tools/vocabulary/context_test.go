package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tiktoken-go/tokenizer/codec"

	"github.com/wm-lsp/wm-lsp/test/peer"
)

// A budget in tokens holds when the tokenizer itself counts the context.
func TestAContextHasNoMoreTokensThanItsBudget(t *testing.T) {
	folder := t.TempDir()
	client := startServer(t, folder)
	for i, text := range []string{
		"Amounts are cents, rounded once, at the end; ask finance before the tax is touched.",
		"金额一律用分计算，只在最后一步四舍五入，修改税额的算法之前必须先问财务。",
		"Die Straßenverkehrszulassungsbehörde verlangt eine unterschriebene Empfangsbestätigung.",
		"ワークスペースを開いたプロセスは、まずスナップショットを読み、その後の変更を順に適用します。",
		"Call `invoices.RoundHalfUp(amount, CENT)` from src/billing/rounding.go:88, never math.Round.",
	} {
		require.NoError(t, client.Call("wm/memory/add", peer.Object{"text": text}, nil))
		file := filepath.Join(folder, "src/billing", fmt.Sprintf("rounding_%d.go", i))
		client.Notify("wm/tool/executed", peer.Object{"tool": "edit", "input": peer.Object{"path": file}})
	}
	type context struct {
		Text   string
		Tokens int
	}
	contextOf := func(budget peer.Object) (result context) {
		require.NoError(t, client.Call("wm/context", peer.Object{"budget": budget}, &result))
		return result
	}
	tokenizer := codec.NewO200kBase()
	whole := contextOf(nil)
	exact, err := tokenizer.Count(whole.Text)
	require.NoError(t, err)
	require.Greater(t, exact, 100)
	assert.InEpsilon(t, exact, whole.Tokens, 0.02)
	for budget := 1; budget < 2*whole.Tokens; budget += 7 {
		exact, err := tokenizer.Count(contextOf(peer.Object{"tokens": budget}).Text)
		require.NoError(t, err)
		assert.LessOrEqual(t, exact, budget)
	}
}

// startServer starts the server of this repository on a folder.
func startServer(t *testing.T, folder string) *peer.Client {
	program := filepath.Join(t.TempDir(), "wm-lsp")
	build := exec.Command("go", "build", "-o", program, "./cmd/wm-lsp")
	build.Dir = "../.."
	output, err := build.CombinedOutput()
	require.NoError(t, err, string(output))
	client, err := peer.Start(program, t.TempDir(), folder, "tools", "tools")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, client.End()) })
	return client
}
