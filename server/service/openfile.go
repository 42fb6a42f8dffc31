package service

import (
	"sync"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// An OpenFile is a file that is open in an editor. It decides what is recorded of its edits. Keystrokes are not
// recorded, only that the file was read, edited in a burst, or written (systems.md B8, choice 10). A diagnostic opens
// an error only when the file is saved or has been still for a while, because half-typed code is not an error (B10).
//
// The methods are called in the order of the editor's messages, by whoever reads them. They may wait for the queue, so
// they do not hold the lock, which tasks on the queue take, while they do.
type OpenFile struct {
	service *Service
	at      *View
	path    string

	mu sync.Mutex
	// unsaved reports whether there was an edit since the last save.
	unsaved bool
	// changedAt is the time of the last edit, editing reports whether a burst of edits is in progress.
	changedAt time.Time
	editing   bool
	// held are diagnostics that open errors once the file is still.
	held  *event.Diagnostics
	timer *time.Timer
}

// OpenFile returns a file that an editor opens. Its path is relative to the worktree, with /.
func (s *Service) OpenFile(at *View, path string) *OpenFile {
	return &OpenFile{service: s, at: at, path: path}
}

// Opened records that the file was opened with a text. If it was closed just before, an open with the content on the
// disk is how the editor reloads it.
func (f *OpenFile) Opened(text string, reopened bool) {
	if !reopened || !f.at.onDisk(f.path, text) {
		f.service.touched(f.at, f.path, event.Read, text)
	}
}

// Edited records an edit. If the text after it is known and is the content on the disk, and the edit is none of a
// burst, it is a reload.
func (f *OpenFile) Edited(text string, known bool) {
	burst := f.inBurst()
	if !burst && known && f.at.onDisk(f.path, text) {
		f.report(f.reloaded())
		return
	}
	f.edit()
	if !burst {
		f.service.touched(f.at, f.path, event.Edit, "")
	}
}

// Saved records that the file was saved. The text is empty if it is not known.
func (f *OpenFile) Saved(text string) {
	settled := f.save()
	f.service.touched(f.at, f.path, event.Write, text)
	f.report(settled)
}

// Closed records that the file was closed.
func (f *OpenFile) Closed() {
	f.mu.Lock()
	settled := f.settle()
	f.mu.Unlock()
	f.report(settled)
}

// Left drops what is held of the file, whose workspace is left.
func (f *OpenFile) Left() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.settle()
	f.stop()
}

// Stop stops the wait for stillness. It is called when the server ends.
func (f *OpenFile) Stop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stop()
}

// Unsaved reports whether the file was edited since it was saved.
func (f *OpenFile) Unsaved() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.unsaved
}

// Superseded drops the held diagnostics, because a request has newer ones.
func (f *OpenFile) Superseded() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.settle()
}

// DiagnosticsNotified implements the notification wm/diagnostics/changed. It closes errors at once, but opens new ones
// only when the file is still. open is the file if the editor has opened it, or else nil. A request takes effect at
// once, see DiagnosticsChanged.
func (s *Service) DiagnosticsNotified(at *View, params *wire.DiagnosticsChangedParams, open *OpenFile) error {
	body, err := at.diagnostics(params)
	if err != nil || body == nil {
		return err
	}
	if open != nil && open.hold(body) {
		closing := *body
		closing.ClosesOnly = true
		body = &closing
	}
	s.report(at, func() *event.Diagnostics { return body })
	return nil
}

// inBurst reports whether an edit of now belongs to a burst.
func (f *OpenFile) inBurst() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.editing && time.Since(f.changedAt) < f.at.Settings().Files.Burst()
}

// edit records that the text is newer than the file.
func (f *OpenFile) edit() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changedAt, f.unsaved, f.editing = time.Now(), true, true
}

// reloaded records that the text is that of the file, and returns the held diagnostics.
func (f *OpenFile) reloaded() *event.Diagnostics {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.unsaved, f.editing = false, false
	return f.settle()
}

// save records that the file was written, and returns the held diagnostics.
func (f *OpenFile) save() *event.Diagnostics {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.unsaved = false
	return f.settle()
}

// hold holds the diagnostics of a file that is being typed in until it is still, and reports whether it did so. They
// replace those that were held before.
func (f *OpenFile) hold(body *event.Diagnostics) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.settle()
	wait := f.untilStill()
	if !f.unsaved || wait <= 0 {
		return false
	}
	f.held = body
	f.settleLater(wait)
	return true
}

// untilStill returns how long the file has to stay as it is to be still.
func (f *OpenFile) untilStill() time.Duration {
	return f.at.Settings().Errors.Still() - time.Since(f.changedAt)
}

// settleLater reports the held diagnostics after a wait, if the file is still then. The lock must be held.
func (f *OpenFile) settleLater(wait time.Duration) {
	f.stop()
	// On the queue, so that newer diagnostics are either seen here or queued after it.
	f.timer = time.AfterFunc(wait, func() { f.service.report(f.at, f.settleStill) })
}

// settleStill returns the held diagnostics, or nil if there are none or the file has been edited meanwhile.
func (f *OpenFile) settleStill() *event.Diagnostics {
	f.mu.Lock()
	defer f.mu.Unlock()
	if more := f.untilStill(); f.held != nil && f.unsaved && more > 0 {
		f.settleLater(more)
		return nil
	}
	return f.settle()
}

// settle returns the held diagnostics, or nil, and holds them no longer. The lock must be held.
func (f *OpenFile) settle() *event.Diagnostics {
	held := f.held
	f.held = nil
	return held
}

// stop stops the timer. The lock must be held.
func (f *OpenFile) stop() {
	if f.timer != nil {
		f.timer.Stop()
	}
}

// report records diagnostics, unless there are none.
func (f *OpenFile) report(settled *event.Diagnostics) {
	if settled != nil {
		f.service.report(f.at, func() *event.Diagnostics { return settled })
	}
}
