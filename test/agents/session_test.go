//go:build unix

package agents_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/agents"
)

func TestAnAgentIsToldTheContextAtItsStart(t *testing.T) {
	for _, agent := range agents.All() {
		t.Run(agent.Name, func(t *testing.T) {
			test.Run(t, "", func(t *testing.T, env *test.Env) {
				model := agents.StartModel(t)
				home := agent.Connected(t, env, model)
				home.Session("Remember: run make check before a commit")
				main := model.Main()
				require.NotEmpty(t, main, model.Account())
				assert.Contains(t, main[0].Text(), "<guide>")
				assert.Contains(t, main[0].Text(), "[feedback] run make check before a commit")
			})
		})
	}
}
