package mcp

import (
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wm-lsp/wm-lsp/server/service"
)

// session returns the session of the agent that has started the server, which its hooks report,
// "" if it is not known. The variables say nothing to another agent that runs in the first one.
func (s *Server) session(client string) string {
	agent, variable := hostOf(client), ""
	switch {
	case client == "claude-code":
		agent, variable = client, "CLAUDE_CODE_SESSION_ID"
	case agent == "copilot":
		variable = copilotSession
	}
	if id := s.environ(variable); id != "" {
		return service.AgentSession(agent, id)
	}
	return ""
}

// codexSession returns the session of Codex that makes a call, which its hooks report, "" if
// another host does.
func codexSession(req *sdk.CallToolRequest) string {
	turn, _ := req.Params.Meta["x-codex-turn-metadata"].(map[string]any)
	if id, _ := turn["session_id"].(string); id != "" {
		return service.AgentSession("codex", id)
	}
	return ""
}

// hosts are the agents that do not tell their MCP servers the session that their hooks report, by a
// part of the name that they have as clients of MCP.
var hosts = []struct{ client, agent string }{
	{"gemini", "gemini"}, {"qwen", "qwen"}, {"copilot", "copilot"}, {"visual studio code", "vscode"},
	{"cline", "cline"},
}

// hostOf returns the agent of a client of MCP as its hooks name it, "" if it is not known.
func hostOf(client string) string {
	client = strings.ToLower(client)
	for _, host := range hosts {
		if strings.Contains(client, host.client) {
			return host.agent
		}
	}
	return ""
}
