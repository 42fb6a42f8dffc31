// Package test holds what the end-to-end tests need, and those tests: a fake
// editor that starts the real server, speaks to it over pipes and waits for
// conditions; a folder for it to work in, cut off from the settings and data of
// whoever runs the tests; and a runner for conversations written as text.
//
//	func TestMain(m *testing.M) { test.Main(m) }
//
//	func TestOpenFileIsActive(t *testing.T) {
//		test.Run(t, "-- a.go --\npackage a\n", func(t *testing.T, env *test.Env) {
//			editor := env.Start(test.ClientOptions{Name: "vscode"})
//			editor.Open("a.go")
//			…
//			editor.Shutdown()
//		})
//	}
package test

import (
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// An Env is one workspace folder with a home of its own. Several clients may
// be started in it.
type Env struct {
	t *testing.T
	// Root is the workspace folder: absolute, without symbolic links.
	Root string
	// Home stands for the user's home folder; data, configuration, state and
	// cache are folders inside it.
	Home string
}

// Run makes the files of a txtar archive in a fresh workspace folder, and runs
// body with it.
func Run(t *testing.T, archive string, body func(t *testing.T, env *Env)) {
	t.Helper()
	env := newEnv(t)
	for _, file := range txtar.Parse([]byte(archive)).Files {
		env.Write(file.Name, string(file.Data))
	}
	body(t, env)
}

func newEnv(t *testing.T) *Env {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	env := &Env{t: t, Root: filepath.Join(base, "workspace"), Home: filepath.Join(base, "home")}
	for _, dir := range []string{env.Root, env.Home, env.DataDir(), env.ConfigDir()} {
		require.NoError(t, os.MkdirAll(dir, 0o700))
	}
	return env
}

// Path is the absolute path of a file of the workspace; an absolute path stays.
func (e *Env) Path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.Root, filepath.FromSlash(name))
}

// URI is the URI of a file of the workspace.
func (e *Env) URI(name string) string {
	path := filepath.ToSlash(e.Path(name))
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/x
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// Write makes a file of the workspace, with the folders above it.
func (e *Env) Write(name, text string) {
	e.t.Helper()
	require.NoError(e.t, os.MkdirAll(filepath.Dir(e.Path(name)), 0o755))
	require.NoError(e.t, os.WriteFile(e.Path(name), []byte(text), 0o644))
}

// Read returns the text of a file of the workspace.
func (e *Env) Read(name string) string {
	e.t.Helper()
	text, err := os.ReadFile(e.Path(name))
	require.NoError(e.t, err)
	return string(text)
}

// DataDir is where XDG_DATA_HOME points.
func (e *Env) DataDir() string { return filepath.Join(e.Home, "data") }

// ConfigDir is where XDG_CONFIG_HOME points.
func (e *Env) ConfigDir() string { return filepath.Join(e.Home, "config") }

// Environ is the environment of the commands: that of the test, with every
// folder of the user moved into Home.
func (e *Env) Environ() []string {
	environ := os.Environ()
	for name, value := range map[string]string{
		"HOME":            e.Home,
		"USERPROFILE":     e.Home,
		"LOCALAPPDATA":    e.DataDir(),
		"APPDATA":         e.ConfigDir(),
		"XDG_DATA_HOME":   e.DataDir(),
		"XDG_CONFIG_HOME": e.ConfigDir(),
		"XDG_STATE_HOME":  filepath.Join(e.Home, "state"),
		"XDG_CACHE_HOME":  filepath.Join(e.Home, "cache"),
		// By default a process sleeps for a second before it exits.
		"GORACE": "halt_on_error=0 exitcode=66 atexit_sleep_ms=50",
	} {
		environ = append(environ, name+"="+value) // the last one counts
	}
	if runtime.GOOS != "windows" {
		environ = append(environ, "TZ=UTC", "LC_ALL=C")
	}
	return environ
}
