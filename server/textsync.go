package server

import (
	"context"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// reopenedWithin is how soon after it was closed a file that is opened again,
// with what is on the disk, was only reloaded: some editors do it so.
const reopenedWithin = 2 * time.Second

// documents are the files that are open. They are where keystrokes end: what
// goes on to the memory is that a file was read, edited in a burst, or written
// (systems.md B8, choice 10).
type documents struct {
	server *Server

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
	at, path, inside := s.folders.locate(string(item.URI))
	if !inside {
		return
	}
	opened := &document{at: at, path: path, text: item.Text}
	limit := at.Settings().Files.MaxBytes
	opened.tracked = len(item.Text) <= limit && at.folder.scope.Tracked(path) && !generated(item.Text)

	d := &s.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open == nil {
		d.open, d.closed = map[uri.URI]*document{}, map[uri.URI]time.Time{}
	}
	reloaded := time.Since(d.closed[item.URI]) < reopenedWithin && opened.tracked && opened.onDisk()
	delete(d.closed, item.URI)
	if !opened.tracked {
		opened.text = ""
	}
	d.open[item.URI] = opened
	if opened.tracked && !reloaded {
		s.touched(opened, event.Read, item.Text)
	}
}

// touched tells the memory what was done to a document. The text is hashed
// where that does not hold up the read loop; "" stands for a text in flux.
func (s *Server) touched(d *document, action event.FileAction, text string) {
	at, path := d.at, d.path
	at.Do(func() {
		body := event.FileTouched{Path: path, Action: action}
		if action == event.Read {
			body.Since = s.began
		}
		if text != "" {
			body.Hash = contentHash(text)
		}
		s.observe(at, body)
	})
}

// observe records an event that nobody waits for. It is called on the queue.
func (s *Server) observe(at *view, body any) {
	if _, err := at.Observe(context.Background(), at.event(body)); err != nil {
		s.log.Warn("an event was not recorded", "error", err)
	}
}

func (s *Server) didChange(_ context.Context, params *protocol.DidChangeTextDocumentParams) {
	d := &s.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	changed := d.get(params.TextDocument.URI)
	if changed == nil || !changed.tracked {
		return
	}
	if err := changed.apply(params.ContentChanges); err != nil {
		s.log.Warn("an edit could not be followed; the file is followed again when it is opened again", "error", err)
		changed.tracked, changed.text = false, ""
		return
	}
	if len(changed.text) > changed.at.Settings().Files.MaxBytes {
		changed.tracked, changed.text = false, ""
		return
	}
	now := time.Now()
	burst := changed.editing && now.Sub(changed.changedAt) < changed.at.Settings().Files.Burst()
	if !burst && changed.onDisk() {
		changed.editing, changed.unsaved = false, false
		s.settle(changed)
		return
	}
	changed.changedAt, changed.unsaved = now, true
	if !burst {
		changed.editing = true
		s.touched(changed, event.Edit, "")
	}
}

func (s *Server) didSave(_ context.Context, params *protocol.DidSaveTextDocumentParams) {
	d := &s.documents
	d.mu.Lock()
	saved := d.get(params.TextDocument.URI)
	if saved != nil && saved.tracked {
		saved.unsaved = false
		s.touched(saved, event.Write, saved.text)
		s.settle(saved)
	}
	d.mu.Unlock()
	if saved != nil && saved.path == settings.FileName {
		s.folders.reconfigure()
		s.notifier.everything()
	}
}

func (s *Server) didClose(_ context.Context, params *protocol.DidCloseTextDocumentParams) {
	d := &s.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	closed := d.get(params.TextDocument.URI)
	if closed == nil {
		return
	}
	s.settle(closed)
	delete(d.open, params.TextDocument.URI)
	now := time.Now()
	for name, at := range d.closed {
		if now.Sub(at) >= reopenedWithin {
			delete(d.closed, name)
		}
	}
	d.closed[params.TextDocument.URI] = now
}

// leave forgets the documents of a folder that was removed.
func (d *documents) leave(left *folder) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, open := range d.open {
		if open.at.folder.workspace != left.workspace {
			continue
		}
		if open.timer != nil {
			open.timer.Stop()
		}
		open.waiting = nil
		delete(d.open, name)
	}
}

func (d *documents) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, open := range d.open {
		if open.timer != nil {
			open.timer.Stop()
		}
	}
}
