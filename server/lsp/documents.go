package lsp

import (
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/server/service"
)

// documents are the open documents. Keystrokes are not recorded, only that a file was read,
// edited in a burst, or written (systems.md B8, choice 10).
//
// Tasks on the queue of a workspace take the lock too. So nobody may wait for the queue,
// read a file or write to the log while holding it.
type documents struct {
	mu     sync.Mutex
	open   map[uri.URI]*document
	closed map[uri.URI]time.Time
}

// reopenedWithin is the time after closing a file within which opening it again, with the
// content on the disk, is a reload. Some editors reload so.
const reopenedWithin = 2 * time.Second

func (d *documents) get(name uri.URI) *document { return d.open[name] }

// named returns the open document of a URI, or nil. Clients differ in what they escape in
// a URI.
func (d *documents) named(name string) *document {
	parsed, err := uri.Parse(name)
	if err != nil {
		return nil
	}
	return d.get(parsed)
}

// put adds an open document. It reports whether the document was closed just before.
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

// edit applies a change to the text of a document. It returns the document, or nil if it is
// not tracked, and reports whether the change belongs to a burst of edits.
func (d *documents) edit(params *protocol.DidChangeTextDocumentParams) (changed *document, burst bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	changed = d.get(params.TextDocument.URI)
	if changed == nil || !changed.tracked {
		return nil, false, nil
	}
	if err := changed.apply(params.ContentChanges); err != nil {
		changed.tracked, changed.text = false, ""
		return nil, false, err
	}
	limits := changed.at.Settings().Files
	if len(changed.text) > limits.MaxBytes {
		changed.tracked, changed.text = false, ""
		return nil, false, nil
	}
	return changed, changed.editing && time.Since(changed.changedAt) < limits.Burst(), nil
}

// edited records that the text of a document is newer than its file.
func (d *documents) edited(changed *document) {
	d.mu.Lock()
	defer d.mu.Unlock()
	changed.changedAt, changed.unsaved, changed.editing = time.Now(), true, true
}

// reloaded records that the text of a document is that of its file, and returns the held
// diagnostics.
func (d *documents) reloaded(changed *document) *event.Diagnostics {
	d.mu.Lock()
	defer d.mu.Unlock()
	changed.editing, changed.unsaved = false, false
	return changed.settle()
}

// saved records that a document was saved. It returns the document, or nil if it is not
// open; its text, or nil if it is not tracked; and the held diagnostics.
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

// close removes a document. It returns the document, or nil if it is not open, and the held
// diagnostics.
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

// leave removes the documents of a workspace.
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
		open.held = nil
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
