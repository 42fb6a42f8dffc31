package mcp

import (
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wm-lsp/wm-lsp/memory/sessions"
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

const (
	// clearTime is the most time between the end of a session and the start of the one in which an
	// agent goes on after its conversation was cleared.
	clearTime = 10 * time.Second
	// beginTime is the most time between the first event of a session, or one that is not recorded
	// because another one just was, and the start of the servers of its host.
	beginTime = 30 * time.Second
)

// A follower knows the session in which an agent goes on. The agent keeps the server when the
// conversation is cleared, and its hooks then report another session.
type follower struct {
	mu      sync.Mutex
	current string // "" until it is another one than that of the server
}

// of returns the session of calls in a folder that name none, "" for the one of the server, which
// is that of the agent's hooks. If that has ended, the agent goes on in the only session of its
// kind that has begun at the same time.
func (f *follower) of(at *service.View, server string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.current
	if now == "" {
		now = server
	}
	last, known := at.Sessions().Get(now)
	if !known || last.EndedAt.IsZero() {
		return f.current
	}
	next := only(at, last.Agent, func(session sessions.Session) bool {
		return session.StartedAt.Sub(last.EndedAt).Abs() <= clearTime
	})
	if next != "" {
		f.current = next
	}
	return f.current
}

// only returns the only live session that the hooks of an agent report in a folder and for which
// is holds, "" if there are none or several.
func only(at *service.View, agent string, is func(sessions.Session) bool) (found string) {
	for _, session := range at.Sessions().List() {
		if !session.Live() || !strings.HasPrefix(session.ID, service.AgentSession(agent, "")) || !is(session) {
			continue
		}
		if found != "" {
			return ""
		}
		found = session.ID
	}
	return found
}

// alsoKnown returns the sessions whose hooks tell the agent of this server the news, besides its
// own: for a host that does not tell its session, the only one of the agent that had an event since
// the server began. Of several nobody knows which one it is, so all are told.
func (s *Server) alsoKnown(at *service.View) []string {
	agent := hostOf(s.workspace.client)
	if agent == "" {
		return nil
	}
	session := only(at, agent, func(session sessions.Session) bool {
		return session.UpdatedAt.After(s.began.Add(-beginTime))
	})
	if session == "" {
		return nil
	}
	return []string{session}
}
