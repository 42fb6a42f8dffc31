package test_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
)

// An agent is a host of wm-lsp mcp, with a process of its own.
type agent struct {
	*sdk.ClientSession
	t       *testing.T
	process *exec.Cmd
}

// startAgent starts wm-lsp mcp in the workspace, and ends it with the test.
func startAgent(t *testing.T, env *test.Env, name string, args ...string) *agent {
	t.Helper()
	process := exec.Command(test.Binary(t, test.Server), append([]string{"mcp"}, args...)...)
	process.Dir, process.Env, process.Stderr = env.Root, env.Environ(), os.Stderr
	client := sdk.NewClient(&sdk.Implementation{Name: name, Version: "1"},
		&sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
	session, err := client.Connect(t.Context(),
		&sdk.CommandTransport{Command: process, TerminateDuration: test.Patience}, nil)
	require.NoError(t, err)
	a := &agent{session, t, process}
	t.Cleanup(a.end)
	return a
}

// end closes the input of the process, which then ends by itself.
func (a *agent) end() {
	assert.NoError(a.t, a.Close())
	assert.Zero(a.t, a.process.ProcessState.ExitCode())
}

// call calls a tool, which must succeed, and returns its text.
func (a *agent) call(name string, arguments map[string]any) string {
	a.t.Helper()
	result, err := a.CallTool(a.t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	require.NoError(a.t, err)
	said := result.Content[0].(*sdk.TextContent).Text
	require.False(a.t, result.IsError, said)
	return said
}

func TestTwoAgentsAndAnEditorShareOneMemory(t *testing.T) {
	test.Run(t, "-- a.go --\npackage a\n", func(t *testing.T, env *test.Env) {
		editor := env.Start(test.ClientOptions{Name: "editor"})
		first, second := startAgent(t, env, "first-agent"), startAgent(t, env, "second-agent", "--tools", "all")

		first.call("memory_remember", map[string]any{"text": decision})
		editor.Await(func() bool { return len(memories(editor)) == 1 }, "the editor sees what an agent remembers")
		remember(editor, "Tests run with make check")
		require.Eventually(t, func() bool {
			said := second.call("memory_context", nil)
			return strings.Contains(said, decision) && strings.Contains(said, "make check")
		}, test.Patience, 10*time.Millisecond)

		editor.Open("a.go")
		editor.Call("wm/tool/executed", map[string]any{
			"tool": "bash", "input": map[string]any{"command": "go build ./..."}, "exitCode": 1,
			"output": "./a.go:1:1: undefined: something\n",
		}, nil)
		require.Eventually(t, func() bool {
			return strings.Contains(second.call("open_errors", nil), "undefined: something (a.go:1)")
		}, test.Patience, 10*time.Millisecond)

		live := func() map[string]bool {
			var list struct {
				Sessions []struct {
					Agent string
					Live  bool
				}
			}
			editor.Call("wm/session/list", nil, &list)
			found := map[string]bool{}
			for _, session := range list.Sessions {
				found[session.Agent] = session.Live
			}
			return found
		}
		editor.Await(func() bool { return live()["first-agent"] && live()["second-agent"] }, "both agents are live")
		second.call("core_memory_update", map[string]any{"block": "goal", "operation": "replace", "content": "x"})
		first.end()
		editor.Await(func() bool { return !live()["first-agent"] }, "the session ends with its process")
		assert.True(t, live()["second-agent"])
		editor.Shutdown()
	})
}

func TestAnAgentThatIsKilledLeavesWhatWasAcknowledged(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		process := exec.Command(test.Binary(t, test.Server), "mcp")
		process.Dir, process.Env = env.Root, env.Environ()
		client := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, nil)
		session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: process}, nil)
		require.NoError(t, err)
		_, err = session.CallTool(t.Context(), &sdk.CallToolParams{
			Name: "memory_remember", Arguments: map[string]any{"text": decision},
		})
		require.NoError(t, err)
		require.NoError(t, process.Process.Kill())
		_ = session.Close() // reports the kill

		next := startAgent(t, env, "agent")
		assert.Contains(t, next.call("memory_context", nil), decision)
	})
}

func TestTheCommandMCPSaysWhatIsWrongWithItsArguments(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		for _, args := range [][]string{
			{"--tools", "many"}, {"more"}, {"--no-such-flag"}, {"--log-level", "loud"},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), test.Patience)
			process := exec.CommandContext(ctx, test.Binary(t, test.Server), append([]string{"mcp"}, args...)...)
			process.Env = env.Environ()
			out, err := process.CombinedOutput()
			cancel()
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit)
			assert.Equal(t, 2, exit.ExitCode(), args)
			assert.NotEmpty(t, out, args)
		}
	})
}

func TestStandardOutputHoldsOnlyMessages(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		process := exec.Command(test.Binary(t, test.Server), "mcp", "--log-level", "debug")
		process.Dir, process.Env = env.Root, env.Environ()
		process.Stdin = strings.NewReader("hello\n" +
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
			`"capabilities":{},"clientInfo":{"name":"agent","version":"1"}}}` + "\n" +
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"memory_list"}}`)
		out, err := process.Output()
		require.NoError(t, err)
		for line := range strings.Lines(string(out)) {
			assert.True(t, json.Valid([]byte(line)), line)
		}
		assert.Contains(t, string(out), "The workspace memory is empty.", "the last line has no line break")
	})
}
