package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// didRenameFiles has what is known of a path go on under the new one.
func (s *Server) didRenameFiles(_ context.Context, params *protocol.RenameFilesParams) {
	for _, file := range params.Files {
		s.service.Renamed(file.OldURI, file.NewURI)
	}
}

func (s *Server) didDeleteFiles(_ context.Context, params *protocol.DeleteFilesParams) {
	for _, file := range params.Files {
		s.service.Deleted(file.URI)
	}
}

// didChangeWatchedFiles looks only at deletions; what is changed on the disk is
// told by whoever changes it.
func (s *Server) didChangeWatchedFiles(_ context.Context, params *protocol.DidChangeWatchedFilesParams) {
	for _, change := range params.Changes {
		if change.Type == protocol.FileChangeTypeDeleted {
			s.service.Deleted(string(change.URI))
		}
	}
}

// watchDeletedFiles asks a client that can to tell of deletions.
func (s *Server) watchDeletedFiles(ctx context.Context) {
	if !s.client.watchedFiles {
		return
	}
	kind := protocol.WatchKindDelete
	options, err := protocol.Marshal(&protocol.DidChangeWatchedFilesRegistrationOptions{
		Watchers: []protocol.FileSystemWatcher{{GlobPattern: protocol.Pattern("**/*"), Kind: kind}},
	})
	if err == nil {
		err = s.ask(ctx, protocol.MethodClientRegisterCapability, &protocol.RegistrationParams{Registrations: []protocol.Registration{{
			ID: "wm-deleted-files", Method: protocol.MethodWorkspaceDidChangeWatchedFiles, RegisterOptions: options,
		}}}, nil)
	}
	if err != nil {
		s.log.Warn("ask the client to tell of deleted files", "error", err)
	}
}

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
