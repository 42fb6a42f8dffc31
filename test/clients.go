package test

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The editors that know nothing of the memory but what LSP has: what works in
// them works in every client. They are driven from outside, and asked until what
// a test waits for is so.

func clientPath(t testing.TB, name string) string { return Installed(t, "lsp-clients/bin/"+name) }

// snippet is the first block of code under a heading of editors/README.md.
func snippet(t testing.TB, heading string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(PluginDir(t), "..", "README.md"))
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "\n## "+heading+"\n")
	require.True(t, found, "editors/README.md has no heading %q", heading)
	_, rest, found = strings.Cut(rest, "\n```")
	require.True(t, found, "there is no code under %q", heading)
	_, rest, _ = strings.Cut(rest, "\n")
	code, _, _ := strings.Cut(rest, "```")
	return code
}

// await waits for a condition; account tells what there was instead.
func await(t testing.TB, what string, condition func() bool, account func() string) {
	t.Helper()
	deadline := time.After(Patience)
	for !condition() {
		select {
		case <-deadline:
			t.Fatalf("waited %v in vain: %s\n%s", Patience, what, account())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// awaitServers waits until the servers that an editor has started have ended: until then they write into the folders
// of the test.
func (e *Env) awaitServers() {
	e.t.Helper()
	await(e.t, "the end of the editor's servers", func() bool { return len(e.servers()) == 0 },
		func() string { return strings.Join(e.servers(), "\n") })
}

// servers returns the folders in /proc of the processes with the environment of the test that it has not started
// itself.
func (e *Env) servers() (running []string) {
	home, own := []byte("HOME="+e.Home+"\x00"), []byte("\nPPid:\t"+strconv.Itoa(os.Getpid())+"\n")
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, process := range processes {
		environ, _ := os.ReadFile(filepath.Join(process, "environ"))
		status, err := os.ReadFile(filepath.Join(process, "status"))
		if err == nil && bytes.Contains(environ, home) && !bytes.Contains(status, own) {
			running = append(running, process)
		}
	}
	return running
}

// socketPath is a path that is short enough for a socket, wherever the temporary
// folder is and whatever the test is called.
func socketPath(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "wm-")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return filepath.Join(dir, "s")
}

// listening reports whether somebody takes connections at a socket, which is a
// moment after its file is there.
func listening(socket string) bool {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

// Helix is the editor of that name in a terminal of 100 by 24 characters.
type Helix struct {
	t      testing.TB
	env    *Env
	tmux   string
	socket string
}

// StartHelix starts the editor with a file of the workspace.
func (e *Env) StartHelix(file string) *Helix {
	t := e.t
	t.Helper()
	config := filepath.Join(e.ConfigDir(), "helix", "languages.toml")
	require.NoError(t, os.MkdirAll(filepath.Dir(config), 0o700))
	require.NoError(t, os.WriteFile(config, []byte(snippet(t, "Helix")), 0o600))
	h := &Helix{t: t, env: e, tmux: clientPath(t, "tmux"), socket: socketPath(t)}
	h.terminal(
		"-f",
		"/dev/null",
		"new-session",
		"-d",
		"-x",
		"100",
		"-y",
		"24",
		"-s",
		"helix",
		"-c",
		e.Root,
		clientPath(t, "hx"),
		e.Path(file),
	)
	t.Cleanup(func() {
		_ = h.command("kill-server").Run()
		e.awaitServers()
	})
	return h
}

func (h *Helix) command(args ...string) *exec.Cmd {
	run := exec.Command(h.tmux, append([]string{"-u", "-S", h.socket}, args...)...)
	run.Env = append(
		h.env.Environ(),
		"LC_ALL=C.UTF-8",
		"TERM=xterm-256color",
		"PATH="+filepath.Dir(Binary(h.t, Server))+":"+os.Getenv("PATH"),
	)
	return run
}

func (h *Helix) terminal(args ...string) string {
	h.t.Helper()
	out, err := h.command(args...).CombinedOutput()
	require.NoError(h.t, err, "tmux %v\n%s", args, out)
	return string(out)
}

// Screen is what is to be seen.
func (h *Helix) Screen() string {
	h.t.Helper()
	return h.terminal("capture-pane", "-p", "-t", "helix")
}

// Press presses keys, as tmux names them.
func (h *Helix) Press(keys ...string) {
	h.t.Helper()
	h.terminal(append([]string{"send-keys", "-t", "helix"}, keys...)...)
}

// Command runs a command of the editor, from its normal mode.
func (h *Helix) Command(line string) {
	h.t.Helper()
	h.Press(":")
	h.terminal("send-keys", "-t", "helix", "-l", line)
	h.Sees(line[:min(len(line), 40)])
	h.Press("Enter")
}

// Sees waits until a string is on the screen.
func (h *Helix) Sees(text string) {
	h.t.Helper()
	h.Await("on the screen: "+text, func() bool { return strings.Contains(h.Screen(), text) })
}

// Await waits for a condition.
func (h *Helix) Await(what string, condition func() bool) {
	h.t.Helper()
	await(h.t, what, condition, h.Screen)
}

// Emacs is the editor of that name without a terminal, with eglot.
type Emacs struct {
	t       testing.TB
	env     *Env
	socket  string
	process *exec.Cmd
	output  *lockedBuffer
}

// emacsQuiet keeps the editor from writing files beside those that it edits, and
// from compiling.
const emacsQuiet = `
(setq make-backup-files nil auto-save-default nil create-lockfiles nil native-comp-jit-compilation nil)
`

// StartEmacs starts the editor in the workspace folder.
func (e *Env) StartEmacs() *Emacs {
	t := e.t
	t.Helper()
	file := filepath.Join(e.Home, "init.el")
	require.NoError(t, os.WriteFile(file, []byte(emacsQuiet+snippet(t, "Emacs, eglot")), 0o600))
	m := &Emacs{t: t, env: e, socket: socketPath(t), output: &lockedBuffer{}}
	m.process = exec.Command(clientPath(t, "emacs"), "-Q", "--fg-daemon="+m.socket, "-l", file)
	m.process.Dir, m.process.Stdout, m.process.Stderr, m.process.Env = e.Root, m.output, m.output, m.environ()
	require.NoError(t, m.process.Start())
	ended := make(chan struct{})
	go func() {
		_ = m.process.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = m.process.Process.Kill()
		<-ended
		e.awaitServers()
	})
	m.Await("the editor listening", func() bool { return listening(m.socket) })
	return m
}

func (m *Emacs) environ() []string {
	return append(m.env.Environ(), "LC_ALL=C.UTF-8", "PATH="+filepath.Dir(Binary(m.t, Server))+":"+os.Getenv("PATH"))
}

// Eval evaluates an expression in the buffer that is selected, and returns its
// value as it is printed.
func (m *Emacs) Eval(expression string) string {
	m.t.Helper()
	run := exec.Command(clientPath(m.t, "emacsclient"), "--socket-name="+m.socket, "--eval",
		"(with-current-buffer (window-buffer (selected-window)) "+expression+")")
	run.Env = m.environ()
	out, err := run.CombinedOutput()
	require.NoError(m.t, err, "%s\n%s\n%s", expression, out, m.output)
	return strings.TrimSpace(string(out))
}

// Await waits for a condition.
func (m *Emacs) Await(what string, condition func() bool) {
	m.t.Helper()
	await(m.t, what, condition, m.output.String)
}
