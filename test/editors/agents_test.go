//go:build unix

package editors_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/agents"
)

// Two agents of different makers are at work in a folder. The panels of Neovim and VS Code show both,
// and later that both have ended.
func TestEditorsShowBothAgentsWhileTheyWork(t *testing.T) {
	out, err := test.ExtensionScript(t, nil, "scripts/build.mjs")
	require.NoError(t, err, out)
	test.Run(t, "-- note.txt --\nThe first line\n", func(t *testing.T, env *test.Env) {
		release := make(chan struct{})
		var running []*agents.Running
		names := []string{agents.Claude.Name, agents.Codex.Name}
		for _, agent := range []*agents.Agent{agents.Claude, agents.Codex} {
			model := agents.StartModel(t, agents.Step{Text: "Done.", Until: release})
			running = append(running, agent.Connected(t, env, model).Start("Look around"))
			model.AwaitRequests(t, "the prompt", func(main []agents.Request) bool { return len(main) > 0 })
		}

		home := t.TempDir()
		seen := filepath.Join(home, "seen")
		arguments := append([]string{"tests/sessions.mjs", home, env.Root, test.Binary(t, test.Server), seen}, names...)
		ended := make(chan struct{})
		go func() {
			out, err = test.ExtensionScript(t, env.Environ(), arguments...)
			close(ended)
		}()
		t.Cleanup(func() { <-ended }) // it uses the folders

		nvim := env.StartNeovim("0.12", nil)
		nvim.Edit("note.txt")
		nvim.OpenPanel()
		nvim.Lua(nil, `vim.cmd.wincmd("p") vim.api.nvim_feedkeys("m", "xt", false) vim.cmd.wincmd("p")`)
		for _, name := range names {
			nvim.AwaitPanelThat(name+" at work", func(lines []string) bool {
				for _, line := range lines {
					if strings.Contains(line, name) && !strings.Contains(line, "ended") {
						return true
					}
				}
				return false
			})
		}
		nvim.Await("both agents in VS Code", func() bool {
			select {
			case <-ended:
				require.Fail(t, "VS Code has ended", "%v\n%s", err, out)
			default:
			}
			_, missing := os.Stat(seen)
			return missing == nil
		})
		close(release)
		for _, session := range running {
			session.Wait()
		}
		for _, name := range names {
			nvim.AwaitPanel(name, "ended")
		}
		<-ended
		require.NoError(t, err, out)
		nvim.Quit()
	})
}
