package test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test/installed"
)

// NeovimVersions are the versions that the plugin is tested with: the oldest
// that it supports, and the newest.
var NeovimVersions = []string{"0.10", "0.12"}

// Installed is the path of something that test/install/all.sh installs.
func Installed(t testing.TB, name string) string {
	t.Helper()
	path, err := installed.Path(name)
	require.NoError(t, err)
	return path
}

// NeovimPath is the path of one of the NeovimVersions.
func NeovimPath(t testing.TB, version string) string {
	t.Helper()
	return Installed(t, "nvim-"+version+"/bin/nvim")
}

// PluginDir is the folder of the Neovim plugin.
func PluginDir(t testing.TB) string {
	t.Helper()
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(filepath.Dir(file)), "editors", "nvim")
}

// A Neovim is the real editor, without a screen, with the plugin and gopls. It
// is asked from outside, so that it does between the questions what it does
// for a person.
type Neovim struct {
	t       testing.TB
	env     *Env
	path    string
	socket  string
	process *exec.Cmd
	stderr  *lockedBuffer
	ended   chan struct{} // closed when the process has ended
	alone   chan struct{} // closed when all that it started has ended, too
}

// neovimInit is what a person would have in their init.lua.
const neovimInit = `
vim.opt.runtimepath:prepend(vim.env.WM_PLUGIN)
vim.cmd.runtime("plugin/wm.lua")
vim.o.autoread, vim.o.swapfile, vim.o.hidden = true, false, true
require("wm").setup({
  cmd = { vim.env.WM_BINARY }, log_level = "debug", settings = vim.json.decode(vim.env.WM_SETTINGS),
  timeout_ms = tonumber(vim.env.WM_PATIENCE),
})
vim.api.nvim_create_autocmd("FileType", { pattern = "go", callback = function(event)
  local root = vim.fs.root(event.buf, "go.mod")
  if root then
    vim.lsp.start({ name = "gopls", cmd = { vim.env.GOPLS }, root_dir = root })
  end
end })
`

// StartNeovim starts the editor in the workspace folder, with settings for the
// server.
func (e *Env) StartNeovim(version string, settings map[string]any) *Neovim {
	t := e.t
	t.Helper()
	encoded, err := json.Marshal(settings)
	require.NoError(t, err)
	if settings == nil {
		encoded = []byte("{}")
	}
	dir, err := os.MkdirTemp(e.Home, "nvim-")
	require.NoError(t, err)
	initFile := filepath.Join(dir, "init.lua")
	require.NoError(t, os.WriteFile(initFile, []byte(neovimInit), 0o600))

	n := &Neovim{
		t: t, env: e, path: NeovimPath(t, version), socket: socketPath(t),
		stderr: &lockedBuffer{}, ended: make(chan struct{}), alone: make(chan struct{}),
	}
	n.process = exec.Command(n.path, "--clean", "--headless", "-u", initFile, "--listen", n.socket)
	n.process.Dir = e.Root
	n.process.Env = append(e.Environ(),
		"WM_PLUGIN="+PluginDir(t), "WM_BINARY="+Binary(t, Server), "WM_SETTINGS="+string(encoded),
		fmt.Sprintf("WM_PATIENCE=%d", Patience.Milliseconds()),
		"GOPLS="+Installed(t, "bin/gopls"), "GOCACHE="+goEnv(t, "GOCACHE"), "GOMODCACHE="+goEnv(t, "GOMODCACHE"),
		"GOFLAGS=-buildvcs=false", "GOPROXY=off", "GOTOOLCHAIN=local", "LC_ALL=C.UTF-8",
		"XDG_RUNTIME_DIR="+dir, "NVIM_LOG_FILE="+filepath.Join(dir, "nvim.log"),
	)
	n.process.Stderr = n.stderr
	// Whoever the editor starts inherits this end of a pipe, and holds it open.
	lives, held, err := os.Pipe()
	require.NoError(t, err)
	n.process.ExtraFiles = []*os.File{held}
	require.NoError(t, n.process.Start())
	require.NoError(t, held.Close())
	go func() {
		_ = n.process.Wait()
		close(n.ended)
		_, _ = io.Copy(io.Discard, lives)
		_ = lives.Close()
		close(n.alone)
	}()
	t.Cleanup(n.Kill)
	n.Await("the editor listening", func() bool { return listening(n.socket) })
	return n
}

func goEnv(t testing.TB, name string) string {
	t.Helper()
	value, err := exec.Command("go", "env", name).Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(value))
}

// remote runs statements in the editor and returns what they return, as JSON.
func (n *Neovim) remote(statements string) ([]byte, error) {
	quoted := strings.ReplaceAll("vim.json.encode({(function() "+statements+" end)()})", "'", "''")
	remote := exec.Command(
		n.path,
		"--clean",
		"--headless",
		"--server",
		n.socket,
		"--remote-expr",
		"luaeval('"+quoted+"')",
	)
	remote.Env = append(n.env.Environ(), "LC_ALL=C.UTF-8")
	return remote.CombinedOutput()
}

// Lua runs statements in the editor and decodes what they return.
func (n *Neovim) Lua(result any, statements string) {
	n.t.Helper()
	out, err := n.remote(statements)
	require.NoError(n.t, err, "%s\n%s\n%s", statements, out, n.stderr)
	if result == nil {
		return
	}
	var values []json.RawMessage
	require.NoError(n.t, json.Unmarshal(out, &values), "%s\n%s\n%s", statements, out, n.stderr)
	require.Len(n.t, values, 1, statements)
	require.NoError(n.t, json.Unmarshal(values[0], result), "%s\n%s", statements, out)
}

// Call sends a request to the editor's own server and decodes the result.
func (n *Neovim) Call(method string, result any) {
	n.t.Helper()
	n.Lua(result, `
		local client = require("wm.client")
		local answer, problem
		local workspace = client.workspace_of(vim.api.nvim_get_current_buf())
		client.request(workspace, `+luaString(method)+`, {}, function(err, result)
			problem, answer = err, result
		end)
		assert(vim.wait(tonumber(vim.env.WM_PATIENCE), function() return problem or answer end, 5), "no answer")
		return assert(answer, problem)`)
}

// Edit opens a file, as :edit does.
func (n *Neovim) Edit(name string) {
	n.t.Helper()
	n.Lua(nil, "vim.cmd.edit("+luaString(n.env.Path(name))+")")
}

// Replace replaces the first occurrence of a string in the current file, by
// typing, without saving.
func (n *Neovim) Replace(old, replacement string) {
	n.t.Helper()
	n.Lua(nil, `
		local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
		local from, to = text:find(`+luaString(old)+`, 1, true)
		local function place(offset)
			local before = text:sub(1, offset)
			return select(2, before:gsub("\n", "")), #before:match("[^\n]*$")
		end
		local row, column = place(from - 1)
		local last_row, last_column = place(to)
		vim.api.nvim_buf_set_text(0, row, column, last_row, last_column, vim.split(`+luaString(replacement)+`, "\n"))`)
}

// Save writes the current file.
func (n *Neovim) Save() {
	n.t.Helper()
	n.Lua(nil, "vim.cmd.write()")
}

// Panel returns the lines of the panel; there are none if it is not open.
func (n *Neovim) Panel() []string {
	n.t.Helper()
	var lines []string
	n.Lua(&lines, `
		local buf = vim.fn.bufnr("wm://panel")
		return buf == -1 and vim.json.decode("[]") or vim.api.nvim_buf_get_lines(buf, 0, -1, false)`)
	return lines
}

// OpenPanel opens the panel and leaves the cursor in the file.
func (n *Neovim) OpenPanel() {
	n.t.Helper()
	n.Lua(nil, `vim.cmd("WM panel") vim.cmd.wincmd("p")`)
}

// AwaitPanel waits until a line of the panel holds all of the parts.
func (n *Neovim) AwaitPanel(parts ...string) (line string) {
	n.t.Helper()
	n.AwaitPanelThat("a line with "+strings.Join(parts, ", "), func(lines []string) bool {
		for _, line = range lines {
			if containsAll(line, parts) {
				return true
			}
		}
		return false
	})
	return line
}

func containsAll(line string, parts []string) bool {
	for _, part := range parts {
		if !strings.Contains(line, part) {
			return false
		}
	}
	return true
}

// AwaitPanelThat waits for a condition on the panel's lines.
func (n *Neovim) AwaitPanelThat(what string, condition func(lines []string) bool) {
	n.t.Helper()
	var last []string
	defer func() {
		if n.t.Failed() {
			n.t.Logf("the panel:\n%s", strings.Join(last, "\n"))
		}
	}()
	n.Await("in the panel: "+what, func() bool {
		last = n.Panel()
		return condition(last)
	})
}

// Await waits for a condition.
func (n *Neovim) Await(what string, condition func() bool) {
	n.t.Helper()
	deadline := time.Now().Add(Patience)
	for !condition() {
		if time.Now().After(deadline) {
			n.t.Fatalf("waited %v in vain: %s\n%s", Patience, what, n.account())
		}
		select {
		case <-n.ended:
			n.t.Fatalf("the editor ended while waiting: %s\n%s", what, n.stderr)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// account is what the editor and the server wrote, for a test that failed.
func (n *Neovim) account() string {
	log, _ := os.ReadFile(filepath.Join(n.env.Home, "state", "nvim", "wm-lsp.log"))
	lsp, _ := os.ReadFile(filepath.Join(n.env.Home, "state", "nvim", "lsp.log"))
	return "stderr:\n" + n.stderr.String() + "\nlog of the server:\n" + tail(
		log,
	) + "\nlog of the editor's client:\n" + tail(
		lsp,
	)
}

func tail(log []byte) string {
	const most = 4000
	return string(log[max(0, len(log)-most):])
}

// ServerPID is the process of the editor's server, 0 if there is none.
func (n *Neovim) ServerPID() (pid int) {
	n.t.Helper()
	n.Lua(&pid, `
		for _, pid in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
			local process = vim.api.nvim_get_proc(pid)
			if process and process.name == "wm-lsp" then
				return pid
			end
		end
		return 0`)
	return pid
}

// Quit ends the editor as a person does, and waits until its servers have ended.
func (n *Neovim) Quit() {
	n.t.Helper()
	_, _ = n.remote("vim.cmd('qall!')") // there is nobody left to answer
	n.awaitEnd()
}

// Kill ends the editor at once, without a chance to say so to anybody, and
// waits until its servers have noticed.
func (n *Neovim) Kill() {
	n.t.Helper()
	_ = n.process.Process.Kill()
	n.awaitEnd()
}

func (n *Neovim) awaitEnd() {
	n.t.Helper()
	select {
	case <-n.alone:
	case <-time.After(Patience):
		n.t.Fatalf("the editor, or a server that it started, did not end\n%s", n.account())
	}
}

func luaString(s string) string {
	quoted, _ := json.Marshal(s) // the escapes of JSON that text of tests needs are Lua's too
	return string(quoted)
}
