//go:build unix

package agents_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test"
	"github.com/wm-lsp/wm-lsp/test/agents"
)

// pruned is the end of an output of 300 lines that was pruned.
var pruned = regexp.MustCompile(`\[pruned by wm-lsp: \d+ of 300 lines; all: wm_read_output ref [0-9a-f]{16}\]`)

// failing is a command that fails as a compiler does.
const failing = "echo 'a.go:3:2: undefined: foo' >&2; go build ./... ; exit 1"

// An exchange is a request of OpenCode: the texts of its messages, by role and in order.
type exchange []struct{ role, text string }

func exchangeOf(t *testing.T, request agents.Request) (e exchange) {
	t.Helper()
	var body struct {
		Messages []struct {
			Role    string
			Content any
		}
	}
	require.NoError(t, json.Unmarshal(request.Body, &body))
	for _, message := range body.Messages {
		text, isText := message.Content.(string)
		if !isText {
			doc, err := json.Marshal(message.Content)
			require.NoError(t, err)
			text = string(doc)
		}
		e = append(e, struct{ role, text string }{message.Role, text})
	}
	return e
}

// of joins the texts of a role.
func (e exchange) of(role string) string {
	var texts []string
	for _, message := range e {
		if message.role == role {
			texts = append(texts, message.text)
		}
	}
	return strings.Join(texts, "\n")
}

// stable is the part of the memory in the system prompt, volatile the last message.
func (e exchange) stable() string {
	if e[1].role != "system" {
		return ""
	}
	return e[1].text
}

func (e exchange) volatile() string { return e[len(e)-1].text }

// A session with everything that the plugin adds, which is compacted in the end.
func TestOpenCodeGetsTheMemoryWithEveryRequest(t *testing.T) {
	t.Parallel()
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		shell := agents.OpenCode.Shell
		model := agents.StartModel(t,
			agents.Step{Calls: []agents.Call{shell(failing)}},
			agents.Step{Calls: []agents.Call{shell("for i in $(seq 300); do echo line $i of a long output; done")}},
			agents.Step{Calls: []agents.Call{{Tool: agents.OpenCode.Tool("core_memory_update"), Args: map[string]any{
				"block": "goal", "operation": "replace", "content": "Finish the widget",
			}}}},
			agents.Step{
				Calls: []agents.Call{shell("echo one")},
				Usage: 99_000, // of 100,000: OpenCode compacts
			},
			agents.Step{Text: "It is done."},
		)
		model.Summarize("The work goes on.\n<workspace_memory_candidates>\n" +
			"- [decision] Deploys go through the staging cluster first\n</workspace_memory_candidates>")
		home := agents.OpenCode.Connected(t, env, model)
		out := home.Session("Remember: run make check before a commit")
		assert.Contains(t, out, "Kept: run make check before a commit")

		main := model.Main()
		require.Len(t, main, 5, model.Account())
		start, failed := exchangeOf(t, main[0]), exchangeOf(t, main[1])
		long, last, after := exchangeOf(t, main[2]), exchangeOf(t, main[3]), exchangeOf(t, main[4])
		assert.Contains(t, start.stable(), "<guide>")
		assert.Contains(t, start.stable(), "- [feedback] run make check before a commit")
		assert.Contains(t, failed.volatile(), "undefined: foo", "the failed command opened an error")
		assert.Equal(t, start.stable(), long.stable(), "the provider's cache holds")
		assert.Regexp(t, pruned, long.of("tool"))
		assert.Contains(t, last.stable(), "Finish the widget", "the tool worked in the session of OpenCode")
		assert.NotContains(t, last[2].text+last[3].text, "working memory", "former messages stay as they were")

		var summaries []agents.Request
		for _, request := range model.Requests() {
			if request.Kind == agents.Main {
				continue
			}
			assert.NotContains(t, request.Text(), "<guide>", "neither for a title nor for a summary")
			if strings.Contains(request.Text(), "workspace_memory_candidates") {
				summaries = append(summaries, request)
			}
		}
		require.Len(t, summaries, 1, model.Account())
		assert.Contains(t, summaries[0].Text(), "Keep in the summary: the current task")
		assert.Contains(t, after.stable(), "Deploys go through the staging cluster first")
		assert.Contains(t, after.volatile(), "undefined: foo")
	})
}

func TestOpenCodeGoesOnWithoutTheProgram(t *testing.T) {
	t.Parallel()
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		model := agents.StartModel(t, agents.Step{Text: "Hello."})
		home := agents.OpenCode.Connected(t, env, model)
		require.NoError(t, os.Remove(home.Program("wm-lsp")))
		out := home.Session("Say hello")
		assert.Contains(t, out, "There is no program wm-lsp, so nothing is remembered")
		assert.Contains(t, out, "Hello.")
		assert.Len(t, model.Main(), 1, model.Account())
	})
}

func TestOneOfTwoCopiesOfThePluginServesOpenCode(t *testing.T) {
	t.Parallel()
	test.Run(t, "", func(t *testing.T, env *test.Env) {
		model := agents.StartModel(t, agents.Step{Text: "Hello."})
		home := agents.OpenCode.Connected(t, env, model)
		home.Run("bash", "-c", `cd "$0" && wm-lsp install opencode --project --yes`, env.Root)
		home.Session("Remember: run make check before a commit")
		require.Len(t, model.Main(), 1, model.Account())
		assert.Equal(t, 1, strings.Count(model.Main()[0].Text(), "<guide>"))
		assert.Equal(t, 1, strings.Count(exchangeOf(t, model.Main()[0]).stable(), "run make check before a commit"))
	})
}
