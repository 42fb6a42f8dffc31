package service

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// DiagnosticsChanged implements wm/diagnostics/changed. Errors open at once.
func (s *Service) DiagnosticsChanged(
	ctx context.Context, at *View, params *wire.DiagnosticsChangedParams,
) (wire.DiagnosticsChangedResult, error) {
	result := wire.DiagnosticsChangedResult{Opened: []wire.OpenError{}, Closed: []string{}}
	body, err := at.diagnostics(params)
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

// diagnostics returns the event of the diagnostics of a file, or nil if the file is not
// tracked.
func (v *View) diagnostics(params *wire.DiagnosticsChangedParams) (*event.Diagnostics, error) {
	if params.URI == "" {
		return nil, fault.Invalid("uri", "is missing; must be the URI of the file")
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
		if d.Source == wire.SourceWM {
			continue // the server's own, which the editor has beside those of language servers
		}
		body.Items = append(body.Items, event.Diagnostic{
			Severity: d.Severity, Line: d.Range.Start.Line + 1,
			Source: d.Source, Code: string(d.Code), Message: string(d.Message),
		})
	}
	return body, nil
}

// report calls diagnostics on the queue and records the result, which may be nil. It may
// wait for the queue.
func (s *Service) report(at *View, diagnostics func() *event.Diagnostics) {
	at.Do(func() {
		if body := diagnostics(); body != nil {
			s.observe(at, *body)
		}
	})
}
