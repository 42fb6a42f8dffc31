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
