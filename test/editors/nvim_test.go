package editors_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test"
)

// The tests of the plugin itself, against a fake server.
func TestNeovimPlugin(t *testing.T) {
	inLua(t, nil, "-l", "tests/run.lua")
}

// What the plugin shows, compared with reference screens for each version.
func TestNeovimScreens(t *testing.T) {
	inLua(t, []string{"MINI_TEST=" + test.Installed(t, "mini.test")}, "-u", "tests/screens/run.lua")
}

// inLua runs tests that are written in Lua, in each version, and reports them as
// tests of their own.
func inLua(t *testing.T, environ []string, script ...string) {
	for _, version := range test.NeovimVersions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			run := exec.Command(test.NeovimPath(t, version), append([]string{"--headless", "--clean"}, script...)...)
			run.Dir = test.PluginDir(t)
			run.Env = append(append(os.Environ(), "LC_ALL=C.UTF-8"), environ...)
			out, err := run.CombinedOutput()
			results := regexp.MustCompile(`(?m)^(ok|not ok) (.*)\r?\n((?:  .*\r?\n)*)`).
				FindAllStringSubmatch(string(out)+"\n", -1)
			require.NotEmpty(t, results, "%v\n%s", err, out)
			for _, result := range results {
				t.Run(result[2], func(t *testing.T) {
					assert.Equal(t, "ok", result[1], result[3])
				})
			}
			require.NoError(t, err)
		})
	}
}

// startWithPanel opens a file and the panel, and waits for a line of the panel with
// all the parts.
func startWithPanel(env *test.Env, version, file string, parts ...string) *test.Neovim {
	nvim := env.StartNeovim(version, nil)
	nvim.Edit(file)
	nvim.OpenPanel()
	nvim.AwaitPanel(parts...)
	return nvim
}

// inNeovim runs a test in each version, in a repository with the files given.
func inNeovim(t *testing.T, files string, body func(t *testing.T, env *test.Env, version string)) {
	for _, version := range test.NeovimVersions {
		t.Run(version, func(t *testing.T) {
			test.Run(t, files, func(t *testing.T, env *test.Env) {
				git(t, env, "init", "--quiet", "--initial-branch=main")
				body(t, env, version)
			})
		})
	}
}

func git(t *testing.T, env *test.Env, args ...string) {
	t.Helper()
	command := exec.Command(
		"git",
		append([]string{"-c", "user.name=Test", "-c", "user.email=test@example.org"}, args...)...)
	command.Dir = env.Root
	command.Env = append(env.Environ(), "GIT_CONFIG_NOSYSTEM=1")
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

const brokenModule = `
-- go.mod --
module example.org/broken

go 1.26
-- main.go --
package main

func main() {
	println(undefinedThing)
}
`

func agent(env *test.Env) *test.Client {
	return env.Start(test.ClientOptions{Name: "agent", SessionID: "agent-1", Agent: "agent"})
}

func openErrors(client *test.Client) []wire.OpenError {
	var result wire.ErrorsListResult
	client.Call("wm/errors/list", nil, &result)
	return result.Errors
}

func contextText(client *test.Client) string {
	var result wire.ContextResult
	client.Call("wm/context", nil, &result)
	return result.Text
}

// The main job of the product, in the real editor with the real language server.
func TestNeovimAndAnAgentShareOneMemory(t *testing.T) {
	inNeovim(t, brokenModule, func(t *testing.T, env *test.Env, version string) {
		const decision = "The parser is written by hand, because its errors are better"
		nvim := startWithPanel(env, version, "main.go", "main.go", "read, 1x")
		nvim.AwaitPanel("undefined: undefinedThing", "main.go:4")

		agent := agent(env)
		var found []wire.OpenError
		nvim.Await("the error in the other process", func() bool {
			found = openErrors(agent)
			return len(found) == 1
		})
		assert.Regexp(t, `^[0-9a-f]{12}$`, found[0].Fingerprint)
		assert.Equal(t, "typecheck", found[0].Category)
		assert.Equal(t, 4, found[0].Line)
		nvim.Await("both in the context", func() bool {
			text := contextText(agent)
			return strings.Contains(text, "undefined: undefinedThing") && strings.Contains(text, "main.go (read, 1x)")
		})

		var receipt wire.Receipt
		agent.Call("wm/memory/add", map[string]any{"text": decision, "type": "decision"}, &receipt)
		require.Equal(t, wire.ReceiptAdded, receipt.Status)
		nvim.AwaitPanel(decision, "Decision")

		nvim.Replace("undefinedThing", `"fixed"`)
		nvim.Save()
		// Edited, where it was saved long enough after that.
		changed := regexp.MustCompile(`main\.go +(write|edit)`)
		nvim.AwaitPanelThat(
			"main.go changed",
			func(lines []string) bool { return slices.ContainsFunc(lines, changed.MatchString) },
		)
		nvim.AwaitPanel("Nothing fails.")
		nvim.Await("it gone in the other process", func() bool { return len(openErrors(agent)) == 0 })
		assert.NotContains(t, contextText(agent), "undefinedThing")

		nvim.Quit()
		agent.Shutdown()
		again := env.StartNeovim(version, nil)
		again.Edit("main.go")
		again.OpenPanel()
		again.AwaitPanel(decision, "Decision")
	})
}

func sessions(client *test.Client) []wire.Session {
	var result wire.SessionListResult
	client.Call("wm/session/list", nil, &result)
	return result.Sessions
}

func TestNeovimResumesItsSessionWhenTheServerCrashes(t *testing.T) {
	inNeovim(t, brokenModule, func(t *testing.T, env *test.Env, version string) {
		nvim := startWithPanel(env, version, "main.go", "undefined: undefinedThing")
		agent := agent(env)
		var before []wire.Session
		nvim.Await("the session in the other process", func() bool {
			before = sessions(agent)
			return len(before) == 1
		})

		killed := nvim.ServerPID()
		require.NotZero(t, killed)
		server, err := os.FindProcess(killed)
		require.NoError(t, err)
		require.NoError(t, server.Kill())
		nvim.Await("another server", func() bool {
			pid := nvim.ServerPID()
			return pid != 0 && pid != killed
		})

		// For a moment the agent still sees the dead server's session as it was:
		// only what was written since counts as resumed.
		nvim.Await("every session resumed", func() bool {
			after := sessions(agent)
			if len(after) != len(before) {
				return false
			}
			for i := range before {
				resumed := before[i]
				resumed.UpdatedAt = after[i].UpdatedAt
				if after[i] != resumed || after[i].UpdatedAt <= before[i].UpdatedAt {
					return false
				}
			}
			return true
		})
		nvim.Await("the error verified again", func() bool {
			found := openErrors(agent)
			return len(found) == 1 && found[0].Verified
		})
		nvim.AwaitPanel("undefined: undefinedThing")
	})
}

func TestNeovimSaysThatItsServerDoesNotAnswer(t *testing.T) {
	inNeovim(t, "-- a.txt --\nhello\n", func(t *testing.T, env *test.Env, version string) {
		const silent = "the server does not respond; :WM restart restarts it"
		nvim := startWithPanel(env, version, "a.txt", "a.txt", "read, 1x")
		stopped := stopServer(t, nvim)
		nvim.Lua(nil, `
			require("wm.config").current.timeout_ms = 200
			vim.cmd("WM remember It is written by hand")`)
		nvim.AwaitPanel(silent)
		var status, messages string
		nvim.Lua(&status, `return require("wm").status()`)
		nvim.Lua(&messages, `return vim.fn.execute("messages")`)
		assert.Equal(t, "wm !", status)
		assert.Contains(t, messages, silent)

		nvim.Lua(nil, `require("wm.config").current.timeout_ms = tonumber(vim.env.WM_PATIENCE)`)
		require.NoError(t, syscall.Kill(stopped, syscall.SIGCONT))
		nvim.AwaitPanel("It is written by hand")

		require.Equal(t, stopped, stopServer(t, nvim))
		nvim.Lua(nil, `
			require("wm.client").GRACE_MS = 100
			vim.cmd("WM restart")`)
		nvim.Await("another server", func() bool {
			var ready bool
			nvim.Lua(&ready, `
				local client = require("wm.client")
				local workspace = client.workspace_of(vim.api.nvim_get_current_buf())
				return workspace.state == "running"`)
			return ready
		})
		nvim.AwaitPanel("It is written by hand")
		nvim.Await("the old server gone", func() bool { return syscall.Kill(stopped, 0) == syscall.ESRCH })
	})
}

// stopServer has the editor's server hang. It is the plugin that ends it.
func stopServer(t *testing.T, nvim *test.Neovim) (pid int) {
	t.Helper()
	pid = nvim.ServerPID()
	require.NotZero(t, pid)
	require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
	t.Cleanup(func() {
		if t.Failed() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return pid
}

func TestNeovimLeavesNoServerBehindThatHangs(t *testing.T) {
	inNeovim(t, "-- a.txt --\nhello\n", func(t *testing.T, env *test.Env, version string) {
		nvim := startWithPanel(env, version, "a.txt", "a.txt", "read, 1x")
		stopServer(t, nvim)
		nvim.Quit()
	})
}

func TestNeovimHoversWhileTheMemoryHangs(t *testing.T) {
	inNeovim(t, brokenModule, func(t *testing.T, env *test.Env, version string) {
		nvim := startWithPanel(env, version, "main.go", "undefined: undefinedThing")
		stopServer(t, nvim)
		nvim.Lua(nil, `
			require("wm.config").current.timeout_ms = 200
			vim.api.nvim_win_set_cursor(0, { 4, 3 })`)
		nvim.Await("the hover of the language server", func() bool {
			if floating(nvim) == "" { // it, too, may not answer in so short a time
				nvim.Lua(nil, "vim.lsp.buf.hover()")
			}
			return strings.Contains(floating(nvim), "func println")
		})
		nvim.Quit()
	})
}

func TestNeovimOpensNoErrorForAHalfTypedLine(t *testing.T) {
	files := strings.Replace(brokenModule, "undefinedThing", `"whole"`, 1)
	inNeovim(t, files, func(t *testing.T, env *test.Env, version string) {
		// Nobody stops typing for a minute here, however slow the machine is.
		nvim := env.StartNeovim(version, map[string]any{"errors": map[string]any{"stillMillis": 60000}})
		nvim.Edit("main.go")
		nvim.OpenPanel()
		nvim.AwaitPanel("main.go", "read, 1x")
		diagnostics := func() (count int) {
			nvim.Lua(&count, `return #vim.diagnostic.get(0)`)
			return count
		}
		var forwarded int
		nvim.Lua(nil, `
			_G.forwarded = 0
			vim.api.nvim_create_autocmd("LspNotify", { callback = function(event)
				if event.data.method == "wm/diagnostics/changed" then _G.forwarded = _G.forwarded + 1 end
			end })`)

		nvim.Replace(`"whole"`, "hal")
		nvim.Await("the language server's complaint", func() bool { return diagnostics() > 0 })
		nvim.Await("it being forwarded", func() bool {
			nvim.Lua(&forwarded, "return _G.forwarded")
			return forwarded > 0
		})
		var own wire.ErrorsListResult
		nvim.Call("wm/errors/list", &own)
		assert.Empty(t, own.Errors)

		nvim.Save()
		agent := agent(env)
		nvim.Await("the error of the saved file", func() bool { return len(openErrors(agent)) == 1 })
		nvim.Replace("hal", `"half"`)
		nvim.Await("it closed before it is saved", func() bool { return len(openErrors(agent)) == 0 })
	})
}

func TestNeovimReloadsOfACheckoutAreNoEdits(t *testing.T) {
	const files = 40
	inNeovim(t, "", func(t *testing.T, env *test.Env, version string) {
		name := func(i int) string { return fmt.Sprintf("f%02d.txt", i) }
		for i := range files {
			env.Write(name(i), fmt.Sprintf("file %d on main\n", i))
		}
		git(t, env, "add", ".")
		git(t, env, "commit", "--quiet", "--message=main")
		git(t, env, "checkout", "--quiet", "-b", "other")
		for i := range files {
			env.Write(name(i), fmt.Sprintf("file %d on the other branch, which is longer\nby a line\n", i))
		}
		git(t, env, "commit", "--quiet", "--all", "--message=other")
		git(t, env, "checkout", "--quiet", "main")

		agent := agent(env)
		active := func() (found []wire.ActiveFile) {
			var result wire.FilesListResult
			agent.Call("wm/files/list", map[string]any{"limit": 100}, &result)
			return result.Files
		}
		nvim := env.StartNeovim(version, nil)
		nvim.Lua(nil, `require("wm.looks").SECOND_MS = 1`)
		for i := range files {
			nvim.Edit(name(i))
			nvim.Await("the file active", func() bool { return len(active()) == i+1 })
		}
		before := active()

		git(t, env, "checkout", "--quiet", "other")
		// Without a number :checktime looks at the buffers in windows only.
		nvim.Lua(nil, "for _, buf in ipairs(vim.api.nvim_list_bufs()) do vim.cmd.checktime(buf) end")
		nvim.Await("the files reloaded", func() bool {
			var reloaded int
			nvim.Lua(&reloaded, `
				local count = 0
				for _, buf in ipairs(vim.api.nvim_list_bufs()) do
					count = count + (vim.api.nvim_buf_line_count(buf) == 2 and 1 or 0)
				end
				return count`)
			return reloaded == files
		})
		// What the server is sent is handled in order: the file that is edited
		// now is seen after all that was reloaded.
		nvim.Replace("other", "edited")
		nvim.Await("the one edit", func() bool {
			for _, file := range active() {
				if file.Action == wire.FileEdit {
					return true
				}
			}
			return false
		})
		edited := 0
		for _, file := range active() {
			if file.Action == wire.FileEdit {
				edited++
				assert.Equal(t, name(files-1), file.Path)
				continue
			}
			assert.Contains(t, before, file)
		}
		assert.Equal(t, 1, edited)
	})
}

func TestNeovimThatDiesTakesItsDiagnosticsAlong(t *testing.T) {
	inNeovim(t, brokenModule, func(t *testing.T, env *test.Env, version string) {
		nvim := env.StartNeovim(version, nil)
		nvim.Edit("main.go")
		agent := agent(env)
		nvim.Await("the error", func() bool { return len(openErrors(agent)) == 1 })
		require.Contains(t, contextText(agent), "undefinedThing")

		nvim.Kill()
		agent.Await(func() bool { return len(openErrors(agent)) == 0 }, "the error gone")
		assert.NotContains(t, contextText(agent), "undefinedThing")

		// What it left is closed by a command that compiles the file, and by no other.
		all := sessions(agent)
		i := slices.IndexFunc(all, func(each wire.Session) bool { return !each.Live })
		require.GreaterOrEqual(t, i, 0)
		left := func() []wire.OpenError {
			var result wire.SessionHandoverResult
			agent.Call("wm/session/handover", map[string]any{"sessionId": all[i].SessionID}, &result)
			return result.Handover.Errors
		}
		succeeds := func(command string) {
			agent.Call("wm/tool/executed", map[string]any{
				"tool": "bash", "input": map[string]any{"command": command}, "exitCode": 0, "output": "",
			}, nil)
		}
		assert.Len(t, left(), 1)
		succeeds("gofmt -l .")
		assert.Len(t, left(), 1)
		succeeds("go build ./...")
		assert.Empty(t, left())
	})
}

// What Neovim leaves behind must not be in the repository.
func TestNeovimWritesNothingIntoTheRepository(t *testing.T) {
	inNeovim(t, "-- a.txt --\nhello\n", func(t *testing.T, env *test.Env, version string) {
		nvim := startWithPanel(env, version, "a.txt", "a.txt", "read, 1x")
		nvim.Lua(nil, `vim.cmd("WM remember The repository stays as it is, nothing is written into it")`)
		nvim.AwaitPanel("The repository stays as it is")
		nvim.Quit()
		entries, err := os.ReadDir(env.Root)
		require.NoError(t, err)
		names := []string{}
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
		assert.Equal(t, []string{".git", "a.txt"}, names)
	})
}

// answers lets questions of the plugin be answered with the texts given, in order:
// the choice that is shown so, or what is typed.
const answers = `
	local answers = vim.json.decode(%s)
	vim.ui.select = function(items, opts, callback)
		local wanted = table.remove(answers, 1)
		for _, item in ipairs(items) do
			local shown = (opts.format_item or tostring)(item)
			if shown:find(wanted, 1, true) then
				return callback(item)
			end
		end
		error(wanted .. " is not offered")
	end
	vim.ui.input = function(_, callback) callback(table.remove(answers, 1)) end`

func answered(t *testing.T, nvim *test.Neovim, texts ...string) {
	t.Helper()
	encoded, err := json.Marshal(texts)
	require.NoError(t, err)
	nvim.Lua(nil, fmt.Sprintf(answers, "[==["+string(encoded)+"]==]"))
}

// shown is the text of a buffer of the plugin; "" until it is there.
func shown(nvim *test.Neovim, name string) string {
	var text string
	nvim.Lua(&text, `
		local buf = vim.fn.bufnr("^`+name+`$")
		return buf == -1 and "" or table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), "\n")`)
	return text
}

func TestNeovimRemembersAnErrorWithItsFixAndShowsIt(t *testing.T) {
	inNeovim(t, brokenModule, func(t *testing.T, env *test.Env, version string) {
		const text = "Error in main.go: undefined: undefinedThing (compiler UndeclaredName). Fix: declare it first"
		nvim := startWithPanel(env, version, "main.go", "undefined: undefinedThing")
		nvim.Lua(nil, "vim.api.nvim_win_set_cursor(0, { 4, 10 })")
		answered(t, nvim, "declare it first", "Decision")
		nvim.Lua(nil, `vim.cmd("WM error")`)
		nvim.AwaitPanel(text, "Decision")

		answered(t, nvim, text)
		nvim.Lua(nil, `vim.cmd("WM trace")`)
		nvim.Await("the trace", func() bool { return strings.Contains(shown(nvim, "wm://trace"), "memory.added") })
		assert.Contains(t, shown(nvim, "wm://trace"), text)

		nvim.Lua(nil, `vim.cmd.wincmd("p") vim.api.nvim_win_set_cursor(0, { 4, 3 }) vim.lsp.buf.hover()`)
		nvim.Await("the hover of both servers", func() bool {
			text := floating(nvim)
			return containsAll(text, "func println", "Open error", "Remembered")
		})
	})
}

// floating is the text of the window over the others; "" if there is none.
func floating(nvim *test.Neovim) (text string) {
	nvim.Lua(&text, `
		for _, win in ipairs(vim.api.nvim_list_wins()) do
			if vim.api.nvim_win_get_config(win).relative ~= "" then
				return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false), "\n")
			end
		end
		return ""`)
	return text
}

func containsAll(text string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}

func TestNeovimRemembersASelectionByItsCodeAction(t *testing.T) {
	inNeovim(t, brokenModule, func(t *testing.T, env *test.Env, version string) {
		nvim := startWithPanel(env, version, "main.go", "undefined: undefinedThing")
		answered(t, nvim, "Preference")
		nvim.Lua(nil, `vim.lsp.buf.code_action({
			apply = true,
			filter = function(action) return action.title == "Remember the selection" end,
			range = { start = { 4, 1 }, ["end"] = { 4, 24 } },
		})`)
		nvim.AwaitPanel("println(undefinedThing)", "Preference")
	})
}

// gopls reported the error; Neovim tells each server only of its own ones.
func TestNeovimRemembersAnErrorByItsCodeAction(t *testing.T) {
	inNeovim(t, brokenModule, func(t *testing.T, env *test.Env, version string) {
		nvim := startWithPanel(env, version, "main.go", "undefined: undefinedThing")
		answered(t, nvim, "declare it first", "Pointer")
		nvim.Lua(nil, `
			vim.api.nvim_win_set_cursor(0, { 4, 10 })
			vim.lsp.buf.code_action({
				apply = true,
				filter = function(action) return action.title == "Remember this error and its fix" end,
			})`)
		const text = "Error in main.go: undefined: undefinedThing (compiler UndeclaredName). Fix: declare it first"
		nvim.AwaitPanel(text, "Pointer")
		entry, _ := remembered(agent(env), text)
		assert.Equal(t, []string{"main.go"}, entry.Files)
	})
}

func TestNeovimShowsTheContextOfAnAgent(t *testing.T) {
	inNeovim(t, "-- a.txt --\nhello\n", func(t *testing.T, env *test.Env, version string) {
		nvim := startWithPanel(env, version, "a.txt", "a.txt", "read, 1x")
		agent := agent(env)
		for _, used := range []int{20_000, 80_000} {
			agent.Call("wm/usage/reported", map[string]any{"promptChars": used, "charLimit": 100_000}, nil)
		}
		agent.Call(
			"wm/core/update",
			map[string]any{"block": "goal", "operation": "replace", "content": "ship the panel"},
			nil,
		)

		nvim.Await("the editor knowing the agent", func() bool {
			var list wire.SessionListResult
			nvim.Call("wm/session/list", &list)
			return len(list.Sessions) == 2
		})
		answered(t, nvim, "agent (live")
		nvim.Lua(nil, `vim.cmd("WM session")`)
		nvim.AwaitPanel("context 80 %", "▂▆")
		nvim.AwaitPanel("◎ ship the panel")
		nvim.Lua(nil, `vim.cmd("WM usage")`)
		nvim.Await("the usage", func() bool { return strings.Contains(shown(nvim, "wm://usage"), "100 % ┤") })
		assert.Contains(t, shown(nvim, "wm://usage"), "80,000 of 100,000 chars")
		assert.Regexp(t, `[█▓▒░▞]+ Goal & progress\s+\d+ tokens`, shown(nvim, "wm://usage"))
		agent.Call("wm/usage/reported", map[string]any{"promptChars": 40_000, "charLimit": 100_000}, nil)
		nvim.Await(
			"the newer usage",
			func() bool { return strings.Contains(shown(nvim, "wm://usage"), "40,000 of 100,000") },
		)

		nvim.Lua(nil, `vim.cmd("WM context")`)
		nvim.Await(
			"the context",
			func() bool { return strings.Contains(shown(nvim, "wm://context"), "ship the panel") },
		)
	})
}

// Whoever looks sees what the panel shows, and changes nothing by looking.
func TestNeovimOnlyLooksAtTheMemoryOfTheAgent(t *testing.T) {
	inNeovim(t, "-- a.txt --\nhello\n", func(t *testing.T, env *test.Env, version string) {
		nvim := startWithPanel(env, version, "a.txt", "a.txt", "read, 1x")
		agent := agent(env)
		agent.Call(
			"wm/core/update",
			map[string]any{"block": "goal", "operation": "replace", "content": "ship the panel"},
			nil,
		)
		agent.Call("wm/notes/write", map[string]any{"path": "overview.md", "content": "# What the agent does\n"}, nil)
		agent.Call("wm/usage/reported", map[string]any{"promptChars": 80_000, "charLimit": 100_000}, nil)
		nvim.AwaitPanel("◎ ship the panel")
		nvim.AwaitPanel("What the agent does")
		nvim.AwaitPanel("context 80 %")

		preview := func() string {
			var result wire.ContextResult
			agent.Call("wm/context", map[string]any{"preview": true}, &result)
			return strings.TrimSuffix(result.Text, "\n")
		}
		nvim.Lua(nil, `vim.cmd("WM context")`)
		nvim.Await(
			"exactly what the agent would be given",
			func() bool { return strings.TrimSuffix(shown(nvim, "wm://context"), "\n") == preview() },
		)
		nvim.Lua(nil, `vim.cmd("WM usage")`)
		nvim.Await(
			"the usage of the agent",
			func() bool { return strings.Contains(shown(nvim, "wm://usage"), "80,000 of 100,000 chars") },
		)
		nvim.Lua(nil, `vim.cmd("WM overview")`)
		nvim.Await("the overview of the agent", func() bool {
			var first string
			nvim.Lua(
				&first,
				`return vim.api.nvim_buf_get_name(0):find("overview.md", 1, true) and vim.fn.getline(1) or ""`,
			)
			return first == "# What the agent does"
		})

		var own wire.NotesListResult
		nvim.Call("wm/notes/list", &own)
		assert.Empty(t, own.Files, "no overview is made for who only looks")
		agent.Call(
			"wm/core/update",
			map[string]any{"block": "goal", "operation": "replace", "content": "ship the plugin"},
			nil,
		)
		nvim.AwaitPanel("◎ ship the plugin")
		nvim.AwaitPanel("context 80 %")
	})
}

func TestMemoriesFollowAFileThatIsRenamedInNeovim(t *testing.T) {
	inNeovim(t, "-- a.txt --\nhello\n", func(t *testing.T, env *test.Env, version string) {
		nvim := env.StartNeovim(version, nil)
		nvim.Edit("a.txt")
		agent := agent(env)
		agent.Call(
			"wm/memory/add",
			map[string]any{"text": "It begins with a greeting", "files": []string{"a.txt"}},
			nil,
		)
		files := func() []string {
			entry, _ := remembered(agent, "It begins with a greeting")
			return entry.Files
		}
		nvim.Await("the file read", func() bool { return actionOn(agent, "a.txt") != "" })
		nvim.Lua(
			nil,
			"vim.cmd.saveas("+fmt.Sprintf(
				"%q",
				env.Path("b.txt"),
			)+") vim.fn.delete("+fmt.Sprintf(
				"%q",
				env.Path("a.txt"),
			)+") vim.cmd.write()",
		)
		nvim.Await("the memory about the new file", func() bool { return slices.Equal(files(), []string{"b.txt"}) })
		nvim.Await("the old file gone", func() bool { return actionOn(agent, "a.txt") == "" })
	})
}

// What a language server renames and deletes, and what goes behind the editor's back.
func TestTheMemoryFollowsTheFilesOfWorkspaceEditsInNeovim(t *testing.T) {
	inNeovim(t, "-- a.go --\npackage a\n-- c.go --\npackage a\n", func(t *testing.T, env *test.Env, version string) {
		const text = "The package has one letter, for a reason"
		nvim := env.StartNeovim(version, nil)
		nvim.Edit("c.go")
		nvim.Edit("a.go")
		agent := agent(env)
		nvim.Await(
			"the files read",
			func() bool { return actionOn(agent, "a.go") != "" && actionOn(agent, "c.go") != "" },
		)
		agent.Call("wm/memory/add", map[string]any{"text": text, "files": []string{"a.go"}}, nil)
		agent.Call("wm/tool/executed", map[string]any{
			"tool": "bash", "input": map[string]any{
				"command": "go vet ."}, "exitCode": 1, "output": "./a.go:1:1: undefined: hello\n",
		}, nil)
		require.Len(t, openErrors(agent), 1)
		apply := func(change map[string]any) {
			change["options"] = map[string]any{}
			edit, err := json.Marshal(map[string]any{"documentChanges": []any{change}})
			require.NoError(t, err)
			nvim.Lua(nil, fmt.Sprintf("vim.lsp.util.apply_workspace_edit(vim.json.decode(%q), 'utf-16')", edit))
		}

		apply(map[string]any{"kind": "rename", "oldUri": env.URI("a.go"), "newUri": env.URI("b.go")})
		nvim.Await("the memory about the new file", func() bool {
			entry, _ := remembered(agent, text)
			return slices.Equal(entry.Files, []string{"b.go"}) && entry.Stale == nil
		})
		nvim.Await(
			"the new file in the place of the old",
			func() bool { return actionOn(agent, "a.go") == "" && actionOn(agent, "b.go") != "" },
		)
		nvim.Await("the error in the new file", func() bool {
			found := openErrors(agent)
			return len(found) == 1 && found[0].Path == "b.go"
		})

		apply(map[string]any{"kind": "delete", "uri": env.URI("b.go")})
		nvim.Await("the file gone", func() bool { return actionOn(agent, "b.go") == "" })
		nvim.Await("the memory known to be stale", func() bool {
			entry, _ := remembered(agent, text)
			return entry.Stale != nil
		})

		require.NoError(t, os.Remove(env.Path("c.go")))
		nvim.Lua(nil, `for _, buf in ipairs(vim.api.nvim_list_bufs()) do vim.cmd("silent! checktime " .. buf) end`)
		nvim.Await("the other file gone", func() bool { return actionOn(agent, "c.go") == "" })
	})
}

func TestNeovimHasAMemoryForEachRepository(t *testing.T) {
	inNeovim(t, "-- a.txt --\nhello\n-- other/b.txt --\nhello\n", func(t *testing.T, env *test.Env, version string) {
		git(t, env, "init", "--quiet", "--initial-branch=main", "other")
		nvim := env.StartNeovim(version, nil)
		nvim.Edit("a.txt")
		nvim.Edit("other/b.txt")
		first := agent(env)
		second := env.Start(
			test.ClientOptions{Name: "agent", SessionID: "agent-2", Agent: "agent", Folders: []string{"other"}},
		)
		nvim.Await("the file in the second memory", func() bool { return actionOn(second, "b.txt") == wire.FileRead })
		nvim.Lua(nil, `
			local problem = { lnum = 0, col = 0, end_col = 5, severity = 1, source = "lint", message = "too short" }
			vim.diagnostic.set(vim.api.nvim_create_namespace("lint"), 0, { problem })`)
		nvim.Replace("hello", "hallo")
		nvim.Await("its edit and its error", func() bool {
			return actionOn(second, "b.txt") == wire.FileEdit && len(openErrors(second)) == 1
		})
		nvim.Await("the file in the first memory", func() bool { return actionOn(first, "a.txt") == wire.FileRead })
		assert.Empty(t, openErrors(first))
		assert.Empty(t, actionOn(first, "other/b.txt"))
		assert.Empty(t, actionOn(second, "a.txt"))
	})
}
