package test_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/wire"
	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// onTerminal runs the program on a terminal with a number of columns and returns what it writes.
func onTerminal(t *testing.T, env *test.Env, columns uint16, variables []string, arguments ...string) string {
	t.Helper()
	command := exec.Command(test.Binary(t, test.Server), arguments...)
	command.Dir, command.Env = env.Root, append(append(env.Environ(), "TERM=xterm", "NO_COLOR="), variables...)
	terminal, err := pty.StartWithSize(command, &pty.Winsize{Rows: 24, Cols: columns})
	require.NoError(t, err)
	defer func() { _ = terminal.Close() }()
	var out bytes.Buffer
	_, err = io.Copy(&out, terminal) // until the program has closed it
	if err != nil && !errors.Is(err, syscall.EIO) {
		require.NoError(t, err)
	}
	require.NoError(t, command.Wait(), out.String())
	return strings.ReplaceAll(out.String(), "\r\n", "\n")
}

func TestATerminalGetsColoursLinksAndShortLines(t *testing.T) {
	test.Run(t, "-- add.go --\npackage add\n", func(t *testing.T, env *test.Env) {
		code, _, errOut := runProgram(t, env, "remember", "Amounts are integers, in cents, 金額は整数です and never floats")
		require.Zero(t, code, errOut)
		listed := onTerminal(t, env, 30, nil, "list")
		assert.Regexp(t, "^\x1b\\[2m01[0-9A-Z]{24}\x1b\\[0m  \x1b\\[34mFact · command\x1b\\[0m\n", listed)
		assert.Contains(t, listed, "\n    Amounts are integers, in\n    cents, 金額は整数です and\n    never floats\n")
		for _, variable := range []string{"NO_COLOR=1", "TERM=dumb"} {
			assert.NotContains(t, onTerminal(t, env, 80, []string{variable}, "list"), "\x1b", variable)
		}
		assert.Contains(t, onTerminal(t, env, 0, nil, "list"),
			"\n    Amounts are integers, in cents, 金額は整数です and never floats\n", "its size is not known")
		_, piped, _ := runProgram(t, env, "list")
		assert.NotContains(t, piped, "\x1b")

		runHook(t, env, claude(env, "s", "PostToolUseFailure", `"tool_use_id":"1","tool_name":"Bash",`+
			`"tool_input":{"command":"go build ./..."},"error":"Exit code 1\n./add.go:3:2: undefined: cnt\n"`))
		open := onTerminal(t, env, 80, nil, "errors")
		assert.Contains(t, open, "\x1b]8;;"+env.URI("add.go")+"\x1b\\add.go:3\x1b]8;;\x1b\\")
		assert.Contains(t, onTerminal(t, env, 80, []string{"NO_COLOR=1"}, "errors"),
			"\x1b]8;;"+env.URI("add.go")+"\x1b\\add.go:3\x1b]8;;\x1b\\ [build] undefined: cnt")
		assert.NotContains(t, onTerminal(t, env, 80, []string{"TERM=dumb"}, "errors"), "\x1b")
	})
}

// An import that is interrupted can be taken back, as far as it came, and a backup leaves no file.
func TestACommandThatIsInterruptedLeavesNothingHalfway(t *testing.T) {
	slow.Test(t)
	var rules strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&rules, "- Always run the check c%x before you change m%x or d%x\n", i*7919, i*104729, i*1299709)
	}
	test.Run(t, "-- AGENTS.md --\n"+rules.String(), func(t *testing.T, env *test.Env) {
		interrupted := func(until func() bool, arguments ...string) {
			command := exec.Command(test.Binary(t, test.Server), arguments...)
			command.Dir, command.Env = env.Root, env.Environ()
			require.NoError(t, command.Start())
			require.Eventually(t, until, test.Patience, time.Millisecond)
			require.NoError(t, command.Process.Signal(os.Interrupt))
			_ = command.Wait() // it may have been done
		}
		interrupted(func() bool {
			code, _, _ := runProgram(t, env, "list")
			return code == 0
		}, "import")
		code, _, errOut := runProgram(t, env, "import", "--undo")
		assert.Zero(t, code, errOut)
		code, listed, _ := runProgram(t, env, "list")
		assert.Equal(t, 3, code, listed)

		code, _, errOut = runProgram(t, env, "import", "--again")
		require.Zero(t, code, errOut)
		folder := t.TempDir()
		interrupted(func() bool {
			files, err := os.ReadDir(folder)
			return err == nil && len(files) > 0
		}, "backup", filepath.Join(folder, "saved"))
		files, err := os.ReadDir(folder)
		require.NoError(t, err)
		for _, file := range files {
			assert.Equal(t, "saved", file.Name())
		}
	})
}

// The panel that is printed as lines goes on until it is interrupted, which is no failure.
func TestAnInterruptEndsThePlainPanel(t *testing.T) {
	test.Run(t, "-- add.go --\npackage add\n", func(t *testing.T, env *test.Env) {
		panel := exec.Command(test.Binary(t, test.Server), "panel", "--plain")
		panel.Dir, panel.Env = env.Root, env.Environ()
		var failed strings.Builder
		panel.Stderr = &failed
		out, err := panel.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, panel.Start())
		_, err = out.Read(make([]byte, 1)) // it is shown
		require.NoError(t, err)
		require.NoError(t, panel.Process.Signal(os.Interrupt))
		_, _ = io.Copy(io.Discard, out)
		require.NoError(t, panel.Wait())
		assert.Empty(t, failed.String())
	})
}

// However the terminal of a live panel ends, also while it draws what another process remembers, the panel ends,
// and the next one shows what is remembered.
func TestNothingIsLostWhenTheTerminalOfALivePanelEnds(t *testing.T) {
	for name, c := range map[string]struct {
		rows, columns uint16
		end           func(t *testing.T, panel *exec.Cmd, terminal *os.File)
		want          string // how it exits
	}{
		"one without a size": {0, 0, func(t *testing.T, _ *exec.Cmd, terminal *os.File) {
			_, err := io.WriteString(terminal, "q")
			require.NoError(t, err)
		}, "exit status 0"},
		"one of one cell": {1, 1, func(t *testing.T, _ *exec.Cmd, terminal *os.File) {
			_, err := io.WriteString(terminal, "q")
			require.NoError(t, err)
		}, "exit status 0"},
		"one that is closed while it is drawn": {24, 80, func(t *testing.T, _ *exec.Cmd, terminal *os.File) {
			require.NoError(t, terminal.Close())
		}, "exit status 1"},
		"one that is closed while hangups are ignored": {24, 80, func(t *testing.T, _ *exec.Cmd, terminal *os.File) {
			require.NoError(t, terminal.Close())
		}, "exit status 1"},
		"one whose program is killed while it draws": {24, 80, func(t *testing.T, panel *exec.Cmd, _ *os.File) {
			require.NoError(t, panel.Process.Kill())
		}, "signal: killed"},
	} {
		t.Run(name, func(t *testing.T) {
			test.Run(t, "-- add.go --\npackage add\n", func(t *testing.T, env *test.Env) {
				panel := exec.Command(test.Binary(t, test.Server), "panel", "--section", "memory")
				if strings.Contains(name, "ignored") { // as nohup does it
					panel = exec.Command("sh", append([]string{"-c", `trap "" HUP; exec "$0" "$@"`}, panel.Args...)...)
				}
				panel.Dir, panel.Env = env.Root, append(env.Environ(), "TERM=xterm-256color", "LC_ALL=C.UTF-8")
				terminal, err := pty.StartWithSize(panel, &pty.Winsize{Rows: c.rows, Cols: c.columns})
				require.NoError(t, err)
				defer func() { _ = terminal.Close() }()
				chunk := make([]byte, 1<<16)
				for drawn := ""; !strings.Contains(drawn, "\x1b[2J"); { // it draws now
					n, err := terminal.Read(chunk)
					require.NoError(t, err)
					drawn += string(chunk[:n])
				}
				read := make(chan struct{})
				if c.want == "exit status 1" { // a terminal that is read cannot be closed
					close(read)
				} else {
					go func() {
						defer close(read)
						_, _ = io.Copy(io.Discard, terminal)
					}()
				}
				code, _, errOut := runProgram(t, env, "remember", "Rates are strings") // and is drawn now
				require.Zero(t, code, errOut)
				c.end(t, panel, terminal)
				_ = panel.Wait()
				<-read
				assert.Equal(t, c.want, panel.ProcessState.String())
				code, shown, errOut := runProgram(t, env, "panel")
				assert.Zero(t, code, errOut)
				assert.Contains(t, shown, "Rates are strings")
			})
		})
	}
}

func TestWhatAPersonRemembersAtATerminalIsAPersons(t *testing.T) {
	const text = "Amounts are integers, in cents"
	for name, c := range map[string]struct {
		remember func(t *testing.T, env *test.Env)
		want     wire.Author
	}{
		"at a terminal": {func(t *testing.T, env *test.Env) {
			onTerminal(t, env, 80, nil, "remember", text)
		}, wire.AuthorPerson},
		"at a terminal of an agent": {func(t *testing.T, env *test.Env) {
			onTerminal(t, env, 80, []string{"CLAUDECODE=1"}, "remember", text)
		}, wire.AuthorAgent},
		"without a terminal": {func(t *testing.T, env *test.Env) {
			code, _, errOut := runProgram(t, env, "remember", text)
			require.Zero(t, code, errOut)
		}, wire.AuthorAgent},
	} {
		t.Run(name, func(t *testing.T) {
			test.Run(t, "", func(t *testing.T, env *test.Env) {
				c.remember(t, env)
				_, listed, _ := runProgram(t, env, "list", "--json")
				var list wire.MemoryListResult
				require.NoError(t, json.Unmarshal([]byte(listed), &list), listed)
				require.Len(t, list.Entries, 1)
				assert.Equal(t, c.want, list.Entries[0].Author)
			})
		})
	}
}

// The completion of bash is asked as a shell asks it; those of the other shells ask the program in the
// same way.
func TestBashCompletesCommandsFlagsValuesAndAgents(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		_, _, _ = runProgram(t, env, "remember", "Amounts are integers, in cents")
		_, listed, _ := runProgram(t, env, "list")
		id := strings.Fields(listed)[0]
		var started struct{ SessionID string }
		client := env.Start(test.ClientOptions{Name: "editor"})
		client.Call("wm/session/start", map[string]any{"sessionId": "agent-1"}, &started)
		for line, want := range map[string]string{
			"wm-lsp rem":                            "remember",
			"wm-lsp list --ty":                      "--type",
			"wm-lsp forget 01":                      id,
			"wm-lsp install qw":                     "qwen",
			"wm-lsp install --dry":                  "--dry-run",
			"wm-lsp completion fi":                  "fish",
			"wm-lsp -C . search --l":                "--limit",
			"wm-lsp list --type dec":                "decision",
			"wm-lsp remember -t fee":                "feedback",
			"wm-lsp search --type decision,fee":     `decision\,feedback`,
			"wm-lsp context --include workspace,wo": `workspace\,working`,
			"wm-lsp panel --section mem":            "memory",
			"wm-lsp panel --theme d":                "dark",
			"wm-lsp search --store dec":             "decisions",
			"wm-lsp trace --kind mem":               "memory",
			"wm-lsp import --from sere":             "serena",
			"wm-lsp context --session ag":           "agent-1",
			// Files of the folder are not values.
			"wm-lsp list --type go":    "",
			"wm-lsp search --since go": "",
			"wm-lsp list go":           "",
			"wm-lsp context go":        "",
			"wm-lsp mcp go":            "",
		} {
			script := `eval "$(wm-lsp completion bash)"
				_get_comp_words_by_ref() {
					words=("${COMP_WORDS[@]}"); cword=$COMP_CWORD
					cur=${words[cword]}; prev=${words[cword-1]}
				}
				__ltrim_colon_completions() { :; }
				compopt() { :; }
				_init_completion() { _get_comp_words_by_ref; }
				COMP_LINE=$1; COMP_POINT=${#1}; COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
				__start_wm-lsp; printf '%s\n' "${COMPREPLY[@]}"`
			shell := exec.Command("bash", "--norc", "-c", script, "bash", line)
			shell.Dir, shell.Env = env.Root, onPath(t, env)
			out, err := shell.CombinedOutput()
			require.NoError(t, err, "%s\n%s", line, out)
			assert.Equal(t, want, strings.TrimSpace(string(out)), line)
		}
		for shell, part := range map[string]string{
			"zsh": "#compdef wm-lsp", "fish": "complete -c wm-lsp",
			"powershell": "Register-ArgumentCompleter -CommandName 'wm-lsp'",
		} {
			code, script, errOut := runProgram(t, env, "completion", shell)
			assert.Zero(t, code, errOut)
			assert.Contains(t, script, part)
		}
	})
}
