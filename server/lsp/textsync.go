package lsp

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/server/service"
)

// reopenedWithin is how soon after it was closed a file that is opened again,
// with what is on the disk, was only reloaded: some editors do it so.
const reopenedWithin = 2 * time.Second

// documents are the files that are open. They are where keystrokes end: what
// goes on to the memory is that a file was read, edited in a burst, or written
// (systems.md B8, choice 10). The tasks of the workspace's queue take the lock
// too, so nobody waits for the queue, or reads a file, while holding it: what
// is to be put there is collected under the lock and put there after it.
type documents struct {
	mu     sync.Mutex
	open   map[uri.URI]*document
	closed map[uri.URI]time.Time
}

func (d *documents) get(name uri.URI) *document { return d.open[name] }

// named returns the open document of a URI in whichever way it is encoded: clients
// differ in what they escape, and how. It is nil where there is none.
func (d *documents) named(text string) *document {
	name, err := uri.Parse(text)
	if err != nil {
		return nil
	}
	return d.get(name)
}

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

// put notes that a document is open, and returns whether it was closed just before.
func (d *documents) put(name uri.URI, opened *document) (reopened bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open == nil {
		d.open, d.closed = map[uri.URI]*document{}, map[uri.URI]time.Time{}
	}
	reopened = time.Since(d.closed[name]) < reopenedWithin
	delete(d.closed, name)
	if !opened.tracked {
		opened.text = ""
	}
	d.open[name] = opened
	return reopened
}

func (s *Server) didChange(_ context.Context, params *protocol.DidChangeTextDocumentParams) {
	d := &s.documents
	changed, burst := d.edit(params, s.log)
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

// edit follows a change of a document's text. It returns nil for a document that
// is not followed, and whether the change belongs to a burst of edits.
func (d *documents) edit(params *protocol.DidChangeTextDocumentParams, log *slog.Logger) (*document, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	changed := d.get(params.TextDocument.URI)
	if changed == nil || !changed.tracked {
		return nil, false
	}
	if err := changed.apply(params.ContentChanges); err != nil {
		log.Warn("an edit could not be followed; the file is followed again when it is opened again", "error", err)
		changed.tracked, changed.text = false, ""
		return nil, false
	}
	limits := changed.at.Settings().Files
	if len(changed.text) > limits.MaxBytes {
		changed.tracked, changed.text = false, ""
		return nil, false
	}
	return changed, changed.editing && time.Since(changed.changedAt) < limits.Burst()
}

// edited notes that the text of a document is newer than its file.
func (d *documents) edited(changed *document) {
	d.mu.Lock()
	defer d.mu.Unlock()
	changed.changedAt, changed.unsaved, changed.editing = time.Now(), true, true
}

// reloaded notes that the text of a document is that of its file, and returns
// the diagnostics that waited for it.
func (d *documents) reloaded(changed *document) *event.Diagnostics {
	d.mu.Lock()
	defer d.mu.Unlock()
	changed.editing, changed.unsaved = false, false
	return changed.settle()
}

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

// saved notes that a document was saved. It returns the document, nil if it is not
// open; its text, nil if it is not followed; and the diagnostics that waited for it.
func (d *documents) saved(name uri.URI) (saved *document, text *string, settled *event.Diagnostics) {
	d.mu.Lock()
	defer d.mu.Unlock()
	saved = d.get(name)
	if saved == nil || !saved.tracked {
		return saved, nil, nil
	}
	saved.unsaved = false
	now := saved.text
	return saved, &now, saved.settle()
}

func (s *Server) didClose(_ context.Context, params *protocol.DidCloseTextDocumentParams) {
	closed, settled := s.documents.close(params.TextDocument.URI)
	if settled != nil {
		s.report(closed.at, settled)
	}
}

// close forgets a document. It returns it, nil if it was not open, and the
// diagnostics that waited for it.
func (d *documents) close(name uri.URI) (*document, *event.Diagnostics) {
	d.mu.Lock()
	defer d.mu.Unlock()
	closed := d.get(name)
	if closed == nil {
		return nil, nil
	}
	delete(d.open, name)
	now := time.Now()
	for other, at := range d.closed {
		if now.Sub(at) >= reopenedWithin {
			delete(d.closed, other)
		}
	}
	d.closed[name] = now
	return closed, closed.settle()
}

// leave forgets the documents of a folder that was removed.
func (d *documents) leave(left *service.View) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, open := range d.open {
		if open.at.Workspace != left.Workspace {
			continue
		}
		if open.timer != nil {
			open.timer.Stop()
		}
		open.waiting = nil
		delete(d.open, name)
	}
}

// stop stops the timers of all documents.
func (d *documents) stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, open := range d.open {
		if open.timer != nil {
			open.timer.Stop()
		}
	}
}
