package lsp

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/server/service"
)

// A document is a file that is open in the editor. Its text is kept because
// changes arrive as edits, and to tell an edit from a reload: a reload makes
// the text what is on the disk.
type document struct {
	at   *service.View
	path string // relative to the worktree, with /
	// tracked is false for files that are open and nobody's business; their
	// text is not kept.
	tracked bool
	text    string
	// unsaved is true from an edit until a save.
	unsaved bool
	// changedAt is when the text last changed, editing whether that was within
	// a burst of edits.
	changedAt time.Time
	editing   bool
	// waiting are diagnostics that open errors once the document is still.
	waiting *event.Diagnostics
	timer   *time.Timer
}

// settle returns the diagnostics that wait for the document to be still, nil if
// there are none; they wait no longer. It is called with the documents locked.
func (d *document) settle() *event.Diagnostics {
	waiting := d.waiting
	d.waiting = nil
	return waiting
}

// apply makes the edits of one notification, in their order.
func (d *document) apply(changes []protocol.TextDocumentContentChangeEvent) error {
	for _, change := range changes {
		switch change := change.(type) {
		case *protocol.TextDocumentContentChangeWholeDocument:
			d.text = change.Text
		case *protocol.TextDocumentContentChangePartial:
			from, err := offset(d.text, change.Range.Start)
			if err != nil {
				return err
			}
			to, err := offset(d.text, change.Range.End)
			if err != nil {
				return err
			}
			if to < from {
				return fmt.Errorf("the edit ends before it begins: %v", change.Range)
			}
			d.text = d.text[:from] + change.Text + d.text[to:]
		}
	}
	return nil
}

// offset converts a position of LSP, a line and UTF-16 code units in it, into a
// byte offset. A character beyond the end of the line is its end, and a line
// beyond the last the end of the text, as LSP and its clients have it.
func offset(text string, position protocol.Position) (int, error) {
	start := 0
	for line := uint32(0); line < position.Line; line++ {
		end := strings.IndexByte(text[start:], '\n')
		if end < 0 {
			if line+1 < position.Line {
				return 0, fmt.Errorf("line %d is beyond the end of the document", position.Line)
			}
			return len(text), nil
		}
		start += end + 1
	}
	at := start
	for units := uint32(0); units < position.Character && at < len(text) && text[at] != '\n'; {
		if text[at] < utf8.RuneSelf {
			if text[at] == '\r' && at+1 < len(text) && text[at+1] == '\n' {
				break
			}
			at++
			units++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		width := uint32(max(utf16.RuneLen(r), 1))
		if units+width > position.Character {
			break // within a surrogate pair: before it
		}
		at += size
		units += width
	}
	return at, nil
}
