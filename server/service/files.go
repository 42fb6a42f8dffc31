package service

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// FilesList implements wm/files/list.
func (s *Service) FilesList(_ context.Context, at *View, params *wire.FilesListParams) (wire.FilesListResult, error) {
	if params.Limit < 0 {
		return wire.FilesListResult{}, fault.Invalid("limit", "must be 0 or more, got %d", params.Limit)
	}
	result := wire.FilesListResult{Files: []wire.ActiveFile{}}
	for _, file := range at.hot().Files(at.who.Session, at.worktree(), params.Limit) {
		result.Files = append(result.Files, activeFile(file))
	}
	return result, nil
}

func activeFile(f hot.File) wire.ActiveFile {
	return wire.ActiveFile{
		Path: f.Path, Action: wire.FileAction(f.Action), Count: f.Count, Rank: f.Rank(),
		LastSeen: wire.At(f.LastSeen), SessionID: f.Session, By: f.By, Hash: f.Hash,
	}
}

// touchedFiles returns the active files that changes have touched.
func (v *View) touchedFiles(changes []change.Change) []wire.ActiveFile {
	paths := map[string]bool{}
	for _, c := range changes {
		if c.Kind == hot.FileTouched {
			paths[c.Subject] = true
		}
	}
	files := []wire.ActiveFile{}
	if len(paths) == 0 {
		return files
	}
	for _, file := range v.hot().Files(v.who.Session, v.worktree(), 0) {
		if paths[file.Path] {
			files = append(files, activeFile(file))
		}
	}
	return files
}

// TrackedFile returns the path of a file relative to the worktree. It returns a fault
// if the file is not tracked.
func (v *View) TrackedFile(uri string) (path string, err error) {
	file, err := filePath(uri)
	if err != nil {
		return "", fault.Invalid("uri", "%v", err)
	}
	if v.folder.scope == nil {
		return "", v.NoWorkspace()
	}
	path, inside := v.folder.scope.Rel("", file)
	if !inside || !v.folder.scope.Tracked(path) {
		return "", fault.Invalid("uri", "must be a tracked file of this workspace, got %s", uri)
	}
	return path, nil
}

// ReadFile returns the content of a file.
func (v *View) ReadFile(path string) (string, error) {
	content, err := regular.Read(v.worktree(), path, int64(v.Settings().Files.MaxBytes))
	if err != nil {
		return "", fault.Invalid("uri", "the file cannot be read: %v", err)
	}
	return string(content), nil
}
