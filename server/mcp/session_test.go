package mcp

import (
	"context"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// of returns the params of a session.
func of(session string) wire.Params { return wire.Params{SessionID: session} }

// hooks are the hooks of agents that use the memory of a host. Each is a process of its own.
type hooks struct{ *host }

func (h hooks) call(method string, params service.Params) any {
	h.t.Helper()
	// What the server knows of sessions is written at the latest with its next change.
	h.host.call("core_memory_update", object{"sessionId": "another", "block": "goal", "content": "x"})
	process := beside(h.t, h.data, h.dir)
	defer process.service.Close(context.Background())
	return process.call(method, params)
}

// tell tells a session what its hooks tell it, and returns the text, "" if there is none.
func (h hooks) tell(session string, tell wire.Tell) string {
	h.t.Helper()
	told := h.call("wm/context", &wire.ContextParams{Params: of(session), Tell: tell}).(wire.ContextResult)
	switch {
	case told.Delta != nil:
		return told.Delta.Text
	case told.Context != nil:
		return told.Text
	}
	return ""
}

// begin is the first event of a session.
func (h hooks) begin(agent, id string) (session string) {
	h.t.Helper()
	session = service.AgentSession(agent, id)
	h.call("wm/session/start", &wire.SessionStartParams{Params: of(session), Agent: agent})
	h.tell(session, wire.TellWhole)
	return session
}

func TestWhatASessionWroteItselfIsNoNewsToIt(t *testing.T) {
	h := start(t, setting{name: "claude-code", environ: []string{"CLAUDE_CODE_SESSION_ID=s1"}})
	hooks := hooks{h}
	own, other := hooks.begin("claude-code", "s1"), hooks.begin("claude-code", "s2")
	_, data := h.call("memory_remember", object{"text": rule})
	h.call("core_memory_update", object{"block": "goal", "content": "Ship it"})
	h.call("notes_write", object{"path": "overview.md", "content": "# Task\nShip it\n"})
	h.call("notes_write", object{"path": "detail/plan.md", "content": "# Plan\n"})
	assert.Empty(t, hooks.tell(own, wire.TellNews))
	assert.Equal(t, "New: [project] "+rule, hooks.tell(other, wire.TellNews), "the others are told")

	hooks.call("wm/memory/add", &wire.MemoryAddParams{Text: "Ship on Fridays"})
	h.call("memory_forget", object{"id": data["id"]})
	h.call("core_memory_update", object{"block": "goal", "content": ""})
	assert.Equal(t, "New: [project] Ship on Fridays", hooks.tell(own, wire.TellNews), "what others write is told")
	assert.Contains(t, hooks.tell(other, wire.TellNews), "No longer holds: [project] "+rule)
}

func TestTheSessionOfCodexIsTheOneOfTheCall(t *testing.T) {
	h := start(t, setting{name: "codex-mcp-client", version: "2025-06-18"})
	hooks := hooks{h}
	own := hooks.begin("codex", "s1")
	_, err := h.CallTool(t.Context(), &sdk.CallToolParams{
		Meta: sdk.Meta{"x-codex-turn-metadata": object{"session_id": "s1"}},
		Name: "memory_remember", Arguments: object{"text": rule},
	})
	require.NoError(t, err)
	assert.Empty(t, hooks.tell(own, wire.TellNews))
}

func TestOfAHostThatDoesNotTellItsSessionTheOnlyOneCounts(t *testing.T) {
	for _, c := range []struct{ client, agent string }{
		{"gemini-cli-mcp-client-wm", "gemini"}, {"qwen-code-mcp-client", "qwen"},
		{"github-copilot-developer", "copilot"}, {"Visual Studio Code - Insiders", "vscode"},
	} {
		h := start(t, setting{name: c.client})
		hooks := hooks{h}
		own := hooks.begin(c.agent, "s1")
		other := hooks.begin("another", "s1")
		h.call("memory_remember", object{"text": rule})
		assert.Empty(t, hooks.tell(own, wire.TellNews), c.client)
		assert.Contains(t, hooks.tell(other, wire.TellNews), rule, c.client)

		second := hooks.begin(c.agent, "s2")
		h.call("memory_remember", object{"text": "Ship on Fridays"})
		assert.Contains(t, hooks.tell(own, wire.TellNews), "Ship on Fridays", "which of the two wrote it is not known")
		assert.Contains(t, hooks.tell(second, wire.TellNews), "Ship on Fridays")

		hooks.call("wm/session/end", &wire.SessionEndParams{Params: of(second)})
		h.call("memory_remember", object{"text": "Tests run with make check"})
		assert.Empty(t, hooks.tell(own, wire.TellNews), c.client)
	}
}

func TestTheServerFollowsAnAgentThatClearsItsConversation(t *testing.T) {
	h := start(t, setting{name: "claude-code", environ: []string{"CLAUDE_CODE_SESSION_ID=s1"}})
	hooks := hooks{h}
	goal := func(session string) string {
		read := hooks.call("wm/core/read", &wire.CoreReadParams{Params: of(session)}).(wire.CoreReadResult)
		return read.Blocks.Goal.Content
	}
	first := hooks.begin("claude-code", "s1")
	other := hooks.begin("gemini", "s9")
	h.call("core_memory_update", object{"block": "goal", "content": "Ship it"})
	assert.Equal(t, "Ship it", goal(first))
	clear := func(from, to string) (session string) {
		hooks.call("wm/session/end", &wire.SessionEndParams{Params: of(from)})
		return hooks.begin("claude-code", to)
	}
	second := clear(first, "s2")
	h.call("core_memory_update", object{"block": "goal", "content": "Test it"})
	assert.Equal(t, "Test it", goal(second))
	assert.Equal(t, "Ship it", goal(first))
	assert.Contains(t, h.resource(contextURI), "Test it")
	assert.Empty(t, hooks.tell(second, wire.TellNews), "it wrote that itself")
	third := clear(second, "s3")
	h.call("core_memory_update", object{"block": "goal", "content": "Sell it"})
	assert.Equal(t, "Sell it", goal(third), "once more")
	assert.Empty(t, goal(other))
}

func TestTheSessionIsTheOneOfTheHooksOfTheSameAgent(t *testing.T) {
	s := &Server{options: Options{Environ: []string{"CLAUDE_CODE_SESSION_ID=s1"}}}
	assert.Equal(t, "claude-code:s1", s.session("claude-code"))
	assert.Empty(t, s.session("gemini"), "another agent that runs in the first one")
	assert.Empty(t, (&Server{}).session("claude-code"))

	s = &Server{options: Options{Environ: []string{"COPILOT_AGENT_SESSION_ID=s2"}}}
	assert.Equal(t, "copilot:s2", s.session("github-copilot-developer"))
	assert.Empty(t, s.session("claude-code"))
	assert.Empty(t, s.session("gemini"))

	h := start(t, setting{name: "github-copilot-developer", environ: []string{"COPILOT_AGENT_SESSION_ID=s2"}})
	hooks := hooks{h}
	hooks.begin("copilot", "s2")
	h.call("core_memory_update", object{"block": "goal", "content": "Ship it"})
	core := hooks.call("wm/core/read", &wire.CoreReadParams{Params: of("copilot:s2")}).(wire.CoreReadResult)
	assert.Equal(t, "Ship it", core.Blocks.Goal.Content)
}
