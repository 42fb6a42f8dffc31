package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// didChangeWorkspaceFolders handles workspace/didChangeWorkspaceFolders.
func (s *Server) didChangeWorkspaceFolders(_ context.Context, params *protocol.DidChangeWorkspaceFoldersParams) {
	var added, removed []string
	for _, f := range params.Event.Added {
		added = append(added, string(f.URI))
	}
	for _, f := range params.Event.Removed {
		removed = append(removed, string(f.URI))
	}
	for _, left := range s.service.ChangeFolders(added, removed) {
		s.documents.leave(left)
		s.service.Leave(left)
	}
}
