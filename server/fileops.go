package server

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/memory/event"
)

// didRenameFiles has what is known of a path go on under the new one.
func (s *Server) didRenameFiles(_ context.Context, params *protocol.RenameFilesParams) {
	for _, file := range params.Files {
		from, oldPath, known := s.folders.locate(file.OldURI)
		if !known {
			continue
		}
		to, newPath, inside := s.folders.locate(file.NewURI)
		var body any = event.FileDeleted{Path: oldPath}
		if inside && to.worktree() == from.worktree() && !to.folder.scope.Hidden(newPath) {
			body = event.FileRenamed{From: oldPath, To: newPath}
		}
		from.Do(func() { s.observe(from, body) })
	}
}

func (s *Server) didDeleteFiles(_ context.Context, params *protocol.DeleteFilesParams) {
	for _, file := range params.Files {
		s.deleted(file.URI)
	}
}

// didChangeWatchedFiles looks only at deletions; what is changed on the disk is
// told by whoever changes it.
func (s *Server) didChangeWatchedFiles(_ context.Context, params *protocol.DidChangeWatchedFilesParams) {
	for _, change := range params.Changes {
		if change.Type == protocol.FileChangeTypeDeleted {
			s.deleted(string(change.URI))
		}
	}
}

// deleted forgets a file that is gone. Many programs save by writing a new file
// in the place of the old: what is there again was not deleted.
func (s *Server) deleted(uri string) {
	at, path, known := s.folders.locate(uri)
	if !known {
		return
	}
	at.Do(func() {
		if _, err := os.Lstat(at.folder.scope.Abs(path)); errors.Is(err, fs.ErrNotExist) {
			s.observe(at, event.FileDeleted{Path: path})
		}
	})
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
	for _, left := range s.folders.change(added, removed) {
		s.leaveFolder(left)
	}
	s.notifier.everything()
}

// leaveFolder ends the session of the connection in the memory of a folder that
// it has no more, as if the client had gone: nobody would take its diagnostics back.
// One that the connection is only attached to goes on.
func (s *Server) leaveFolder(left *folder) {
	s.documents.leave(left)
	if s.client.attach {
		return
	}
	at := s.folders.own(left)
	at.Do(func() {
		if err := at.EndSession(context.Background(), at.event(nil)); err != nil {
			s.log.Warn("end the session in a folder that was removed", "error", err)
		}
	})
}
