package test_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
)

// runProgram runs the program in the workspace folder, without a terminal.
func runProgram(t *testing.T, env *test.Env, arguments ...string) (code int, out, errOut string) {
	t.Helper()
	return runProgramWith(t, env, nil, arguments...)
}

// runProgramWith is runProgram with more variables.
func runProgramWith(
	t *testing.T, env *test.Env, variables []string, arguments ...string,
) (code int, out, errOut string) {
	t.Helper()
	command := exec.Command(test.Binary(t, "github.com/wm-lsp/wm-lsp/cmd/wm-lsp"), arguments...)
	command.Dir, command.Env = env.Root, append(env.Environ(), variables...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return command.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

func TestTheMemoryIsPutIntoTheSettingsOfAnAgentByCommands(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		settings := filepath.Join(env.Home, ".gemini", "settings.json")
		for _, step := range []struct {
			arguments   []string
			code        int
			out, errOut string
			written     bool
		}{
			{[]string{"install"}, 2, "", "takes the name of one agent: claude-code, codex", false},
			{[]string{"install", "emacs"}, 2, "", "there is no agent \"emacs\"", false},
			{[]string{"install", "gemini", "codex"}, 2, "", "takes the name of one agent", false},
			{[]string{"install", "--never"}, 2, "", "unknown flag: --never", false},
			{[]string{"mcp", "--tools", "some"}, 2, "", `--tools must be daily or all, got "some"`, false},
			{[]string{"help"}, 0, "The program:", "", false},
			{[]string{"install", "--help"}, 0, "--dry-run", "", false},
			{[]string{"install", "gemini", "--dry-run"}, 0, "+++ " + settings, "", false},
			{[]string{"install", "gemini"}, 1, "+++ " + settings, "run it again with --yes", false},
			{
				[]string{"install", "gemini", "--dry-run", "--json"}, 0,
				`{"files":[{"path":"` + settings + `","diff":"---`, "+++ " + settings, false,
			},
			{[]string{"install", "gemini", "--yes"}, 0, "To undo this: wm-lsp uninstall gemini", "", true},
			{[]string{"install", "--yes", "gemini"}, 0, "has it already", "", true},
			{[]string{"agents"}, 0, "gemini", "", true},
			{[]string{"agents", "--json"}, 0, `"installed":["user"]`, "", true},
			{[]string{"uninstall", "--all", "--yes", "--json"}, 0, `"written":true}`, "Done.", false},
			{[]string{"uninstall", "--all", "--json"}, 0, `{"files":[],"written":false}`, "Nothing is", false},
			{[]string{"uninstall", "--all", "gemini"}, 2, "", "--all takes no name of an agent", false},
			{[]string{"uninstall", "--all"}, 0, "Nothing is installed there", "", false},
		} {
			code, out, errOut := runProgram(t, env, step.arguments...)
			assert.Equal(t, step.code, code, "%v: %s", step.arguments, errOut)
			assert.Contains(t, out, step.out, step.arguments)
			assert.Contains(t, errOut, step.errOut, step.arguments)
			_, err := os.Stat(settings)
			assert.Equal(t, step.written, err == nil, step.arguments)
		}
		_, err := os.Stat(filepath.Dir(settings))
		assert.ErrorIs(t, err, os.ErrNotExist)
	})
}

func TestNothingIsInstalledWithoutAHomeFolder(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		for _, home := range []string{"HOME=", "HOME=relative"} {
			code, out, errOut := runProgramWith(t, env, []string{home}, "install", "gemini", "--yes")
			assert.Equal(t, 1, code, home)
			assert.Empty(t, out, home)
			assert.Contains(t, errOut, "set HOME to its path", home)
			assert.NoDirExists(t, filepath.Join(env.Root, "relative"), home)
		}
	})
}
