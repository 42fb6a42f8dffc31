package test_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// A hostProcess is a process that runs wm-lsp hook for each event that it is given, through a shell, as agents do.
type hostProcess struct {
	t       *testing.T
	process *exec.Cmd
	events  io.Writer
	done    *bufio.Reader
}

// startAgent starts one. timeout stands for the agent: it is not a shell, and stays while its child runs.
func startHost(t *testing.T, env *test.Env) *hostProcess {
	t.Helper()
	const each = `while read -r event; do printf '%s' "$event" | "$0" hook | tr -d '\n'; echo; done`
	process := exec.Command("timeout", "1h", "sh", "-c", each, test.Binary(t, test.Server))
	process.Env, process.Dir = env.Environ(), env.Path(".")
	process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	events, err := process.StdinPipe()
	require.NoError(t, err)
	out, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	a := &hostProcess{t: t, process: process, events: events, done: bufio.NewReader(out)}
	t.Cleanup(func() {
		_ = events.Close() // the shell ends with its input
		_ = process.Process.Kill()
		_ = process.Wait()
	})
	return a
}

// tell starts the handling of an event.
func (a *hostProcess) tell(event string) {
	a.t.Helper()
	_, err := fmt.Fprintln(a.events, strings.ReplaceAll(event, "\n", " "))
	require.NoError(a.t, err)
}

// hook lets an event be handled, and returns the answer.
func (a *hostProcess) hook(event string) string {
	a.t.Helper()
	a.tell(event)
	return a.answer()
}

// answer waits until the handling of an event is over, also after kill, and returns the answer.
func (a *hostProcess) answer() string {
	a.t.Helper()
	answer, err := a.done.ReadString('\n')
	require.NoError(a.t, err)
	return answer
}

// kill kills the agent. The shell that runs its hooks lives on.
func (a *hostProcess) kill() {
	a.t.Helper()
	require.NoError(a.t, a.process.Process.Signal(os.Kill))
	_, err := a.process.Process.Wait()
	require.NoError(a.t, err)
}

func TestASessionWhoseAgentIsKilledIsOverAndHandedOverAtOnce(t *testing.T) {
	slow.Test(t)
	const edit = `"tool_use_id":"1","tool_name":"Edit","tool_input":{"file_path":"cart.go"}`
	for name, last := range map[string]struct {
		act   func(agent *hostProcess, event string)
		after func(agent *hostProcess)
		told  string
	}{
		"after a hook": {
			func(a *hostProcess, event string) { a.hook(event) }, func(*hostProcess) {}, "- Edited: cart.go\n",
		},
		// its event comes before the end of the session or after it, which then ends again
		"while its hook runs": {(*hostProcess).tell, func(a *hostProcess) { a.answer() }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			test.Run(t, shop, func(t *testing.T, env *test.Env) {
				editor := env.Start(test.ClientOptions{Name: "editor"})
				agent := startHost(t, env)
				event := func(name, members string) string { return claude(env, "first", name, members) }
				agent.hook(event("SessionStart", `"source":"startup"`))
				agent.hook(event("UserPromptSubmit",
					`"prompt_id":"1","prompt":"Fix the rounding of the totals in cart.go"`))
				const id = "claude-code:first"
				assert.True(t, sessionOf(editor, id).Live)
				last.act(agent, event("PostToolUse", edit))
				agent.kill()
				last.after(agent)
				editor.Await(func() bool { return !sessionOf(editor, id).Live }, "the end of the session")

				left := leftBy(editor, id)
				require.NotNil(t, left)
				assert.Equal(t, "Fix the rounding of the totals in cart.go", left.Title)
				next := startHost(t, env)
				told := contextOf(t, next.hook(claude(env, "next", "SessionStart", `"source":"startup"`)))
				assert.Contains(t, told, "Fix the rounding of the totals in cart.go")
				assert.Contains(t, told, last.told)
			})
		})
	}
}

func TestASessionGoesOnWhileItsAgentRunsAndWhenItIsResumedByAnotherProcess(t *testing.T) {
	slow.Test(t)
	test.Run(t, shop, func(t *testing.T, env *test.Env) {
		editor := env.Start(test.ClientOptions{Name: "editor"})
		const id = "claude-code:first"
		event := func(name, members string) string { return claude(env, "first", name, members) }
		prompt := func(n int) string {
			return event("UserPromptSubmit", fmt.Sprintf(`"prompt_id":"%d","prompt":"Go on with the totals"`, n))
		}
		agent := startHost(t, env)
		agent.hook(event("SessionStart", `"source":"startup"`))
		for n := range 3 {
			agent.hook(prompt(n))
			assert.True(t, sessionOf(editor, id).Live)
		}
		agent.kill()
		resumed := startHost(t, env)
		resumed.hook(event("SessionStart", `"source":"resume"`))
		resumed.hook(prompt(3))
		assert.True(t, sessionOf(editor, id).Live)
		remember(editor, decision) // the editor has looked at the sessions since
		assert.True(t, sessionOf(editor, id).Live)
		resumed.kill()
		editor.Await(func() bool { return !sessionOf(editor, id).Live }, "the end of the session")
	})
}

func TestASessionWhoseHooksEachHaveAnotherCallerKeepsItsLease(t *testing.T) {
	test.Run(t, shop, func(t *testing.T, env *test.Env) {
		for n := range 3 {
			runner := startHost(t, env)
			runner.hook(claude(env, "first", "UserPromptSubmit", fmt.Sprintf(`"prompt_id":"%d","prompt":"Go on"`, n)))
			runner.kill()
		}
		editor := env.Start(test.ClientOptions{Name: "editor"})
		remember(editor, decision)
		assert.True(t, sessionOf(editor, "claude-code:first").Live, "nobody knows which of them is the agent")
	})
}
