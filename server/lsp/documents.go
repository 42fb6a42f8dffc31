package lsp

import (
	"strings"
	"sync"
	"time"

	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/server/service"
)

// documents are the open documents.
//
// Tasks on the queue of a workspace take the lock too. Therefore no code may wait for the
// queue, read a file or write to the log while holding it.
type documents struct {
	mu     sync.Mutex
	open   map[uri.URI]*document
	texts  texts
	closed closed
}

// reopenedWithin is the time after closing a file within which opening it again, with the
// content on the disk, is a reload. Some editors reload so.
const reopenedWithin = 2 * time.Second

// closed are the documents that were closed within that time.
type closed struct {
	at    map[uri.URI]time.Time
	order []closing // the latest last
}

type closing struct {
	name uri.URI
	at   time.Time
}

// add adds a document that is closed now.
func (c *closed) add(name uri.URI) {
	c.expire()
	if c.at == nil {
		c.at = map[uri.URI]time.Time{}
	}
	one := closing{name, time.Now()}
	c.at[name] = one.at
	c.order = append(c.order, one)
}

// take removes a document and reports whether it was there.
func (c *closed) take(name uri.URI) bool {
	c.expire()
	_, was := c.at[name]
	delete(c.at, name)
	return was
}

// expire removes what was closed too long ago.
func (c *closed) expire() {
	for len(c.order) > 0 && time.Since(c.order[0].at) >= reopenedWithin {
		oldest := c.order[0]
		c.order = c.order[1:]
		if c.at[oldest.name].Equal(oldest.at) { // it may have been closed again
			delete(c.at, oldest.name)
		}
	}
}

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

// owned returns copies of the name and the path of a document, which are parts of a message that is not held. Most
// paths are the end of the URI.
func owned(name uri.URI, path string) (uri.URI, string) {
	name, path = uri.URI(strings.Clone(string(name))), strings.Clone(path)
	if end, is := strings.CutSuffix(string(name), path); is {
		path = string(name)[len(end):]
	}
	return name, path
}

// put adds an open document with its text. It reports whether the document was closed just
// before.
func (d *documents) put(name uri.URI, opened *document, text string) (reopened bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open == nil {
		d.open = map[uri.URI]*document{}
	}
	if before := d.get(name); before != nil {
		d.texts.forget(before)
	}
	d.open[name] = opened
	if opened.tracked {
		d.texts.hold(opened, strings.Clone(text))
	}
	return d.closed.take(name)
}

// find returns an open document, or nil, and whether it is tracked.
func (d *documents) find(name string) (open *document, tracked bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	open = d.named(name)
	return open, open != nil && open.tracked
}

// set sets the text of a document after a change to it.
func (d *documents) set(changed *document, text string, known bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.texts.set(changed, text, known)
}

// ignore ends the tracking of a document.
func (d *documents) ignore(open *document) {
	d.mu.Lock()
	defer d.mu.Unlock()
	open.tracked = false
	d.texts.forget(open)
}

// close removes a document. It returns the document, or nil if it is not open.
func (d *documents) close(name uri.URI) *document {
	d.mu.Lock()
	defer d.mu.Unlock()
	closed := d.get(name)
	if closed == nil {
		return nil
	}
	delete(d.open, name)
	d.texts.forget(closed)
	d.closed.add(uri.URI(strings.Clone(string(name))))
	return closed
}

// leave removes the documents of a workspace.
func (d *documents) leave(left *service.View) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, open := range d.open {
		if open.at.Workspace != left.Workspace {
			continue
		}
		open.file.Left()
		d.texts.forget(open)
		delete(d.open, name)
	}
}

// stop stops the timers of all documents.
func (d *documents) stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, open := range d.open {
		open.file.Stop()
	}
}
