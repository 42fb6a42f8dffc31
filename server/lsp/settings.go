package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"
)

// section is the section of the client's configuration with the settings of the server.
const section = "wm"

// pullSettings requests the settings from a client that supports it.
func (s *Server) pullSettings(ctx context.Context) {
	if !s.client.configuration {
		return
	}
	name := section
	params := &protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: &name}}}
	var values []json.RawMessage
	if err := s.ask(ctx, protocol.MethodWorkspaceConfiguration, params, &values); err != nil || len(values) != 1 {
		s.log.Warn("request the settings of the client", "error", err)
		return
	}
	if string(values[0]) == "null" {
		return // no such section: keep the settings of initialize
	}
	s.service.Configure(values[0])
}

type didChangeConfigurationParams struct {
	Settings json.RawMessage `json:"settings"`
}

// didChangeConfiguration handles workspace/didChangeConfiguration. It requests the settings
// if they are not in the notification.
func (s *Server) didChangeConfiguration(_ context.Context, params *didChangeConfigurationParams) {
	var pushed map[string]json.RawMessage
	if json.Unmarshal(params.Settings, &pushed) == nil && pushed[section] != nil {
		s.service.Configure(pushed[section])
		return
	}
	s.later(s.pullSettings)
}
