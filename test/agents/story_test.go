//go:build unix

package agents_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/agents"
)

// adder is a module with a test that fails.
const adder = `
-- go.mod --
module add

go 1.24
-- add.go --
package add

func Add(a, b int) int { return a - b }
-- add_test.go --
package add

import "testing"

func TestAdd(t *testing.T) {
	if got := Add(1, 2); got != 3 {
		t.Errorf("got %d, want 3", got)
	}
}
`

const (
	rule = "run make check before a commit"
	// addition is what the next agent is told.
	addition = "never edit generated files by hand"
	// broken is the failing test as a context names it.
	broken = "TestAdd: got -1, want 3"
	// decision is what the agent keeps for all.
	decision = "Amounts are integers in cents"
	// learned is what the next agent keeps.
	learned = "The CSV export lives in the worker"
	// goal and plan are what an agent writes for itself.
	goal = "Add becomes commutative"
	plan = "Swap the operands first"
	// tooMuch is a usage at which every agent compacts its conversation.
	tooMuch = 126_000
)

// own is a call of a tool of the memory, by its name in the agent.
func own(agent *agents.Agent, tool string, args map[string]any) agents.Step {
	step := agents.Step{Calls: []agents.Call{{Tool: tool, Args: args}}}
	if agent != agents.Claude { // it lists no tools of servers
		wait := agent.Shell("sleep 0.1")
		step.Meanwhile = &wait
	}
	return step
}

// atWork is a session that keeps a decision, writes notes and a file, runs the failing test, and
// is then so long that it is compacted.
func atWork(agent *agents.Agent) []agents.Step {
	return []agents.Step{
		own(agent, agent.Tool("memory_remember"), map[string]any{"text": decision, "type": "decision"}),
		own(agent, agent.Tool("core_memory_update"), map[string]any{
			"block": "goal", "operation": "replace", "content": goal,
		}),
		own(agent, agent.Tool("notes_write"), map[string]any{
			"path": "overview.md", "content": "# Plan\n\n" + plan + "\n",
		}),
		{Calls: []agents.Call{agent.Write("sub.go", "package add\n\nfunc Sub(a, b int) int { return a - b }\n")}},
		{Calls: []agents.Call{agent.Shell("go test ./...")}, Usage: tooMuch},
		{Calls: []agents.Call{agent.Shell("echo one")}, Usage: tooMuch},
		{Calls: []agents.Call{agent.Shell("echo two")}},
		{Text: "The test fails."},
	}
}

// handover is what the first session left, as the second one is told it.
var handover = regexp.MustCompile(`(?s)<session_handover>.*?</session_handover>`)

// An agent is told a rule, a test fails, its conversation is compacted, it ends. A second one of
// another maker starts in the folder and knows what the first one knew. The goal and the notes of
// the first one are told only as what it left. The first one was set up as its page says, the second
// one with the plugin, if it takes it.
func TestWhatOneAgentKnewTheNextOneIsTold(t *testing.T) {
	all := agents.All()
	for i, agent := range all {
		second := all[(i+1)%len(all)]
		t.Run(agent.Name, func(t *testing.T) {
			t.Parallel()
			test.Run(t, adder, func(t *testing.T, env *test.Env) {
				model := agents.StartModel(t, atWork(agent)...)
				home := agent.Connected(t, env, model)
				home.Session("Remember: " + rule)
				require.NotEmpty(t, model.Main(), model.Account())
				first := model.Main()[0].Text()
				assert.Contains(t, first, "<guide>", "the context at its start")
				assert.Contains(t, first, "[feedback] "+rule, "what is new with its prompt")
				compacted(t, agent, model)
				before := len(model.Main())
				home.Resume("go on")
				assert.Contains(t, told(t, model, before), "sub.go (")
				over(t, env)

				remember := second.Tool
				if second.PluginTool != nil {
					remember = second.PluginTool
				}
				other := agents.StartModel(t, own(second, remember("memory_remember"), map[string]any{"text": learned}))
				second.WithPlugin(t, env, other).Session("Remember: " + addition)
				text := told(t, other, 0)
				assert.Contains(t, text, "<guide>")
				assert.Contains(t, text, "[feedback] "+addition)
				assert.Contains(t, text, "[decision] "+decision)
				assert.Regexp(t, broken+` \(not checked since [0-9-]+ [0-9:]+ UTC\)`, text)
				beside := handover.ReplaceAllString(text, "")
				assert.NotContains(t, beside, goal)
				assert.NotContains(t, beside, plan)
				assert.Contains(t, entries(env), learned, "the tools of the plugin know the folder")
			})
		})
	}
}

// What an agent left that is killed while its model answers is handed over to the next one as soon as an editor has
// noticed its end.
func TestWhatAnAgentLeftThatIsKilledTheNextOneIsTold(t *testing.T) {
	for _, agent := range agents.All() {
		t.Run(agent.Name, func(t *testing.T) {
			t.Parallel()
			test.Run(t, adder, func(t *testing.T, env *test.Env) {
				never := make(chan struct{})
				defer close(never)
				model := agents.StartModel(t,
					agents.Step{Calls: []agents.Call{agent.Write("sub.go", "package add\n")}},
					agents.Step{Calls: []agents.Call{agent.Shell("go test ./...")}},
					agents.Step{Text: "The test fails.", Until: never},
				)
				home := agent.Connected(t, env, model)
				killed := home.Start("Make Add commutative")
				model.AwaitRequests(t, "the answer that never ends", func(main []agents.Request) bool {
					return len(main) == 3
				})
				killed.Kill()
				awaitOver(env.Start(test.ClientOptions{Name: "editor"}))

				next := agents.StartModel(t)
				agent.Connected(t, env, next).Session("What is to be done?")
				require.NotEmpty(t, next.Main(), next.Account())
				text := handover.FindString(next.Main()[0].Text())
				assert.Contains(t, text, "Make Add commutative")
				assert.Contains(t, text, "sub.go")
			})
		})
	}
}

// compacted requires that the model was asked for a summary of a conversation with the failing
// test, and that the agent went on. After it the conversation has the context again; to Copilot CLI
// it comes with the next prompt.
func compacted(t *testing.T, agent *agents.Agent, model *agents.Model) {
	t.Helper()
	requests := model.Requests()
	asked := slices.IndexFunc(requests, func(r agents.Request) bool {
		return r.Kind != agents.Main && strings.Contains(r.Text(), "want 3")
	})
	require.GreaterOrEqual(t, asked, 0, "a summary\n%s", model.Account())
	after := slices.IndexFunc(requests[asked:], func(r agents.Request) bool { return r.Kind == agents.Main })
	require.Greater(t, after, 0, "the session goes on\n%s", model.Account())
	if agent != agents.Copilot {
		assert.Contains(t, requests[asked+after].Text(), broken)
	}
}

// told requires that the request after so many others of an agent at work holds the rule and the
// open error, and returns its text.
func told(t *testing.T, model *agents.Model, before int) string {
	t.Helper()
	main := model.Main()
	require.Greater(t, len(main), before, model.Account())
	text := main[before].Text()
	assert.Contains(t, text, "[feedback] "+rule)
	assert.Contains(t, text, broken)
	return text
}

// entries are the texts of all entries of the memory.
func entries(env *test.Env) (texts []string) {
	editor := env.Start(test.ClientOptions{Name: "editor"})
	defer editor.Shutdown()
	var list struct{ Entries []struct{ Text string } }
	editor.Call("wm/memory/list", nil, &list)
	for _, entry := range list.Entries {
		texts = append(texts, entry.Text)
	}
	return texts
}

// listed are the sessions of a folder.
type listed struct {
	Sessions []struct {
		SessionID string
		Live      bool
	}
	Shown string
}

// awaitOver waits until every session but that of the editor has ended, and returns all.
func awaitOver(editor *test.Client) (list listed) {
	editor.Await(func() bool {
		list = listed{}
		editor.Call("wm/session/list", nil, &list)
		for _, session := range list.Sessions {
			if session.Live && session.SessionID != list.Shown {
				return false
			}
		}
		return true
	}, "the end of all sessions")
	return list
}

// over waits until every session has ended, and requires that one of them has the notes that
// nobody else is told.
func over(t *testing.T, env *test.Env) {
	t.Helper()
	editor := env.Start(test.ClientOptions{Name: "editor"})
	list := awaitOver(editor)
	kept := ""
	for _, session := range list.Sessions {
		var core, notes json.RawMessage
		of := map[string]any{"sessionId": session.SessionID}
		editor.Call("wm/core/read", of, &core)
		of["path"] = "overview.md"
		if editor.TryCall("wm/notes/read", of, &notes) == nil {
			kept += string(notes)
		}
		kept += string(core)
	}
	assert.Contains(t, kept, goal)
	assert.Contains(t, kept, plan)
	editor.Shutdown()
}

// The todo list of an agent stands below its row in the panel of an editor, with its ticks.
func TestTheTodoListOfAnAgentIsInThePanel(t *testing.T) {
	for _, agent := range agents.All() {
		if agent.Todos != nil {
			t.Run(agent.Name, func(t *testing.T) { showsItsTodos(t, agent) })
		}
	}
}

func showsItsTodos(t *testing.T, agent *agents.Agent) {
	t.Parallel()
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		never := make(chan struct{})
		defer close(never)
		script := append(slices.Clone(agent.Todos), agents.Step{Text: "I go on.", Until: never})
		model := agents.StartModel(t, script...)
		running := agent.Connected(t, env, model).Start("Make Add commutative")
		model.AwaitRequests(t, "the answer after the todos", func(main []agents.Request) bool {
			return len(main) == len(script)
		})
		var rows []string
		editor := env.Start(test.ClientOptions{Name: "editor"})
		editor.Await(func() bool {
			rows = todosIn(editor)
			return slices.Contains(rows, "play-circle Run the tests")
		}, "the todos")
		assert.Equal(t, []string{"1/2 done", "pass-filled Swap the operands", "play-circle Run the tests"}, rows)
		running.Kill()
		editor.Shutdown()
	})
}

// todosIn are the todos of the only agent in the panel of an editor, below how many are done.
func todosIn(editor *test.Client) (rows []string) {
	var panel struct {
		Sections []struct {
			Items []struct {
				Detail   string
				Children []struct{ Kind, Icon, Label string }
			}
		}
	}
	editor.Call("wm/panel", map[string]any{"sections": []string{"sessions"}}, &panel)
	for _, section := range panel.Sections {
		for _, item := range section.Items {
			if words := strings.Split(item.Detail, " · "); strings.HasSuffix(words[len(words)-1], " done") {
				rows = append(rows, words[len(words)-1])
			}
			for _, child := range item.Children {
				if child.Kind == "todo" {
					rows = append(rows, child.Icon+" "+child.Label)
				}
			}
		}
	}
	return rows
}
