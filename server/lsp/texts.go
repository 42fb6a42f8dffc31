package lsp

import (
	"container/list"
	"hash/maphash"
)

// maxTexts is the maximum size of the texts of all open documents together, in bytes. A few
// dozen files need less. If a client opens a whole repository, the texts that were used last
// are held, and the others are read from their files when they are needed.
const maxTexts = 8 << 20

// texts are the documents whose text is held.
type texts struct {
	latest list.List // of *document, the one that was used last first
	size   int       // of their texts, in bytes
}

// seed is the seed of the hashes by which a string that is not held is recognized.
var seed = maphash.MakeSeed()

// hold sets the text of a document. If all texts together are larger than maxTexts, it drops
// those that were used longest ago, but never the last one.
func (t *texts) hold(d *document, text string) {
	t.size += len(text) - len(d.text)
	d.text, d.sum = text, 0
	if d.holds == nil {
		d.holds = t.latest.PushFront(d)
	} else {
		t.latest.MoveToFront(d.holds)
	}
	for t.size > maxTexts && t.latest.Len() > 1 {
		dropped := t.latest.Back().Value.(*document)
		sum := maphash.String(seed, dropped.text)
		t.forget(dropped)
		dropped.sum = sum
	}
}

// set calls hold if the text is known, and forget otherwise.
func (t *texts) set(d *document, text string, known bool) {
	if known {
		t.hold(d, text)
	} else {
		t.forget(d)
	}
}

// forget drops the text of a document, which is then unknown.
func (t *texts) forget(d *document) {
	d.sum = 0
	if d.holds == nil {
		return
	}
	t.latest.Remove(d.holds)
	t.size -= len(d.text)
	d.text, d.holds = "", nil
}

// known returns the text of a tracked document. It returns false if the text is not held and
// differs from that of the file. It may read the file, so the documents must not be locked.
func (d *documents) known(open *document) (text string, ok bool) {
	d.mu.Lock()
	text, ok = open.text, open.holds != nil
	sum, at, path := open.sum, open.at, open.path
	d.mu.Unlock()
	if ok || sum == 0 {
		return text, ok
	}
	text, err := at.ReadFile(path)
	if err != nil || maphash.String(seed, text) != sum {
		return "", false
	}
	return text, true
}
