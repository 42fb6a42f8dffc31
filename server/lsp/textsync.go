package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// didOpen handles textDocument/didOpen.
func (s *Server) didOpen(_ context.Context, params *protocol.DidOpenTextDocumentParams) {
	item := params.TextDocument
	at, path, inside := s.service.Locate(string(item.URI))
	if !inside {
		return
	}
	name, path := owned(item.URI, path)
	opened := &document{
		at: at, path: path, file: s.service.OpenFile(at, path), tracked: at.Follows(path, item.Text),
	}
	if reopened := s.documents.put(name, opened, item.Text); opened.tracked {
		opened.file.Opened(item.Text, reopened)
	}
}

// didChange handles textDocument/didChange.
func (s *Server) didChange(_ context.Context, params *protocol.DidChangeTextDocumentParams) {
	d := &s.documents
	changed, tracked := d.find(string(params.TextDocument.URI))
	if !tracked {
		return
	}
	at, path := changed.at, changed.path
	text, known := d.known(changed)
	text, known, err := apply(text, known, params.ContentChanges)
	if err != nil {
		s.log.Warn("an edit cannot be applied; edits of the file are ignored until it is opened again", "error", err)
	}
	if err != nil || at.IsLarge(text) {
		d.ignore(changed)
		return
	}
	if !known { // another program may have written the file, which the editor reloads
		content, err := at.ReadFile(path)
		if err == nil && leadsTo(content, params.ContentChanges) {
			text, known = content, true
		}
	}
	d.set(changed, text, known)
	changed.file.Edited(text, known)
}

// didSave handles textDocument/didSave.
func (s *Server) didSave(_ context.Context, params *protocol.DidSaveTextDocumentParams) {
	d := &s.documents
	saved, tracked := d.find(string(params.TextDocument.URI))
	if saved == nil {
		s.service.SavedElsewhere(string(params.TextDocument.URI))
		return
	}
	at, path := saved.at, saved.path
	if tracked {
		text, known := d.known(saved)
		if !known { // the editor has just written it
			content, err := at.ReadFile(path)
			text, known = content, err == nil
		}
		d.set(saved, text, known)
		saved.file.Saved(text)
	}
	s.service.Saved(path)
}

// didClose handles textDocument/didClose.
func (s *Server) didClose(_ context.Context, params *protocol.DidCloseTextDocumentParams) {
	if closed := s.documents.close(params.TextDocument.URI); closed != nil {
		closed.file.Closed()
	}
}
