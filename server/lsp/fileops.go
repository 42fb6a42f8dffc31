package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/server/service"
)

// didRenameFiles handles workspace/didRenameFiles.
func (s *Server) didRenameFiles(_ context.Context, params *protocol.RenameFilesParams) {
	moves := make([]service.Move, len(params.Files))
	for i, file := range params.Files {
		moves[i] = service.Move{From: file.OldURI, To: file.NewURI}
	}
	s.service.Renamed(moves)
}

// didDeleteFiles handles workspace/didDeleteFiles.
func (s *Server) didDeleteFiles(_ context.Context, params *protocol.DeleteFilesParams) {
	uris := make([]string, len(params.Files))
	for i, file := range params.Files {
		uris[i] = file.URI
	}
	s.service.Deleted(uris)
}

// didChangeWatchedFiles handles workspace/didChangeWatchedFiles. It uses only deletions;
// other changes are reported by whoever makes them.
func (s *Server) didChangeWatchedFiles(_ context.Context, params *protocol.DidChangeWatchedFilesParams) {
	var uris []string
	for _, change := range params.Changes {
		if change.Type == protocol.FileChangeTypeDeleted {
			uris = append(uris, string(change.URI))
		}
	}
	s.service.Deleted(uris)
}

// watchDeletedFiles registers a watcher for deleted files, if the client supports it.
func (s *Server) watchDeletedFiles(ctx context.Context) {
	if !s.client.watchedFiles {
		return
	}
	options, err := protocol.Marshal(&protocol.DidChangeWatchedFilesRegistrationOptions{
		Watchers: []protocol.FileSystemWatcher{{GlobPattern: protocol.Pattern("**/*"), Kind: protocol.WatchKindDelete}},
	})
	if err == nil {
		err = s.ask(ctx, protocol.MethodClientRegisterCapability,
			&protocol.RegistrationParams{Registrations: []protocol.Registration{{
				ID: "wm-deleted-files", Method: protocol.MethodWorkspaceDidChangeWatchedFiles, RegisterOptions: options,
			}}}, nil)
	}
	if err != nil {
		s.log.Warn("register a watcher for deleted files", "error", err)
	}
}
