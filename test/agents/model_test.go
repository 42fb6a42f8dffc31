package agents_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/test/agents"
)

// ask sends a request to a model and returns its answer.
func ask(t *testing.T, model *agents.Model, path, body string) string {
	t.Helper()
	response, err := http.Post(model.URL+path, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(answer)
}

// spoken is a request with one tool in each dialect, and what an answer that calls it holds.
var spoken = map[string]struct{ path, body, stream, call string }{
	"Anthropic Messages": {
		path: "/v1/messages", stream: `"stream": true,`,
		body: `{%s "messages": [{"role": "user", "content": "hello"}], "tools": [{"name": "shell"}]}`,
		call: `"name":"shell"`,
	},
	"Chat Completions": {
		path: "/v1/chat/completions", stream: `"stream": true,`,
		body: `{%s "messages": [{"role": "user", "content": "hello"}], "tools": [{"function": {"name": "shell"}}]}`,
		call: `"function":{"arguments":"{\"command\":\"ls\"}","name":"shell"}`,
	},
	"Responses": {
		path: "/v1/responses", stream: `"stream": true,`,
		body: `{%s "input": [{"role": "user", "content": "hello"}],` +
			` "tools": [{"type": "namespace", "name": "group", "tools": [{"name": "shell"}]}]}`,
		call: `"name":"shell","namespace":"group"`,
	},
	"Gemini": {
		path: "/v1beta/models/m:generateContent",
		body: `{%s "contents": [{"role": "user", "parts": [{"text": "hello"}]}],` +
			` "tools": [{"functionDeclarations": [{"name": "shell"}]}]}`,
		call: `"name":"shell"`,
	},
}

func TestAModelAnswersByItsScriptInEveryDialect(t *testing.T) {
	for name, dialect := range spoken {
		for _, streamed := range []bool{false, true} {
			path, members := dialect.path, ""
			if streamed {
				path, members = strings.Replace(path, ":generate", ":streamGenerate", 1), dialect.stream
			}
			body := strings.Replace(dialect.body, "%s", members, 1)
			model := agents.StartModel(t,
				agents.Step{Calls: []agents.Call{{Tool: "/^sh/", Args: map[string]any{"command": "ls"}}}},
				agents.Step{Text: "It is empty."})
			first := ask(t, model, path, body)
			assert.Contains(t, first, dialect.call, name)
			assert.Equal(t, streamed, strings.HasPrefix(first, "data: ") || strings.HasPrefix(first, "event: "), name)
			assert.Contains(t, ask(t, model, path, body), "It is empty.", name)
			assert.Contains(t, ask(t, model, path, body), "All done.", name)
			require.Len(t, model.Main(), 3, name)
			assert.Equal(t, []string{"shell"}, model.Main()[0].Tools, name)
			assert.Contains(t, model.Main()[0].Text(), "hello", name)
		}
	}
}

func TestAModelTellsWhatTakesNoStep(t *testing.T) {
	model := agents.StartModel(t, agents.Step{Text: "the step"})
	model.Summarize("in short")
	assert.Contains(t, ask(t, model, "/v1/messages", `{"messages": [{"role": "user", "content": "a title"}]}`),
		"in short")
	assert.Contains(t, ask(t, model, "/v1/messages", `{"tools": [{"name": "shell"}], "messages": [
		{"role": "user", "content": "Create a detailed summary of our conversation"}]}`), "in short")
	assert.Contains(t, ask(t, model, "/v1/messages/count_tokens", `{}`), "input_tokens")
	assert.Empty(t, model.Main())
	assert.Len(t, model.OfKind(agents.Auxiliary), 1)
	assert.Len(t, model.OfKind(agents.Summary), 1)
	assert.Len(t, model.OfKind(agents.Other), 1)
	assert.Contains(t, ask(t, model, "/v1/messages",
		`{"tools": [{"name": "shell"}], "messages": [{"role": "user", "content": "go on"}]}`), "the step")
}

func TestAModelCallsSomethingElseUntilItsToolIsOffered(t *testing.T) {
	model := agents.StartModel(t, agents.Step{
		Calls: []agents.Call{{Tool: "late"}}, Meanwhile: &agents.Call{Tool: "shell"},
	})
	with := func(tools string) string {
		return ask(t, model, "/v1/messages", `{"messages": [], "tools": [{"name": "shell"}`+tools+`]}`)
	}
	assert.Contains(t, with(""), `"name":"shell"`)
	assert.Contains(t, with(""), `"name":"shell"`)
	assert.Contains(t, with(`, {"name": "late"}`), `"name":"late"`)
	assert.Contains(t, with(""), "All done.")
}

func TestAModelHoldsAnAnswerBack(t *testing.T) {
	release := make(chan struct{})
	model := agents.StartModel(t, agents.Step{Text: "late", Until: release})
	answered := make(chan string)
	go func() {
		response, err := http.Post(model.URL+"/v1/messages", "application/json",
			strings.NewReader(`{"tools": [{"name": "shell"}], "messages": []}`))
		if err != nil {
			answered <- err.Error()
			return
		}
		defer response.Body.Close()
		answer, _ := io.ReadAll(response.Body)
		answered <- string(answer)
	}()
	model.AwaitRequests(t, "the request", func(main []agents.Request) bool { return len(main) == 1 })
	select {
	case answer := <-answered:
		t.Fatal("answered at once: " + answer)
	default:
	}
	close(release)
	assert.Contains(t, <-answered, "late")
}
