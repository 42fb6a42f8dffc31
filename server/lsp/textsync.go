package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/memory/event"
)

// didOpen handles textDocument/didOpen.
func (s *Server) didOpen(_ context.Context, params *protocol.DidOpenTextDocumentParams) {
	item := params.TextDocument
	at, path, inside := s.service.Locate(string(item.URI))
	if !inside {
		return
	}
	opened := &document{at: at, path: path, text: item.Text}
	opened.tracked = at.Follows(path, item.Text)
	reopened := s.documents.put(item.URI, opened)
	if opened.tracked && !(reopened && at.OnDisk(path, item.Text)) {
		s.service.Touched(at, path, event.Read, item.Text)
	}
}

// didChange handles textDocument/didChange.
func (s *Server) didChange(_ context.Context, params *protocol.DidChangeTextDocumentParams) {
	d := &s.documents
	changed, burst, err := d.edit(params)
	if err != nil {
		s.log.Warn("an edit cannot be applied; edits of the file are ignored until it is opened again", "error", err)
	}
	if changed == nil {
		return
	}
	at, path := changed.at, changed.path
	// Only the read loop changes a text, so it is read here without the lock.
	if !burst && at.OnDisk(path, changed.text) {
		if settled := d.reloaded(changed); settled != nil {
			s.report(at, settled)
		}
		return
	}
	d.edited(changed)
	if !burst {
		s.service.Touched(at, path, event.Edit, "")
	}
}

// didSave handles textDocument/didSave.
func (s *Server) didSave(_ context.Context, params *protocol.DidSaveTextDocumentParams) {
	saved, text, settled := s.documents.saved(params.TextDocument.URI)
	if saved == nil {
		return
	}
	at, path := saved.at, saved.path
	if text != nil {
		s.service.Touched(at, path, event.Write, *text)
	}
	if settled != nil {
		s.report(at, settled)
	}
	s.service.Saved(path)
}

// didClose handles textDocument/didClose.
func (s *Server) didClose(_ context.Context, params *protocol.DidCloseTextDocumentParams) {
	closed, settled := s.documents.close(params.TextDocument.URI)
	if settled != nil {
		s.report(closed.at, settled)
	}
}
