package server

import (
	"context"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// diagnosticsChanged takes the diagnostics of a file, as a request: at once.
func (s *Server) diagnosticsChanged(ctx context.Context, at *view, params *wire.DiagnosticsChangedParams) (wire.DiagnosticsChangedResult, error) {
	result := wire.DiagnosticsChangedResult{Opened: []wire.OpenError{}, Closed: []string{}}
	body, tracked, err := s.diagnosticsOf(at, params)
	if err != nil || !tracked {
		return result, err
	}
	changes, err := at.Observe(ctx, at.event(*body))
	if err != nil {
		return result, err
	}
	result.Opened, result.Closed = at.openedAndClosed(changes)
	return result, nil
}

func (s *Server) diagnosticsOf(at *view, params *wire.DiagnosticsChangedParams) (*event.Diagnostics, bool, error) {
	if params.URI == "" {
		return nil, false, fault.Invalid("uri", "is missing; name the file whose diagnostics these are")
	}
	if at.folder.scope == nil {
		return nil, false, nil
	}
	file, err := filePath(params.URI)
	if err != nil {
		return nil, false, fault.Invalid("uri", "%v", err)
	}
	path, inside := at.folder.scope.Rel("", file)
	if !inside || !at.folder.scope.Tracked(path) {
		return nil, false, nil
	}
	body := &event.Diagnostics{Path: path}
	if params.Version != nil {
		body.Version = *params.Version
	}
	for _, d := range params.Diagnostics {
		body.Items = append(body.Items, event.Diagnostic{
			Severity: d.Severity, Line: d.Range.Start.Line + 1, Source: d.Source, Code: string(d.Code), Message: string(d.Message),
		})
	}
	return body, true, nil
}

// diagnosticsNotified takes the diagnostics of a file, as a notification: what
// is no longer reported closes at once; what is new opens when the document is
// saved or has been still, because half-typed code is no error (systems.md B10).
// It runs on the read loop, where the order of keystrokes is known.
func (s *Server) diagnosticsNotified(_ context.Context, at *view, params *wire.DiagnosticsChangedParams) error {
	body, tracked, err := s.diagnosticsOf(at, params)
	if err != nil || !tracked {
		return err
	}
	if s.waitForStillness(at, params.URI, body) {
		closing := *body
		closing.ClosesOnly = true
		body = &closing
	}
	at.Do(func() { s.observe(at, *body) })
	return nil
}

// waitForStillness keeps diagnostics of a document that is being typed in until
// it is still, and returns whether it did. In any case they take the place of
// those that waited before.
func (s *Server) waitForStillness(at *view, name string, body *event.Diagnostics) bool {
	d := &s.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	open := d.named(name)
	if open == nil {
		return false
	}
	open.settle()
	wait := at.Settings().Errors.Still() - time.Since(open.changedAt)
	if !open.unsaved || wait <= 0 {
		return false
	}
	open.waiting = body
	s.settleLater(open, wait)
	return true
}

// settleLater opens what waits once the document has been still. It is called
// with the documents locked.
func (s *Server) settleLater(open *document, wait time.Duration) {
	if open.timer != nil {
		open.timer.Stop()
	}
	// On the queue, so that newer diagnostics are either seen here or put behind it.
	open.timer = time.AfterFunc(wait, func() {
		open.at.Do(func() {
			if settled := s.settleStill(open); settled != nil {
				s.observe(open.at, *settled)
			}
		})
	})
}

// settleStill returns the diagnostics that wait for a document, nil if there are
// none or it has been typed in meanwhile.
func (s *Server) settleStill(open *document) *event.Diagnostics {
	s.documents.mu.Lock()
	defer s.documents.mu.Unlock()
	more := open.at.Settings().Errors.Still() - time.Since(open.changedAt)
	if open.waiting != nil && open.unsaved && more > 0 {
		s.settleLater(open, more)
		return nil
	}
	return open.settle()
}

// superseded drops the diagnostics that wait for a document, because a request
// brings newer ones. It is called on the read loop, where the order is known.
func (d *documents) superseded(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if open := d.named(name); open != nil {
		open.settle()
	}
}

func (s *Server) errorsList(_ context.Context, at *view, params *wire.ErrorsListParams) (wire.ErrorsListResult, error) {
	result := wire.ErrorsListResult{Errors: []wire.OpenError{}}
	for _, e := range memory.RoomOf[*hot.Room](at.Workspace).Errors(at.who.Session, at.worktree()) {
		if len(params.Paths) == 0 || slices.ContainsFunc(params.Paths, func(p string) bool { return within(e.Path, p) }) {
			result.Errors = append(result.Errors, at.openError(e))
		}
	}
	return result, nil
}

func (s *Server) filesList(_ context.Context, at *view, params *wire.FilesListParams) (wire.FilesListResult, error) {
	if params.Limit < 0 {
		return wire.FilesListResult{}, fault.Invalid("limit", "must be 0 or more, got %d", params.Limit)
	}
	result := wire.FilesListResult{Files: []wire.ActiveFile{}}
	for _, file := range memory.RoomOf[*hot.Room](at.Workspace).Files(at.who.Session, at.worktree(), params.Limit) {
		result.Files = append(result.Files, activeFile(file))
	}
	return result, nil
}
