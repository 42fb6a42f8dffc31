package test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ExtensionDir is the folder of the extension of VS Code.
func ExtensionDir(t testing.TB) string {
	t.Helper()
	return filepath.Join(editors(), "vscode")
}

// MaxExtension is the size in bytes that a package of the extension of VS Code does not reach.
const MaxExtension = 12_000_000

// OpenCodeDir is the folder of the plugin of OpenCode.
func OpenCodeDir() string { return filepath.Join(editors(), "opencode") }

func editors() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(filepath.Dir(file)), "editors")
}

// extensionPatience is how long one script of the extension's tests may take.
const extensionPatience = time.Hour

// ExtensionScript runs a script of the extension with the Node of the tests, in
// the extension's folder, and returns what it wrote.
func ExtensionScript(t testing.TB, env []string, args ...string) (string, error) {
	t.Helper()
	return NodeScript(t, ExtensionDir(t), env, args...)
}

// NodeScript runs a script with the Node of the tests in a folder, and returns what
// it wrote.
func NodeScript(t testing.TB, dir string, env []string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), extensionPatience)
	defer cancel()
	bin := filepath.Dir(Installed(t, "vscode/bin/node"))
	node := exec.CommandContext(ctx, filepath.Join(bin, "node"), args...)
	node.Dir = dir
	node.Env = append(
		os.Environ(),
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"WM_TEST_VSCODE="+filepath.Dir(bin),
	)
	node.Env = append(node.Env, env...)
	// The script is asked to end first, so that it can end what it started.
	node.Cancel = func() error { return node.Process.Signal(os.Interrupt) }
	node.WaitDelay = 10 * time.Second
	var out bytes.Buffer
	node.Stdout, node.Stderr = &out, &out
	err := node.Run()
	return out.String(), err
}

// results are the lines that the extension's tests write: ok or not ok, the
// test, how long it took, and indented below what went wrong.
var results = regexp.MustCompile(`(?m)^(ok|not ok) (.*?)(?: \((\d+) ms\))?\r?\n((?:  .*\r?\n)*)`)

// ReportExtension makes tests of what a script of the extension wrote.
func ReportExtension(t *testing.T, out string, err error) {
	t.Helper()
	found := results.FindAllStringSubmatch(strings.TrimSpace(out)+"\n", -1)
	require.NotEmpty(t, found, "%v\n%s", err, out)
	for _, result := range found {
		t.Run(result[2], func(t *testing.T) {
			t.Logf("%s ms", result[3])
			assert.Equal(t, "ok", result[1], result[4])
		})
	}
	require.NoError(t, err, out)
}
