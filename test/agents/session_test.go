//go:build unix

package agents_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/agents"
)

func TestThePluginTellsAnAgentTheContext(t *testing.T) {
	for _, agent := range agents.All() {
		if agent.Plugin == nil {
			continue
		}
		t.Run(agent.Name, func(t *testing.T) {
			test.Run(t, "", func(t *testing.T, env *test.Env) {
				model := agents.StartModel(t)
				agent.WithPlugin(t, env, model).Session("Remember: " + rule)
				main := model.Main()
				require.NotEmpty(t, main, model.Account())
				assert.Contains(t, main[0].Text(), "<guide>")
				assert.Contains(t, main[0].Text(), "New: [feedback] "+rule)
			})
		})
	}
}
