package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// didRenameFiles handles workspace/didRenameFiles.
func (s *Server) didRenameFiles(_ context.Context, params *protocol.RenameFilesParams) {
	for _, file := range params.Files {
		s.service.Renamed(file.OldURI, file.NewURI)
	}
}

// didDeleteFiles handles workspace/didDeleteFiles.
func (s *Server) didDeleteFiles(_ context.Context, params *protocol.DeleteFilesParams) {
	for _, file := range params.Files {
		s.service.Deleted(file.URI)
	}
}

// didChangeWatchedFiles handles workspace/didChangeWatchedFiles. It uses only deletions;
// other changes are reported by whoever makes them.
func (s *Server) didChangeWatchedFiles(_ context.Context, params *protocol.DidChangeWatchedFilesParams) {
	for _, change := range params.Changes {
		if change.Type == protocol.FileChangeTypeDeleted {
			s.service.Deleted(string(change.URI))
		}
	}
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
