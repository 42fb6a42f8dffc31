//go:build unix && ondemand

package agents_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/agents"
)

// check is a command that fails as a test of Go does.
const check = `
-- check.sh --
echo "--- FAIL: TestAdd (0.00s)"
echo "    add_test.go:7: got 3, want 4"
echo FAIL
exit 1
`

// An agent that was set up as its page says is told a rule, keeps a decision, and a test fails.
// The next session knows all of it.
func TestAnAgentOnDemandKnowsWhatTheSessionBeforeKnew(t *testing.T) {
	for _, agent := range agents.OnDemand() {
		t.Run(agent.Name, func(t *testing.T) {
			t.Parallel()
			test.Run(t, check, func(t *testing.T, env *test.Env) {
				model := agents.StartModel(t,
					agents.Step{Calls: []agents.Call{agent.Shell("sh check.sh")}},
					agents.Step{Calls: []agents.Call{{Tool: agent.Tool("memory_remember"), Args: map[string]any{
						"text": "Amounts are integers in cents", "type": "decision",
					}}}},
				)
				home := agent.Connected(t, env, model)
				home.Session("Remember: run make check before a commit")
				require.NotEmpty(t, model.Main(), model.Account())
				if agent != agents.Cline { // it reports no prompts
					assert.Contains(t, model.Main()[0].Text(), "New: [feedback] run make check before a commit")
				}

				before := len(model.Main())
				model.Script(agents.Step{Calls: []agents.Call{agent.Shell("echo one")}})
				home.Session("What is the state of this?")
				main := model.Main()
				require.Greater(t, len(main), before+1, model.Account())
				told := main[before+1].Text() // after the first tool, which brings the context to Cline
				assert.Contains(t, told, "TestAdd: got 3, want 4")
				if agent != agents.Cline {
					assert.Contains(t, main[before].Text(), "[feedback] run make check before a commit")
				}
				assert.Contains(t, told, "[decision] Amounts are integers in cents")
			})
		})
	}
}

func TestTheTodoListOfAnAgentOnDemandIsInThePanel(t *testing.T) {
	for _, agent := range agents.OnDemand() {
		if agent.Todos != nil {
			t.Run(agent.Name, func(t *testing.T) { showsItsTodos(t, agent) })
		}
	}
}
