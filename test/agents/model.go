// Package agents starts real agents of other makers headless, with a home folder
// of their own and a scripted model on loopback, and tests the memory with them.
//
// A test writes down what the model answers, runs an agent, and asks what the
// model has received:
//
//	model := agents.StartModel(t,
//		agents.Step{Calls: []agents.Call{{Tool: "Bash", Args: map[string]any{"command": "go test ./..."}}}},
//		agents.Step{Text: "The test fails."})
//	home := agents.Claude.At(t, env, model)
//	home.Session("Remember: run make check before a commit")
//	assert.Contains(t, model.Main()[0].Text(), "<guide>")
package agents

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// A Step is one answer of the model to an agent that is at work. The zero value
// says that everything is done.
type Step struct {
	// Text is said before the calls; it may be empty.
	Text string
	// Calls are the tools that the model calls, all in one answer.
	Calls []Call
	// Meanwhile is called instead as long as a tool of Calls is not offered: some agents
	// start their servers while they work. Nil makes the call in any case.
	Meanwhile *Call
	// Usage is how many tokens the request is said to have had; 0 stands for 1,000.
	// Agents compact a conversation that is too long by this number.
	Usage int
	// Until holds the answer back until the channel is closed; nil holds nothing back.
	Until <-chan struct{}
}

// A Call is one call of a tool.
type Call struct {
	// Tool is the name of the tool as the agent offers it, or a regular expression
	// between slashes for the first one that matches.
	Tool string
	// Args are the arguments.
	Args map[string]any
	// Input is what a tool receives that takes a string instead of arguments.
	Input string
}

// A Kind tells what an agent asks its model for.
type Kind string

// The kinds of requests. Only those of Main take a step of the script.
const (
	Main      Kind = "main"
	Summary   Kind = "summary"   // of the conversation, for a compaction
	Auxiliary Kind = "auxiliary" // a title, a guess at what comes next
	Other     Kind = "other"     // everything that is not a request to a model
)

// A Request is one request that the model has received.
type Request struct {
	Kind Kind
	// Path is the path of the URL, with the method before it: "POST /v1/messages".
	Path string
	// Tools are the names of the tools that the agent offers.
	Tools []string
	// Body is the request as it was sent.
	Body json.RawMessage
}

// Text returns every string of the request as the model reads it, the values in the
// order of their keys, with a line break between two.
func (r Request) Text() string {
	var decoded any
	if json.Unmarshal(r.Body, &decoded) != nil {
		return string(r.Body)
	}
	var texts []string
	var collect func(any)
	collect = func(value any) {
		switch value := value.(type) {
		case string:
			texts = append(texts, value)
		case []any:
			for _, item := range value {
				collect(item)
			}
		case map[string]any:
			names := make([]string, 0, len(value))
			for name := range value {
				names = append(names, name)
			}
			slices.Sort(names)
			for _, name := range names {
				collect(value[name])
			}
		}
	}
	collect(decoded)
	return strings.Join(texts, "\n")
}

// A Model is a language model that says what a test has written down. It speaks
// Anthropic Messages, OpenAI Chat Completions, OpenAI Responses and Gemini's
// generateContent, chosen by the path, streamed where that is asked for.
type Model struct {
	// URL is where it listens, without a path: "http://127.0.0.1:41234".
	URL string

	mu       sync.Mutex // guards what follows
	steps    []Step
	summary  string
	requests []Request
	answers  int // so that every id is a new one
}

// StartModel starts a model that answers with steps, one for each request of an
// agent at work, and with "All done." after the last one. It ends with the test.
func StartModel(t testing.TB, steps ...Step) *Model {
	t.Helper()
	m := &Model{steps: steps, summary: "<summary>\nThe work goes on.\n</summary>"}
	server := httptest.NewServer(m)
	t.Cleanup(func() {
		server.CloseClientConnections() // an agent that was ended may have left one open
		server.Close()
	})
	m.URL = server.URL
	return m
}

// Script replaces the steps that were not taken yet.
func (m *Model) Script(steps ...Step) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.steps = steps
}

// Summarize sets what the model answers when it is asked for a summary of the
// conversation, and for titles.
func (m *Model) Summarize(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.summary = text
}

// Requests returns what the model has received so far, the oldest first.
func (m *Model) Requests() []Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests)
}

// Main returns the requests of agents at work so far, the oldest first.
func (m *Model) Main() []Request { return m.OfKind(Main) }

// OfKind returns the requests of a kind so far, the oldest first.
func (m *Model) OfKind(kind Kind) []Request {
	requests := m.Requests()
	return slices.DeleteFunc(requests, func(r Request) bool { return r.Kind != kind })
}

// Account describes what was received, a line for each request, for the message
// of a test that fails.
func (m *Model) Account() string {
	var b strings.Builder
	for _, r := range m.Requests() {
		fmt.Fprintf(&b, "%s %s, %d tools, %d bytes\n", r.Kind, r.Path, len(r.Tools), len(r.Body))
	}
	return b.String()
}

// summaryAsked is how the agents ask for a summary while they still offer their
// tools: Claude Code, Codex, Copilot CLI, Gemini CLI, OpenCode.
var summaryAsked = regexp.MustCompile(`(?i)detailed summary of (?:the|our|this) conversation` +
	`|context checkpoint compaction|state_snapshot|anchored summar`)

// ServeHTTP answers one request of an agent.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the agent has gone
	}
	request := Request{Kind: Other, Path: r.Method + " " + r.URL.Path, Body: body}
	dialect := dialectOf(r.URL.Path)
	var asked map[string]any
	if r.Method != http.MethodPost || dialect == nil || json.Unmarshal(body, &asked) != nil {
		m.record(request)
		answerOther(w, r)
		return
	}
	offered := dialect.tools(asked)
	for _, tool := range offered {
		request.Tools = append(request.Tools, tool.name)
	}
	switch {
	case len(offered) == 0:
		request.Kind = Auxiliary
	case summaryAsked.MatchString(lastSaid(dialect.messages(asked))):
		request.Kind = Summary
	default:
		request.Kind = Main
	}
	reply := m.reply(request, offered)
	reply.model, _ = asked["model"].(string)
	if reply.until != nil {
		select {
		case <-reply.until:
		case <-r.Context().Done():
			return
		}
	}
	dialect.answer(w, r, asked, reply)
}

// answerOther answers what agents ask beside the model: which models there are,
// and how many tokens a string has.
func answerOther(w http.ResponseWriter, r *http.Request) {
	switch path := strings.ToLower(r.URL.Path); {
	case strings.Contains(path, "count_tokens"), strings.Contains(path, "counttokens"):
		writeJSON(w, object{"input_tokens": 10, "totalTokens": 10})
	case strings.Contains(path, "models"):
		writeJSON(w, object{
			"object": "list", "models": []any{},
			"data": []any{object{"id": "fake", "object": "model", "type": "model", "display_name": "fake"}},
		})
	case r.Method == http.MethodHead:
	default:
		http.Error(w, `{"error": {"message": "no such path"}}`, http.StatusNotFound)
	}
}

func (m *Model) record(request Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, request)
}

// A reply is an answer that a dialect writes down.
type reply struct {
	// id is a part of the ids of the answer and its calls.
	id    string
	model string
	text  string
	calls []call
	usage int
	kind  Kind
	until <-chan struct{}
}

// A call is one of an offered tool.
type call struct {
	tool  offered
	id    string
	args  map[string]any
	input string
}

// An offered tool has a namespace where the agent groups its tools.
type offered struct{ name, namespace string }

func (m *Model) reply(request Request, tools []offered) reply {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, request)
	m.answers++
	reply := reply{id: fmt.Sprintf("fake%d", m.answers), usage: 1000, kind: request.Kind}
	if request.Kind != Main {
		reply.text, reply.usage = m.summary, 50
		return reply
	}
	step := Step{Text: "All done."}
	if len(m.steps) > 0 {
		step = m.steps[0]
		isMissing := func(c Call) bool { return !slices.Contains(tools, find(c.Tool, tools)) }
		if step.Meanwhile != nil && slices.ContainsFunc(step.Calls, isMissing) {
			step = Step{Calls: []Call{*step.Meanwhile}}
		} else {
			m.steps = m.steps[1:]
		}
	}
	reply.text, reply.until = step.Text, step.Until
	if step.Usage > 0 {
		reply.usage = step.Usage
	}
	for i, wanted := range step.Calls {
		reply.calls = append(reply.calls, call{
			tool: find(wanted.Tool, tools), id: fmt.Sprintf("call_%s_%d", reply.id, i),
			args: wanted.Args, input: wanted.Input,
		})
	}
	if reply.text == "" && len(reply.calls) == 0 {
		reply.text = "All done."
	}
	return reply
}

// find returns the offered tool of a name, or the first one that a regular
// expression between slashes matches. One that is not offered is called by its
// name all the same: the agent says so to the model, and the test sees it.
func find(wanted string, tools []offered) offered {
	matches := func(name string) bool { return name == wanted }
	if inner, ok := strings.CutPrefix(wanted, "/"); ok {
		matches = regexp.MustCompile(strings.TrimSuffix(inner, "/")).MatchString
	}
	if i := slices.IndexFunc(tools, func(tool offered) bool { return matches(tool.name) }); i >= 0 {
		return tools[i]
	}
	return offered{name: wanted}
}

// lastSaid is the text of the last message of the user.
func lastSaid(messages []any) string {
	for _, message := range slices.Backward(messages) {
		if members, ok := message.(map[string]any); ok && members["role"] == "user" {
			encoded, _ := json.Marshal(members) // it was decoded from JSON
			return string(encoded)
		}
	}
	return ""
}

// AwaitRequests waits until the model has received so many requests of agents at
// work that the condition holds.
func (m *Model) AwaitRequests(t testing.TB, what string, condition func(main []Request) bool) {
	t.Helper()
	require.Eventually(t, func() bool { return condition(m.Main()) }, patience, pollInterval,
		"%s\n%s", what, lazily(m.Account))
}

// lazily is a string that is made when it is printed.
type lazily func() string

func (l lazily) String() string { return l() }
