package test_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
)

// runHook runs wm-lsp hook as a process for one event, and returns what it writes.
func runHook(t *testing.T, env *test.Env, event string, arguments ...string) string {
	t.Helper()
	process := exec.Command(test.Binary(t, test.Server), append([]string{"hook"}, arguments...)...)
	process.Env, process.Dir = env.Environ(), env.Path(".")
	process.Stdin = strings.NewReader(event)
	var out, errOut bytes.Buffer
	process.Stdout, process.Stderr = &out, &errOut
	require.NoError(t, process.Run(), event)
	assert.Empty(t, errOut.String())
	return out.String()
}

// claude is an event of Claude Code in a session.
func claude(env *test.Env, session, name, members string) string {
	cwd, _ := json.Marshal(env.Path(".")) // a string can be encoded
	return fmt.Sprintf(`{"hook_event_name":%q,"session_id":%q,"cwd":%s,%s}`, name, session, cwd, members)
}

// contextOf is what an answer tells the model.
func contextOf(t *testing.T, answer string) string {
	t.Helper()
	var decoded struct {
		HookSpecificOutput struct{ AdditionalContext string }
	}
	require.NoError(t, json.Unmarshal([]byte(answer), &decoded), answer)
	return decoded.HookSpecificOutput.AdditionalContext
}

func TestEventsOfAnAgentAreAConversationOfProcesses(t *testing.T) {
	test.Run(t, "-- add_test.go --\npackage add\n", func(t *testing.T, env *test.Env) {
		event := func(name, members string) string { return runHook(t, env, claude(env, "s", name, members)) }
		assert.Contains(t, contextOf(t, event("SessionStart", `"source":"startup"`)), "<guide>")
		answer := event("UserPromptSubmit",
			`"prompt_id":"1","prompt":"Remember: always run make check before a commit"`)
		assert.Contains(t, contextOf(t, answer), "New: [feedback] always run make check before a commit")
		assert.Empty(t, event("PostToolUseFailure", `"tool_use_id":"1","tool_name":"Bash",`+
			`"tool_input":{"command":"go test ./..."},`+
			`"error":"Exit code 1\n--- FAIL: TestAdd (0.00s)\n    add_test.go:7: got 3, want 4\nFAIL\n"`))
		assert.Empty(t, event("Stop", `"prompt_id":"1","last_assistant_message":"The test fails."`))
		answer = event("UserPromptSubmit", `"prompt_id":"2","prompt":"fix it"`)
		assert.Equal(t, "Working memory, new since the last prompt:\nNew: [test] add_test.go:7: TestAdd: got 3, want 4",
			contextOf(t, answer))
		assert.Contains(t, event("PreCompact", `"trigger":"auto"`), "TestAdd: got 3, want 4")
		event("PostCompact", `"compact_summary":"<workspace_memory_candidates>\n`+
			`- [decision] Amounts are integers in cents because floats round\n</workspace_memory_candidates>"`)
		again := contextOf(t, event("SessionStart", `"source":"compact"`))
		for _, part := range []string{
			"always run make check before a commit", "Amounts are integers in cents", "TestAdd: got 3, want 4",
		} {
			assert.Contains(t, again, part)
		}
		assert.Empty(t, event("UserPromptSubmit", `"prompt_id":"3","prompt":"go on"`))

		editor := env.Start(test.ClientOptions{Name: "editor"})
		known := sessionOf(editor, "claude-code:s")
		assert.True(t, known.Live, "the session outlives the processes of its events")
		assert.NotNil(t, known.LeaseUntil)
		assert.Equal(t, []string{"TestAdd: got 3, want 4"}, summariesOf(editor))
		assert.Empty(t, event("SessionEnd", `"reason":"other"`))
		editor.Await(func() bool { return !sessionOf(editor, "claude-code:s").Live }, "the end of the session")
		editor.Shutdown()

		next := contextOf(t, runHook(t, env, claude(env, "next", "SessionStart", `"source":"startup"`)))
		assert.Contains(t, next, "always run make check before a commit")
		assert.Regexp(t, `TestAdd: got 3, want 4 \(not checked since [0-9-]+ [0-9:]+ UTC\) \(reported in `, next)
	})
}

func TestAHookThatCannotReadItsEventSaysSoInItsLog(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		log := filepath.Join(t.TempDir(), "folder", "hook.log")
		for _, event := range []string{"", "hello", `{"hook_event_name":"UserPromptSubmit","session_id":"s","pro`} {
			assert.Empty(t, runHook(t, env, event, "--log-file", log))
		}
		written, err := os.ReadFile(log)
		require.NoError(t, err)
		assert.Equal(t, 3, strings.Count(string(written), "\n"))
		assert.Contains(t, string(written), "the event cannot be read")
	})
}

func TestAHookInAHomeFolderDoesNothing(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		cwd, err := json.Marshal(env.Home)
		require.NoError(t, err)
		assert.Empty(t, runHook(t, env, fmt.Sprintf(
			`{"hook_event_name":"SessionStart","session_id":"s","source":"startup","cwd":%s}`, cwd)))
	})
}

// What an agent writes with the tools of the plugin is in the context that its hooks bring.
func TestTheToolsAndTheHooksOfAnAgentShareItsSession(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		runHook(t, env, claude(env, "s", "SessionStart", `"source":"startup"`))
		process := exec.Command(test.Binary(t, test.Server), "mcp")
		process.Env, process.Dir = append(env.Environ(), "CLAUDE_CODE_SESSION_ID=s"), env.Path(".")
		process.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":` +
			`{"protocolVersion":"2025-06-18","capabilities":{},` +
			`"clientInfo":{"name":"claude-code","version":"2"}}}` + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"core_memory_update","arguments":` +
			`{"block":"goal","operation":"replace","content":"Add two numbers without overflow"}}}` + "\n")
		out, err := process.Output()
		require.NoError(t, err, string(out))
		assert.Contains(t, string(out), "Add two numbers without overflow")
		assert.Empty(t, runHook(t, env, claude(env, "s", "UserPromptSubmit", `"prompt_id":"1","prompt":"go on"`)),
			"what it wrote itself is not news")
		whole := contextOf(t, runHook(t, env, claude(env, "s", "SessionStart", `"source":"resume"`)))
		assert.Contains(t, whole, "Add two numbers without overflow")
		other := contextOf(t, runHook(t, env, claude(env, "other", "SessionStart", `"source":"startup"`)))
		assert.NotContains(t, other, "overflow")
	})
}
