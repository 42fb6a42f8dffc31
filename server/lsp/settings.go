package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"
)

// section is the name under which clients keep our settings.
const section = "wm"

// pullSettings asks the client for its settings, if it answers such questions.
func (s *Server) pullSettings(ctx context.Context) {
	if !s.client.configuration {
		return
	}
	name := section
	params := &protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: &name}}}
	var answer []json.RawMessage
	if err := s.ask(ctx, protocol.MethodWorkspaceConfiguration, params, &answer); err != nil || len(answer) != 1 {
		s.log.Warn("ask the client for its settings", "error", err)
		return
	}
	if string(answer[0]) == "null" {
		return // the client has no such section: what it said at the start stays
	}
	s.service.Configure(answer[0])
}

type didChangeConfigurationParams struct {
	Settings json.RawMessage `json:"settings"`
}

func (s *Server) didChangeConfiguration(_ context.Context, params *didChangeConfigurationParams) {
	var pushed map[string]json.RawMessage
	if json.Unmarshal(params.Settings, &pushed) == nil && pushed[section] != nil {
		s.service.Configure(pushed[section])
		return
	}
	s.later(s.pullSettings)
}
