package editors_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
)

// A compiler that reports what the file "message" says, and nothing if there is none. In a
// file without a module gopls reports nothing.
const fakeCompiler = `
-- cart.go --
package cart
	total()
-- message --
undefined: total
-- go --
#!/bin/sh
[ -e message ] || exit 0
echo "# example.org/cart"
echo "./cart.go:2:2: $(cat message)"
exit 1
-- bashrc --
PS1='\[\e]133;A\a\]$ \[\e]133;B\a\]'
PS0='\e]133;C\a'
PROMPT_COMMAND='printf "\e]133;D;%s\a" $?'
`

// vets lets the agent run the compiler, which reports a message.
func vets(t *testing.T, env *test.Env, agent *test.Client, message string) {
	t.Helper()
	require.NoError(t, os.Chmod(env.Path("go"), 0o755))
	agent.Call("wm/tool/executed", map[string]any{
		"tool": "bash", "input": map[string]any{"command": "./go vet ./..."}, "cwd": env.Root,
		"output": "# example.org/cart\n./cart.go:2:2: " + message + "\n", "exitCode": 1,
	}, nil)
}

// marked are the messages of the diagnostics of a file, with their sources.
func marked(nvim *test.Neovim, file string) (messages []string) {
	nvim.Lua(&messages, `
		local messages = vim.json.decode("[]")
		for _, diagnostic in ipairs(vim.diagnostic.get(vim.fn.bufnr("`+file+`"))) do
			table.insert(messages, ("%d %s: %s"):format(diagnostic.lnum, diagnostic.source, diagnostic.message))
		end
		return messages`)
	return messages
}

// press presses a key on the line of the panel that holds a string.
func press(nvim *test.Neovim, text, key string) {
	encoded, _ := json.Marshal([]string{text, key})
	nvim.Lua(nil, `
		local text, key = unpack(vim.json.decode([==[`+string(encoded)+`]==]))
		local buf = vim.fn.bufnr("wm://panel")
		vim.api.nvim_set_current_win(vim.fn.bufwinid(buf))
		for i, line in ipairs(vim.api.nvim_buf_get_lines(buf, 0, -1, false)) do
			if line:find(text, 1, true) then
				vim.api.nvim_win_set_cursor(0, { i, 0 })
				return vim.api.nvim_feedkeys(key, "xt", false)
			end
		end
		error(text .. " is not in the panel")`)
}

// isGone waits until no line of the panel has a string.
func isGone(nvim *test.Neovim, text string) {
	nvim.AwaitPanelThat("no "+text, func(lines []string) bool {
		return len(lines) > 0 && !strings.Contains(strings.Join(lines, "\n"), text)
	})
}

func TestNeovimShowsAnErrorOfACommandAtItsPlaceUntilItIsDismissed(t *testing.T) {
	inNeovim(t, fakeCompiler, func(t *testing.T, env *test.Env, version string) {
		agent := agent(env)
		vets(t, env, agent, "undefined: total")
		nvim := startWithPanel(env, version, "cart.go", "undefined: total")
		const mark = "1 wm: undefined: total\n./go vet ./..."
		isMarked := func() bool { return assert.ObjectsAreEqual([]string{mark}, marked(nvim, "cart.go")) }
		nvim.Await("the diagnostic", isMarked)

		press(nvim, "undefined: total", "y")
		nvim.Await("it copied", func() bool {
			var copied string
			nvim.Lua(&copied, `return vim.fn.getreg('"')`)
			return copied == "cart.go:2: undefined: total\nReported by this command:\n./go vet ./...\n"
		})
		press(nvim, "undefined: total", "d")
		isGone(nvim, "undefined: total")
		nvim.Await("no diagnostic", func() bool { return len(marked(nvim, "cart.go")) == 0 })
		nvim.Lua(nil, `vim.api.nvim_feedkeys("u", "xt", false)`)
		nvim.AwaitPanel("undefined: total")
		nvim.Await("the diagnostic again", isMarked)
		open := openErrors(agent)
		require.Len(t, open, 1)
		require.Len(t, open[0].Sources, 1, "what was published did not come back")
		assert.Equal(t, "command", string(open[0].Sources[0].Origin))
	})
}

func TestNeovimShowsALimitOutOfRangeWhereItIsSet(t *testing.T) {
	inNeovim(t, "-- wm-lsp.toml --\n[session]\nmaxDecisions = 51\n", func(t *testing.T, env *test.Env, version string) {
		nvim := env.StartNeovim(version, nil)
		nvim.Edit("wm-lsp.toml")
		const mark = "1 wm: session.maxDecisions must be at most 50, got 51; used instead: 5"
		nvim.Await("the diagnostic", func() bool {
			return assert.ObjectsAreEqual([]string{mark}, marked(nvim, "wm-lsp.toml"))
		})
		nvim.Lua(nil, `
			vim.api.nvim_set_current_win(vim.fn.bufwinid("wm-lsp.toml"))
			vim.api.nvim_buf_set_lines(0, 1, 2, false, { "maxDecisions = 50" })
			vim.cmd.write()`)
		nvim.Await("no diagnostic", func() bool { return len(marked(nvim, "wm-lsp.toml")) == 0 })
	})
}

func TestNeovimRunsTheCommandThatShowedAnErrorAgain(t *testing.T) {
	inNeovim(t, fakeCompiler, func(t *testing.T, env *test.Env, version string) {
		agent := agent(env)
		vets(t, env, agent, "undefined: total")
		nvim := startWithPanel(env, version, "cart.go", "undefined: total")
		answered(t, nvim, "Run")
		press(nvim, "undefined: total", "r")
		nvim.AwaitPanel("undefined: total", "2×")
		require.NoError(t, os.Remove(env.Path("message")))
		answered(t, nvim, "Run")
		press(nvim, "undefined: total", "r")
		isGone(nvim, "undefined: total")
		nvim.Await("the error closed for the agent", func() bool { return len(openErrors(agent)) == 0 })
	})
}

// Neovim 0.10 does not say where in a terminal a command begins and ends.
func TestWhatAPersonRunsInATerminalOfNeovimOpensAndClosesErrors(t *testing.T) {
	test.Run(t, fakeCompiler, func(t *testing.T, env *test.Env) {
		git(t, env, "init", "--quiet", "--initial-branch=main")
		agent := agent(env)
		vets(t, env, agent, "undefined: total")
		nvim := startWithPanel(env, "0.12", "cart.go", "undefined: total")
		nvim.Lua(nil, `
			vim.cmd.new()
			vim.g.terminal = vim.fn.jobstart({ "bash", "--rcfile", "bashrc", "-i" }, { term = true })`)
		run := func(message string) {
			if message == "" {
				require.NoError(t, os.Remove(env.Path("message")))
			} else {
				require.NoError(t, os.WriteFile(env.Path("message"), []byte(message), 0o600))
			}
			nvim.Lua(nil, `vim.fn.chansend(vim.g.terminal, "./go vet ./...\r")`)
		}
		run("undefined: " + strings.Repeat("long_", 40) + "name")
		nvim.AwaitPanel("long_long_")
		nvim.Await("the error open for the agent", func() bool { return len(openErrors(agent)) == 2 })
		open := openErrors(agent)
		assert.Equal(t, "undefined: "+strings.Repeat("long_", 40)+"name", open[0].Summary)
		assert.Equal(t, "./go vet ./...", open[0].Command)

		agent.Call("wm/pause", map[string]any{}, nil)
		ran := filepath.Join(env.Root, "ran")
		nvim.Lua(nil, `vim.fn.chansend(vim.g.terminal, "./go vet ./...; touch ran\r")`)
		nvim.Await("the command run", func() bool { _, err := os.Stat(ran); return err == nil })
		nvim.Lua(nil, `require("wm.config").current.terminals = false`)
		agent.Call("wm/pause", map[string]any{"resume": true}, nil)
		run("undefined: unseen")
		nvim.Lua(nil, `vim.fn.chansend(vim.g.terminal, "rm ran\r")`)
		nvim.Await("the command run", func() bool { _, err := os.Stat(ran); return err != nil })
		nvim.Lua(nil, `require("wm.config").current.terminals = true`)
		run("")
		isGone(nvim, "undefined: ")
		nvim.Await("the errors closed for the agent", func() bool { return len(openErrors(agent)) == 0 })
	})
}
