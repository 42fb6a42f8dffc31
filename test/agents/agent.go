//go:build unix

package agents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/installed"
)

// patience is how long an agent may take for a session, and pollInterval how
// often a condition is looked at.
const (
	patience     = test.Patience
	pollInterval = 20 * time.Millisecond
)

// An Agent is a program that people use, and how it is started headless with a
// model on loopback. test/install/agents.sh installs the programs.
type Agent struct {
	// Name is that of its folder in the test cache, below "agents".
	Name string
	// Page is the name of its page in docs/agents, without ".md".
	Page string
	// Command is what a person types to start it.
	Command string
	// Program is its program below the folder, a pattern of filepath.Glob.
	Program string
	// Shell is the call of the tool that runs a command.
	Shell func(command string) Call
	// Write is the call that writes a file of the workspace.
	Write func(file, text string) Call
	// Todos are steps in which its model puts "Swap the operands" and "Run the tests" on its todo
	// list, finishes the first one and begins the second; nil for an agent that reports no list.
	Todos []Step
	// Tool is the name by which its model calls a tool of the memory, such as
	// memory_remember.
	Tool func(name string) string
	// Prepare writes the settings that lead it to the model. They say nothing of
	// wm-lsp: how the memory is connected is on the agent's page.
	Prepare func(h *Home)
	// Plugin connects the memory with the plugin in editors/agents instead, and returns
	// what a session needs as arguments; nil for an agent that does not take the plugin.
	Plugin func(h *Home) []string
	// PluginTool is Tool with the plugin; nil if the name is the same.
	PluginTool func(name string) string
	// Environ is what its environment has besides PATH, HOME, TERM and LANG.
	Environ func(h *Home) []string
	// Arguments are those of a headless session with a prompt. With resume it goes on
	// with the last session of the folder.
	Arguments func(h *Home, prompt string, resume bool) []string
}

// All are the agents that are tested, in the order of the README.
func All() []*Agent { return []*Agent{Claude, Codex, Copilot, OpenCode} }

// Path is the path of the program. The error says that it is not installed.
func (a *Agent) Path() (string, error) {
	dir, err := installed.Path(filepath.Join("agents", a.Name))
	if err != nil {
		return "", err
	}
	found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(a.Program)))
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "", fmt.Errorf("%w: %s in %s", fs.ErrNotExist, a.Program, dir)
	}
	return found[0], nil
}

// A Home is a home folder and a workspace, of a test.Env, in which an agent is set
// up. Several agents may be set up in one.
type Home struct {
	// Env has the folders.
	Env *test.Env
	// Model is what the agent talks to.
	Model *Model

	t      testing.TB
	agent  *Agent
	bin    string   // the folder of the programs
	caches []string // those of Go, as environment
	more   []string // arguments of every session
}

// At sets an agent up in the folders of an environment, without the memory. The
// test is reported as not run if the agent is not installed.
func (a *Agent) At(t testing.TB, env *test.Env, model *Model) *Home {
	t.Helper()
	program, err := a.Path()
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("not run: %s is not installed; test/install/agents.sh installs it from the npm registry", a.Name)
	}
	require.NoError(t, err)
	h := &Home{Env: env, Model: model, t: t, agent: a, bin: filepath.Join(filepath.Dir(env.Home), "bin")}
	h.caches = goCaches(t)
	require.NoError(t, os.MkdirAll(h.bin, 0o755))
	h.link(test.Binary(t, test.Server), filepath.Join(h.bin, "wm-lsp"))
	h.link(program, filepath.Join(h.bin, a.Command))
	// Agents have no XDG variables, as those of most people; editors have those of Env.
	for name, dir := range map[string]string{
		".local/share": env.DataDir(), ".config": env.ConfigDir(),
		".local/state": filepath.Join(env.Home, "state"), ".cache": filepath.Join(env.Home, "cache"),
	} {
		require.NoError(t, os.MkdirAll(dir, 0o700))
		h.link(dir, h.Path(name))
	}
	if !exists(env.Path(".git")) {
		out, err := exec.Command("git", "-C", env.Root, "init", "--quiet").CombinedOutput()
		require.NoError(t, err, string(out))
	}
	// A login shell sets a PATH of its own before it reads this.
	h.Write(".profile", "export PATH='"+h.path()+"'\n")
	a.Prepare(h)
	return h
}

// WithPlugin is At with the plugin. An agent that does not take it is set up as its page says.
func (a *Agent) WithPlugin(t testing.TB, env *test.Env, model *Model) *Home {
	t.Helper()
	if a.Plugin == nil {
		return a.Connected(t, env, model)
	}
	h := a.At(t, env, model)
	h.more = a.Plugin(h)
	return h
}

// follow runs the commands of a page of docs/agents in the repository, as the page says.
func (h *Home) follow(page string) {
	h.t.Helper()
	text, err := os.ReadFile(filepath.Join(Repository(), "docs", "agents", page+".md"))
	require.NoError(h.t, err)
	blocks := test.ShellBlocks(string(text))
	require.NotEmpty(h.t, blocks, "%s has commands", page)
	for _, block := range blocks {
		h.Run("bash", "-euo", "pipefail", "-c", `cd "$0" && `+block, Repository())
	}
}

// Connected is At with the memory, as the page of the agent says.
func (a *Agent) Connected(t testing.TB, env *test.Env, model *Model) *Home {
	t.Helper()
	h := a.At(t, env, model)
	h.follow(a.Page)
	return h
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// link makes a symbolic link, unless there is one.
func (h *Home) link(target, name string) {
	h.t.Helper()
	require.NoError(h.t, os.MkdirAll(filepath.Dir(name), 0o755))
	if err := os.Symlink(target, name); !errors.Is(err, fs.ErrExist) {
		require.NoError(h.t, err)
	}
}

// Path is the path of a file of the home folder.
func (h *Home) Path(name string) string {
	return filepath.Join(h.Env.Home, filepath.FromSlash(name))
}

// Program is the path of a program that a person has installed: wm-lsp or the agent.
func (h *Home) Program(name string) string { return filepath.Join(h.bin, name) }

// Write makes a file of the home folder, with the folders above it.
func (h *Home) Write(name, text string) {
	h.t.Helper()
	require.NoError(h.t, os.MkdirAll(filepath.Dir(h.Path(name)), 0o755))
	require.NoError(h.t, os.WriteFile(h.Path(name), []byte(text), 0o644))
}

// path is the PATH of the agent, with the programs of the test before all others.
func (h *Home) path() string { return h.bin + string(os.PathListSeparator) + os.Getenv("PATH") }

// Environ is the whole environment of the agent, and of a shell in which a person
// sets it up.
func (h *Home) Environ() []string {
	environ := []string{
		"PATH=" + h.path(),
		"HOME=" + h.Env.Home, "TERM=dumb", "LANG=C.UTF-8",
		"GOPROXY=off", "GOFLAGS=-buildvcs=false", "GOTOOLCHAIN=local", "GOTELEMETRY=off",
		// Some install packages at their start: no registry is asked.
		"npm_config_registry=" + h.Model.URL, "npm_config_fetch_retries=0",
		"GORACE=halt_on_error=0 exitcode=66 atexit_sleep_ms=50",
	}
	environ = append(environ, h.caches...)
	if h.agent.Environ != nil {
		environ = append(environ, h.agent.Environ(h)...)
	}
	return environ
}

// goCaches are the variables of Go's caches: the tools of the agents may run Go, whose caches
// are those of the tests.
func goCaches(t testing.TB) []string {
	t.Helper()
	names := []string{"GOCACHE", "GOMODCACHE"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	require.NoError(t, err)
	values := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, values, len(names))
	for i, name := range names {
		values[i] = name + "=" + values[i]
	}
	return values
}

func (h *Home) arguments(prompt string, resume bool) []string {
	return append(h.agent.Arguments(h, prompt, resume), h.more...)
}

// Session runs a new session with a prompt to its end, and returns what the agent
// has printed.
func (h *Home) Session(prompt string) string {
	h.t.Helper()
	return h.Run(h.agent.Command, h.arguments(prompt, false)...)
}

// Resume runs the last session of the workspace again, with another prompt.
func (h *Home) Resume(prompt string) string {
	h.t.Helper()
	return h.Run(h.agent.Command, h.arguments(prompt, true)...)
}

// Start is Session without the wait for its end.
func (h *Home) Start(prompt string) *Running {
	h.t.Helper()
	return h.Spawn(h.agent.Command, h.arguments(prompt, false)...)
}

// Run runs a command in the workspace to its end, such as one of the agent that
// installs a plugin, and returns its output. It has to succeed.
func (h *Home) Run(command string, arguments ...string) string {
	h.t.Helper()
	return h.Spawn(command, arguments...).Wait()
}

// A Running command has a process group of its own.
type Running struct {
	h       *Home
	name    string
	process *exec.Cmd
	output  bytes.Buffer
	ctx     context.Context
	ended   chan error
}

// Spawn starts a command in the workspace. It is ended with the test, with all
// processes that it has started in its group.
func (h *Home) Spawn(command string, arguments ...string) *Running {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	r := &Running{h: h, name: command, ctx: ctx, ended: make(chan error, 1)}
	path := command
	if !strings.ContainsRune(command, filepath.Separator) && exists(filepath.Join(h.bin, command)) {
		path = filepath.Join(h.bin, command) // exec looks in the PATH of the test
	}
	r.process = exec.CommandContext(ctx, path, arguments...)
	r.process.Dir, r.process.Env = h.Env.Root, h.Environ()
	r.process.Stdout, r.process.Stderr = &r.output, &r.output
	r.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	r.process.Cancel = r.endGroup
	// A process that the command leaves behind may hold its output open.
	r.process.WaitDelay = time.Second
	require.NoError(h.t, r.process.Start())
	go func() {
		err := r.process.Wait()
		_ = r.endGroup()
		r.ended <- err
	}()
	h.t.Cleanup(func() {
		cancel()
		<-r.ended
	})
	return r
}

func (r *Running) endGroup() error {
	err := syscall.Kill(-r.process.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// Kill kills the command and the processes that it has started in its group, and waits for its end.
func (r *Running) Kill() {
	r.h.t.Helper()
	require.NoError(r.h.t, r.endGroup())
	err := <-r.ended
	r.ended <- err // for the cleanup
}

// Wait waits for the end of the command, which has to succeed, and returns what it
// has printed.
func (r *Running) Wait() string {
	r.h.t.Helper()
	err := <-r.ended
	r.ended <- err // for the cleanup
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // something in its group held its output open, and was ended
	}
	account := ""
	if r.h.Model != nil {
		account = r.h.Model.Account()
	}
	require.NoError(r.h.t, err, "%s %v\n%s\n%s", r.name, r.ctx.Err(), tail(r.output.String()), account)
	return r.output.String()
}

// tail is the end of an output.
func tail(output string) string {
	const most = 4000
	if len(output) > most {
		return "… " + output[len(output)-most:]
	}
	return output
}
