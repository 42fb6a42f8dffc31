package lsp

import (
	"context"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// diagnostics returns the handler of wm/diagnostics/changed. A request takes effect at once.
// A notification closes errors at once, but opens new ones only when the document is saved
// or has been still for a while, because half-typed code is not an error (systems.md B10). Both
// are decided on the read loop, where the order of keystrokes is known.
func (s *Server) diagnostics(op service.Operation) handler {
	h := operation(op)
	decode := h.decode
	h.decode = func(s *Server, doc []byte) (task, error) {
		t, err := decode(s, doc)
		if err != nil {
			return t, err
		}
		params, err := decodeStandard[wire.DiagnosticsChangedParams](doc)
		if err == nil {
			s.documents.superseded(params.URI)
		}
		return t, err
	}
	h.decodeNotice = func(s *Server, doc []byte) (task, error) {
		at, params, err := s.decodeParams(op, doc)
		if err != nil {
			return task{}, err
		}
		return task{run: func(context.Context) (any, error) {
			return nil, s.diagnosticsNotified(at, params.(*wire.DiagnosticsChangedParams))
		}}, nil
	}
	return h
}

func (s *Server) diagnosticsNotified(at *service.View, params *wire.DiagnosticsChangedParams) error {
	body, err := at.Diagnostics(params)
	if err != nil || body == nil {
		return err
	}
	if s.waitForStillness(at, params.URI, body) {
		closing := *body
		closing.ClosesOnly = true
		body = &closing
	}
	s.report(at, body)
	return nil
}

// report records diagnostics.
func (s *Server) report(at *service.View, body *event.Diagnostics) {
	s.service.Report(at, func() *event.Diagnostics { return body })
}

// waitForStillness holds the diagnostics of a document that is being typed in until it is
// still, and reports whether it did so. They replace those that were held before.
func (s *Server) waitForStillness(at *service.View, name string, body *event.Diagnostics) bool {
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
	open.held = body
	s.settleLater(open, wait)
	return true
}

// settleLater reports the held diagnostics after a wait, if the document is still then. The
// documents must be locked.
func (s *Server) settleLater(open *document, wait time.Duration) {
	if open.timer != nil {
		open.timer.Stop()
	}
	// On the queue, so that newer diagnostics are either seen here or queued after it.
	open.timer = time.AfterFunc(wait, func() {
		s.service.Report(open.at, func() *event.Diagnostics { return s.settleStill(open) })
	})
}

// settleStill returns the held diagnostics of a document, or nil if there are none or the
// document has been edited meanwhile.
func (s *Server) settleStill(open *document) *event.Diagnostics {
	s.documents.mu.Lock()
	defer s.documents.mu.Unlock()
	more := open.at.Settings().Errors.Still() - time.Since(open.changedAt)
	if open.held != nil && open.unsaved && more > 0 {
		s.settleLater(open, more)
		return nil
	}
	return open.settle()
}

// superseded drops the held diagnostics of a document, because a request has newer ones.
// It must be called on the read loop, where the order is known.
func (d *documents) superseded(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if open := d.named(name); open != nil {
		open.settle()
	}
}
