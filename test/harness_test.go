package test_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wm-lsp/wm-lsp/test"
	"go.lsp.dev/jsonrpc2"
)

func TestMain(m *testing.M) { test.Main(m) }

// The harness itself is tested against the echo server, which does what it is
// told and nothing else.

func TestHarnessTalksToAServer(t *testing.T) {
	test.Run(t, "-- a.go --\npackage a // é😀\n", func(t *testing.T, env *test.Env) {
		client := env.Start(test.ClientOptions{Package: test.Echo, Name: "harness"})
		assert.JSONEq(t, `{"capabilities":{}}`, string(client.Initialized))

		var echoed map[string]any
		client.Call("echo", map[string]any{"a": 1}, &echoed)
		assert.Equal(t, map[string]any{"a": 1.0}, echoed)
		assert.Equal(t, jsonrpc2.MethodNotFound, client.CallError("nothing", nil).Code)

		client.Open("a.go")
		client.ChangeIncremental("a.go", "a // é😀", "b")
		client.Save("a.go")
		client.Close("a.go")
		client.Diagnostics("a.go", test.CompileError(1, "X1", "no"))
		assert.Equal(t, "package b\n", env.Read("a.go"))
		client.Await(func() bool {
			var count int
			client.Call("count", nil, &count)
			return count == 6
		}, "initialized and five notifications")
		client.Shutdown()
	})
}

func TestHarnessSeesAnswersToRawMessages(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		client := env.Start(test.ClientOptions{Package: test.Echo, Raw: true})
		client.Frame(`{"jsonrpc":"2.0","id":"x","method":"echo","params":[1]}`)
		client.Await(func() bool { return len(client.Responses(`"x"`)) == 1 }, "the answer")
		assert.JSONEq(t, `{"jsonrpc":"2.0","id":"x","result":[1]}`, string(client.Responses(`"x"`)[0]))
		client.CloseInput()
		assert.Zero(t, client.Wait())
	})
}

func TestHarnessKillsAndLeavesUnread(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		client := env.Start(test.ClientOptions{Package: test.Echo})
		client.StopReading()
		large := strings.Repeat("x", 1<<20)
		done := make(chan error, 1)
		go func() { done <- client.TryCall("echo", []string{large}, nil) }()
		client.ResumeReading()
		require.NoError(t, <-done)

		client.Kill()
		assert.Error(t, client.TryCall("echo", nil, nil))
	})
}

func TestHarnessKeepsTheUsersFoldersOut(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		values := map[string]string{}
		for _, setting := range env.Environ() {
			name, value, _ := strings.Cut(setting, "=")
			values[name] = value
		}
		for _, name := range []string{"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
			relative, err := filepath.Rel(env.Home, values[name])
			require.NoError(t, err)
			assert.True(t, filepath.IsLocal(relative), "%s=%s", name, values[name])
		}
	})
}

func TestInitializeParamsFollowTheOptions(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		client := env.Start(test.ClientOptions{
			Package: test.Echo, Raw: true, Name: "vscode", ProcessID: -1, SessionID: "s", Agent: "a",
			Folders: []string{"x", "y z"}, Settings: map[string]any{"k": 1}, Capabilities: map[string]any{},
		})
		params, err := json.Marshal(client.InitializeParams())
		require.NoError(t, err)
		assert.JSONEq(t, `{
			"processId": null, "clientInfo": {"name": "vscode"}, "capabilities": {},
			"rootUri": "`+env.URI("x")+`",
			"workspaceFolders": [{"uri": "`+env.URI("x")+`", "name": "x"}, {"uri": `+
			`"`+env.URI("y z")+`", "name": "y z"}],
			"initializationOptions": {"k": 1, "sessionId": "s", "agent": "a"}}`, string(params))
	})
}

func TestPositionCountsUTF16Units(t *testing.T) {
	text := "ab\né😀x\n"
	assert.Equal(t, test.LinePosition{Line: 0, Character: 2}, test.Position(text, 2))
	assert.Equal(t, test.LinePosition{Line: 1, Character: 3}, test.Position(text, strings.Index(text, "x")))
}
