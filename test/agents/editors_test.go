//go:build unix

package agents_test

import (
	"strings"
	"testing"

	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/agents"
)

// Two agents of different makers are at work in a folder, and the panel of an editor shows both.
func TestAnEditorShowsBothAgentsWhileTheyWork(t *testing.T) {
	test.Run(t, adder, func(t *testing.T, env *test.Env) {
		release := make(chan struct{})
		var running []*agents.Running
		for _, agent := range []*agents.Agent{agents.Claude, agents.Codex} {
			model := agents.StartModel(t, agents.Step{Text: "Done.", Until: release})
			running = append(running, agent.Connected(t, env, model).Start("Look around"))
			model.AwaitRequests(t, "the prompt", func(main []agents.Request) bool { return len(main) > 0 })
		}
		nvim := env.StartNeovim("0.12", nil)
		nvim.Edit("add.go")
		nvim.OpenPanel()
		nvim.Lua(nil, `vim.cmd.wincmd("p") vim.api.nvim_feedkeys("m", "xt", false) vim.cmd.wincmd("p")`)
		for _, name := range []string{"claude-code", "codex"} {
			nvim.AwaitPanelThat(name+" at work", func(lines []string) bool {
				for _, line := range lines {
					if strings.Contains(line, name) && !strings.Contains(line, "ended") {
						return true
					}
				}
				return false
			})
		}
		close(release)
		for _, session := range running {
			session.Wait()
		}
		for _, name := range []string{"claude-code", "codex"} {
			nvim.AwaitPanel(name, "ended")
		}
		nvim.Quit()
	})
}
