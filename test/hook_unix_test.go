//go:build unix

package test_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/slow"
)

// Without a home folder nothing is written below the root of the file system.
func TestAHookWithoutAHomeFolderWritesNothingAndSaysSo(t *testing.T) {
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		data, state := t.TempDir(), t.TempDir()
		for name, c := range map[string]struct {
			environ []string
			log     string // the folder of its folder, "" for none
		}{
			"nothing is known":         {},
			"the folder of the memory": {[]string{"XDG_DATA_HOME=" + data}, data},
			"the folder of logs":       {[]string{"XDG_STATE_HOME=" + state}, state},
		} {
			run := func(event string) string {
				process := exec.Command(test.Binary(t, test.Server), "hook")
				process.Env, process.Dir = append(c.environ, "PATH="+os.Getenv("PATH")), env.Path(".")
				process.Stdin = strings.NewReader(event)
				out, err := process.CombinedOutput()
				require.NoError(t, err, name)
				return string(out)
			}
			answer := run(claude(env, "s", "SessionStart", `"source":"startup"`))
			assert.Empty(t, run("no event"), name)
			if slices.Contains(c.environ, "XDG_DATA_HOME="+data) {
				assert.Contains(t, contextOf(t, answer), "<guide>", name)
			} else {
				assert.Contains(t, answer, "the home folder is not known; set HOME or XDG_DATA_HOME", name)
				assert.Empty(t, contextOf(t, answer), name)
			}
			if c.log != "" {
				assert.FileExists(t, filepath.Join(c.log, "wm-lsp", "hook.log"), name)
			}
			assert.NoFileExists(t, filepath.Join(env.Path("."), "hook.log"), name)
		}
		for _, root := range []string{"/.local/share", "/.local/state", "/Library/Application Support"} {
			assert.NoDirExists(t, filepath.Join(root, "wm-lsp"))
		}
	})
}

func TestAPersonIsToldThatAPromptIsLeftAndASessionEndsSooner(t *testing.T) {
	slow.Test(t)
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		stopped := env.Start(test.ClientOptions{Name: "stopped"})
		remember(stopped, decision)
		stopWhileItWrites(t, stopped)
		defer stopped.Kill()
		type answer struct{ event, out string }
		answers := make(chan answer, 2)
		hook := func(event, more string) {
			process := exec.Command(test.Binary(t, test.Server), "hook")
			process.Env, process.Dir = env.Environ(), env.Path(".")
			process.Stdin = strings.NewReader(claude(env, "s "+event, event, more))
			out, err := process.CombinedOutput()
			assert.NoError(t, err)
			answers <- answer{event, string(out)}
		}
		go hook("UserPromptSubmit", `"prompt_id":"p","prompt":"Remember: deploys go through staging"`)
		go hook("SessionEnd", `"reason":"other"`)
		assert.Equal(t, answer{"SessionEnd", ""}, <-answers, "it may take two seconds, a prompt eight")
		assert.Contains(t, (<-answers).out, "it may not be kept: ask again")
	})
}
