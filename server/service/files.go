package service

import (
	"context"
	"os"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// FilesList returns the active files.
func (s *Service) FilesList(_ context.Context, at *View, params *wire.FilesListParams) (wire.FilesListResult, error) {
	if params.Limit < 0 {
		return wire.FilesListResult{}, fault.Invalid("limit", "must be 0 or more, got %d", params.Limit)
	}
	result := wire.FilesListResult{Files: []wire.ActiveFile{}}
	for _, file := range memory.RoomOf[*hot.Room](at.Workspace).Files(at.who.Session, at.worktree(), params.Limit) {
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

// touchedFiles reads from the changes of an event which files it touched.
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
	for _, file := range memory.RoomOf[*hot.Room](v.Workspace).Files(v.who.Session, v.worktree(), 0) {
		if paths[file.Path] {
			files = append(files, activeFile(file))
		}
	}
	return files
}

// TrackedFile returns the path of a file in the folder of the view. The fault is
// that of a file which is not tracked.
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
		return "", fault.Invalid("uri", "must be a file that this workspace tracks, got %s", uri)
	}
	return path, nil
}

// ReadFile returns the content of a file of the folder.
func (v *View) ReadFile(path string) (string, error) {
	content, err := os.ReadFile(v.folder.scope.Abs(path))
	if err != nil {
		return "", fault.Invalid("uri", "the file cannot be read: %v", err)
	}
	return string(content), nil
}
