package test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/wm-lsp/wm-lsp/test/raced"
)

// The packages whose commands the tests start.
const (
	// Server is wm-lsp itself.
	Server = "github.com/wm-lsp/wm-lsp/cmd/wm-lsp"
	// Echo is the smallest server on the same library.
	Echo = "github.com/wm-lsp/wm-lsp/test/echo"
)

// binariesEnv names the folder in which the commands of this run are built.
const binariesEnv = "WM_TEST_BINARIES"

// Main runs the tests of a package that starts commands, and removes what was
// built for them. Call it from TestMain.
func Main(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "wm-lsp-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "make a folder for the commands under test:", err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.Setenv(binariesEnv, dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// builds holds, for each package path, a func() (string, error) that builds it
// at its first call.
var builds sync.Map

// Binary builds the command of a package, once in a run of the tests, and
// returns its path. With the race detector on in the tests, it is on in the
// command too.
func Binary(t testing.TB, pkg string) string {
	t.Helper()
	build, _ := builds.LoadOrStore(pkg, sync.OnceValues(func() (string, error) { return build(pkg) }))
	path, err := build.(func() (string, error))()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func build(pkg string) (string, error) {
	dir := os.Getenv(binariesEnv)
	if dir == "" {
		return "", fmt.Errorf("build %s: no folder to build into; call test.Main from TestMain", pkg)
	}
	path := filepath.Join(dir, filepath.Base(pkg))
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	// Without what a debugger needs, linking takes half as long; a clone of another owner has no version.
	args := []string{"build", "-buildvcs=false", "-ldflags=-s -w", "-o", path}
	if raced.On {
		args = append(args, "-race")
	}
	if out, err := exec.Command("go", append(args, pkg)...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	return path, nil
}
