package mcp

import (
	"path/filepath"

	"github.com/goccy/go-yaml"

	"github.com/wm-lsp/wm-lsp/memory/regular"
)

// copilotSession is the variable with the id of the session in which Copilot CLI starts a server.
const copilotSession = "COPILOT_AGENT_SESSION_ID"

// maxCopilotFile is the most bytes of a file in which Copilot CLI describes a session.
const maxCopilotFile = 64 << 10

// copilotFolder returns the folder in which the session of Copilot CLI works that has started the
// server, "" if it is not known. Copilot CLI has no roots and starts the server of a plugin in the
// folder of the plugin, but it names the session, and has written where it works before it starts
// servers (seen with 1.0.102).
func (s *Server) copilotFolder() string {
	id := s.environ(copilotSession)
	if s.environ("COPILOT_PLUGIN_ROOT") == "" || id == "" || !filepath.IsLocal(id) || filepath.Base(id) != id {
		return ""
	}
	home := s.environ("COPILOT_HOME")
	if home == "" {
		home = filepath.Join(s.home(), ".copilot")
	}
	doc, err := regular.Follow(filepath.Join(home, "session-state", id, "workspace.yaml"), maxCopilotFile)
	var state struct{ Cwd string }
	if err == nil {
		err = yaml.Unmarshal(doc, &state)
	}
	if err != nil {
		s.log.Warn("the folder of the session of Copilot CLI is not known", "error", err)
		return ""
	}
	return state.Cwd
}
