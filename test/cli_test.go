package test_test

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the driver

	"github.com/wm-lsp/wm-lsp/server/cli"
	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// TestCommandLine runs testdata/cli/*.txtar with the real program. A script begins in the folder
// "workspace", beside the home folder of the user. The command "exits CODE PROGRAM…" runs a program and
// checks its exit code; "damage TABLE" overwrites the pages of a table of the memory.
func TestCommandLine(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/cli", RequireExplicitExec: true, RequireUniqueNames: true, Setup: setUpScript(t),
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits, "damage": damage},
	})
}

// setUpScript cuts a script off from the settings and data of whoever runs the tests.
func setUpScript(t *testing.T) func(*testscript.Env) error {
	program := test.Binary(t, test.Server)
	return func(env *testscript.Env) error {
		home := filepath.Join(env.WorkDir, "home")
		for name, folder := range map[string]string{
			"HOME": "", "USERPROFILE": "", "XDG_DATA_HOME": "data", "LOCALAPPDATA": "data", "XDG_CONFIG_HOME": "config",
			"APPDATA": "config", "XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache",
		} {
			env.Setenv(name, filepath.Join(home, folder))
		}
		env.Setenv("TZ", "UTC")
		env.Setenv("GORACE", "halt_on_error=0 exitcode=66 atexit_sleep_ms=50")
		env.Setenv("PATH", filepath.Dir(program)+string(filepath.ListSeparator)+env.Getenv("PATH"))
		env.Cd = filepath.Join(env.WorkDir, "workspace")
		return nil
	}
}

// damage overwrites the pages of a table of the only memory with bytes that are none of SQLite's.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: damage TABLE")
	}
	found, err := filepath.Glob(filepath.Join(ts.Getenv("XDG_DATA_HOME"), "wm-lsp", "workspaces", "*", "memory.db"))
	ts.Check(err)
	if len(found) != 1 {
		ts.Fatalf("there are %d memories", len(found))
	}
	db, err := sql.Open("sqlite", found[0])
	ts.Check(err)
	defer db.Close()
	_, err = db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	ts.Check(err)
	rows, err := db.Query("SELECT pageno FROM dbstat WHERE name = ?", args[0])
	ts.Check(err)
	var pages []int64
	for rows.Next() {
		var page int64
		ts.Check(rows.Scan(&page))
		pages = append(pages, page)
	}
	ts.Check(errors.Join(rows.Err(), db.Close()))
	if len(pages) == 0 {
		ts.Fatalf("the table %s has no pages", args[0])
	}
	file, err := os.OpenFile(found[0], os.O_RDWR, 0)
	ts.Check(err)
	const size = 4096
	for _, page := range pages {
		_, err := file.WriteAt(bytes.Repeat([]byte{0xff}, size), (page-1)*size)
		ts.Check(err)
	}
	ts.Check(file.Close())
}

// exits runs a program and checks its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARGUMENT…]")
	}
	code := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if want := args[0]; want != strconv.Itoa(code) {
		ts.Fatalf("the exit code is %d, not %s", code, want)
	}
}

// commands calls f for every command of the program.
func commands(f func(*cobra.Command)) {
	var walk func(*cobra.Command)
	walk = func(command *cobra.Command) {
		f(command)
		for _, below := range command.Commands() {
			walk(below)
		}
	}
	for _, command := range cli.Commands(cli.Options{}).Commands() {
		if command.Name() != "completion" && command.Name() != "help" {
			walk(command)
		}
	}
}

// The ids and the fingerprint in examples.
const (
	exampleID, otherExampleID = "01JAB2C3D4E5F6G7H8J9K0MNPQ", "01JAB2C3D4E5F6G7H8J9K0MNPR"
	exampleFingerprint        = "0a1b2c3d4e5f"
)

func TestEveryExampleInTheHelpRuns(t *testing.T) {
	slow.Test(t)
	commands(func(command *cobra.Command) {
		t.Run(command.Name(), func(t *testing.T) {
			lines := strings.Fields(command.Example)
			require.NotEmpty(t, lines, "it has no example")
			test.Run(t, "-- add.go --\npackage add\n", func(t *testing.T, env *test.Env) {
				client := env.Start(test.ClientOptions{Name: "editor"})
				add := func(text, kind string) string {
					var receipt struct{ ID string }
					client.Call("wm/memory/add", map[string]any{"text": text, "type": kind}, &receipt)
					return receipt.ID
				}
				var ran wire.ToolExecutedResult
				client.Call("wm/tool/executed", map[string]any{
					"tool": "bash", "input": map[string]any{"command": "go build ./..."}, "exitCode": 1,
					"output": "./add.go:3:2: undefined: cnt\n",
				}, &ran)
				ids := strings.NewReplacer(
					exampleID, add("Amounts are integers, in cents: the rounding of totals", "decision"),
					otherExampleID, add("The tax rates stand in chapter 4", "reference"),
					exampleFingerprint, ran.Opened[0].Fingerprint,
				)
				client.Shutdown()
				number := 0
				for example := range strings.Lines(command.Example) {
					if example = strings.TrimSpace(example); example == "" {
						continue
					}
					number++
					if command.Name() == "purge" {
						makeGone(t, env)
					}
					session := fmt.Sprintf("ses_%d", number) // each import takes over one
					env.Write(".opencode/memory-core/"+session+".json",
						`{"sessionID":"`+session+`","blocks":{"goal":{"content":"Add two numbers"}}}`)
					shell := exec.Command("sh", "-c", ids.Replace(example))
					shell.Dir, shell.Env = env.Root, onPath(t, env)
					out, err := shell.CombinedOutput()
					assert.NoError(t, err, "%s\n%s", example, out)
					assert.NotEmpty(t, out, example)
				}
			})
		})
	})
}

// makeGone makes a memory whose folder is gone and which was last used long ago.
func makeGone(t *testing.T, env *test.Env) {
	root := filepath.Join(env.Home, "gone")
	require.NoError(t, os.Mkdir(root, 0o755))
	code, _, errOut := runProgram(t, env, "-C", root, "remember", "Amounts are integers, in cents")
	require.Zero(t, code, errOut)
	require.NoError(t, os.Remove(root))
	key := sha256.Sum256([]byte(root))
	dir := filepath.Join(env.DataDir(), "wm-lsp", "workspaces", hex.EncodeToString(key[:8]))
	longAgo := time.Now().AddDate(-1, 0, 0)
	for _, name := range []string{"memory.db", "poke"} {
		require.NoError(t, os.Chtimes(filepath.Join(dir, name), longAgo, longAgo))
	}
}

// onPath returns the environment of a shell that finds the program.
func onPath(t *testing.T, env *test.Env) []string {
	folder := filepath.Dir(test.Binary(t, test.Server))
	return append(env.Environ(), "PATH="+folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
}
