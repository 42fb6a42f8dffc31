package service

import (
	"context"
	"slices"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// DiagnosticsChanged takes the diagnostics of a file at once.
func (s *Service) DiagnosticsChanged(
	ctx context.Context, at *View, params *wire.DiagnosticsChangedParams,
) (wire.DiagnosticsChangedResult, error) {
	result := wire.DiagnosticsChangedResult{Opened: []wire.OpenError{}, Closed: []string{}}
	body, err := at.Diagnostics(params)
	if err != nil || body == nil {
		return result, err
	}
	changes, err := at.Observe(ctx, at.event(*body))
	if err != nil {
		return result, err
	}
	result.Opened, result.Closed = at.openedAndClosed(changes)
	return result, nil
}

// Diagnostics returns the diagnostics of a file as an event, nil if the file is
// not tracked.
func (v *View) Diagnostics(params *wire.DiagnosticsChangedParams) (*event.Diagnostics, error) {
	if params.URI == "" {
		return nil, fault.Invalid("uri", "is missing; name the file whose diagnostics these are")
	}
	if v.folder.scope == nil {
		return nil, nil
	}
	file, err := filePath(params.URI)
	if err != nil {
		return nil, fault.Invalid("uri", "%v", err)
	}
	path, inside := v.folder.scope.Rel("", file)
	if !inside || !v.folder.scope.Tracked(path) {
		return nil, nil
	}
	body := &event.Diagnostics{Path: path}
	if params.Version != nil {
		body.Version = *params.Version
	}
	for _, d := range params.Diagnostics {
		body.Items = append(body.Items, event.Diagnostic{
			Severity: d.Severity, Line: d.Range.Start.Line + 1,
			Source: d.Source, Code: string(d.Code), Message: string(d.Message),
		})
	}
	return body, nil
}

// Report asks for diagnostics on the queue, and records them there; there may be
// none by then. It may wait for the queue.
func (s *Service) Report(at *View, diagnostics func() *event.Diagnostics) {
	at.Do(func() {
		if body := diagnostics(); body != nil {
			s.observe(at, *body)
		}
	})
}

// ErrorsList returns the open errors.
func (s *Service) ErrorsList(
	_ context.Context, at *View, params *wire.ErrorsListParams,
) (wire.ErrorsListResult, error) {
	result := wire.ErrorsListResult{Errors: []wire.OpenError{}}
	for _, e := range memory.RoomOf[*hot.Room](at.Workspace).Errors(at.who.Session, at.worktree()) {
		if len(params.Paths) == 0 || slices.ContainsFunc(params.Paths, func(p string) bool { return within(e.Path, p) }) {
			result.Errors = append(result.Errors, at.openError(e))
		}
	}
	return result, nil
}

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
